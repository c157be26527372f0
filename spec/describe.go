package spec

import "github.com/seatrial/seatrial/spec/syntax"

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

// Symmetry returns the names of the sets of permutations under which states are alike: of those one is explored. There
// are none if the configuration has no SYMMETRY, or one that cannot be used.
func (s *Spec) Symmetry() (names []string) {
	if !s.program.Symmetric() {
		return nil
	}
	for _, name := range s.config.Symmetry {
		names = append(names, name.Text)
	}
	return names
}
