package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Written tells whether one of some texts is written, as a text of its own, in a test of a package, or in what it mentions of the files of tests: functions,
// methods of types, variables. What other tests and their helpers say is nothing to it.
func Written(folder, test string, texts []string) bool {
	return writes(folder, test, func(l *ast.BasicLit) bool { return isOneOf(l, texts) })
}

// Between tells whether a number is written there that is between two others, or is the second: the test may have figures of its own for which one of these is too much, or too little. It may have of what has a unit, which is written in many ways.
func Between(folder, test, old, now string) bool {
	was, err := strconv.ParseFloat(Bare(old), 64)
	is, not := strconv.ParseFloat(Bare(now), 64)
	if err != nil || not != nil {
		return true
	}
	return writes(folder, test, func(l *ast.BasicLit) bool {
		n, err := strconv.ParseFloat(strings.ReplaceAll(l.Value, "_", ""), 64)
		return err == nil && (n-was)*(n-is) <= 0 && n != was
	})
}

// writes tells whether there is a literal in a test, or in what it mentions, of which something is so.
func writes(folder, test string, is func(*ast.BasicLit) bool) bool {
	files, _ := filepath.Glob(filepath.Join(folder, "*_test.go")) // the pattern is well-formed
	named := map[string][]ast.Node{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return true // it may be
		}
		for _, d := range f.Decls {
			declares(named, d)
		}
	}
	if len(named[test]) == 0 {
		return true // it is not known where it is
	}
	seen := map[string]bool{}
	next := []string{test, "TestMain"}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		for _, n := range named[name] {
			found := false
			ast.Inspect(n, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					next = append(next, n.Name)
				case *ast.BasicLit:
					found = found || is(n)
				}
				return !found
			})
			if found {
				return true
			}
		}
	}
	return false
}

// declares notes the names that a declaration has; a method has that of its type, too.
func declares(named map[string][]ast.Node, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		named[d.Name.Name] = append(named[d.Name.Name], d)
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return
		}
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is {
				named[id.Name] = append(named[id.Name], d)
			}
			return true
		})
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					named[name.Name] = append(named[name.Name], d)
				}
			case *ast.TypeSpec:
				named[s.Name.Name] = append(named[s.Name.Name], s)
			}
		}
	}
}

// isOneOf tells whether a literal is one of some texts, but for what stands around words.
func isOneOf(l *ast.BasicLit, texts []string) bool {
	text := l.Value
	if l.Kind == token.STRING {
		text = literal(l)
	}
	return slices.Contains(texts, strings.Trim(text, " \t\n.,:;/\"'"))
}
