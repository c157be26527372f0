package field

import (
	"go/ast"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// strictly are texts of functions of the recorder that decode with a library, and refuse a key that the type does not
// have: by what its import path begins with. The library is NAME.
var strictly = []struct{ path, apply string }{
	{"gopkg.in/yaml.v2", "asText(func(text []byte, into any) error { return NAME.UnmarshalStrict(text, into) })"},
	{"go.yaml.in/yaml/v2", "asText(func(text []byte, into any) error { return NAME.UnmarshalStrict(text, into) })"},
	{"sigs.k8s.io/yaml", "asText(func(text []byte, into any) error { return NAME.UnmarshalStrict(text, into) })"},
	{"gopkg.in/yaml.v3", "asText(func(text []byte, into any) error { d := NAME.NewDecoder(reader(text)); d.KnownFields(true); return d.Decode(into) })"},
	{"go.yaml.in/yaml/v", "asText(func(text []byte, into any) error { d := NAME.NewDecoder(reader(text)); d.KnownFields(true); return d.Decode(into) })"},
	{"github.com/goccy/go-yaml", "asText(func(text []byte, into any) error { return NAME.UnmarshalWithOptions(text, into, NAME.Strict()) })"},
	{"github.com/pelletier/go-toml/v2", "again(encoded(NAME.NewEncoder), func(text []byte, into any) error { d := NAME.NewDecoder(reader(text)); d.DisallowUnknownFields(); return d.Decode(into) })"},
	{"github.com/pelletier/go-toml", "again(encoded(NAME.NewEncoder), func(text []byte, into any) error { return NAME.NewDecoder(reader(text)).Strict(true).Decode(into) })"},
	{"github.com/BurntSushi/toml", "again(encoded(NAME.NewEncoder), func(text []byte, into any) error { m, err := NAME.Decode(string(text), into); return undecoded(m.Undecoded(), err) })"},
}

// refusing are methods and options that have a decoder refuse keys that nobody knows.
var refusing = regexp.MustCompile(`^(KnownFields|DisallowUnknownFields?|SetStrict|Strict|ErrorUnused)$`)

// strict are the types of which each decoder of the program refuses a key that they do not have. One that takes it in
// the end, as a program does that only warns of it, is none.
func (a *analysis) strict() []parameter.ID {
	strict, loose := map[parameter.ID]bool{}, map[parameter.ID]bool{}
	for _, f := range a.files {
		if f.test {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				lib, into := decodes(f.info, call)
				if lib == nil || lib.tag == "" || lib.kind != "" && lib.kind != "viper" || lib.names {
					return true
				}
				key := a.typeKey(f.info.TypeOf(call.Args[into]))
				for _, r := range a.roots {
					if key == "" || a.typeKey(r.typ) != key {
						continue
					}
					if refuses(f.info, fn, call, into) {
						strict[r.id] = true
					} else {
						loose[r.id] = true
					}
				}
				return true
			})
		}
	}
	maps.DeleteFunc(strict, func(id parameter.ID, _ bool) bool { return loose[id] })
	return slices.SortedFunc(maps.Keys(strict), parameter.Compare)
}

// refuses tells whether a call of a decoder in a function refuses keys that the type does not have.
func refuses(info *types.Info, fn *ast.FuncDecl, call *ast.CallExpr, into int) bool {
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is {
		return false
	}
	if strings.HasSuffix(f.Name(), "Strict") || f.Name() == "UnmarshalExact" {
		return true
	}
	for i, arg := range call.Args {
		if i != into && says(arg) {
			return true
		}
	}
	if f.Pkg().Path() == "github.com/BurntSushi/toml" {
		return returnsUndecoded(fn)
	}
	of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !is || f.Signature().Recv() == nil {
		return false
	}
	if says(of.X) { // NewDecoder(r).Strict(true).Decode
		return true
	}
	name, is := ast.Unparen(of.X).(*ast.Ident)
	if !is {
		return false
	}
	decoder, found := info.Uses[name], false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if on, is := n.Fun.(*ast.SelectorExpr); is && refusing.MatchString(on.Sel.Name) {
				x, is := ast.Unparen(on.X).(*ast.Ident)
				found = found || is && info.Uses[x] == decoder && !isFalse(n)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				x, is := to.(*ast.Ident)
				found = found || is && len(n.Lhs) == len(n.Rhs) && info.ObjectOf(x) == decoder && says(n.Rhs[i])
			}
		}
		return !found
	})
	return found
}

// says tells whether an expression has an option or a method in it by which unknown keys are refused.
func says(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if of, selects := n.(*ast.SelectorExpr); selects {
			is = is || refusing.MatchString(of.Sel.Name)
		}
		return !is
	})
	return is
}

func isFalse(call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	name, is := call.Args[0].(*ast.Ident)
	return is && name.Name == "false"
}

// returnsUndecoded tells whether a function gives an error if there are keys that were not decoded.
func returnsUndecoded(fn *ast.FuncDecl) (is bool) {
	kept := map[string]bool{}
	asks := func(n ast.Node) (found bool) {
		if n == nil {
			return false
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				found = found || n.Sel.Name == "Undecoded"
			case *ast.Ident:
				found = found || kept[n.Name]
			}
			return !found
		})
		return found
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if name, named := n.Lhs[0].(*ast.Ident); named && len(n.Rhs) == 1 && asks(n.Rhs[0]) {
				kept[name.Name] = true
			}
		case *ast.IfStmt:
			if n.Init != nil && asks(n.Init) || asks(n.Cond) {
				is = is || returnsError(n.Body)
			}
		}
		return !is
	})
	return is
}

// returnsError tells whether a block ends with something else than nil.
func returnsError(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	last, is := b.List[len(b.List)-1].(*ast.ReturnStmt)
	if !is || len(last.Results) == 0 {
		return false
	}
	name, is := last.Results[len(last.Results)-1].(*ast.Ident)
	return !is || name.Name != "nil"
}

// strictDecoders are the decoders of strict types, as the recorder has them; imports are what it calls the packages
// that it imports.
func (a *analysis) strictDecoders(imports map[string]string) string {
	strict := a.strict()
	var b strings.Builder
	for _, r := range a.roots {
		if !slices.Contains(strict, r.id) || r.decoder == nil {
			continue
		}
		if r.decoder.apply == "" {
			b.WriteString("\t" + quote(r.id) + ": plainStrict,\n")
			continue
		}
		for _, of := range r.decoder.candidates(slices.Sorted(maps.Keys(imports))) {
			if apply := strictlyWith(of); apply != "" && !a.lenient[of] {
				b.WriteString("\t" + quote(r.id) + ": " + strings.ReplaceAll(apply, "NAME", imports[of]) + ",\n")
				break
			}
		}
	}
	return b.String()
}

func quote(id parameter.ID) string { return `"` + string(id) + `"` }

// strictlyWith is the text for a library; empty if there is none.
func strictlyWith(of string) string {
	for _, s := range strictly {
		if strings.HasPrefix(path.Clean(of), s.path) {
			return s.apply
		}
	}
	return ""
}
