package field

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// naming is how the variables of a struct are called.
type naming struct {
	library *environment
	// prefix is what all names begin with, and behind what else, where in between is something that is not known yet.
	prefix, behind string
	// tag and prefixTag are those of the library, unless the program says others; byField: fields without a name have
	// one all the same.
	tag, prefixTag string
	byField        bool
}

// isOf tells whether a type is a struct of the library, with one of some names.
func (e *environment) isOf(t types.Type, names ...string) bool {
	n := named(t)
	return n != nil && structOf(n) != nil && n.Obj().Pkg() != nil && e.path.MatchString(n.Obj().Pkg().Path()) && slices.Contains(names, n.Obj().Name())
}

// beginning is what an expression says of the beginning of names: what is around what it leaves open, and that; nil if
// that is nothing.
type beginning struct {
	affix
	open ast.Expr
}

// say adds what an expression says of the names: a text that they begin with, options, or who looks them up. False if
// they are no variables of the environment.
func (a *analysis) say(f *file, q *request, e ast.Expr) bool {
	s, is := a.begins(f, e), true
	switch t := f.info.TypeOf(e); {
	case q.library.isOf(t, "Options"):
		in, lit := a.literal(f, e)
		if lit != nil {
			return a.options(in, q, lit)
		}
		s = beginning{open: e}
	case types.IsInterface(t):
		s, is = a.lookedUp(f, q.library, e)
	}
	q.prefix += s.before
	q.behind, q.open = s.behind+q.behind, s.open
	return is
}

// options adds what a literal of options says.
func (a *analysis) options(f *file, q *request, lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		text, _ := constantText(f.info, kv.Value)
		switch {
		case isNamed(kv.Key, "Target"):
			q.into = bare(f.info, kv.Value)
			q.typ = f.info.TypeOf(q.into)
		case isNamed(kv.Key, "Prefix", "Lookuper"):
			if !a.say(f, q, kv.Value) {
				return false
			}
		case isNamed(kv.Key, "TagName"):
			q.tag = text
		case isNamed(kv.Key, "PrefixTagName"):
			q.prefixTag = text
		case isNamed(kv.Key, "UseFieldNameByDefault"):
			q.byField = types.ExprString(kv.Value) == "true"
		}
	}
	return true
}

// begins is what a text says, of which a variable may be a part.
func (a *analysis) begins(f *file, e ast.Expr) beginning {
	if text, is := constantText(f.info, e); is {
		return beginning{affix: affix{before: text}}
	}
	inside, around := affixed(f.info, e)
	if in, from := a.writtenAs(f, inside); from != inside {
		if text, is := constantText(in.info, from); is {
			return beginning{affix: affix{before: around.around(text)}}
		}
	}
	return beginning{around, inside}
}

// lookedUp is what who looks names up puts before them: a PrefixLookuper around an OsLookuper. False if that asks
// somebody else.
func (a *analysis) lookedUp(f *file, of *environment, e ast.Expr) (beginning, bool) {
	in, from := a.writtenAs(f, e)
	call, is := from.(*ast.CallExpr)
	if in.info.Types[from].IsNil() {
		return beginning{}, true
	} else if !is {
		return beginning{open: from}, true
	}
	fn, is := typeutil.Callee(in.info, call).(*types.Func)
	if !is || fn.Pkg() == nil || !of.path.MatchString(fn.Pkg().Path()) {
		return beginning{}, false
	}
	switch fn.Name() {
	case "OsLookuper":
		return beginning{}, true
	case "MultiLookuper":
		for _, one := range call.Args {
			if s, is := a.lookedUp(in, of, one); is {
				return s, true
			}
		}
	case "PrefixLookuper":
		inner, is := a.lookedUp(in, of, call.Args[1])
		outer := a.begins(in, call.Args[0])
		if inner.open == nil {
			return beginning{affix{inner.before + outer.before, outer.behind}, outer.open}, is
		}
		return beginning{affix{inner.before, inner.behind + outer.before}, inner.open}, is && outer.open == nil
	}
	return beginning{}, false
}
