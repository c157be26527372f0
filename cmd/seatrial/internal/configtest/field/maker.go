package field

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A program that variables of the environment configure often has its defaults in a function of their own, and lays
// what they say above these: c := Default(); c.Wait = seconds("APP_WAIT", c.Wait). Many a test begins with Default(),
// and never sees the variable. What the program makes of one only its own code knows: so that is called, where it is
// known to do nothing else.

// maker is a function of the program that makes a whole configuration of the environment, and does nothing else.
type maker struct {
	of *root
	// call is how it is called, in its own package.
	call string
	// library: a library fills the configuration, so that it is not seen which variables are asked for.
	library bool
	// defaults is the function that makes the configuration which it begins with, and variable where the variable of a
	// package is that has that; either may be none.
	defaults *function
	variable string
}

// source is the declaration that hands the maker to the recorder.
func (m *maker) source() string {
	return fmt.Sprintf("var _ = %s.Maker(%q, %t, func() any { return %s.First(%s) })", recorder, m.of.id, m.library, recorder, m.call)
}

// reach is the code of the module that some code comes to.
type reach struct {
	// only: it does nothing but ask the environment, and work out what to make of that. asks: it asks for something,
	// and library: by way of a library that fills structs.
	only, asks, library bool
	functions           map[*function]bool
	variables           map[string]bool // of packages, by where they are
}

// findMakers looks for the maker of each type: the only function that makes it of the environment, but for those that
// this one calls.
func (a *analysis) findMakers() {
	a.makers = map[*root]*maker{}
	all := map[*root]map[*function]reach{}
	for _, fn := range a.functions {
		of := a.makes(fn)
		if of == nil {
			continue
		}
		if to := a.reachOf(fn); to.only && to.asks {
			if all[of] == nil {
				all[of] = map[*function]reach{}
			}
			all[of][fn] = to
		}
	}
	for _, of := range a.roots {
		inner := map[*function]bool{}
		for fn := range all[of] {
			for other, to := range all[of] {
				inner[fn] = inner[fn] || other != fn && to.functions[fn]
			}
		}
		maps.DeleteFunc(all[of], func(fn *function, _ reach) bool { return inner[fn] })
		if len(all[of]) != 1 {
			continue
		}
		for fn, to := range all[of] {
			var args []string
			for _, p := range fn.params {
				args = append(args, recorder+"."+standIn(p.(*types.Var)))
			}
			if to.library && doMore(of.node) {
				continue
			}
			m := &maker{of: of, call: fn.object.Name() + "(" + strings.Join(args, ", ") + ")", library: to.library}
			if a.begin(m, to) {
				a.makers[of] = m
				fn.file.added = append(fn.file.added, m.source())
			}
		}
	}
}

// makes is the type of which a function makes a value with nothing but the environment; nil if it does not. What flags
// are above is not made by that alone.
func (a *analysis) makes(fn *function) *root {
	s := fn.object.Signature()
	results := s.Results()
	if fn.file.test || fn.file.generated || s.Recv() != nil || s.TypeParams() != nil || results.Len() == 0 || results.Len() > 2 {
		return nil
	}
	if results.Len() == 2 && types.TypeString(results.At(1).Type(), nil) != "error" {
		return nil
	}
	for p := range s.Params().Variables() {
		if !inPlaceOfEnvironment(p) {
			return nil
		}
	}
	of := a.byType[a.typeKey(results.At(0).Type())]
	if len(of) != 1 || of[0] != of[0].root.node || slices.ContainsFunc(of[0].leaves(), func(l *node) bool { return a.isFed(l.id()) }) {
		return nil
	}
	return of[0].root
}

// begin finds what a maker begins with, of all that it comes to; false if that is nothing, or one of several.
func (a *analysis) begin(m *maker, to reach) bool {
	key, several := a.typeKey(m.of.node.typ), false
	for fn := range to.functions {
		s := fn.object.Signature()
		if s.Recv() != nil || s.Params().Len() > 0 || s.Results().Len() != 1 || a.typeKey(s.Results().At(0).Type()) != key || fn.file.generated || a.reachOf(fn).asks {
			continue
		}
		several = several || m.defaults != nil
		m.defaults = fn
	}
	for variable := range to.variables {
		if a.typeKey(a.initial()[variable].typ) != key {
			continue
		}
		several = several || m.variable != ""
		m.variable = variable
	}
	return !several && (m.defaults != nil || m.variable != "")
}

// standIn is the function of the recorder that is given where the program asks another one in the place of the
// environment.
func standIn(o *types.Var) string {
	if o.Type().Underlying().(*types.Signature).Results().Len() == 2 {
		return "LookUpVariable"
	}
	return "Variable"
}

