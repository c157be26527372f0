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

// A program that variables of the environment configure often has its defaults in a function of their own, and lays what they say above these: c := Default(); c.Wait = seconds("APP_WAIT", c.Wait).
// Many a test begins with Default(), and never sees the variable. What the program makes of one only its own code knows: so that is called, where it is known to do nothing else.

// maker is a function of the program that makes a whole configuration of the environment, and does nothing else but say in a log what it thinks of it.
type maker struct {
	of *root
	// call is how it is called, in its own package.
	call string
	// library: a library fills the configuration, so that it is not seen which variables are asked for.
	library bool
	// reached is what it is made of: its defaults are among that.
	reached reach
}

// source is the declaration that hands the maker to the recorder.
func (m *maker) source() string {
	return fmt.Sprintf("var _ = %s.Maker(%q, %t, func() any { return %s.First(%s) })", recorder, m.of.id, m.library, recorder, m.call)
}

// reach is the code of the module that some code comes to.
type reach struct {
	// only: it does nothing but ask the environment, and work out what to make of that. asks: it asks for something, and library: by way of a library that fills structs.
	only, asks, library bool
	functions           map[*function]bool
	variables           map[string]bool // of packages, by where they are
}

// findMakers looks for the maker of each type: the only function that makes it of the environment, but for those that this one calls.
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
			m := &maker{of, fn.object.Name() + "(" + strings.Join(args, ", ") + ")", to.library, to}
			a.makers[of] = m
			fn.file.added = append(fn.file.added, m.source())
		}
	}
}

// makes is the type of which a function makes a value with nothing but the environment; nil if it does not.
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
	if len(of) != 1 || of[0] != of[0].root.node {
		return nil
	}
	return of[0].root
}

// standIn is the function of the recorder that is given where the program asks another one in the place of the environment.
func standIn(o *types.Var) string {
	if o.Type().Underlying().(*types.Signature).Results().Len() == 2 {
		return "LookUpVariable"
	}
	return "Variable"
}

// harmless are packages of which a function may be called anywhere, and as often as one likes: they do nothing but count, compare and write words.
var harmless = regexp.MustCompile(`^(bytes|cmp|encoding(/.*)?|errors|iter|maps|math(/bits|/big)?|net/(mail|netip|url)|path|reflect|regexp|slices|sort|strconv|strings|time|unicode(/.*)?|k8s\.io/apimachinery/pkg/api/resource|github\.com/(alecthomas/units|c2h5oh/datasize|docker/go-units|dustin/go-humanize|hashicorp/go-multierror)|go\.uber\.org/multierr)$`)

// onlyOf are functions of packages of which others do more.
var onlyOf = map[string]*regexp.Regexp{
	"fmt":           regexp.MustCompile(`^(Append|Errorf|Sprint|Sscan|String$)`),
	"log":           regexp.MustCompile(`^Print`),
	"log/slog":      regexp.MustCompile(`^(Debug|Info|Warn|Error|String|Int|Any|Bool|Duration|UnmarshalText|MarshalText|Level.*)$`),
	"net":           regexp.MustCompile(`^(Parse.*|SplitHostPort|JoinHostPort|String|Error|Err.*)$`),
	"os":            regexp.MustCompile(`^(Getenv|LookupEnv|Environ|Expand|ExpandEnv|Err.*)$`),
	"path/filepath": regexp.MustCompile(`^(Join|Clean|Base|Dir|Ext|IsAbs|Rel|Separator)$`),
	"time":          regexp.MustCompile(`^([^S].*|S[^l].*|Since)$`), // to sleep is none of it
}

// isHarmless tells whether what another module has does nothing but ask the environment, or work something out.
func isHarmless(o types.Object) bool {
	path := o.Pkg().Path()
	if some := onlyOf[path]; some != nil {
		return some.MatchString(o.Name())
	}
	return harmless.MatchString(path)
}

// ofVariables tells whether a function is of a library that fills structs with variables, and knows no flags: those that do end the program.
func ofVariables(f *types.Func) bool {
	return slices.ContainsFunc(environments, func(e *environment) bool {
		return e.flag == "" && !e.byName && e.path.MatchString(f.Pkg().Path())
	})
}

// piece is some code of a file, with what it names itself.
type piece struct {
	file *file
	node ast.Node
	reach
}

// reachOf follows a function to all of the module that it names.
func (a *analysis) reachOf(fn *function) reach {
	to := reach{only: true, functions: map[*function]bool{fn: true}, variables: map[string]bool{}}
	for next := []*piece{a.body(fn)}; len(next) > 0; {
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
	ast.Inspect(at.node, func(n ast.Node) bool {
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
		case *ast.Ident:
			if o := info.Uses[n]; o != nil && o.Pkg() != nil {
				a.name(at, o)
			}
		}
		return true
	})
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
						a.initials[a.where(o)] = &piece{file: f, node: spec.Values[min(i, len(spec.Values)-1)]}
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

// askers are the functions of the module by which the environment is asked, or that come to one that does, as the runtime calls them; none where nothing is made of it.
func (a *analysis) askers() (out []string) {
	if len(a.makers) == 0 {
		return nil
	}
	by, asking := map[*piece][]*piece{}, []*piece{}
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
			out = append(out, running(fn.object))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beginsWith tells whether the maker of a type comes to some code that makes a struct with its defaults: a function, or with nil for that a variable of a package.
func (v *visitor) beginsWith(of *root, fn *function, variable types.Object) bool {
	m := v.analysis.makers[of]
	if m == nil {
		return false
	}
	if fn != nil {
		return m.reached.functions[fn] && !v.reachOf(fn).asks
	}
	return variable != nil && m.reached.variables[v.where(variable)]
}

// plainly tells whether all that a literal says is known where it is written: nothing of it is a variable of the function.
func (v *visitor) plainly(n *ast.CompositeLit) bool {
	plain := true
	ast.Inspect(n, func(below ast.Node) bool {
		if name, is := below.(*ast.Ident); is {
			x, is := v.info.Uses[name].(*types.Var)
			plain = plain && !(is && !x.IsField() && x.Pkg() != nil && x.Parent() != x.Pkg().Scope() && !(n.Pos() <= x.Pos() && x.Pos() < n.End()))
		}
		return plain
	})
	return plain
}

// varied tells whether a literal is of the defaults above which a maker lays variables.
func (v *visitor) varied(n *ast.CompositeLit, of *node) bool {
	if !v.plainly(n) {
		return false
	}
	if fn := v.enclosing(v.file, n); fn != nil {
		return v.beginsWith(of.root, fn, nil)
	}
	variable, _ := v.variableMade()
	return v.beginsWith(of.root, nil, variable)
}

// variableMade is the variable of the package that the literal which is visited is all of, and whether it is a pointer to that; nil for none.
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

// variedLater has the variable of the package that is visited filled when all that the package has is there.
func (v *visitor) variedLater(of *node) {
	variable, pointer := v.variableMade()
	if variable == nil {
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
