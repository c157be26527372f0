package field

import (
	"go/ast"
	"go/token"
	"go/types"
)

// nodes are what an expression may be: one if it says where it is, all of its type otherwise.
func (v *visitor) nodes(e ast.Expr) []*node {
	if v.item(e) {
		return nil
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return v.nodes(x.X)
	case *ast.StarExpr:
		return v.nodes(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return v.nodes(x.X)
		}
		return nil
	case *ast.SelectorExpr:
		if s := v.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			return v.follow(v.nodes(x.X), s)
		}
	}
	all := v.byType[v.typeKey(v.info.TypeOf(e))]
	if id, is := e.(*ast.Ident); is && len(all) > 1 {
		if from := v.copyOf(v.info.Uses[id]); from != nil {
			return v.nodes(from)
		}
	}
	return all
}

// copyOf is the expression that a variable is defined by; nil if it is given other values, too.
func (v *visitor) copyOf(o types.Object) ast.Expr {
	if o == nil {
		return nil
	}
	from := v.definition(o)
	if _, is := ast.Unparen(from).(*ast.SelectorExpr); is {
		return from
	}
	if u, is := ast.Unparen(from).(*ast.UnaryExpr); is && u.Op == token.AND {
		if _, is := ast.Unparen(u.X).(*ast.SelectorExpr); is {
			return from
		}
	}
	return nil
}

// definition is the only expression that gives a variable its value; nil if there are others, or that is not known.
func (v *visitor) definition(o types.Object) ast.Expr {
	if v.defined == nil {
		v.defined, v.ranged = map[types.Object][]ast.Expr{}, map[types.Object]ast.Expr{}
		ast.Inspect(v.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					id, named := to.(*ast.Ident)
					if o := v.info.ObjectOf(id); named && o != nil && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
						v.defined[o] = append(v.defined[o], n.Rhs[i])
					} else if named && o != nil {
						v.defined[o] = append(v.defined[o], nil, nil)
					}
				}
			case *ast.RangeStmt:
				if id, is := n.Value.(*ast.Ident); is && n.Tok == token.DEFINE {
					v.ranged[v.info.Defs[id]] = n.X
				}
			}
			return true
		})
	}
	if all := v.defined[o]; len(all) == 1 && all[0] != nil {
		return all[0]
	}
	return nil
}

// follow goes on from some nodes as a selector does. It ends at a leaf.
func (v *visitor) follow(all []*node, s *types.Selection) []*node {
	t := s.Recv()
	for _, i := range s.Index() {
		if len(all) > 0 && all[0].leaf {
			if len(s.Index()) > 1 {
				return all
			}
			return nil
		}
		f := structOf(t).Field(i)
		t = f.Type()
		var next []*node
		for _, n := range all {
			if c := n.child(f.Name()); c != nil {
				next = append(next, c)
			}
		}
		if len(next) == 0 {
			next = v.ofType(t, len(all) == 0)
		}
		all = next
	}
	return all
}

// ofType are the nodes of a type: all of them, or those that are no parts of others. A configuration that a field of
// another one holds has a tree of its own.
func (v *visitor) ofType(t types.Type, parts bool) (out []*node) {
	for _, n := range v.byType[v.typeKey(t)] {
		if parts || n.field == nil {
			out = append(out, n)
		}
	}
	return out
}
