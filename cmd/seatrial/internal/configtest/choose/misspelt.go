package choose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// Misspelling is a key, or a variable, that no code is known to read, and that is nearly one that some code reads and
// that is not given.
type Misspelling struct {
	// Key leads to the step that is misspelt, of which Step is the name: of a section all that is in it is meant with
	// it.
	Key, Step string
	// For is what is likely meant, as Key is written.
	For string
}

// Misspell notes of new keys and variables that no code is known to read what they are likely meant for, but of those
// that the program has somewhere in its texts: what they are called there may be put together. What is given no more,
// since it is misspelt, has moved there.
func Misspell(m *parameter.Map, changes []Change, before, after []change.Setting, says func(name string) bool) {
	l := &linker{m, before, after, map[string][]parameter.ID{}}
	for i, c := range changes {
		if c.Misspelt != nil && says(c.Misspelt.Step) {
			changes[i].Misspelt = nil
		}
		if c.Class != nil || c.Change.Old != nil || c.Change.New == nil {
			continue
		}
		meant := l.misspelt(c.Change)
		if meant == nil || says(meant.Step) {
			continue
		}
		changes[i].Misspelt = meant
		for j, o := range changes {
			if o.Class != nil && o.Kind == c.Kind && o.In == c.In && o.Change.Old != nil && o.Change.New == nil && strings.EqualFold(o.Path, meant.For+strings.TrimPrefix(c.Path, meant.Key)) {
				changes[j].Moved = c.Path
			}
		}
	}
}

func (l *linker) misspelt(c change.Change) *Misspelling {
	steps := []string{c.Path}
	if c.Kind == change.Key {
		steps = c.Steps()
	}
	if in := slices.IndexFunc(steps, func(step string) bool { return strings.HasPrefix(step, "[") }); in >= 0 {
		steps = steps[:in] // of a list, what is in it is not asked for
	}
	for _, known := range l.names(c) {
		at := slipped(steps, known)
		if at < 0 || l.given(l.before, c, steps[:at+1]) || l.given(l.after, c, known[:at+1]) {
			continue
		}
		return &Misspelling{Key: joined(steps[:at+1]), Step: steps[at], For: joined(known[:at+1])}
	}
	return nil
}

// misspelt is what a key of an item is likely meant for that the item's type does not have; nil for any other part of a
// change.
func (a *apart) misspelt(part change.Change) *Misspelling {
	steps := part.Steps()[len(a.at):]
	if ids, hidden := a.ids(steps); part.Old != nil || part.New == nil || hidden || len(ids) > 0 || a.library != "" {
		return nil
	}
	for _, item := range a.items {
		at := slipped(steps, item.Path)
		if at < 0 {
			continue
		}
		meant := slices.Concat(a.at, steps[:at], item.Path[at:at+1])
		if a.given(a.after, part, meant) || a.given(a.before, part, slices.Concat(a.at, steps[:at+1])) {
			continue
		}
		return &Misspelling{Key: joined(slices.Concat(a.at, steps[:at+1])), Step: steps[at], For: joined(meant)}
	}
	return nil
}

// joined is a key of some steps.
func joined(steps []string) string { return strings.ReplaceAll(strings.Join(steps, "."), ".[", "[") }

// names are the keys, or the variables, that some code reads where a change is, in steps.
func (l *linker) names(c change.Change) (out [][]string) {
	documents := l.documents(c.In)
	for _, class := range l.m.Parameters {
		for _, id := range class.Identities() {
			switch kind := id.Kind(); {
			case kind == parameter.Env && (c.Kind == change.Env || ofObject(c)):
				out = append(out, []string{id.Name()})
			case c.Kind != change.Key:
			case kind == parameter.Field:
				if of, place := l.m.Type(id); slices.Contains(documents, of) {
					out = append(out, strings.Split(place, "."))
				}
			case kind == parameter.Properties:
				out = append(out, []string{id.Name()})
			case kind == parameter.Viper, kind == parameter.Koanf, kind == parameter.Ini:
				out = append(out, strings.FieldsFunc(id.Name(), func(r rune) bool { return r == '.' || r == '/' }))
			}
		}
	}
	return out
}

// given tells whether a version has something at some steps.
func (l *linker) given(version []change.Setting, c change.Change, at []string) bool {
	return slices.ContainsFunc(version, func(s change.Setting) bool {
		if s.Kind != c.Kind || s.In != c.In {
			return false
		}
		steps := []string{s.Path}
		if s.Kind == change.Key {
			steps = s.Steps()
		}
		return len(steps) >= len(at) && slices.EqualFunc(steps[:len(at)], at, strings.EqualFold)
	})
}

// slipped is the only step in which some steps differ from others that they are likely meant for; -1 if there is none.
func slipped(steps, known []string) int {
	if len(steps) != len(known) {
		return -1
	}
	at := -1
	for i, step := range steps {
		switch {
		case strings.EqualFold(step, known[i]), known[i] == parameter.Any:
		case at < 0 && slip(step, known[i]):
			at = i
		default:
			return -1
		}
	}
	return at
}

// slip tells whether a name is likely a slip for another one: it has the same words, of which two at most have a letter
// that is missing, too many or another one, or neighbours that have changed places; or they are put together otherwise.
// That numbers differ, or short words as min and max, is none.
func slip(name, other string) bool {
	a, b := words(name), words(other)
	if strings.EqualFold(strings.Join(a, ""), strings.Join(b, "")) {
		return true
	}
	if len(a) != len(b) {
		return false
	}
	const shortest, most = 4, 2
	slips := 0
	for i := range a {
		switch {
		case strings.EqualFold(a[i], b[i]):
		case min(len(a[i]), len(b[i])) < shortest || numbered(a[i]) != numbered(b[i]) || !spelling.Within(a[i], b[i], 1):
			return false
		default:
			slips++
		}
	}
	return slips <= most
}

// numbered is what digits a word has.
func numbered(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}

// words are those of which a name is made: max, retries of maxRetries, max-retries or MAX_RETRIES.
func words(name string) (out []string) {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		begin, before := 0, rune(0)
		for i, r := range part {
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				out, begin = append(out, part[begin:i]), i
			}
			before = r
		}
		out = append(out, part[begin:])
	}
	return out
}
