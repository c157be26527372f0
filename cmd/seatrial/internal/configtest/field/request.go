package field

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// request is a call that decodes variables of the environment.
type request struct {
	naming
	decoder *decoder
	into    ast.Expr   // nil for a value that it makes itself
	typ     types.Type // what is decoded into
	open    ast.Expr   // what says the rest of the prefix; nil if that is known
}

// requested is what a function does so for whoever calls it.
type requested struct {
	naming
	decoder  *decoder
	into, of int        // the parameter that is decoded into, or the type parameter of which it is a value; -1 for neither
	typ      types.Type // what is decoded into otherwise
	open     int        // the parameter that says the rest of the prefix; -1 for none
}

// requestsOf are those that a call makes, as it says itself, or the function of the module that it calls.
func (a *analysis) requestsOf(f *file, call *ast.CallExpr) (out []request) {
	called := a.called(f.info, call)
	if called == nil {
		return a.requestOf(f, call)
	}
	of, _ := typeArguments(f.info, calledBy(call))
	for _, r := range called.requests {
		q := request{naming: r.naming, decoder: r.decoder, typ: r.typ}
		switch {
		case max(r.into, r.open) >= len(call.Args) || r.of >= of.Len() && r.of >= 0:
			continue
		case r.into >= 0:
			q.into = bare(f.info, call.Args[r.into])
			q.typ = f.info.TypeOf(q.into)
		case r.of >= 0:
			q.typ = of.At(r.of)
		}
		if r.open < 0 || a.say(f, &q, call.Args[r.open]) {
			out = append(out, q.whole())
		}
	}
	return out
}

// requestOf is that of a call of a library; none if it decodes no variables.
func (a *analysis) requestOf(f *file, call *ast.CallExpr) []request {
	fn, is := typeutil.Callee(f.info, call).(*types.Func)
	if !is || fn.Pkg() == nil {
		return nil
	}
	at := slices.IndexFunc(environments, func(e *environment) bool { return e.path.MatchString(fn.Pkg().Path()) })
	if at < 0 {
		return nil
	}
	e := environments[at]
	q := request{naming: naming{library: e, tag: e.tag, prefixTag: e.prefixTag}}
	args := slices.Clone(call.Args)
	if d, i := decodes(f.info, call); d != nil {
		q.decoder, q.into = d, bare(f.info, call.Args[i])
		q.typ = f.info.TypeOf(q.into)
		args = slices.Delete(args, i, i+1)
		if in, lit := a.literal(f, q.into); lit != nil && e.isOf(in.info.TypeOf(lit), "Config") { // which names it
			if !a.options(in, &q, lit) {
				return nil
			}
		}
	} else if of, generic := typeArguments(f.info, calledBy(call)); generic != nil && generics(generic) != nil && of.Len() > 0 {
		q.decoder, q.typ = generics(generic), of.At(0)
	} else {
		return nil
	}
	if e.prefix >= 0 && e.prefix < len(call.Args) && !a.say(f, &q, call.Args[e.prefix]) {
		return nil
	}
	for _, arg := range args {
		if e.isOf(f.info.TypeOf(arg), "Options") && !a.say(f, &q, arg) {
			return nil
		}
	}
	return []request{q.whole()}
}

// whole is a request with all in the prefix, if nothing is open.
func (q request) whole() request {
	if q.open == nil {
		q.prefix, q.behind = q.prefix+q.behind, ""
	}
	return q
}

// requestsIn notes what a call in a function decodes for whoever calls that; false if it is nothing new.
func (a *analysis) requestsIn(fn *function, call *ast.CallExpr) (more bool) {
	for _, q := range a.requestsOf(fn.file, call) {
		r := requested{naming: q.naming, decoder: q.decoder, into: -1, of: fn.typeParam(q.typ), typ: q.typ, open: -1}
		if q.into != nil {
			r.into = fn.param(fn.file.info, q.into)
		}
		if q.open != nil {
			r.open = fn.param(fn.file.info, q.open)
		}
		if q.open != nil && r.open < 0 || r.into < 0 && r.of < 0 && r.open < 0 || slices.ContainsFunc(fn.requests, func(known requested) bool {
			return known.into == r.into && known.of == r.of && types.Identical(known.typ, r.typ)
		}) {
			continue
		}
		fn.requests, more = append(fn.requests, r), true
	}
	return more
}

// toldEnvironments notes how the variables of types are called that the calls in a file decode, whatever else is
// decoded into these: a file first, say, and then what is above it. Of tests these are calls of the program's
// functions.
func (a *analysis) toldEnvironments(f *file, of func(types.Type) *root) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if called := a.called(f.info, call); f.test && (called == nil || called.file.test) {
			return true
		}
		for _, q := range a.requestsOf(f, call) {
			n := named(q.typ)
			if n == nil || structOf(n) == nil || strings.HasSuffix(a.fset.Position(n.Obj().Pos()).Filename, "_test.go") {
				continue
			}
			if r := of(n); r != nil {
				a.toldEnvironment(f, call, q, r)
			}
		}
		return true
	})
}

// toldEnvironment notes how the variables of a type are called.
func (a *analysis) toldEnvironment(f *file, call *ast.CallExpr, q request, r *root) {
	if q.open != nil {
		if fn := a.enclosing(f, call); !f.test && (fn == nil || fn.param(f.info, q.open) < 0) {
			a.problem(f, call, "variables of "+r.typ.Obj().Name()+" begin with what is not known: which of them is which field is not known")
		}
		return // else whoever calls the function says it
	}
	if r.decoder == nil {
		r.decoder = q.decoder
	}
	switch {
	case r.decoder == nil || (q.library.byName || q.library.flag != "") && !r.decoder.names: // it goes by other names of the fields
	case r.naming.library == nil:
		r.naming = q.naming
	case r.naming != q.naming:
		a.problem(f, call, "variables of "+r.typ.Obj().Name()+" have other names elsewhere: which are known are those of one place")
	}
}
