package schema

import "strings"

// Guard is a property that switches others on and off.
type Guard struct {
	Property *Property
	// On is the value with which they count.
	On bool
}

// Guards are the properties that govern p: booleans named enabled, enable, disabled or
// disable in an object that p is below, and those whose names say so of a field beside them
// that p is or is below, as tlsEnabled does of tls. The nearest come first. A guard
// does not govern itself.
func (d *Definition) Guards(p *Property) []Guard {
	var guards []Guard
	for below := p; below != nil && below.Parent != nil; below = below.Parent {
		for _, other := range below.Parent.Children {
			if on, is := governs(other, below); is && other != p {
				guards = append(guards, Guard{other, on})
			}
		}
	}
	return guards
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
