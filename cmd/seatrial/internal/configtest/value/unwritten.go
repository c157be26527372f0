package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Unwritten tells whether a word is one that the sources of a module, its tests among them, do not know beside another one: no text is just that, no text or comment has both, as a list of what there is has, and nothing that is declared in
// a package is called by it as something else is by the other one. Where the other one is empty, no text or comment may have the word.
func Unwritten(module, word, beside string) bool {
	word, beside = strings.ToLower(Bare(word)), strings.ToLower(Bare(beside))
	found := word == ""
	in := func(text string) {
		text = strings.ToLower(text)
		found = found || hasWord(text, word) && (beside == "" || hasWord(text, beside))
	}
	named := map[string][]ast.Node{}
	files(module, true, func(f *ast.File) {
		for _, c := range f.Comments {
			in(c.Text())
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			found = found || strings.EqualFold(library(path), word)
		}
		for _, d := range f.Decls {
			declares(named, d)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					found = found || strings.EqualFold(text, word)
					in(text)
				}
			}
			return !found
		})
	})
	declared := map[string]bool{}
	for name := range named {
		declared[unjoined(name)] = true
	}
	for name := range declared {
		if prefix, is := strings.CutSuffix(name, unjoined(word)); is && beside != "" && unjoined(word) != "" && declared[prefix+unjoined(beside)] {
			found = true
		}
	}
	return !found
}

// hasWord tells whether a text has a word, and not as a part of another one.
func hasWord(text, word string) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
	for rest := text; ; {
		at := strings.Index(rest, word)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(rest[:at])
		after, _ := utf8.DecodeRuneInString(rest[at+len(word):])
		if (at == 0 || !part(before)) && (at+len(word) == len(rest) || !part(after)) {
			return true
		}
		rest = rest[at+len(word):]
	}
}

// unjoined is a name in small letters, without what joins its words.
func unjoined(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(strings.ToLower(name))
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

// anyWord are words of names of what may be any word, though a program knows some: the name of something.
var anyWord = []string{"env", "environment", "stage", "profile", "tier", "region", "zone", "cluster", "tenant", "team", "site", "name", "id", "label", "tag", "prefix", "suffix", "key", "branch", "version", "channel", "group", "owner", "salt", "secret", "token", "password"}

// AnyWord tells whether a parameter may be any word, as far as its name says so.
func AnyWord(name string) bool {
	return (&asked{words: words(name[strings.LastIndex(name, ".")+1:])}).named(append(slices.Clone(anyWord), somewhere...)...)
}

// version is what stands at the end of a path of a library for its version.
var version = regexp.MustCompile(`[/.]v[0-9]+$`)

// library is what a library is called, as yaml of gopkg.in/yaml.v3 and redis of github.com/redis/go-redis/v9.
func library(path string) string {
	path = version.ReplaceAllString(path, "")
	return strings.TrimSuffix(strings.TrimPrefix(path[strings.LastIndex(path, "/")+1:], "go-"), "-go")
}
