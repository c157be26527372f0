package field

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// analysis is one of a module.
type analysis struct {
	module *run.Module
	fset   *token.FileSet
	files  []*file
	names  map[string]bool // of packages of the module

	summary
	roots  []*root
	byType map[string][]*node // structs, by their types
	// textTypes are types of parameters that are the module's own; nil before they are asked for.
	textTypes map[string]bool
	// elements are types of which a collection in a configuration has values: these are parts of that leaf, and nowhere
	// else.
	elements map[string]bool
	// items are the fields of those, with the keys that lead to them; itemFields are these by where they are declared,
	// itemTypes the structs that they are of, and itemNames what they are to who knows only the type.
	items      []parameter.Item
	itemFields map[string]parameter.ID
	itemTypes  map[string]bool
	itemNames  map[string]parameter.ID
	// untyped: something in a configuration has no type of its own, and is read by keys.
	untyped bool
	// documentsOfItems are collections that files are decoded into as such.
	documentsOfItems []*node
	// documents are variables and constants of packages with a text of the program itself, by where they are.
	documents map[string]bool
	parts     []*node // structs, by their numbers
	holders   map[string][]parameter.ID
	aliases   map[[2]parameter.ID]bool
	stored    map[parameter.ID]map[parameter.ID]bool // the keys of stores that fields have their values of
	tabled    map[string][]parameter.ID              // the leaves that variables fill by way of a table
	before    map[*packages.Package][]string         // what packages put before names of variables that they have in tables
	byName    map[string]bool                        // variables that are asked for by names that are written there; nil before that is asked
	partial   map[[2]parameter.ID]bool               // flags with the leaf that they are a part of
	flows     map[ast.Expr][]parameter.ID            // what the value of an expression is handed on to
	keys      map[*node]map[string]*decoder          // below which keys of a library a struct is decoded
	bound     map[parameter.ID]map[string]bool       // flags of the program, with what is bound to them

	problems   []string
	unfollowed bool            // there are packages that cannot be looked at
	imports    map[string]bool // packages that the module imports
	// useless are libraries of a version of which the recorder does not compile, and lenient those of which what
	// refuses keys does not.
	useless, lenient map[string]bool
	completes        map[string]map[parameter.ID]bool       // what functions give defaults, as far as that is known
	feeds            *feeding                               // where what is configured is put
	fed              map[parameter.ID][]parameter.Feed      // the feeds of each parameter
	makers           map[*root]*maker                       // functions that make a configuration of the environment
	initials         map[string]*piece                      // what variables of packages begin with; nil before that is asked for
	asking           []string                               // functions that ask the environment; nil before that is asked for
	bodies           map[*function]*piece                   // of functions, as far as they were looked at
	carriage         *carriage                              // what is only copied; nil before it is known
	given            map[string]bool                        // functions that are given what is in a file; nil before anybody asks
	shorts           map[parameter.ID]map[parameter.ID]bool // flags, by their letters as if these were names
}

// file is one of the module's sources.
type file struct {
	pkg             *packages.Package
	info            *types.Info
	syntax          *ast.File
	name            string // absolute
	below           string // from the root of the module
	text            []byte
	test, generated bool
	edits           []edit
	added           []string     // declarations that stand behind what is there, each on a line of its own
	dropped         map[int]bool // lines on which rewriting does not work
}

const needed = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedForTest

// loaded has the packages with their tests, of each file one.
func loaded(ctx context.Context, m *run.Module, fset *token.FileSet, patterns []string, overlay map[string][]byte) ([]*packages.Package, error) {
	var flags []string
	if m.Tags != "" {
		flags = append(flags, "-tags="+m.Tags)
	}
	if _, err := os.Stat(filepath.Join(m.Directory, "vendor", "modules.txt")); err != nil {
		flags = append(flags, "-mod=readonly")
	}
	all, err := packages.Load(&packages.Config{
		Context: ctx, Mode: needed, Dir: m.Directory, Env: append(m.Building(), "GOPROXY=off"), Fset: fset,
		Tests: true, BuildFlags: flags, Overlay: overlay,
	}, patterns...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: its packages cannot be listed: %w", m.Directory, err)
	}
	// A package that is built with its tests has all files of the one without.
	slices.SortStableFunc(all, func(a, b *packages.Package) int { return strings.Compare(variant(a), variant(b)) })
	return all, nil
}

// variant orders packages: those with tests come first.
func variant(p *packages.Package) string {
	if p.ForTest != "" {
		return p.PkgPath + " 0 " + p.ID
	}
	return p.PkgPath + " 1"
}

