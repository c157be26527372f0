package expression

import (
	"errors"
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Nodes are the nodes that an expression tells apart from others like them.
// All others may be exchanged without its value changing, so a check need not
// explore them one by one.
type Nodes struct {
	// All: the expression could tell any two nodes apart.
	All bool
	// Names are names or hostnames that it mentions.
	Names []string
}

const hostname = "kubernetes.io/hostname"

// analyse finds what an expression makes of the identity of nodes: their
// names, where pods refer to them, and the hostname label. Identities may be
// compared with each other and with constants, which are collected. Whatever
// else is done with one, and whatever depends on the order of a list, tells
// all nodes apart.
func analyse(tree *ast.AST) (Nodes, error) {
	a := &analysis{tree: tree, names: map[string]bool{}}
	a.walk(tree.Expr())
	out := Nodes{All: a.all, Names: slices.Sorted(maps.Keys(a.names))}
	return out, a.err
}

type analysis struct {
	tree  *ast.AST
	all   bool
	names map[string]bool
	err   error
}

func (a *analysis) refuse(message string) {
	if a.err == nil {
		a.err = errors.New(message)
	}
}

func (a *analysis) walk(e ast.Expr) {
	switch e.Kind() {
	case ast.CallKind:
		a.call(e.AsCall())
	case ast.SelectKind:
		a.selected(e)
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		for _, part := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
			a.walk(part)
		}
	case ast.ListKind:
		for _, x := range e.AsList().Elements() {
			a.walk(x)
		}
	case ast.MapKind:
		for _, x := range e.AsMap().Entries() {
			a.walk(x.AsMapEntry().Key())
			a.walk(x.AsMapEntry().Value())
		}
	case ast.StructKind:
		a.refuse("objects can be looked at, not made")
	}
}

// selected walks a field that stands where anything may be done with it.
func (a *analysis) selected(e ast.Expr) {
	s := e.AsSelect()
	if !s.IsTestOnly() && (a.isIdentity(e) || a.isNodeLabels(e)) {
		a.all = true
	}
	if a.isNodeLabels(s.Operand()) { // labels.app: a key that is not the hostname's
		a.walk(s.Operand().AsSelect().Operand())
		return
	}
	a.walk(s.Operand())
}

// isField tells whether e is the field of an object of the type.
func (a *analysis) isField(e ast.Expr, object, field string) bool {
	if e.Kind() != ast.SelectKind || e.AsSelect().IsTestOnly() {
		return false
	}
	s := e.AsSelect()
	return s.FieldName() == field && typeOf(a.tree, s.Operand()) == object
}

func (a *analysis) isNodeLabels(e ast.Expr) bool { return a.isField(e, "NodeMetadata", "labels") }

func (a *analysis) isIdentity(e ast.Expr) bool {
	if e.Kind() == ast.CallKind {
		c := e.AsCall()
		return c.FunctionName() == operators.Index && a.isNodeLabels(c.Args()[0]) && text(c.Args()[1]) == hostname
	}
	return a.isField(e, "NodeMetadata", "name") || a.isField(e, "PodSpec", "nodeName") || a.isField(e, "PodStatus", "nominatedNodeName")
}

// text is the value of a string constant, or empty.
func text(e ast.Expr) string {
	if e.Kind() != ast.LiteralKind {
		return ""
	}
	s, _ := e.AsLiteral().Value().(string)
	return s
}

func isConstant(e ast.Expr) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == types.StringType
}

func (a *analysis) call(c ast.CallExpr) {
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	switch c.FunctionName() {
	case "dyn":
		a.refuse("dyn is not allowed: it would hide the fields that are there")
	case operators.Equals, operators.NotEquals:
		if a.compared(args[0], args[1]) {
			return
		}
	case operators.In:
		if a.among(args[0], args[1]) {
			return
		}
	case operators.Index:
		if a.isNodeLabels(args[0]) && isConstant(args[1]) {
			a.all = a.all || text(args[1]) == hostname // not within a comparison
			a.walk(args[0].AsSelect().Operand())
			return
		}
		a.ordered(args)
	case operators.OptIndex:
		if a.isNodeLabels(args[0]) && isConstant(args[1]) && text(args[1]) != hostname {
			a.walk(args[0].AsSelect().Operand())
			return
		}
		a.ordered(args)
	case operators.OptSelect:
		// Objects have all their fields, so this is of use for maps only.
		a.all = a.all || a.tree.GetType(args[0].ID()).Kind() != types.MapKind || a.isNodeLabels(args[0])
	case "size", operators.Add, operators.Conditional: // of a list: nothing of its order is lost or gained
	default:
		a.ordered(args)
	}
	for _, x := range args {
		a.walk(x)
	}
}

// compared handles a comparison of an identity with a constant or another
// identity; others it leaves to the caller.
func (a *analysis) compared(x, y ast.Expr) bool {
	if a.isIdentity(y) && !a.isIdentity(x) {
		x, y = y, x
	}
	if !a.isIdentity(x) {
		a.ordered([]ast.Expr{x, y})
		return false
	}
	switch {
	case a.isIdentity(y):
		a.within(y)
	case isConstant(y):
		a.mention(y)
	default:
		return false
	}
	a.within(x)
	return true
}

// among handles "identity in [constants]" and "constant in labels".
func (a *analysis) among(x, y ast.Expr) bool {
	if isConstant(x) && a.isNodeLabels(y) {
		a.walk(y.AsSelect().Operand())
		return true
	}
	if !a.isIdentity(x) || y.Kind() != ast.ListKind || !all(y.AsList().Elements(), isConstant) {
		return false
	}
	for _, name := range y.AsList().Elements() {
		a.mention(name)
	}
	a.within(x)
	return true
}

func all(list []ast.Expr, pred func(ast.Expr) bool) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !pred(e) })
}

func (a *analysis) mention(e ast.Expr) {
	if name := text(e); name != "" {
		a.names[name] = true
	}
}

// within walks what an identity is taken from.
func (a *analysis) within(e ast.Expr) {
	if e.Kind() == ast.CallKind {
		e = e.AsCall().Args()[0]
	}
	a.walk(e.AsSelect().Operand())
}

// ordered: a function of a list may depend on its order, which is that of the
// nodes.
func (a *analysis) ordered(args []ast.Expr) {
	for _, x := range args {
		if t := a.tree.GetType(x.ID()); t != nil && t.Kind() == types.ListKind {
			a.all = true
		}
	}
}
