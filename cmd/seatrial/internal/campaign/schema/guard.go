package schema

import (
	"regexp"
	"slices"
	"strings"
)

// Guard is a property that says of others whether they count.
type Guard struct {
	Property *Property
	// On is the value with which they count, a bool or a string.
	On any
}

// Guards are the properties that govern p: booleans named enabled, enable, disabled or
// disable in an object that p is below, those whose names say so of a field beside them
// that p is or is below, as tlsEnabled does of tls, and words that choose that field
// by its name, as a type that may be s3 does of s3. The nearest come first. A guard
// does not govern itself.
func (d *Definition) Guards(p *Property) []Guard {
	var guards []Guard
	for below := p; below != nil && below.Parent != nil; below = below.Parent {
		for _, other := range below.Parent.Children {
			if other == p {
				continue
			}
			if on, is := governs(other, below); is {
				guards = append(guards, Guard{other, on})
			} else if word, is := other.Chooses(below.Name); is {
				guards = append(guards, Guard{other, word})
			}
		}
	}
	return guards
}

// chooser is what enumerations are called of which one word is the name of a part: storageType, expose.via.
var chooser = regexp.MustCompile(`^(?:type|mode|kind|provider|backend|strategy|source|method|driver|engine|via|by|where|with)$|(?:Type|Mode|Kind|Provider|Backend|Strategy|Source|Method|Driver|Engine)$`)

// Chooses gives the word of an enumeration that is the name of a field beside it: of several parts it is the one that
// counts then. Where only one word is such a name, the enumeration has to be called so that it can choose a part. What
// is not the same but for its letters' case is another word.
func (p *Property) Chooses(field string) (word string, is bool) {
	if p == nil || p.Schema == nil || p.Schema.Type != "string" || p.Schema.ValueValidation == nil || p.Name == field {
		return "", false
	}
	parts := 0
	for _, v := range p.Schema.ValueValidation.Enum {
		text, _ := v.Object.(string)
		if text != "" && strings.EqualFold(text, field) {
			word = text
		}
		if p.Parent != nil && slices.ContainsFunc(p.Parent.Children, func(c *Property) bool { return c != p && strings.EqualFold(c.Name, text) }) {
			parts++
		}
	}
	return word, word != "" && (parts > 1 || chooser.MatchString(p.Name))
}

// governs tells whether a property governs one beside it, and with which value.
func governs(guard, other *Property) (on, is bool) {
	if guard.Schema.Type != "boolean" || guard == other {
		return false, false
	}
	name, subject := strings.ToLower(guard.Name), strings.ToLower(other.Name)
	for _, word := range []string{"enabled", "enable", "disabled", "disable"} {
		if name == word || name == subject+word || name == word+subject {
			return strings.HasPrefix(word, "enable"), true
		}
	}
	return false, false
}