func load(ctx context.Context, m *run.Module, patterns []string) (*analysis, error) {
	a := &analysis{
		module: m, fset: token.NewFileSet(), names: map[string]bool{}, byType: map[string][]*node{}, elements: map[string]bool{}, itemFields: map[string]parameter.ID{}, itemTypes: map[string]bool{}, itemNames: map[string]parameter.ID{}, holders: map[string][]parameter.ID{},
		aliases: map[[2]parameter.ID]bool{}, stored: map[parameter.ID]map[parameter.ID]bool{}, tabled: map[string][]parameter.ID{}, before: map[*packages.Package][]string{}, imports: map[string]bool{}, flows: map[ast.Expr][]parameter.ID{},
		shorts: map[parameter.ID]map[parameter.ID]bool{}, useless: map[string]bool{}, completes: map[string]map[parameter.ID]bool{}, lenient: map[string]bool{}, partial: map[[2]parameter.ID]bool{}, bound: map[parameter.ID]map[string]bool{}, keys: map[*node]map[string]*decoder{},
	}
	all, err := loaded(ctx, m, a.fset, patterns, nil)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range all {
		if p.Module == nil || p.Module.Path != m.Path || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		a.names[strings.TrimSuffix(p.PkgPath, "_test")] = true
		if v := p.Module.GoVersion; v != "" && version.Compare("go"+v, "go1.18") < 0 {
			a.unfollowed = true
			a.problems = append(a.problems, "go.mod: go "+v+" has no type parameters, which what is written needs: fields are not followed in "+p.PkgPath)
			continue
		}
		if len(p.Errors) > 0 || p.Types == nil || p.TypesInfo == nil {
			a.broken(p)
			continue
		}
		for i, name := range p.CompiledGoFiles {
			if i >= len(p.Syntax) || seen[name] || !slices.Contains(p.GoFiles, name) {
				continue // what cgo makes is no source
			}
			seen[name] = true
			if err := a.add(p, p.Syntax[i], name); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// broken notes a package that is left as it is.
func (a *analysis) broken(p *packages.Package) {
	why := p.PkgPath + ": it does not compile"
	for _, e := range p.Errors {
		if why = e.Msg; e.Kind != packages.ListError && e.Pos != "" && e.Pos != "-" {
			why = e.Error()
			break
		}
	}
	why = strings.ReplaceAll(strings.Join(strings.Fields(why), " "), a.module.Directory+string(filepath.Separator), "")
	a.unfollowed = true
	a.problems = append(a.problems, why+": fields are not followed in "+p.PkgPath)
}

func (a *analysis) add(p *packages.Package, syntax *ast.File, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	below, err := filepath.Rel(a.module.Directory, name)
	if err != nil {
		return err
	}
	f := &file{
		pkg: p, info: p.TypesInfo, syntax: syntax, name: name, below: filepath.ToSlash(below), text: text, dropped: map[int]bool{},
		test: strings.HasSuffix(name, "_test.go"), generated: ast.IsGenerated(syntax) || strings.HasPrefix(path.Base(name), "zz_"),
	}
	for _, i := range syntax.Imports {
		of := strings.Trim(i.Path.Value, "`\"")
		a.imports[of] = true
		f.test = f.test || of == "testing" && ofTests(p.TypesInfo, syntax)
	}
	a.files = append(a.files, f)
	return nil
}

// ofTests tells whether a file has something that is for tests: a helper of them. Programs ask the package testing
// whether they are one.
func ofTests(info *types.Info, syntax *ast.File) (is bool) {
	ast.Inspect(syntax, func(n ast.Node) bool {
		if name, named := n.(*ast.Ident); named {
			of, a := info.Uses[name].(*types.TypeName)
			is = is || a && of.Pkg() != nil && of.Pkg().Path() == "testing"
		}
		return !is
	})
	return is
}

// place is one in the source, from the root of the module.
func (f *file) place(a *analysis, n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.below, a.fset.Position(n.Pos()).Line)
}

func (a *analysis) problem(f *file, n ast.Node, text string) {
	a.problems = append(a.problems, f.place(a, n)+": "+text)
}

// own tells whether a package is of the module.
func (a *analysis) own(p *types.Package) bool {
	return p != nil && a.names[strings.TrimSuffix(p.Path(), "_test")]
}

// where is what a variable is known by in all variants of its package.
func (a *analysis) where(o types.Object) string { return a.fset.Position(o.Pos()).String() }

// pointedAt is what a type points to, through all pointers; itself if it is none.
func pointedAt(t types.Type) types.Type {
	for t = types.Unalias(t); ; {
		p, is := t.Underlying().(*types.Pointer)
		if !is {
			return t
		}
		t = types.Unalias(p.Elem())
	}
}

// named is the type that t is or points to; nil if that has no name.
func named(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	n, _ := pointedAt(t).(*types.Named)
	return n
}

// typeKey is what a type with a name is known by in all variants of its package; empty for others.
func (a *analysis) typeKey(t types.Type) string {
	n := named(t)
	if n == nil || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 {
		return ""
	}
	key := n.Obj().Pkg().Path() + "." + n.Obj().Name()
	if n.Obj().Parent() != n.Obj().Pkg().Scope() {
		key += " " + a.where(n.Obj())
	}
	return key
}

func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	s, _ := pointedAt(t).Underlying().(*types.Struct)
	return s
}
