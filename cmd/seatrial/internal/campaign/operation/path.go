package operation

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// spelled is a path as people write it: spec.servers[0].port; a key that is no word
// stands in brackets and quotes.
func spelled(elements []any) string {
	var b strings.Builder
	for _, e := range elements {
		switch e := e.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(e) + "]")
		case string:
			if e == "" || strings.ContainsFunc(e, func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				b.WriteString("[" + strconv.Quote(e) + "]")
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(e)
		}
	}
	return b.String()
}

// pattern selects properties by their paths, with all that is below them.
type pattern struct {
	text  string
	parts []string
}

// parsePattern reads a pattern: a path of a property (spec.servers[].port,
// spec.labels{}), in which * stands for any text within one name, and ** for any
// number of names.
func parsePattern(text string) (pattern, error) {
	p := pattern{text: text, parts: parts(text)}
	for _, part := range p.parts {
		if _, err := path.Match(part, ""); err != nil || part == "" {
			return p, fmt.Errorf("%q is no path of properties: write spec.servers[].port, with * for any name and ** for any number of them", text)
		}
	}
	return p, nil
}

// parts are the names in a path; [] and {} are names of their own, spelt so that no
// pattern takes them for its own signs.
func parts(text string) []string {
	text = strings.NewReplacer("[]", ".⟦⟧", "{}", ".{}").Replace(text)
	return strings.Split(strings.TrimPrefix(text, "."), ".")
}

func (p pattern) matches(names []string) bool { return matches(p.parts, names) }

// matches tells that names begin with what parts select.
func matches(parts, names []string) bool {
	if len(parts) == 0 {
		return true
	}
	if parts[0] == "**" {
		for i := range len(names) + 1 {
			if matches(parts[1:], names[i:]) {
				return true
			}
		}
		return false
	}
	if len(names) == 0 {
		return false
	}
	ok, err := path.Match(parts[0], names[0])
	return err == nil && ok && matches(parts[1:], names[1:])
}

func names(p *schema.Property) []string { return parts(p.Path) }
