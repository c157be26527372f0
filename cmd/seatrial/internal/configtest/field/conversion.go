package field

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// conversion is one function of the module at work for somebody: which parts of configurations its parameters, and what
// it gives, are. It is gone through to see which fields of one configuration are those of another one, as of a version
// that files have and one that the program works with.
type conversion struct {
	*visitor
	parts  map[types.Object]*node
	result *node
	deep   int
	joined func(from, to *node)
}

// deepest is how many functions call each other for one conversion.
const deepest = 12

// joinConversions joins fields of types that have places of their own in a configuration: where they are known from the
// function itself.
func (a *analysis) joinConversions() {
	seen := map[[2]parameter.ID]bool{}
	for _, f := range a.files {
		if f.test {
			continue
		}
		v := &visitor{analysis: a, file: f}
		for _, d := range f.syntax.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Body != nil {
				c := &conversion{visitor: v, parts: map[types.Object]*node{}, joined: func(from, to *node) {
					if from.root != to.root && !seen[[2]parameter.ID{from.id(), to.id()}] {
						seen[[2]parameter.ID{from.id(), to.id()}] = true
						a.alias(from.id(), to.id())
					}
				}}
				c.through(fn)
			}
		}
	}
}

// through goes through a function.
func (c *conversion) through(fn *ast.FuncDecl) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 && c.result != nil {
				if id, is := pointee(n.Results[0]).(*ast.Ident); is && c.parts[c.info.ObjectOf(id)] == nil && c.typeKey(c.info.TypeOf(id)) == c.typeKey(c.result.typ) {
					c.parts[c.info.ObjectOf(id)] = c.result
				}
			}
		}
		return true
	})
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				c.gives(c.result, n.Results[0])
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					c.gives(c.of(to), n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			c.calls(n, nil)
		}
		return true
	})
}

// pointee is what is behind the address that an expression takes, if it takes one.
func pointee(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if u, is := e.(*ast.UnaryExpr); is {
		return ast.Unparen(u.X)
	}
	return e
}

// of is the part of a configuration that an expression is; nil if it is none, or may be one of several.
func (c *conversion) of(e ast.Expr) *node {
	e = pointee(c.converted(pointee(e)))
	switch x := e.(type) {
	case *ast.Ident:
		if n := c.parts[c.info.ObjectOf(x)]; n != nil {
			return n
		}
	case *ast.SelectorExpr:
		s := c.info.Selections[x]
		if s == nil || s.Kind() != types.FieldVal {
			return nil
		}
		n := c.of(x.X)
		for _, name := range fieldsOn(s) {
			if n == nil || n.leaf {
				return nil
			}
			n = n.child(name)
		}
		return n
	default:
		return nil
	}
	if all := c.byType[c.typeKey(c.info.TypeOf(e))]; len(all) == 1 {
		return all[0]
	}
	return nil
}

// gives notes that a part has its value from an expression.
func (c *conversion) gives(to *node, from ast.Expr) {
	if to == nil {
		return
	}
	switch x := pointee(from).(type) {
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			kv, is := e.(*ast.KeyValueExpr)
			if name, named := kv2name(kv, is); named && !to.leaf {
				c.gives(to.child(name), kv.Value)
			}
		}
		return
	case *ast.CallExpr:
		if c.calls(x, to) {
			return
		}
	}
	c.join(c.of(from), to)
}

func kv2name(kv *ast.KeyValueExpr, is bool) (string, bool) {
	if !is {
		return "", false
	}
	id, named := kv.Key.(*ast.Ident)
	if !named {
		return "", false
	}
	return id.Name, true
}

// join joins a part with another one, field by field if these are structs.
func (c *conversion) join(from, to *node) {
	switch {
	case from == nil || to == nil || from.leaf != to.leaf:
	case from.leaf:
		c.joined(from, to)
	default:
		for _, f := range from.children {
			c.join(f, to.child(f.field.Name()))
		}
	}
}

var converting = regexp.MustCompile(`^(auto)?Convert_`)

