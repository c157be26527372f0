package schema

import (
	"regexp"
	"strings"
)

// broader are what objects are called that say what is so of all others that do not say something else.
var broader = regexp.MustCompile(`(?i)default|common|global|shared|base|template`)

// Namesakes tells whether two properties are of one name and type in different objects, as what two roles have of the
// same thing is: as deep as each other, and neither what is so of all.
func Namesakes(p, other *Property) bool {
	return p != other && p.Name == other.Name && p.Parent != other.Parent && p.Schema.Type == other.Schema.Type &&
		strings.Count(p.Path, ".") == strings.Count(other.Path, ".") && !broader.MatchString(p.Path) && !broader.MatchString(other.Path)
}
