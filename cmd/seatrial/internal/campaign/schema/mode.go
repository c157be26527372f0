package schema

import (
	"regexp"
	"strings"
)

// choosing are what texts are called that say which of several kinds something is.
var choosing = regexp.MustCompile(`(?i)^(type|mode|kind|provider|backend|strategy)$`)

// Choosing tells by the name of a property whether it says which of several kinds something is.
func Choosing(name string) bool { return choosing.MatchString(name) }

// Modes are the words of a property that says of the whole resource which of several kinds it is: an enumeration of the
// spec itself that is called so. None of another one.
func (p *Property) Modes() (words []string) {
	if p == nil || p.Schema == nil || p.Schema.Type != "string" || p.Schema.ValueValidation == nil || p.Path != "spec."+p.Name || !Choosing(p.Name) {
		return nil
	}
	for _, v := range p.Schema.ValueValidation.Enum {
		if word, is := v.Object.(string); is && strings.TrimSpace(word) != "" {
			words = append(words, word)
		}
	}
	return words
}