// harmless are packages of which a function may be called anywhere, and as often as one likes: they do nothing but
// count, compare and write words. What decodes may call anything.
var harmless = regexp.MustCompile(`^(bytes|cmp|encoding/(base64|hex)|errors|iter|maps|math(/bits|/big)?|net/(mail|netip|url)|path|regexp|slices|sort|strconv|strings|unicode(/.*)?|k8s\.io/apimachinery/pkg/api/resource|github\.com/(alecthomas/units|c2h5oh/datasize|docker/go-units|dustin/go-humanize|hashicorp/go-multierror)|go\.uber\.org/multierr)$`)

// onlyOf are functions of packages of which others do more, as those that log: a test may look at that.
var onlyOf = map[string]*regexp.Regexp{
	"fmt":           regexp.MustCompile(`^(Append|Errorf|Sprint|Sscan)`),
	"log/slog":      regexp.MustCompile(`^(UnmarshalText|MarshalText|String|Level.*)$`),
	"net":           regexp.MustCompile(`^(Parse.*|SplitHostPort|JoinHostPort|Err.*)$`),
	"os":            regexp.MustCompile(`^(Getenv|LookupEnv|Environ|Expand|ExpandEnv|Err.*)$`),
	"path/filepath": regexp.MustCompile(`^(Join|Clean|Base|Dir|Ext|IsAbs|Rel|Separator)$`),
	"time":          regexp.MustCompile(`^(Duration|Parse|ParseDuration|ParseInLocation|LoadLocation|Date|UTC|Local|Hour|Minute|Second|Millisecond|Microsecond|Nanosecond|[A-Z][a-z]+s|String|Clock|Weekday|Month|Year|Day|YearDay|Add|Sub|Before|After|Equal|Compare|IsZero|Truncate|Round|Unix|Format)$`),
}

// isHarmless tells whether what another module has does nothing but ask the environment, or work something out.
func isHarmless(o types.Object) bool {
	path := o.Pkg().Path()
	if some := onlyOf[path]; some != nil {
		return some.MatchString(o.Name())
	}
	return harmless.MatchString(path) || o.Name() == "ToMap" && isOfVariables(path)
}

// isOfVariables tells whether a package is of a library that fills structs with variables.
func isOfVariables(path string) bool {
	return slices.ContainsFunc(environments, func(e *environment) bool { return e.flag == "" && !e.byName && e.path.MatchString(path) })
}

// fillsOf are the functions of libraries of variables that do nothing but fill structs.
var fillsOf = regexp.MustCompile(`^((Parse|Process|Init)(As|With|AsWithOptions|WithOptions)?|MustProcess|ReadEnv)$`)

// ofVariables tells whether a function is of a library that fills structs with variables, and does nothing else: those
// that know flags end the program.
func ofVariables(f *types.Func) bool {
	return fillsOf.MatchString(f.Name()) && isOfVariables(f.Pkg().Path())
}

// doesMore are options of such libraries by which they do more than fill a field, in its tag.
var doesMore = regexp.MustCompile(`,\s*(unset|file)\b`)

// doMore tells whether a field of a struct has such an option.
func doMore(n *node) bool {
	s := structOf(n.typ)
	return slices.ContainsFunc(n.children, func(c *node) bool {
		return s != nil && doesMore.MatchString(string(tagAt(s, c.field.Name()))) || doMore(c)
	})
}

// byItself matches methods that a library calls where a type has them.
var byItself = regexp.MustCompile(`^(Unmarshal|Set|Decode|EnvDecode)`)

// piece is some code of a file, with what it names itself.
type piece struct {
	file *file
	node ast.Node
	typ  types.Type // of a variable of a package
	reach
}

// reachOf follows a function to all of the module that it names.
func (a *analysis) reachOf(fn *function) reach {
	to := reach{only: true, functions: map[*function]bool{fn: true}, variables: map[string]bool{}}
	for next := []*piece{a.body(fn)}; len(next) > 0 && to.only; {
		at := next[0]
		next = next[1:]
		to.only, to.asks, to.library = to.only && at.only, to.asks || at.asks, to.library || at.library
		for called := range at.functions {
			if !to.functions[called] {
				to.functions[called] = true
				next = append(next, a.body(called))
			}
		}
		for variable := range at.variables {
			if !to.variables[variable] {
				to.variables[variable] = true
				next = append(next, a.initial()[variable])
			}
		}
	}
	return to
}

// body is that of a function.
func (a *analysis) body(fn *function) *piece {
	if a.bodies == nil {
		a.bodies = map[*function]*piece{}
	}
	if a.bodies[fn] == nil {
		a.bodies[fn] = &piece{file: fn.file, node: fn.node.Body}
		a.nameAll(a.bodies[fn])
	}
	return a.bodies[fn]
}