// calls goes through a function of the module that is called with parts of configurations; false if it is another one.
func (c *conversion) calls(call *ast.CallExpr, result *node) bool {
	f, is := typeutil.Callee(c.info, call).(*types.Func)
	if !is {
		return false
	}
	fn := c.functions[key(f)]
	if fn == nil {
		if converting.MatchString(f.Name()) && len(call.Args) > 1 { // of a library, as for values that may not be there
			c.join(c.of(call.Args[0]), c.of(call.Args[1]))
		}
		return false
	}
	inner := &conversion{visitor: &visitor{analysis: c.analysis, file: fn.file}, parts: map[types.Object]*node{}, result: result, deep: c.deep + 1, joined: c.joined}
	some := false
	for i, arg := range call.Args {
		if n := c.of(arg); n != nil && i < len(fn.params) && c.typeKey(fn.params[i].Type()) == c.typeKey(n.typ) && !n.leaf {
			inner.parts[fn.params[i]] = n
			some = true
		}
	}
	if some && inner.deep < deepest {
		inner.through(fn.node)
	}
	return some
}

// Defaults

// defaulted are the expressions in the condition of a statement that only ask whether a field says something, to give
// it a value if not: if x.F == 0 { x.F = 1 }.
func (v *visitor) defaulted(n *ast.IfStmt) []ast.Expr { return v.defaultedOf(n, v.isLeaf) }

// defaultedOf is the same of what is a field in some sense.
func (v *visitor) defaultedOf(n *ast.IfStmt, field func(ast.Expr) bool) (out []ast.Expr) {
	var assigned []string
	ast.Inspect(n.Body, func(n ast.Node) bool {
		if a, is := n.(*ast.AssignStmt); is {
			for _, to := range a.Lhs {
				assigned = append(assigned, v.source(to))
			}
		}
		return true
	})
	var ask func(e ast.Expr)
	ask = func(e ast.Expr) {
		var of ast.Expr
		switch x := ast.Unparen(e).(type) {
		case *ast.BinaryExpr:
			switch {
			case x.Op.String() == "||" || x.Op.String() == "&&":
				ask(x.X)
				ask(x.Y)
				return
			case v.nothing(x.Y):
				of = x.X
			}
			if call, is := of.(*ast.CallExpr); is && len(call.Args) == 1 {
				if name, is := call.Fun.(*ast.Ident); is && name.Name == "len" {
					of = call.Args[0]
				}
			}
		case *ast.UnaryExpr:
			of = x.X
		case *ast.CallExpr:
			if s, is := x.Fun.(*ast.SelectorExpr); is && len(x.Args) == 0 && strings.HasPrefix(s.Sel.Name, "Is") {
				of = s.X
			}
		}
		given := false // to what has nothing but that, too
		for of != nil {
			given = given || slices.Contains(assigned, v.source(of))
			of = v.converted(of)
			if given = given || slices.Contains(assigned, v.source(of)); given && field(of) {
				out = append(out, of)
				return
			}
			of = onlyIn(v.info, of)
		}
	}
	ask(n.Cond)
	return out
}

// onlyIn is the struct that has nothing but what a selector takes of it, as one that is there for its methods: of
// c.Period.Duration it is c.Period. It is nil of all else.
func onlyIn(info *types.Info, e ast.Expr) ast.Expr {
	of, is := ast.Unparen(e).(*ast.SelectorExpr)
	if !is || info.Selections[of] == nil || info.Selections[of].Kind() != types.FieldVal {
		return nil
	}
	if s := structOf(info.TypeOf(of.X)); s == nil || s.NumFields() != 1 {
		return nil
	}
	return of.X
}

// nothing tells whether an expression is what a field is that says nothing.
func (v *visitor) nothing(e ast.Expr) bool {
	e = ast.Unparen(e)
	if id, is := e.(*ast.Ident); is && id.Name == "nil" {
		return true
	} else if o := v.info.Uses[id]; is && o != nil && v.definition(o) != nil {
		e = v.definition(o) // zero := Duration{}
	}
	if lit, is := e.(*ast.CompositeLit); is {
		return len(lit.Elts) == 0
	}
	value := v.info.Types[e].Value
	if value == nil {
		return false
	}
	text := value.ExactString()
	number, err := strconv.ParseFloat(text, 64)
	return text == `""` || text == "false" || err == nil && number == 0
}

// source is an expression as it is written.
func (v *visitor) source(e ast.Expr) string {
	return string(v.text[v.offset(e.Pos()):v.offset(e.End())])
}
