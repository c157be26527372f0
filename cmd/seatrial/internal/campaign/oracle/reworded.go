package oracle

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// reworded tells whether all that the operator has written last of some objects is what the API server refuses, as it
// was before, but for the order: of several errors in one map it draws which comes first. Who says so in a status hears
// of that itself, and tries again, later each time: that is no circle.
func (c *Case) reworded(s *Step, writes []history.Write) bool {
	last := map[history.Key]history.Event{}
	for _, e := range s.Events {
		about := func(w history.Write) bool {
			return w.Resource == e.Resource && w.Namespace == e.Namespace && w.Name == e.GenericName()
		}
		if e.Actor == plan.Controller && !c.Mask.IgnoresEvent(e) && slices.ContainsFunc(writes, about) {
			last[e.Key] = e
		}
	}
	for _, e := range last {
		if e.Type != history.Update {
			return false
		}
		for _, ch := range flat(history.Diff(c.Mask.Canonical(e.Resource, e.Previous), c.Mask.Canonical(e.Resource, e.Object))) {
			if !sameRefusal(ch) {
				return false
			}
		}
	}
	return len(last) > 0
}

// sameRefusal tells whether two texts are what the API server says of the same errors.
func sameRefusal(ch history.Change) bool {
	from, _ := ch.From.(string)
	to, _ := ch.To.(string)
	return contains(from, apiServer) && contains(to, apiServer) && slices.Equal(parts(from), parts(to))
}

// parts are the words of a text, in one order, without what stands around them.
func parts(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;[]", r) })
	slices.Sort(words)
	return words
}
