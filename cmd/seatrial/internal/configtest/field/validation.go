package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// validation is for functions that say what is wrong with a configuration.
var validation = regexp.MustCompile(`^(?i:validate)`)

// Validation is what a function that says what is wrong is known by in what is recorded of it, by where it is.
func Validation(place string) parameter.ID { return parameter.ID("validation:" + place) }

// validates tells whether a function of the program says what is wrong: by its only result, an error or a list of them.
func (a *analysis) validates(f *file, fn *ast.FuncDecl) bool {
	if f.test || f.generated || fn.Body == nil || !validation.MatchString(fn.Name.Name) {
		return false
	}
	object, is := f.info.Defs[fn.Name].(*types.Func)
	if !is || object.Signature().Results().Len() != 1 {
		return false
	}
	t := object.Signature().Results().At(0).Type()
	if list, is := t.Underlying().(*types.Slice); is {
		t = list.Elem()
	}
	failing := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(t, failing) || types.Implements(types.NewPointer(t), failing)
}

// checks lets a validation say what it found: its result gets a name.
func (v *visitor) checks(fn *ast.FuncDecl) {
	if !v.validates(v.file, fn) {
		return
	}
	v.group++
	result, name := fn.Type.Results, recorder+"Says"
	put := func(n ast.Node, at int, text string) {
		v.edits = append(v.edits, edit{at: at, order: 500_000_000 + v.group, text: text, line: v.fset.Position(n.Pos()).Line, group: v.group})
	}
	switch of := result.List[0]; {
	case len(of.Names) == 1 && of.Names[0].Name != "_":
		name = of.Names[0].Name
	case len(of.Names) == 1:
		return
	case result.Opening.IsValid():
		put(of.Type, v.offset(of.Type.Pos()), name+" ")
	default:
		put(of.Type, v.offset(of.Type.Pos()), "("+name+" ")
		put(of.Type, v.offset(of.Type.End()), ")")
	}
	place := v.place(v.analysis, fn)
	put(fn.Body, v.offset(fn.Body.Lbrace)+1, fmt.Sprintf(" defer %s.Checked(&%s, %q, %s);", recorder, name, Validation(place), strconv.Quote(place)))
}

// validations are the places of the program's own, in order.
func (a *analysis) validations() []string {
	var out []string
	for _, f := range a.files {
		for _, d := range f.syntax.Decls {
			if fn, is := d.(*ast.FuncDecl); is && a.validates(f, fn) {
				out = append(out, f.place(a, fn))
			}
		}
	}
	slices.Sort(out)
	return out
}
