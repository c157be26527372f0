package field

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A program asks a store of keys, as properties are, in functions of its own: r.count("queue.size", s.Queue.Size),
// which gives what the store has as what the program needs, or what there is without. The field that the result is put
// into is the parameter, as that of a variable of the environment is. With viper and koanf it is a feed alone: these
// decode into fields as well, and which of both a program does is seen when it is run.

// stored is what a store is asked for: its kind, and what is put around the key.
type stored struct {
	kind parameter.Kind
	affix
}

// store is a library that is asked for keys.
type store struct {
	path *regexp.Regexp
	kind parameter.Kind
}

var stores = []store{
	{regexp.MustCompile(`^github\.com/magiconair/properties$`), parameter.Properties},
}

// gives is for the methods of stores that give what a key has.
var gives = regexp.MustCompile(getters.String() + `|^(Get|Must|MustGet)?(String|StringSlice|Strings|IntSlice|Ints|Int64s|SizeInBytes|Bytes|ParsedDuration)$|^(Get|MustGet)$`)

// asksStore tells whether an argument of a call is a key that a store is asked for.
func (a *analysis) asksStore(info *types.Info, call *ast.CallExpr, i int) (stored, bool) {
	if called := a.called(info, call); called != nil {
		out, is := called.keys[i]
		return out, is
	}
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is || f.Pkg() == nil || i > 0 || !gives.MatchString(f.Name()) || f.Signature().Params().Len() == 0 || !isBasic(f.Signature().Params().At(0).Type(), types.String) {
		return stored{}, false
	}
	at := slices.IndexFunc(stores, func(s store) bool { return s.path.MatchString(f.Pkg().Path()) })
	if at < 0 {
		return stored{}, false
	}
	return stored{kind: stores[at].kind}, true
}

// hands notes which of its parameters a function asks a store for; false if that is nothing new.
func (a *analysis) hands(fn *function, call *ast.CallExpr) (more bool) {
	info := fn.file.info
	for i := range call.Args {
		of, asks := a.asksStore(info, call, i)
		if !asks {
			continue
		}
		inside, own := affixed(info, call.Args[i])
		p := fn.param(info, inside)
		if _, known := fn.keys[p]; p < 0 || known {
			continue
		}
		of.affix = affix{of.before + own.before, own.behind + of.behind}
		fn.keys[p], more = of, true
	}
	return more
}

// fromStore notes the key that a function of the module asks a store for, where that is the value of a field: with
// anything done to it, it is a feed in another form.
func (v *visitor) fromStore(to parameter.ID, value ast.Expr) {
	call, is := ast.Unparen(value).(*ast.CallExpr)
	for is && v.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		call, is = ast.Unparen(call.Args[0]).(*ast.CallExpr)
	}
	if !is || v.called(v.info, call) == nil {
		v.otherwise(to, value)
		return
	}
	for i, arg := range call.Args {
		v.otherwise(to, arg)
		of, asks := v.asksStore(v.info, call, i)
		if name, constant := constantText(v.info, arg); asks && constant {
			if v.stored[to] == nil {
				v.stored[to] = map[parameter.ID]bool{}
			}
			v.stored[to][parameter.New(of.kind, of.around(name))] = true
		}
	}
}

// otherwise notes that a field has a value that something is made of which a store gives.
func (v *visitor) otherwise(to parameter.ID, value ast.Expr) {
	ast.Inspect(value, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		for i := 0; is && i < len(call.Args); i++ {
			if _, asks := v.asksStore(v.info, call, i); asks {
				v.stored[to] = map[parameter.ID]bool{"": true, to: true}
			}
		}
		return true
	})
}

// joinStored joins fields with the only key that each has its value of. Where a part of a store is asked, whose keys
// begin anew, which key is meant is not known.
func (a *analysis) joinStored() {
	if a.parted() {
		return
	}
	for to, keys := range a.stored {
		if len(keys) == 1 {
			for id := range keys {
				a.alias(id, to)
			}
		}
	}
}

// parted tells whether a part of a store without what its keys begin with is kept anywhere, and not asked at once for
// all that is in it.
func (a *analysis) parted() bool {
	const part = "FilterStripPrefix"
	for _, f := range a.files {
		if f.test {
			continue
		}
		at := map[ast.Expr]bool{}
		kept := false
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			if by, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is && by.Sel.Name == "Map" {
				at[ast.Unparen(by.X)] = true
			}
			if called, is := typeutil.Callee(f.info, call).(*types.Func); is && called.Name() == part && called.Pkg() != nil && slices.ContainsFunc(stores, func(s store) bool { return s.path.MatchString(called.Pkg().Path()) }) {
				kept = kept || !at[call]
			}
			return true
		})
		if kept {
			return true
		}
	}
	return false
}
