package field

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// visitor rewrites one file.
type visitor struct {
	*analysis
	*file
	group int
	// skipped are expressions whose value nobody takes here: they are assigned to, or handed on.
	skipped map[ast.Expr]bool
	// passed are fields of items that nobody takes: who reads the collection has it all the same.
	passed map[ast.Expr]bool
	// taken are literals and calls that what is around them takes care of.
	taken map[ast.Node]bool
	stack []ast.Node
	// from are the expressions that ask for variables of the environment from which a variable of a function has its
	// value.
	from map[types.Object][]ast.Expr
	// defined are the values that variables of the file are given.
	defined map[types.Object][]ast.Expr
	// madeFrom is what variables are made of, as far as that is known.
	madeFrom map[types.Object]origin
	// madeOnce are what variables of the file have their only value of.
	madeOnce map[types.Object]ast.Expr
	// into is where an expression is put whose origin is looked for.
	into []parameter.ID
	// ranged are the collections of which variables of loops are the items.
	ranged map[types.Object]ast.Expr
}

// silent is for functions that read fields for nobody: copies of a struct, what it looks like.
var silent = regexp.MustCompile(`^(DeepCopy.*|String|GoString|Equal|Marshal.*|Unmarshal.*|Convert_.*|Redacted)$`)

func (a *analysis) rewrite(f *file) {
	v := &visitor{analysis: a, file: f, skipped: map[ast.Expr]bool{}, passed: map[ast.Expr]bool{}, taken: map[ast.Node]bool{}}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			v.stack = v.stack[:len(v.stack)-1]
			return true
		}
		if fn, is := n.(*ast.FuncDecl); is {
			if fn.Body == nil || fn.Recv != nil && silent.MatchString(fn.Name.Name) {
				return false
			}
			v.function(fn)
		}
		v.stack = append(v.stack, n)
		v.prepare(n)
		v.passItems(n)
		v.readKey(n) // around what else is said of the map
		v.visit(n)
		v.wholeItems(n)
		return true
	})
}

// above is the node around the one that is visited, n steps further out.
func (v *visitor) above(n int) ast.Node {
	if i := len(v.stack) - 2 - n; i >= 0 {
		return v.stack[i]
	}
	return nil
}

// prepare notes what is no read beneath a node.
func (v *visitor) prepare(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			v.skip(e)
		}
		for i, e := range n.Rhs {
			if !v.test && len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN && v.isLeaf(n.Lhs[i]) && v.isLeaf(v.converted(e)) {
				v.skip(v.converted(e)) // what one configuration has from another one is handed on
			}
		}
	case *ast.IfStmt:
		if !v.test {
			for _, e := range v.defaulted(n) {
				v.skip(e)
			}
		}
	case *ast.IncDecStmt:
		v.skip(n.X)
	case *ast.RangeStmt:
		v.skip(n.Key)
		v.skip(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND && !v.item(n.X) && !v.handedOn(n) { // what is done with an item is done with the collection
			v.skip(n.X)
		}
	case *ast.CallExpr:
		v.prepareCall(n)
	case *ast.CompositeLit:
		v.prepareLiteral(n)
	}
}

func (v *visitor) prepareCall(n *ast.CallExpr) {
	if b := v.binding(v.info, n); b != nil {
		for _, arg := range n.Args {
			ast.Inspect(arg, func(n ast.Node) bool {
				if e, is := n.(ast.Expr); is {
					v.skipped[e] = true
				}
				_, closure := n.(*ast.FuncLit)
				return !closure
			})
		}
		return
	}
	if leaf := v.parses(n); leaf != nil {
		v.skip(leaf)
	}
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		if _, is := v.info.Uses[f].(*types.Builtin); is && (f.Name == "len" || f.Name == "cap" || f.Name == "clear" || f.Name == "delete") && len(n.Args) > 0 {
			t := v.info.TypeOf(n.Args[0])
			if p, is := t.Underlying().(*types.Pointer); is {
				t = p.Elem()
			}
			if _, array := t.Underlying().(*types.Array); array || f.Name == "clear" || f.Name == "delete" {
				v.skip(n.Args[0])
			}
		}
	case *ast.SelectorExpr:
		if b, is := v.info.Uses[f.Sel].(*types.Builtin); is && b.Pkg() == types.Unsafe {
			for _, arg := range n.Args {
				v.skip(arg)
			}
		}
	}
}

