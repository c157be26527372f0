package field

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// part is what a function decodes of the keys of viper or koanf that are below one of its parameters.
type part struct {
	decoder *decoder
	key     int // the parameter
	into    int // the parameter that it decodes into, or the type parameter of which it gives a value; -1 for none
	of      int
}

// partOfKeys notes that a call in a function decodes a part for whoever calls that; false if that is not so, or known.
func (a *analysis) partOfKeys(fn *function, call *ast.CallExpr) bool {
	d, key, into := a.decodesKeys(fn.file.info, call)
	if fn.part != nil || d == nil || key == nil {
		return false
	}
	out := part{d, fn.param(fn.file.info, key), -1, -1}
	if e, is := into.(ast.Expr); is {
		out.into, into = fn.param(fn.file.info, e), fn.file.info.TypeOf(e)
	}
	if t, is := into.(types.Type); is && out.into < 0 {
		all := fn.object.Signature().TypeParams()
		for i := range all.Len() {
			if all.At(i) == pointed(t) {
				out.of = i
			}
		}
	}
	if out.key < 0 || out.into < 0 && out.of < 0 {
		return false
	}
	fn.part = &out
	return true
}

// decodesKeys tells what a call decodes: with which library, what is below which key, and into which expression or of which type. The key is nil if it is all.
func (a *analysis) decodesKeys(info *types.Info, call *ast.CallExpr) (d *decoder, key ast.Expr, into any) {
	if d, i := decodes(info, call); d != nil && d.kind != "" {
		if i > 0 {
			key = call.Args[i-1]
		}
		return d, key, call.Args[i]
	}
	called := a.called(info, call)
	if called == nil || called.part == nil || called.part.key >= len(call.Args) || called.part.into >= len(call.Args) {
		return nil, nil, nil
	}
	key = call.Args[called.part.key]
	if called.part.into >= 0 {
		return called.part.decoder, key, call.Args[called.part.into]
	}
	if args, _ := typeArguments(info, call); args != nil && called.part.of < args.Len() {
		return called.part.decoder, key, args.At(called.part.of)
	}
	return nil, nil, nil
}

// bindKeys notes below which keys of viper and koanf a type is that is decoded.
func (v *visitor) bindKeys(call *ast.CallExpr) {
	d, key, into := v.decodesKeys(v.info, call)
	if d == nil || v.file.test {
		return
	}
	prefix := ""
	if key != nil {
		text, is := constantText(v.info, key)
		switch {
		case is && text != "":
			prefix = text + "."
		case !is && v.toldKey(key):
			return // whoever calls the function says it
		case !is:
			v.problem(v.file, call, "what is decoded here begins at a key that is no constant: which key is which field is not known")
			return
		}
	}
	t, is := into.(types.Type)
	if e, expression := into.(ast.Expr); expression {
		t, is = v.info.TypeOf(e), true
	}
	all := v.byType[v.typeKey(t)]
	if len(all) != 1 || !is {
		return
	}
	if of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is {
		prefix = v.section(of.X) + prefix
	}
	if v.keys[all[0]] == nil {
		v.keys[all[0]] = map[string]*decoder{}
	}
	v.keys[all[0]][prefix] = d
}

// joinKeys joins the keys of viper and koanf with the fields of what they are decoded into. A type of which there are several parts is none of them.
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
	for _, fn := range v.functions {
		if fn.part != nil && fn.node.Pos() <= key.Pos() && key.Pos() < fn.node.End() {
			return fn.param(fn.file.info, key) == fn.part.key
		}
	}
	return false
}
