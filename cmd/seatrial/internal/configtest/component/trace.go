package component

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/finding"
)

// builtOn are the paths of what a kustomization builds on.
func builtOn(text []byte) []string {
	var k struct{ Resources, Bases, Components []string }
	if yaml.Unmarshal(text, &k) != nil {
		return nil
	}
	return slices.Concat(k.Resources, k.Bases, k.Components)
}

// edits are what differs in the files that people edit, those of files above others last.
func edits(before, after *version) []change.Change {
	var out []change.Change
	for _, now := range after.sources {
		i := slices.IndexFunc(before.sources, func(s source) bool { return s.key == now.key })
		var was []change.Setting
		if i >= 0 {
			was = before.sources[i].settings()
		}
		for _, e := range change.Between(was, now.settings()) {
			out = append(out, within(e, now)...)
			if out = append(out, e); e.New == nil { // what is gone is shown in the file as it is now
				out[len(out)-1].Location = finding.Location{File: now.name}
			}
		}
	}
	return out
}

// within are the edits of a text that is itself a file with settings, as values for a chart often have one.
func within(e change.Change, of source) []change.Change {
	if e.Old == nil || e.New == nil || !strings.Contains(e.New.Reveal(), "\n") {
		return nil
	}
	before, err := change.Parse("a.yaml", []byte(e.Old.Reveal()))
	if err != nil {
		return nil
	}
	after, err := change.Parse("a.yaml", []byte(e.New.Reveal()))
	if err != nil {
		return nil
	}
	text, err := os.ReadFile(of.full)
	if err != nil {
		return nil
	}
	lines := bytes.Split(text, []byte("\n"))
	var out []change.Change
	for _, c := range change.Between(before, after) {
		at := e.Location
		if line := at.Line + c.Location.Line; c.New != nil && line <= len(lines) && bytes.Contains(lines[line-1], []byte(c.New.Reveal())) {
			at.Line = line // it is written as it is
		}
		c.Location = at
		out = append(out, c)
	}
	return out
}

// tracing finds what people have edited so that something else came out.
type tracing struct {
	edits         []change.Change
	before, after *version
	// only: there is one edit and nothing else, so that it made all changes.
	only bool
}

// newTracing looks at what differs in what people edit.
func newTracing(before, after *version) tracing {
	t := tracing{edits: edits(before, after), before: before, after: after}
	t.only = len(t.edits) == 1 && slices.EqualFunc(before.templates, after.templates, func(a, b source) bool {
		was, err := os.ReadFile(a.full)
		now, wrong := os.ReadFile(b.full)
		return a.key == b.key && err == nil && wrong == nil && bytes.Equal(was, now)
	})
	return t
}

// place is where a change of what a program is told was made: the edit of the same values, and of several the one whose
// name is most like it, or has words of what it is about; the only edit, if there is nothing else; or else the template
// or manifest that says it.
func (t *tracing) place(c change.Change, about ...string) finding.Location {
	in := t.after
	if c.New == nil {
		in = t.before
	}
	if in.origin == nil {
		return c.Location
	}
	best, most := -1, 0
	for i, e := range t.edits {
		if score := like(c, e, about); score > 0 && score >= most {
			best, most = i, score
		}
	}
	if best < 0 && t.only {
		best = 0
	}
	if best >= 0 {
		return t.edits[best].Location
	}
	at := in.place(c.Location)
	at.Line = t.line(in, at.File, c)
	return at
}

// like says how sure it is that an edit made a change; 0 is not at all. Names that end alike say more than those that
// have a word in common.
func like(c, e change.Change, about []string) int {
	const values, ends, most = 1000, 10, 9
	names := ends * common(words(c.Path), words(e.Path))
	if names > 0 {
		names += min(shared(words(e.Path), words(c.Path+" "+strings.Join(about, " "))), most)
	}
	switch old, now := change.Equal(c.Old, e.Old), change.Equal(c.New, e.New); {
	case old && now:
		return 2*values + names
	case now && c.New != nil && names > 0:
		return values + names
	case names > 0 && c.New != nil && e.New != nil && e.New.Reveal() != "" && strings.Contains(c.New.Reveal(), e.New.Reveal()):
		return names // as in {{ .Values.timeout }}s
	}
	return 0
}

// line is the only one of a file that has the name of a change in it; 0 if it is not one.
func (t *tracing) line(in *version, file string, c change.Change) int {
	text, err := os.ReadFile(file)
	if err != nil || in != t.after {
		return 0
	}
	steps := c.Steps()
	found := 0
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case !strings.Contains(line, steps[len(steps)-1]):
		case found > 0:
			return 0
		default:
			found = i + 1
		}
	}
	return found
}

// shared is how many words are among others.
func shared(of, among []string) int {
	return len(slices.DeleteFunc(slices.Clone(of), func(word string) bool { return !slices.Contains(among, word) }))
}

// common is how many words two names have in common, from the end.
func common(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// words are those of a name, in small letters: requestTimeout, --request-timeout and REQUEST_TIMEOUT are the same two.
func words(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// inOrder is the order of places.
func inOrder(a, b finding.Location) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}