// nameAll notes what a piece of code does by itself, and what it names.
func (a *analysis) nameAll(at *piece) {
	at.reach = reach{only: true, functions: map[*function]bool{}, variables: map[string]bool{}}
	info := at.file.info
	var around []ast.Node
	ast.Inspect(at.node, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
			at.only = false
		case *ast.UnaryExpr:
			at.only = at.only && n.Op != token.ARROW
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				at.only = at.only && (n.Tok == token.DEFINE || !global(info, e))
			}
		case *ast.IncDecStmt:
			at.only = at.only && !global(info, n.X)
		case *ast.CallExpr:
			if v, is := typeutil.Callee(info, n).(*types.Var); is {
				at.asks = at.asks || inPlaceOfEnvironment(v)
			}
		case *ast.RangeStmt:
			at.only = at.only && (n.Tok != token.ASSIGN || n.Key == nil || !global(info, n.Key) && (n.Value == nil || !global(info, n.Value)))
		case *ast.Ident:
			if o := info.Uses[n]; o != nil && o.Pkg() != nil {
				a.name(at, o)
				x, variable := o.(*types.Var)
				at.only = at.only && (!variable || x.IsField() || x.Parent() != x.Pkg().Scope() || !a.own(x.Pkg()) || readOnly(info, x, around))
			}
		}
		return true
	})
	if at.library { // which calls what types of the module have for that
		for _, fn := range a.functions {
			if fn.object.Signature().Recv() != nil && !fn.file.test && byItself.MatchString(fn.object.Name()) {
				at.functions[fn] = true
			}
		}
	}
}

// readOnly tells whether a variable of a package is only read where it is named: it is the last of some nodes.
func readOnly(info *types.Info, o *types.Var, around []ast.Node) bool {
	above := func(i int) ast.Node {
		if i = len(around) - 1 - i; i >= 0 {
			return around[i]
		}
		return nil
	}
	i := 1
	if s, is := above(1).(*ast.SelectorExpr); is && s.Sel == above(0) { // of another package
		i = 2
	}
	whole, _ := above(i - 1).(ast.Expr)
	switch of := above(i).(type) {
	case *ast.UnaryExpr:
		return of.Op != token.AND
	case *ast.SelectorExpr:
		s := info.Selections[of]
		if s == nil || s.Kind() == types.FieldVal {
			u, is := above(i + 1).(*ast.UnaryExpr)
			return !is || u.Op != token.AND
		}
		_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
		_, m := o.Type().Underlying().(*types.Map)
		return !pointer && !m
	case *ast.IndexExpr, *ast.RangeStmt, *ast.BinaryExpr, *ast.StarExpr:
		return true
	case *ast.CallExpr:
		if of.Fun == whole {
			return true
		}
		if b, is := ast.Unparen(of.Fun).(*ast.Ident); is {
			if _, builtin := info.Uses[b].(*types.Builtin); builtin {
				return b.Name == "len" || b.Name == "append" && len(of.Args) > 0 && of.Args[0] != whole
			}
		}
	}
	switch o.Type().Underlying().(type) {
	case *types.Map, *types.Pointer, *types.Chan, *types.Slice:
		return false // who has it may do anything with it
	}
	return true
}

// name notes what a piece of code names.
func (a *analysis) name(at *piece, o types.Object) {
	switch o := o.(type) {
	case *types.Func:
		called := a.functions[key(o)]
		switch {
		case called != nil:
			at.functions[called] = true
		case ofVariables(o):
			at.asks, at.library = true, true
		default:
			at.asks = at.asks || o.Pkg().Path() == "os" && strings.Contains(o.Name(), "nv")
			at.only = at.only && isHarmless(o)
		}
	case *types.Var:
		switch {
		case o.IsField() || o.Parent() != o.Pkg().Scope():
		case !a.own(o.Pkg()):
			at.only = at.only && isHarmless(o)
		case a.initial()[a.where(o)] != nil:
			at.variables[a.where(o)] = true
		default: // others give it its value
			_, plain := o.Type().Underlying().(*types.Basic)
			at.only = at.only && plain
		}
	}
}

// initial are the expressions that variables of packages have their first values of.
func (a *analysis) initial() map[string]*piece {
	if a.initials != nil {
		return a.initials
	}
	a.initials = map[string]*piece{}
	for _, f := range a.files {
		for _, d := range f.syntax.Decls {
			decl, is := d.(*ast.GenDecl)
			if !is || decl.Tok != token.VAR || f.test {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.ValueSpec)
				for i, name := range spec.Names {
					if o := f.info.Defs[name]; o != nil && len(spec.Values) > 0 {
						a.initials[a.where(o)] = &piece{file: f, node: spec.Values[min(i, len(spec.Values)-1)], typ: o.Type()}
					}
				}
			}
		}
	}
	for _, at := range a.initials { // which may name each other
		a.nameAll(at)
	}
	return a.initials
}

