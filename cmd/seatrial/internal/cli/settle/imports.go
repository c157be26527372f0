package settle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// needed are the imports of what an expression names, "NAME PATH" where they are given a name,
// as the tests of a folder have them.
func needed(folder, expression string) []string {
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		return nil // which is said when the test is written
	}
	imported := imports(folder)
	found := map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && imported[of.Name] != "" {
				found[imported[of.Name]] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(found))
}

// version is the end of an import path that may be no name.
var version = regexp.MustCompile(`^v[0-9]+$`)

// imports are those of the tests of a folder, by the names that they have there.
func imports(folder string) map[string]string {
	all := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(folder, "*_test.go")) // the pattern is right
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			continue // the go command says so
		}
		for _, i := range parsed.Imports {
			from, _ := strconv.Unquote(i.Path.Value) // it was parsed
			name := path.Base(from)
			switch {
			case i.Name != nil:
				name, from = i.Name.Name, i.Name.Name+" "+from
			case version.MatchString(name):
				all[path.Base(path.Dir(from))] = from // of a module; of an API it is the name
			}
			all[name] = from
		}
	}
	return all
}