// prepareLiteral: what one configuration takes from another one is handed on, and so is the default of a flag.
func (v *visitor) prepareLiteral(n *ast.CompositeLit) {
	if b := v.flagLiteral(v.info, n); b != nil {
		v.skip(b.value)
		v.skip(b.target)
		return
	}
	if v.test {
		return
	}
	for _, e := range n.Elts {
		if to, from := v.element(n, e); to != nil && v.isLeaf(v.converted(from)) {
			v.skip(v.converted(from))
		}
	}
}

// element is the leaf that an element of a literal is for, and its value; nil if there is none.
func (v *visitor) element(n *ast.CompositeLit, e ast.Expr) (*node, ast.Expr) {
	kv, is := e.(*ast.KeyValueExpr)
	if !is {
		return nil, nil
	}
	name, is := kv.Key.(*ast.Ident)
	if !is {
		return nil, nil
	}
	for _, of := range v.byType[v.typeKey(v.info.TypeOf(n))] {
		if c := of.child(name.Name); c != nil && c.leaf {
			return c, kv.Value
		}
	}
	return nil, nil
}

// converted is an expression without conversions, without the star of a pointer, without the only field of a struct
// that wraps a value, and without what stands for it if it says nothing.
func (v *visitor) converted(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			s := structOf(v.info.TypeOf(x.X))
			if s == nil || s.NumFields() != 1 || !v.foreign(v.info.TypeOf(x.X)) || !v.isLeaf(x.X) {
				return e
			}
			e = x.X
		case *ast.CallExpr:
			if !(len(x.Args) == 1 && v.info.Types[x.Fun].IsType()) && !v.orElse(x) {
				return e
			}
			e = x.Args[0]
		default:
			return e
		}
	}
}

// orElse tells whether a call gives what its first argument says, or else another one.
func (v *visitor) orElse(call *ast.CallExpr) bool {
	f, is := typeutil.Callee(v.info, call).(*types.Func)
	if !is || f.Pkg() == nil || len(call.Args) != 2 {
		return false
	}
	path := f.Pkg().Path()
	return path == "cmp" && f.Name() == "Or" || strings.HasPrefix(path, "k8s.io/utils/p") && strings.HasSuffix(f.Name(), "Deref")
}

func (v *visitor) isLeaf(e ast.Expr) bool {
	_, is := ast.Unparen(e).(*ast.SelectorExpr)
	all := v.nodes(e)
	return is && len(all) > 0 && all[0].leaf
}

// skip notes that an expression, and what it is a part of, is not read.
func (v *visitor) skip(e ast.Expr) {
	for e != nil {
		v.skipped[e] = true
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if t := v.info.TypeOf(x.X); t != nil {
				if _, pointer := t.Underlying().(*types.Pointer); pointer && v.isLeaf(x.X) {
					return // what it points to is not in the configuration
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return
		}
	}
}

// visit rewrites a node.
func (v *visitor) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if s := v.info.Selections[n]; s != nil && s.Kind() == types.FieldVal && !v.skipped[n] {
			v.read(n)
			v.readItem(n)
			v.readFlag(n)
			v.carries(n)
		}
		v.environment(n, n.Sel)
	case *ast.Ident:
		if of, is := v.above(0).(*ast.SelectorExpr); !is || of.Sel != n {
			v.environment(n, n)
			v.readHolder(n)
		}
		v.ownDocument(n)
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			v.compare(n.X)
			v.compare(n.Y)
		}
	case *ast.CallExpr:
		v.call(n)
		v.asksInPlace(n)
		v.decodedText(n)
		v.asked(n)
		v.askedForFlag(n)
		v.askedToLog(n)
		v.copiesAnswer(n)
		v.sameArguments(n)
		v.textOfType(n)
	case *ast.CompositeLit:
		v.literal(n)
		v.same(n)
	case *ast.AssignStmt:
		v.assigned(n)
		v.sameAssigned(n)
	case *ast.ExprStmt:
		v.setByItself(n, n.X)
	case *ast.RangeStmt:
		if to := v.flows[n.X]; len(to) > 0 {
			v.handOn(n.X, to...)
		}
	case *ast.IncDecStmt:
		v.set(n, n.X, nil)
	case *ast.ValueSpec:
		for i, value := range n.Values {
			if len(n.Names) == len(n.Values) {
				v.handHolder(v.info.Defs[n.Names[i]], value)
			}
		}
	}
}

// quoted are the parameters of nodes as arguments.
func quoted(all []*node) string {
	var out []string
	for _, n := range all {
		out = append(out, strconv.Quote(string(n.id())))
	}
	return strings.Join(out, ", ")
}