// askers are the functions of the module by which the environment is asked, or that come to one that does, as the
// runtime calls them; none where nothing is made of it.
func (a *analysis) askers() []string {
	if len(a.makers) == 0 || a.asking != nil {
		return a.asking
	}
	out, by, asking := []string{}, map[*piece][]*piece{}, []*piece{}
	note := func(at *piece) {
		for called := range at.functions {
			by[a.body(called)] = append(by[a.body(called)], at)
		}
		for variable := range at.variables {
			by[a.initial()[variable]] = append(by[a.initial()[variable]], at)
		}
		if at.asks {
			asking = append(asking, at)
		}
	}
	for _, fn := range a.functions {
		note(a.body(fn))
	}
	for _, at := range a.initial() {
		note(at)
	}
	asks := map[*piece]bool{}
	for ; len(asking) > 0; asking = asking[1:] {
		if !asks[asking[0]] {
			asks[asking[0]] = true
			asking = append(asking, by[asking[0]]...)
		}
	}
	for _, fn := range a.functions {
		if !fn.file.test && asks[a.body(fn)] {
			out = append(out, running(fn.object), strings.Replace(running(fn.object), fn.object.Pkg().Path(), fn.object.Pkg().Name(), 1))
		}
	}
	for _, at := range a.initial() {
		if asks[at] { // what a variable of a package has is called like these
			out = append(out, at.file.pkg.PkgPath+".init", at.file.pkg.PkgPath+".glob.", at.file.pkg.Name+".init", at.file.pkg.Name+".glob.")
		}
	}
	slices.Sort(out)
	a.asking = slices.Compact(out)
	return a.asking
}

// varied wraps what the function gives with which the maker of its type begins.
func (v *visitor) varied(fn *ast.FuncDecl, of *node) {
	m := v.analysis.makers[of.root]
	if m == nil || m.defaults == nil || m.defaults != v.enclosing(v.file, fn) {
		return
	}
	call := recorder + ".VariedV("
	result := m.defaults.object.Signature().Results().At(0)
	if _, is := result.Type().Underlying().(*types.Pointer); is {
		call = recorder + ".Varied("
	}
	end := fmt.Sprintf(", %d)", of.number)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 1 && !v.info.Types[n.Results[0]].IsNil() {
				v.wrap(n.Results[0], call, end)
			} else if len(n.Results) == 0 && result.Name() != "" && result.Name() != "_" && !of.injected() {
				v.inside(n.End(), " "+call+result.Name()+end)
			}
		}
		return true
	})
}

// variableMade is the variable of the package that the literal which is visited is all of, and whether it is a pointer
// to that; nil for none.
func (v *visitor) variableMade() (types.Object, bool) {
	if len(v.stack) < 4 {
		return nil, false
	}
	decl, is := v.stack[1].(*ast.GenDecl)
	spec, one := v.stack[2].(*ast.ValueSpec)
	if !is || !one || decl.Tok != token.VAR || len(spec.Names) != 1 || spec.Names[0].Name == "_" {
		return nil, false
	}
	u, pointer := v.stack[3].(*ast.UnaryExpr)
	if steps := len(v.stack) - 4; pointer && (steps != 1 || u.Op != token.AND) || !pointer && steps != 0 {
		return nil, false
	}
	return v.info.Defs[spec.Names[0]], pointer
}

// variedLater has the variable of the package that is visited filled, if the maker of its type begins with that, when
// all that the package has is there.
func (v *visitor) variedLater(of *node) {
	variable, pointer := v.variableMade()
	if m := v.analysis.makers[of.root]; variable == nil || m == nil || m.variable != v.where(variable) {
		return
	}
	name := "&" + variable.Name()
	if pointer {
		name = variable.Name()
	}
	v.file.added = append(v.file.added, fmt.Sprintf("func init() { %s.VariedLater(%s, %d) }", recorder, name, of.number))
}

// variablesOf are the leaves of types that have makers, each with the variables that say what it is.
func (a *analysis) variablesOf() map[string][]string {
	out := map[string][]string{}
	for _, of := range a.roots {
		if a.makers[of] == nil {
			continue
		}
		leaves := map[parameter.ID]bool{}
		for _, l := range of.node.leaves() {
			leaves[l.id()] = true
		}
		for _, pair := range pairs(a.aliases) {
			if pair[0].Kind() == parameter.Env && leaves[pair[1]] {
				out[string(pair[1])] = append(out[string(pair[1])], pair[0].Name())
			}
		}
	}
	return out
}
