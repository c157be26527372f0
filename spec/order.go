package spec

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// Which member of a set CHOOSE takes depends on the order of strings and model values. TLC's is the one in which it
// first saw their texts, and it is followed here, so that the same states are found. It reads the values in the
// configuration first, which config.Parse has ranked; then all modules, whose names count, too, a module that is
// extended before one of which there is an instance; and only when all are read the strings in them, those of a module
// after those of the modules that it needs.

// sighting collects what is read.
type sighting struct {
	find    func(name string) (*syntax.Module, error)
	modules []*sighted
	known   map[string]*sighted
}

// sighted is what stands in one module, in the order of its text.
type sighted struct {
	names, texts       []string
	extends, instances []string
}

// rankNames has names ordered by where they are first seen in a module and in those that it needs.
func rankNames(root *syntax.Module, find func(name string) (*syntax.Module, error)) {
	s := &sighting{find: find, known: map[string]*sighted{}}
	s.add(root.Name, ofModule(root))
	for s.more() {
	}
	for _, m := range s.modules {
		value.Rank(m.names...)
	}
	s.rankTexts(s.modules[0], map[*sighted]bool{})
}

func (s *sighting) add(name string, m *sighted) {
	s.known[name] = m
	s.modules = append(s.modules, m)
}

// more reads the next module, and returns false if there is none.
func (s *sighting) more() bool {
	for _, needed := range []func(*sighted) []string{
		func(m *sighted) []string { return m.extends },
		func(m *sighted) []string { return m.instances },
	} {
		for _, m := range s.modules {
			for _, name := range needed(m) {
				if _, known := s.known[name]; known {
					continue
				}
				if !s.read(name) {
					s.known[name] = nil // an inner module, or one that is missing, of which the compiler speaks
					continue
				}
				return true
			}
		}
	}
	return false
}

func (s *sighting) read(name string) bool {
	if m, err := s.find(name); m != nil && err == nil {
		s.add(name, ofModule(m))
		return true
	}
	words, ok := library.Words(name)
	if ok {
		s.add(name, ofWords(words))
	}
	return ok
}

// rankTexts ranks the strings of a module after those of the ones that it needs.
func (s *sighting) rankTexts(m *sighted, done map[*sighted]bool) {
	if m == nil || done[m] {
		return
	}
	done[m] = true
	for _, name := range slices.Concat(m.extends, m.instances) {
		s.rankTexts(s.known[name], done)
	}
	value.Rank(m.texts...)
}

// ofModule looks at the units, and not at the text: of an algorithm in PlusCal it is the translation that counts.
func ofModule(m *syntax.Module) *sighted {
	s := &sighted{names: []string{m.Name}}
	for _, e := range m.Extends {
		s.names, s.extends = append(s.names, e.Text), append(s.extends, e.Text)
	}
	for _, u := range m.Units {
		source := &syntax.Source{Text: syntax.PrintUnit(u)}
		tokens, err := syntax.Tokens(syntax.Position{Source: source, Line: 1, Column: 1}, 0, len(source.Text))
		if err != nil {
			continue // what is printed can be read, but for a defect; the order of names is no reason to stop
		}
		s.take(tokens)
	}
	return s
}

func (s *sighted) take(tokens []syntax.Token) {
	for i, t := range tokens {
		switch t.Kind {
		case syntax.Word:
			s.names = append(s.names, t.Text)
			if i > 0 && tokens[i-1].Kind == syntax.Keyword && tokens[i-1].Text == "INSTANCE" {
				s.instances = append(s.instances, t.Text)
			}
		case syntax.Text:
			s.texts = append(s.texts, t.Text)
		}
	}
}

func ofWords(words string) *sighted {
	s := &sighted{}
	var tokens []syntax.Token
	for word := range strings.FieldsSeq(words) {
		kind := syntax.Word
		if word == "INSTANCE" {
			kind = syntax.Keyword
		}
		tokens = append(tokens, syntax.Token{Kind: kind, Text: word})
	}
	s.take(tokens)
	return s
}
