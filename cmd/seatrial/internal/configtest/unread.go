package configtest

import (
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// unread finds the changes of fields that no program mentions, in any of the packages that are given. Where a package
// cannot be looked at, there are none.
func (s *session) unread(out *Outcome, in func(pkg string) bool) {
	if out.unread = map[int]bool{}; s.sources.Mentions == nil {
		return
	}
	for i, c := range out.Changes {
		if c.Class == nil || c.Class.Several {
			continue
		}
		mentioned := func(id parameter.ID) bool {
			return id.Kind() != parameter.Field || slices.ContainsFunc(s.sources.Mentions[id], in)
		}
		out.unread[i] = !slices.ContainsFunc(c.Class.Identities(), mentioned)
	}
}

// unreadBy finds the changes that the program of a component does not mention. A module may have several programs, and
// what a file says for one of them is no question to the others.
func (s *session) unreadBy(ctx context.Context, of component.Component, out *Outcome) error {
	if of.Main == "" || len(out.Changes) == 0 {
		return nil
	}
	packages, err := s.module.Dependencies(ctx, of.Main)
	if err != nil {
		return err
	}
	s.unread(out, func(pkg string) bool { return slices.Contains(packages, pkg) })
	return nil
}
