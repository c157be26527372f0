package field

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// part is what a function decodes of the keys of viper or koanf for whoever calls it.
type part struct {
	decoder *decoder
	key     int    // the parameter that is the key above them; -1 for none
	prefix  string // the keys above them that it says itself
	into    int    // the parameter that it decodes into, or the type parameter of which it gives a value; -1 for none
	of      int
}

// decoding is a call that decodes keys: those below one, if key is not nil, into an expression or a value of a type.
type decoding struct {
	decoder *decoder
	key     ast.Expr
	prefix  string
	into    ast.Expr
	typ     types.Type
}

// partOfKeys notes that a call in a function decodes keys for whoever calls that; false if that is not so, or known.
func (a *analysis) partOfKeys(fn *function, call *ast.CallExpr) bool {
	d := a.decodesKeys(fn.file, call)
	if fn.part != nil || d == nil {
		return false
	}
	out := part{d.decoder, -1, d.prefix, -1, fn.typeParam(d.typ)}
	if d.into != nil {
		out.into = fn.param(fn.file.info, d.into)
	}
	if d.key != nil {
		out.key = fn.param(fn.file.info, d.key)
	}
	if d.key != nil && out.key < 0 || out.into < 0 && out.of < 0 {
		return false
	}
	fn.part = &out
	return true
}

// decodesKeys tells what a call decodes of the keys of viper or koanf; nil if that is nothing.
func (a *analysis) decodesKeys(f *file, call *ast.CallExpr) *decoding {
	var out decoding
	if d, i := decodes(f.info, call); d != nil && d.kind != "" {
		if out = (decoding{decoder: d, into: bare(f.info, call.Args[i])}); i > 0 {
			out.key = call.Args[i-1]
		}
	} else if called := a.called(f.info, call); called != nil && called.part != nil {
		p := called.part
		if p.key >= len(call.Args) || p.into >= len(call.Args) {
			return nil
		}
		out = decoding{decoder: p.decoder, prefix: p.prefix}
		if p.key >= 0 {
			out.key = call.Args[p.key]
		}
		if args, _ := typeArguments(f.info, calledBy(call)); p.into >= 0 {
			out.into = bare(f.info, call.Args[p.into])
		} else if p.of < args.Len() {
			out.typ = args.At(p.of)
		}
	} else {
		return nil
	}
	if out.into != nil {
		out.typ = f.info.TypeOf(out.into)
	}
	if text, is := constantText(f.info, out.key); is {
		if out.key = nil; text != "" {
			out.prefix += text + "."
		}
	}
	if of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is {
		out.prefix = (&visitor{analysis: a, file: f}).section(of.X) + out.prefix
	}
	return &out
}

// bindKeys notes below which keys of viper and koanf a type is that is decoded.
func (v *visitor) bindKeys(call *ast.CallExpr) {
	if v.test {
		return
	}
	d := v.decodesKeys(v.file, call)
	if d == nil {
		return
	}
	if d.key != nil {
		if !v.toldKey(d.key) { // else whoever calls the function says it
			v.problem(v.file, call, "what is decoded here begins at a key that is no constant: which key is which field is not known")
		}
		return
	}
	all := v.byType[v.typeKey(d.typ)]
	if len(all) != 1 {
		return
	}
	if v.keys[all[0]] == nil {
		v.keys[all[0]] = map[string]*decoder{}
	}
	v.keys[all[0]][d.prefix] = d.decoder
}

// joinKeys joins the keys of viper and koanf with the fields of what they are decoded into. A type of which there are
// several parts is none of them.
func (a *analysis) joinKeys() {
	for _, r := range a.parts {
		if len(a.keys[r]) != 1 {
			continue
		}
		for prefix, d := range a.keys[r] {
			for _, leaf := range r.leaves() {
				name := prefix + strings.Join(leaf.key[len(r.key):], ".")
				if d.kind == "viper" {
					name = strings.ToLower(name)
				}
				a.alias(parameter.New(parameter.Kind(d.kind), name), leaf.id())
			}
		}
	}
}

// toldKey tells whether an expression is the parameter of a function of which it decodes what is below.
func (v *visitor) toldKey(key ast.Expr) bool {
	fn := v.enclosing(v.file, key)
	return fn != nil && fn.part != nil && fn.part.key >= 0 && fn.param(v.info, key) == fn.part.key
}
