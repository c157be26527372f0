package source

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Known tells whether the program has a text written in it just as it is, its tests left aside: it may well compare
// something with it.
func (m *Module) Known(text string) bool {
	for f := range m.everywhere(false) {
		if knows(f, value.Bare(text)) {
			return true
		}
	}
	return false
}

func knows(f *ast.File, text string) (is bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, literal := n.(*ast.BasicLit); literal && lit.Kind == token.STRING && !is {
			said, err := strconv.Unquote(lit.Value)
			is = err == nil && said != "" && strings.EqualFold(said, text)
		}
		return !is
	})
	return is
}

// Unwritten tells whether a word is one that the sources of the module, its tests among them, do not know beside
// another one: no text is just that, no text or comment has both, as a list of what there is has, and nothing that is
// declared in a package is called by it as something else is by the other one. Where the other one is empty, no text or
// comment may have the word.
func (m *Module) Unwritten(word, beside string) bool {
	word, beside = strings.ToLower(value.Bare(word)), strings.ToLower(value.Bare(beside))
	if word == "" {
		return false
	}
	named := map[string][]ast.Node{}
	for f := range m.everywhere(true) {
		if writesBeside(f, word, beside) {
			return false
		}
		for _, d := range f.Decls {
			declares(named, d)
		}
	}
	declared := map[string]bool{}
	for name := range named {
		declared[unjoined(name)] = true
	}
	for name := range declared {
		if prefix, is := strings.CutSuffix(name, unjoined(word)); is && beside != "" && unjoined(word) != "" && declared[prefix+unjoined(beside)] {
			return false
		}
	}
	return true
}

// writesBeside tells whether a file has a word, in small letters, in a text or a comment beside another one, as a text
// of its own, or as what a library is called.
func writesBeside(f *ast.File, word, beside string) (found bool) {
	in := func(text string) {
		text = strings.ToLower(text)
		found = found || hasWord(text, word) && (beside == "" || hasWord(text, beside))
	}
	for _, c := range f.Comments {
		in(c.Text())
	}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		found = found || strings.EqualFold(library(path), word)
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
	return found
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

// version is what stands at the end of a path of a library for its version.
var version = regexp.MustCompile(`[/.]v[0-9]+$`)

// library is what a library is called, as yaml of gopkg.in/yaml.v3 and redis of github.com/redis/go-redis/v9.
func library(path string) string {
	path = version.ReplaceAllString(path, "")
	return strings.TrimSuffix(strings.TrimPrefix(path[strings.LastIndex(path, "/")+1:], "go-"), "-go")
}
