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

// fromStore joins a field with the key that a function of the module asks a store for, where its value is what that
// gives, and of no other key.
func (v *visitor) fromStore(to parameter.ID, value ast.Expr) {
	var all []parameter.ID
	ast.Inspect(value, func(n ast.Node) bool {
		if _, closure := n.(*ast.FuncLit); closure {
			return false
		}
		call, is := n.(*ast.CallExpr)
		if !is || v.called(v.info, call) == nil {
			return true
		}
		for i, arg := range call.Args {
			of, asks := v.asksStore(v.info, call, i)
			name, constant := constantText(v.info, arg)
			if !asks || !constant {
				continue
			}
			if id := parameter.New(of.kind, of.around(name)); !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
		return true
	})
	if len(all) == 1 {
		v.alias(all[0], to)
	}
}