// numbered are structs as arguments.
func numbered(all []*node) string {
	var out []string
	for _, n := range all {
		out = append(out, strconv.Itoa(n.number))
	}
	return strings.Join(out, ", ")
}

func (v *visitor) at(n ast.Node) string { return strconv.Quote(v.place(v.analysis, n)) }

// read wraps a leaf.
func (v *visitor) read(e *ast.SelectorExpr) {
	all := v.nodes(e)
	if len(all) == 0 || !all[0].leaf || v.logged(e) {
		return
	}
	if at, by := v.only(e); at != "" {
		v.wrap(e, fmt.Sprintf("(*%s.%s(&", recorder, by), ", "+at+", "+v.at(e)+", "+v.parameters(e, all)+"))")
		return
	}
	at := v.at(e)
	switch {
	case v.counted(e): // that shows nothing of what is in it
		at = strconv.Quote(v.place(v.analysis, e) + record.Unsure)
	case mapOfValues(v.info.TypeOf(e)) && !v.usesAll(e):
		at = strconv.Quote(v.place(v.analysis, e) + record.Taken)
	}
	v.copiesOn(e)
	v.reads(e, at+", "+v.parameters(e, all), "R", "V")
}

// parameters are the ones that an expression may be, as arguments; an empty one if it may be none.
func (v *visitor) parameters(e ast.Expr, all []*node) string {
	if v.maybeItem(e) {
		return quoted(all) + `, ""`
	}
	return quoted(all)
}

// reads wraps an expression by where it is, or what it is if that cannot be said.
func (v *visitor) reads(e ast.Expr, args, pointer, value string) {
	if v.info.Types[e].Addressable() {
		v.wrap(e, fmt.Sprintf("(*%s.%s(&", recorder, pointer), ", "+args+"))")
	} else {
		v.wrap(e, fmt.Sprintf("%s.%s(", recorder, value), ", "+args+")")
	}
}

// compare: who compares a struct reads all of it.
func (v *visitor) compare(e ast.Expr) {
	t := v.info.TypeOf(e)
	if t == nil {
		return
	}
	if _, is := t.Underlying().(*types.Struct); !is {
		return
	}
	if _, is := ast.Unparen(e).(*ast.CompositeLit); is {
		return
	}
	if all := v.nodes(e); len(all) > 0 && !all[0].leaf {
		v.reads(e, v.at(e)+", "+numbered(all), "All", "AllV")
	}
}

// logs are functions by which a program or a test says something, and does nothing with it.
var logs = regexp.MustCompile(`^(Print|Log|Trace|Debug|Info|Warn|Error|Fatal|Panic|Skip)`)

// asked: who asks a struct for its text, as an address that is made of its fields, reads all of it. To log it is no use
// of it.
func (v *visitor) asked(call *ast.CallExpr) {
	of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !is || of.Sel.Name != "String" || len(call.Args) > 0 {
		return
	}
	if around, is := v.above(0).(*ast.CallExpr); is {
		if by, is := typeutil.Callee(v.info, around).(*types.Func); is && logs.MatchString(by.Name()) {
			return
		}
	}
	if all := v.nodes(of.X); len(all) > 0 && !all[0].leaf {
		v.reads(of.X, v.at(of)+", "+numbered(all), "All", "AllV")
	}
}

// readHolder is for variables that hold a flag or what the environment says.
func (v *visitor) readHolder(n *ast.Ident) {
	o, is := v.info.Uses[n].(*types.Var)
	if !is || o.IsField() || v.skipped[n] || len(v.holders[v.where(o)]) == 0 {
		return
	}
	var ids []string
	for _, id := range v.holders[v.where(o)] {
		ids = append(ids, strconv.Quote(string(id)))
	}
	if v.logged(n) {
		return
	}
	args := v.at(n) + ", " + strings.Join(ids, ", ")
	if _, pointer := o.Type().Underlying().(*types.Pointer); pointer {
		if star, is := v.above(0).(*ast.StarExpr); is && !v.skipped[star] {
			v.copiesOn(star)
			v.wrap(n, recorder+".R(", ", "+args+")")
		}
		return
	}
	if of, is := v.above(0).(*ast.SelectorExpr); is && v.skipped[of] {
		return
	}
	var e ast.Expr = n
	if of, is := v.above(0).(*ast.SelectorExpr); is && of.Sel == n {
		e = of
	}
	v.copiesOn(e)
	v.reads(e, args, "R", "V")
}
