package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A program often puts what its configuration says into a struct of its own first: &App{timeout: c.Timeout}. That shows
// nothing of what is done with it, and a test that makes an App need not come to where it times out. Such a field is a
// carrier: where a value is copied into one, that is written down beside the read, and where the carrier is read, that
// is, too.
//
// A use of a value is only a copy if it ends in carriers and nowhere else, by way of variables of functions and
// parameters of the module's own. What the compiler does not show is taken for a use: what calls through interfaces,
// what is returned, and carriers that something else than a selector may read.

// carriage is which uses of values are copies.
type carriage struct {
	*analysis
	parents map[*file]map[ast.Node]ast.Node
	// uses are those of variables of functions, and fields those of fields, by where they are.
	uses   map[types.Object][]use
	fields map[string][]use
	names  map[string]parameter.ID
	// exposed are fields that may be read, or set, by something else than a selector.
	exposed map[string]bool
	known   map[string]*ends
}

// use is an expression that is a variable, or a field of one.
type use struct {
	file *file
	at   ast.Expr
}

// ends are the carriers that a value ends in; nil if it is used for something else.
type ends struct{ carriers []string }

// nowhere is for a value that is dropped, or only logged.
var nowhere = &ends{}

// carry looks at the uses of all variables outside of tests.
func (a *analysis) carry() {
	c := &carriage{
		analysis: a, parents: map[*file]map[ast.Node]ast.Node{}, uses: map[types.Object][]use{}, fields: map[string][]use{}, names: map[string]parameter.ID{}, exposed: map[string]bool{}, known: map[string]*ends{},
	}
	for _, f := range a.files {
		if c.exposures(f); !f.test {
			c.index(f)
		}
	}
	for _, f := range a.files {
		if !f.test && !f.generated {
			c.follow(f)
		}
	}
	a.carriage = c
}

// follow looks where what is configured ends: which fields are carriers has to be known before the first read of one is
// met.
func (c *carriage) follow(f *file) {
	v := &visitor{analysis: c.analysis, file: f, skipped: map[ast.Expr]bool{}}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := f.info.Selections[n]; s != nil && s.Kind() == types.FieldVal && (v.isLeaf(n) || v.itemField(n) != "") {
				c.goes(f, n)
			}
		case *ast.Ident:
			if o, is := f.info.Uses[n].(*types.Var); is && !o.IsField() && len(v.holders[v.where(o)]) > 0 {
				var e ast.Expr = n
				if of, is := c.parents[f][n].(*ast.SelectorExpr); is && of.Sel == n {
					e = of
				}
				c.goes(f, e)
			}
		case *ast.CallExpr:
			if v.answers(n) {
				c.goes(f, n)
			}
		}
		return true
	})
}

// index notes what is around each node of a file, and the uses of variables.
func (c *carriage) index(f *file) {
	parents := map[ast.Node]ast.Node{}
	c.parents[f] = parents
	var stack []ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if fn, is := n.(*ast.FuncDecl); is && fn.Recv != nil && silent.MatchString(fn.Name.Name) {
			return false
		}
		if len(stack) > 0 {
			parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.Ident:
			if o, is := f.info.Uses[n].(*types.Var); is && !o.IsField() {
				c.uses[o] = append(c.uses[o], use{f, n})
			}
		case *ast.SelectorExpr:
			c.selected(f, n)
		}
		return true
	})
}

// selected notes that a field is used. Generated code is not looked into.
func (c *carriage) selected(f *file, n *ast.SelectorExpr) {
	s := f.info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal {
		return
	}
	at := c.where(s.Obj())
	c.fields[at] = append(c.fields[at], use{f, n})
	if f.generated {
		c.exposed[at] = true
	}
}

