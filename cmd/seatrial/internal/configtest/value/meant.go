package value

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// boundless are words by which it is said that something is off, or has no bound.
const boundless = `(?:unlimited|unbounded|infinite|for ?ever\b|(?:no|without (?:an? )?) ?(?:limit|bound|end|cap|timeout|maximum)\b|disable[sd]?\b|off\b|never\b)`

// The number stands before the words, or behind.
var (
	nothingMeant = regexp.MustCompile(`(?i)(?:^|[^\w.])(?:0|zero)\b[^.;\n]*?\b(?:` + boundless + `|until\b|always\b|all\b|none\b)|\b` + boundless + `[^.;\n]*?[^\w.](?:0|zero)\b`)
	lessMeant    = regexp.MustCompile(`(?i)(?:^|[^\w.])(?:-1|negative|(?:less than|below) (?:zero|0))\b[^.;\n]*?\b(?:` + boundless + `|until\b|always\b|all\b|none\b)|\b` + boundless + `[^.;\n]*?(?:[^\w.]-1|\bnegative)\b`)
)

// Meant tells whether a program says of a parameter that it is off, or has no bound, with a number that is nothing, or less: in a comment of a field that is called so, or in another comment or a text that has the last word of one of its names.
func Meant(module, now string, names ...string) bool {
	n, _, is := amount(Bare(now))
	if !is || n > 0 {
		return false
	}
	says, found := nothingMeant, false
	if n < 0 {
		says = lessMeant
	}
	said := func(text string) { found = found || says.MatchString(text) && mentionsEnd(text, names) }
	files(module, false, func(f *ast.File) {
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
				if text := n.Doc.Text() + n.Comment.Text(); says.MatchString(text) {
					found = found || isCalled(n, in+" "+text, names)
				}
			}
			return !found
		})
	})
	return found
}

// isCalled tells whether a field has a name with which one of some names ends, and, if many are called so, something around it has another word of that.
func isCalled(f *ast.Field, around string, names []string) bool {
	for _, name := range f.Names {
		for _, of := range names {
			if !endsWith(of, name.Name) {
				continue
			}
			last, all := words(name.Name), words(of)
			other := slices.ContainsFunc(all[:max(0, len(all)-len(last))], func(word string) bool {
				return !slices.Contains(general, word) && strings.Contains(strings.ToLower(around), word)
			})
			if len(last) == 0 || other || len(last) == len(all) || slices.ContainsFunc(last, func(word string) bool { return !slices.Contains(general, word) }) {
				return true
			}
		}
	}
	return false
}
