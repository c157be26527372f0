package field

import (
	"go/ast"
	"go/types"
)

// What is in a map without a type of its own, as in []map[string]any, is read by keys. Of which map that is, only the value says.

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
	case *types.Interface:
		return of.Empty()
	}
	return false
}

// readKey notes what a map of values has at a key, and who goes over one what it has at all keys.
func (v *visitor) readKey(n ast.Node) {
	if !v.readsKeys() {
		return
	}
	switch n := n.(type) {
	case *ast.IndexExpr:
		if mapOfValues(v.info.TypeOf(n.X)) && !v.skipped[n] && constantOrName(n.Index) {
			key := string(v.text[v.offset(n.Index.Pos()):v.offset(n.Index.End())])
			v.wrap(n.X, recorder+".Key(", ", "+key+", "+v.at(n)+")")
		}
	case *ast.RangeStmt:
		if mapOfValues(v.info.TypeOf(n.X)) && n.Value != nil {
			v.wrap(n.X, recorder+".Keys(", ", "+v.at(n)+")")
		}
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
