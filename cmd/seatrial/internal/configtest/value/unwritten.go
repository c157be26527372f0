package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// files are the sources of a module, without what it has of others, and of its tests if so.
func files(module string, tests bool, each func(*ast.File)) {
	_ = filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error { // what can't be read says nothing
		switch {
		case err != nil:
			return nil
		case d.IsDir():
			if name := d.Name(); path != module && (name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, ".go") && (tests || !strings.HasSuffix(path, "_test.go")):
			if f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
				each(f)
			}
		}
		return nil
	})
}

// Known tells whether a program has a text written in it just as it is, its tests left aside: it may well compare something with it.
func Known(module, text string) (is bool) {
	files(module, false, func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, literal := n.(*ast.BasicLit); literal && lit.Kind == token.STRING && !is {
				said, err := strconv.Unquote(lit.Value)
				is = err == nil && said != "" && strings.EqualFold(said, Bare(text))
			}
			return !is
		})
	})
	return is
}

// Unwritten tells whether a word is in no text and no comment of the sources of a module, its tests among them.
func Unwritten(module, word string) bool {
	word = strings.ToLower(Bare(word))
	found := word == ""
	in := func(text string) {
		text = strings.ToLower(text)
		for rest := text; !found; {
			at := strings.Index(rest, word)
			if at < 0 {
				return
			}
			part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
			before, after := []rune(rest[:at]), []rune(rest[at+len(word):])
			found = (len(before) == 0 || !part(before[len(before)-1])) && (len(after) == 0 || !part(after[0]))
			rest = rest[at+len(word):]
		}
	}
	files(module, true, func(f *ast.File) {
		for _, c := range f.Comments {
			in(c.Text())
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					in(text)
				}
			}
			return !found
		})
	})
	return !found
}

// Guarded tells whether a program compares a field of one of some names, as [Constants] has them, with nothing anywhere, or may do so: it hands it to cmp.Or or max, or
// assigns it to a variable.
func Guarded(module string, names []string) bool {
	c, found := comparing{called: names}, false
	files(module, false, func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				found = found || c.isNamed(n.X) && divides(n.Op, n.Y) || c.isNamed(n.Y) && divides(turned(n.Op), n.X)
			case *ast.CallExpr:
				found = found || chooses(n.Fun) && slices.ContainsFunc(n.Args, c.isNamed)
			case *ast.AssignStmt:
				_, local := n.Lhs[0].(*ast.Ident)
				found = found || local && slices.ContainsFunc(n.Rhs, c.isNamed)
			}
			return !found
		})
	})
	return found
}

// chooses tells whether a function gives one of what it is called with, or has a name like that: cmp.Or, max, orDefault.
func chooses(fun ast.Expr) bool {
	name := ""
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	name = strings.ToLower(name)
	return name == "max" || name == "min" || strings.HasPrefix(name, "or") || strings.HasSuffix(name, "or") || strings.Contains(name, "default") || strings.Contains(name, "clamp")
}

// absence are words for nothing of a kind: a test may well be about what is then missing.
var absence = []string{"none", "no", "off", "false", "never", "disabled", "disable", "null", "nil", "plain", "identity", "raw", "noop", "discard", "ignore", "insecure", "anonymous"}

// Absence tells whether a word says that there is nothing of what it is about.
func Absence(word string) bool { return slices.Contains(absence, strings.ToLower(Bare(word))) }
