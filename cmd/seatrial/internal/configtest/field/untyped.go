package field

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// What is in a map without a type of its own, as in []map[string]any, is read by keys. Of which map that is, only the
// value says.

// keyed tells whether what is in a value is read by keys.
func keyed(t types.Type) bool {
	for below := false; ; below = true {
		t = pointedAt(t)
		if u, is := t.Underlying().(*types.Interface); is {
			return u.Empty()
		}
		if m, is := t.Underlying().(*types.Map); is && below {
			if _, plain := m.Elem().Underlying().(*types.Basic); plain {
				return true
			}
		}
		if t = itemOf(t); t == nil {
			return false
		}
	}
}

// mapOfValues tells whether a type is a map of texts to values, or to anything.
func mapOfValues(t types.Type) bool {
	if t == nil {
		return false
	}
	m, is := t.Underlying().(*types.Map)
	if !is {
		return false
	}
	key, text := m.Key().Underlying().(*types.Basic)
	if !text || key.Info()&types.IsString == 0 {
		return false
	}
	switch of := m.Elem().Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		_, plain := of.Elem().Underlying().(*types.Basic)
		return plain
	case *types.Interface:
		return of.Empty()
	}
	return false
}

// copies are functions of package maps that use nothing of what a map has.
var copies = regexp.MustCompile(`^(Clone|Copy|Keys|DeleteFunc)$`)

// usesAll tells whether all that a map has is used where it stands: by who goes over it, or by what is of another
// module. Who keeps it, or hands it on within the module, uses one key of it or several, which is seen there.
func (v *visitor) usesAll(e ast.Expr) bool {
	switch around := v.above(0).(type) {
	case *ast.RangeStmt:
		return around.X == e && around.Value != nil
	case *ast.CallExpr:
		return v.takesAll(around, e)
	case *ast.KeyValueExpr:
		return around.Value == e && v.litUsed(1)
	case *ast.CompositeLit:
		return v.litUsed(0)
	case *ast.AssignStmt:
		for i, from := range around.Rhs {
			if from != e || len(around.Lhs) != len(around.Rhs) {
				continue
			}
			to, is := ast.Unparen(around.Lhs[i]).(*ast.SelectorExpr)
			return is && v.foreign(v.info.TypeOf(to.X))
		}
	}
	return false
}

// takesAll tells whether a call is of another module, and uses what it is given.
func (v *visitor) takesAll(call *ast.CallExpr, e ast.Expr) bool {
	f, is := typeutil.Callee(v.info, call).(*types.Func)
	if !is || f.Pkg() == nil || !slices.Contains(call.Args, e) || v.fed(call) {
		return false
	}
	return !v.own(f.Pkg()) && (v.test || !logs.MatchString(f.Name())) && (f.Pkg().Path() != "maps" || !copies.MatchString(f.Name()))
}

// litUsed tells whether what is put into a literal, which is above the node that is visited, is used there: it is of
// another module, or is handed to one, as what json.Marshal is given.
func (v *visitor) litUsed(at int) bool {
	for ; ; at++ {
		lit, is := v.above(at).(*ast.CompositeLit)
		if !is {
			return false
		}
		if v.foreign(v.info.TypeOf(lit)) {
			return true
		}
		var e ast.Expr = lit
		if of, is := v.above(at + 1).(*ast.UnaryExpr); is {
			e, at = of, at+1
		}
		switch around := v.above(at + 1).(type) {
		case *ast.CallExpr:
			return v.takesAll(around, e)
		case *ast.KeyValueExpr:
			at++
		case *ast.CompositeLit:
		default:
			return false
		}
	}
}

// fed tells whether a call puts what a map has into something else, where each part of it is read.
func (v *visitor) fed(call *ast.CallExpr) bool {
	d, _ := decodes(v.info, call)
	f, is := v.info.Uses[calledBy(call)].(*types.Func)
	return d != nil || is && setters.MatchString(f.Name()) && f.Pkg() != nil && libraries.MatchString(f.Pkg().Path())
}

// setters are functions of libraries that are given values.
var (
	setters   = regexp.MustCompile(`^(Set|SetDefault|MergeConfigMap|Load|Provider)$`)
	libraries = regexp.MustCompile(`^github\.com/(spf13/viper|knadh/koanf)`)
)

// readKey notes what a map of values has at a key, and who goes over one what it has at all keys.
func (v *visitor) readKey(n ast.Node) {
	if !v.readsKeys() {
		return
	}
	e, is := n.(ast.Expr)
	if !is || !mapOfValues(v.info.TypeOf(e)) || v.info.Types[e].IsType() {
		return
	}
	if of, is := v.above(0).(*ast.IndexExpr); is && of.X == e {
		v.readAt(of)
	} else if v.usesAll(e) && !written(e) {
		v.wrap(e, recorder+".Keys(", ", "+v.at(e)+")")
	}
}

// readAt notes what a map has at the key that it is asked for, if the one or the other can be asked for twice.
func (v *visitor) readAt(n *ast.IndexExpr) {
	text := func(e ast.Expr) string { return string(v.text[v.offset(e.Pos()):v.offset(e.End())]) }
	switch {
	case v.skipped[n]:
	case constantOrName(n.Index):
		v.wrap(n.X, recorder+".Key(", ", "+text(n.Index)+", "+v.at(n)+")")
	case constantOrName(n.X):
		v.wrap(n.Index, recorder+".At("+text(n.X)+", ", ", "+v.at(n)+")")
	}
}

// readsKeys tells whether something of the module's configuration may be in such maps.
func (v *visitor) readsKeys() bool {
	if v.untyped {
		return true
	}
	for _, d := range decoders {
		if d.kind == "" {
			continue
		}
		for path := range v.imports {
			if d.path.MatchString(path) {
				return true
			}
		}
	}
	return false
}