// carrier is where the field of a struct is, if it is a struct of the module that is no configuration.
func (c *carriage) carrier(of types.Type, field *types.Var, tag string) string {
	at := c.where(field)
	if of == nil || structOf(of) == nil || !c.own(field.Pkg()) || field.Embedded() || tag != "" || c.configured(of, field) || c.itemFields[at] != "" || c.elements[c.typeKey(of)] {
		return ""
	}
	if c.names[at] == "" {
		name := field.Pkg().Name() + "."
		if n := named(of); n != nil {
			name += n.Obj().Name() + "."
		}
		c.names[at] = parameter.New(parameter.Field, name+field.Name())
	}
	return at
}

// configured tells whether a field is one that a file, a flag or a variable gives its value. What else the program
// keeps in a struct that has such fields is its own.
func (c *carriage) configured(of types.Type, field *types.Var) bool {
	return slices.ContainsFunc(c.byType[c.typeKey(of)], func(n *node) bool { return n.child(field.Name()) != nil })
}

// ofSelector is the carrier that an expression is; empty if it is none.
func (c *carriage) ofSelector(f *file, n *ast.SelectorExpr) string {
	s := f.info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal {
		return ""
	}
	field := s.Obj().(*types.Var)
	of := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		of = structOf(of).Field(i).Type()
	}
	in := structOf(of)
	return c.carrier(of, field, in.Tag(s.Index()[len(s.Index())-1]))
}

// into is where a value ends that is put into a field. It is a carrier if some code of the program reads it, or what it
// is copied to.
func (c *carriage) into(at string) *ends {
	if at == "" || c.exposed[at] {
		return nil
	}
	if known, is := c.known[at]; is {
		return known
	}
	c.known[at] = nowhere // while it is looked at: a copy to itself is no use
	out := &ends{}
	read := false
	for _, u := range c.fields[at] {
		to := c.goes(u.file, u.at)
		if to == nil {
			read = true
			continue
		}
		out.carriers = append(out.carriers, to.carriers...)
	}
	if read {
		out.carriers = append(out.carriers, at)
	}
	if len(out.carriers) == 0 {
		out = nil // who knows who reads it
	}
	c.known[at] = out
	return out
}

// ordering is for functions that only put a text in order.
var ordering = regexp.MustCompile(`^strings\.(Trim\w*|ToLower|ToUpper|Clone)$`)

// goes is where the value of an expression ends; nil if it is used.
func (c *carriage) goes(f *file, e ast.Expr) *ends {
	parents := c.parents[f]
	if c.loggedAt(f, e) {
		return nowhere
	}
	for {
		switch around := parents[e].(type) {
		case *ast.ParenExpr:
			e = around
		case *ast.StarExpr:
			e = around
		case *ast.SelectorExpr:
			if onlyIn(f.info, around) != e {
				return nil
			}
			e = around
		case *ast.BinaryExpr:
			if _, is := f.info.TypeOf(around).Underlying().(*types.Basic); !is || !arithmetic(f.info, around) {
				return c.compared(f, e)
			}
			e = around
		case *ast.KeyValueExpr:
			return c.literal(f, parents[around], around, around.Value == e)
		case *ast.CompositeLit:
			return c.literal(f, around, e, true)
		case *ast.AssignStmt:
			return c.assigned(f, around, e)
		case *ast.ValueSpec:
			for i, value := range around.Values {
				if value == e && len(around.Names) == len(around.Values) {
					return c.variable(f.info.Defs[around.Names[i]])
				}
			}
			return nil
		case *ast.CallExpr:
			if len(around.Args) == 0 || around.Fun == e {
				return nil
			}
			by, _ := typeutil.Callee(f.info, around).(*types.Func)
			if !f.info.Types[around.Fun].IsType() && !(by != nil && by.Pkg() != nil && around.Args[0] == e && (ordering.MatchString(by.Pkg().Path()+"."+by.Name()) || (&visitor{analysis: c.analysis, file: f}).orElse(around))) {
				return c.argument(f, around, e)
			}
			e = around
		default:
			return nil
		}
	}
}

// arithmetic tells whether something is only counted in another unit.
func arithmetic(info *types.Info, e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.ADD, token.SUB, token.MUL, token.QUO:
		return info.Types[e.X].Value != nil || info.Types[e.Y].Value != nil
	}
	return false
}

