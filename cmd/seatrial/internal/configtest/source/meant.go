package source

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// boundless are words by which it is said that something is off, or has no bound; wholly are such right behind a number
// only.
const (
	boundless = `(?:unlimited|unbounded|infinite|for ?ever|(?:no|without(?: an?)?) (?:limit|bound|end|cap|timeout|maximum)|disable[sd]?|off)\b`
	wholly    = `(?:never|all|always|until|none)\b`
	few       = `(?:[\w']+[\s:,]+){0,3}`
)

// A number stands before the words, or behind, and few others between.
func meaning(number string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\w.-])` + number + `[\s:=,)]+(?:` + few + boundless + `|(?:means?\s+|is\s+|keeps\s+)?` + wholly + `)|\b` + boundless + `[\s:,(]+` + few + number + `(?:[^\w.-]|[.-](?:\s|$)|$)`)
}

var (
	nothingMeant = meaning(`(?:0|zero)`)
	lessMeant    = meaning(`(?:-1|negative|less than (?:0|zero)|below (?:0|zero))`)
	// refusing are words by which it is said that a number is wrong.
	refusing = regexp.MustCompile(`(?i)\b(?:must|not|cannot|can't|never be|refuse[sd]?|reject(?:s|ed)?|invalid|wrong|error|at least|positive|greater)\b`)
	sentence = regexp.MustCompile(`[.;\n]+(?:\s|$)|\n`)
)

// saysSo tells whether one of the sentences of a text says so, and not that it is refused.
func saysSo(meant *regexp.Regexp, text string) bool {
	return slices.ContainsFunc(sentence.Split(text, -1), func(s string) bool { return meant.MatchString(s) && !refusing.MatchString(s) })
}

// Meant tells whether the program says of a parameter that it is off, or has no bound, with a number that is nothing,
// or less: in a comment of a field that is called so, or in another comment or a text that has one of its names.
func (m *Module) Meant(now string, names ...string) bool {
	n, _, is := value.Amount(value.Bare(now))
	if !is || n > 0 {
		return false
	}
	says := nothingMeant
	if n < 0 {
		says = lessMeant
	}
	for f := range m.everywhere(false) {
		if meant(f, says, names) {
			return true
		}
	}
	return false
}

// meant tells whether a file says so.
func meant(f *ast.File, says *regexp.Regexp, names []string) (found bool) {
	said := func(text string) { found = found || saysSo(says, text) && mentions(text, names) }
	for _, group := range f.Comments {
		said(group.Text())
	}
	in := f.Name.Name
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			in = f.Name.Name + " " + n.Name.Name
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				said(text)
			}
		case *ast.Field:
			if text := n.Doc.Text() + n.Comment.Text(); saysSo(says, text) {
				found = found || isCalled(n, in+" "+text, names)
			}
		}
		return !found
	})
	return found
}

// isCalled tells whether a field has a name with which one of some names ends, and, if many are called so, something
// around it has another word of that.
func isCalled(f *ast.Field, around string, names []string) bool {
	for _, name := range f.Names {
		for _, of := range names {
			if !value.EndsWith(of, name.Name) {
				continue
			}
			last, all := value.Words(name.Name), value.Words(of)
			other := slices.ContainsFunc(all[:max(0, len(all)-len(last))], func(word string) bool {
				return !value.General(word) && strings.Contains(strings.ToLower(around), word)
			})
			if len(last) == 0 || other || len(last) == len(all) || slices.ContainsFunc(last, func(word string) bool { return !value.General(word) }) {
				return true
			}
		}
	}
	return false
}

// mentions tells whether a text has all words of what one of some names ends with, and another one of that name if many
// are called so.
func mentions(text string, names []string) bool {
	said := value.Words(text)
	return slices.ContainsFunc(names, func(name string) bool {
		all, own := value.Words(name), value.Words(name[strings.LastIndex(name, ".")+1:])
		common := !slices.ContainsFunc(own, func(word string) bool { return !value.General(word) })
		has := func(word string) bool { return slices.Contains(said, word) }
		return len(own) > 0 && !slices.ContainsFunc(own, func(word string) bool { return !has(word) }) && (!common || slices.ContainsFunc(all[:len(all)-len(own)], has))
	})
}
