package pluscal

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/spec/syntax"
)

// labeller finds the statements that need a label: what begins a body, while, what follows a
// jump, and what assigns to a variable a second time in one step.
type labeller struct {
	algorithm *algorithm
	body      *body
	// taken are all labels that there are.
	taken map[string]bool
	// add says that labels are added where they are missing.
	add   bool
	count int
	// inside is how many with there are around a statement.
	inside  int
	missing []*statement
}

// addLabels adds missing labels if the algorithm is sequential and has none, or asks for it. Else
// what is missing is an error.
func (a *algorithm) addLabels() error {
	l := &labeller{algorithm: a, taken: map[string]bool{}}
	for _, b := range a.bodies() {
		each(b.code, func(s *statement) {
			if s.label != "" {
				l.taken[s.label] = true
			}
		})
	}
	l.add = a.options.label || len(l.taken) == 0 && a.sequential()
	order := slices.Concat(a.processes, a.procedures)
	if a.sequential() {
		order = a.bodies()
	}
	for _, b := range order {
		l.body = b
		l.walk(b.code, map[string]bool{}, true)
	}
	if len(l.missing) == 0 {
		return nil
	}
	var more []string
	for _, s := range l.missing[1:] {
		more = append(more, s.place())
	}
	first := l.missing[0]
	text := ""
	if len(more) > 0 {
		text = "; so do the statements at " + strings.Join(more, ", ")
	}
	return syntax.Errorf(first.called(), "this statement needs a label%s (PlusCal options (-label) adds what is missing)", text)
}

// called returns where a statement is, or the macro call that it is from.
func (s *statement) called() syntax.Position {
	if s.caller.Line > 0 {
		return s.caller
	}
	return s.at
}

func (s *statement) place() string {
	at := s.called()
	return strconv.Itoa(at.Line) + ":" + strconv.Itoa(at.Column)
}

// need gives a statement a label if it has none.
func (l *labeller) need(s *statement) {
	if s.label != "" {
		return
	}
	if l.inside > 0 {
		fail(s.called(), "this statement needs a label, which a with cannot have: it is one step, in which a variable gets one value")
	}
	if !l.add {
		l.missing = append(l.missing, s)
	}
	for {
		l.count++
		if name := l.algorithm.options.root + strconv.Itoa(l.count); !l.taken[name] {
			s.label, s.labelAt = name, s.at
			return
		}
	}
}

// walk goes through statements that follow each other. Assigned are the variables that
// the step so far has assigned to; first says that a label is needed at once.
// It returns what is assigned in the end.
func (l *labeller) walk(code []*statement, assigned map[string]bool, first bool) map[string]bool {
	before := maps.Clone(assigned)
	for i, s := range code {
		_, while := s.do.(loop)
		if first || while || !tail(code, i) && l.again(code[i:], assigned) || l.wary(s, before) {
			l.need(s)
		}
		if s.label != "" {
			assigned = map[string]bool{}
		}
		first = false
		switch do := s.do.(type) {
		case loop:
			l.walk(do.code, map[string]bool{}, false)
		case with:
			l.check(do.code)
			l.inside++
			assigned = l.walk(do.code, assigned, false)
			l.inside--
			first = leaves(s)
		case branching, choice:
			after := maps.Clone(assigned)
			for _, part := range s.parts() {
				maps.Copy(after, l.walk(part, maps.Clone(assigned), false))
			}
			assigned, first = after, leaves(s)
		case call:
			first = !tail(code, i+1)
			l.assigns(code[i:], assigned)
		default:
			first = leaves(s)
			l.assigns(code[i:], assigned)
		}
	}
	return assigned
}

// wary tells whether a with is given a label that it could do without: the usual translator
// forgets that a label in the same branch has begun another step, and what is added
// is to be the same.
func (l *labeller) wary(s *statement, before map[string]bool) bool {
	_, ok := s.do.(with)
	return ok && l.add && l.inside == 0 && l.again([]*statement{s}, before)
}

// tail tells whether a statement says where to go after the call before it, and is one with it.
func tail(code []*statement, i int) bool {
	if i == 0 || i >= len(code) || code[i].label != "" {
		return false
	}
	_, after := code[i-1].do.(call)
	switch code[i].do.(type) {
	case returning, jump:
		return after
	}
	return false
}

// check refuses what a with cannot have: it is one step.
func (l *labeller) check(code []*statement) {
	each(code, func(s *statement) {
		if _, ok := s.do.(loop); ok || s.label != "" {
			fail(s.at, "what is in a with is one step: it has no while and no label")
		}
	})
}

// leaves tells whether a statement may go on elsewhere than behind it.
func leaves(s *statement) bool {
	found := false
	each([]*statement{s}, func(inner *statement) {
		switch inner.do.(type) {
		case call, returning, jump:
			found = true
		}
		found = found || inner != s && inner.label != ""
	})
	return found
}

// again tells whether a statement assigns to something that has been assigned to. For a
// with that is everything in it.
func (l *labeller) again(code []*statement, assigned map[string]bool) bool {
	if w, ok := code[0].do.(with); ok {
		found := false
		each(w.code, func(s *statement) { found = found || l.again([]*statement{s}, assigned) })
		return found
	}
	mine := map[string]bool{}
	l.assigns(code, mine)
	for name := range mine {
		if assigned[name] {
			return true
		}
	}
	return false
}

// assigns adds what the first of some statements assigns to, with a return that is one with it.
func (l *labeller) assigns(code []*statement, assigned map[string]bool) {
	switch do := code[0].do.(type) {
	case assignment:
		for _, t := range do.targets {
			assigned[l.key(t.name.Text)] = true
		}
	case call:
		assigned["the stack"] = true
		for _, p := range l.algorithm.procedures {
			if p.name == do.procedure.Text {
				own(p, assigned)
			}
		}
		if tail(code, 1) {
			l.assigns(code[1:], assigned)
		}
	case returning:
		assigned["the stack"] = true
		own(l.body, assigned)
	}
}

// key is a variable as seen from everywhere.
func (l *labeller) key(name string) string {
	for _, v := range l.body.variables() {
		if v.name == name {
			return l.body.name + " " + name
		}
	}
	return name
}

func own(b *body, assigned map[string]bool) {
	for _, v := range b.variables() {
		assigned[b.name+" "+v.name] = true
	}
}