// loggedAt is logged of an expression wherever it is.
func (c *carriage) loggedAt(f *file, e ast.Expr) bool {
	v := &visitor{analysis: c.analysis, file: f}
	for n := ast.Node(e); n != nil; n = c.parents[f][n] {
		v.stack = append(v.stack, n)
		if _, is := n.(ast.Stmt); is {
			break
		}
	}
	slices.Reverse(v.stack)
	return v.logged(e)
}

// compared: what is only asked whether it is there, to put a default in its place, is not used.
func (c *carriage) compared(f *file, e ast.Expr) *ends {
	for n := ast.Node(e); ; {
		switch around := c.parents[f][n].(type) {
		case *ast.BinaryExpr:
			n = around
		case *ast.ParenExpr:
			n = around
		case *ast.IfStmt:
			for _, defaulted := range (&visitor{analysis: c.analysis, file: f}).defaultedOf(around, func(ast.Expr) bool { return true }) {
				for at := e; at != nil; at = onlyIn(f.info, at) {
					if ast.Unparen(defaulted) == ast.Unparen(at) {
						return nowhere
					}
				}
			}
			return nil
		default:
			return nil
		}
	}
}

// literal is where a value of a literal of a struct ends.
func (c *carriage) literal(f *file, lit ast.Node, of ast.Expr, value bool) *ends {
	n, is := lit.(*ast.CompositeLit)
	if !is || !value {
		return nil
	}
	t := f.info.TypeOf(n)
	s := structOf(t)
	if s == nil {
		return nil
	}
	for i := range s.NumFields() {
		is := i < len(n.Elts) && n.Elts[i] == of
		if kv, named := of.(*ast.KeyValueExpr); named {
			name, _ := kv.Key.(*ast.Ident)
			is = name != nil && name.Name == s.Field(i).Name()
		}
		if is {
			return c.into(c.carrier(t, s.Field(i), s.Tag(i)))
		}
	}
	return nil
}

// assigned is where a value ends that is assigned; what is assigned to is not read.
func (c *carriage) assigned(f *file, n *ast.AssignStmt, e ast.Expr) *ends {
	for i, to := range n.Lhs {
		if to == e {
			return nowhere
		}
		if len(n.Lhs) != len(n.Rhs) || n.Rhs[i] != e || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			continue
		}
		to = ast.Unparen(to)
		if at, is := to.(*ast.IndexExpr); is {
			if _, of := f.info.TypeOf(at.X).Underlying().(*types.Map); !of {
				return nil
			}
			to = ast.Unparen(at.X)
			if _, is := to.(*ast.SelectorExpr); !is {
				return nil
			}
		}
		switch to := to.(type) {
		case *ast.Ident:
			return c.variable(f.info.ObjectOf(to))
		case *ast.SelectorExpr:
			return c.into(c.ofSelector(f, to))
		}
	}
	return nil
}

// variable is where the value of a variable of a function ends.
func (c *carriage) variable(o types.Object) *ends {
	v, is := o.(*types.Var)
	if !is || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	at := c.where(v)
	if known, is := c.known[at]; is {
		return known
	}
	c.known[at] = nowhere
	out := &ends{}
	for _, u := range c.uses[v] {
		to := c.goes(u.file, u.at)
		if to == nil {
			out = nil
			break
		}
		out.carriers = append(out.carriers, to.carriers...)
	}
	c.known[at] = out
	return out
}

// argument is where an argument of a call ends, if it is of a function of the module.
func (c *carriage) argument(f *file, call *ast.CallExpr, e ast.Expr) *ends {
	fn := c.called(f.info, call)
	if fn == nil || fn.file.test || fn.file.generated || fn.object.Signature().Variadic() {
		return nil
	}
	for i, arg := range call.Args {
		if arg == e && i < len(fn.params) {
			return c.variable(fn.params[i])
		}
	}
	return nil
}
