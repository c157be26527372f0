package spec

import (
	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
)

// Configuration returns the name of the configuration file.
func (s *Spec) Configuration() string { return s.config.Source.Name }

// Behaviours returns where the configuration says which behaviours are checked.
func (s *Spec) Behaviours() syntax.Position {
	if s.config.Specification.Text != "" {
		return s.config.Specification.At
	}
	return s.config.Next.At
}

// Constraints returns the names of what bounds the states and steps that are looked at: what is beyond is not explored.
func (s *Spec) Constraints() (names []string) {
	for _, all := range [][]syntax.Name{s.config.Constraints, s.config.ActionConstraints} {
		for _, name := range all {
			names = append(names, name.Text)
		}
	}
	return names
}

// Deadlocks has a check look for states that nothing follows, or not, whatever the configuration says.
func (s *Spec) Deadlocks(look bool) {
	s.config.Deadlock = look
	s.program.Deadlocks(look)
}

// Disregarded returns what the configuration says that a check does without. No verdict is wrong for that, but more may be
// explored, and a postcondition is not judged.
func (s *Spec) Disregarded() (all []program.Warning) {
	note := func(name syntax.Name, what string) {
		if name.Text != "" {
			all = append(all, program.Warning{At: name.At, Problem: what})
		}
	}
	for _, name := range s.config.Symmetry {
		note(name, "SYMMETRY is left out of account: states that are alike are explored each")
	}
	note(s.config.View, "VIEW is left out of account: states with one view are explored each")
	note(s.config.Alias, "ALIAS is left out of account: traces show the variables")
	note(s.config.Postcondition, "POSTCONDITION is left out of account: it is not judged")
	return all
}
