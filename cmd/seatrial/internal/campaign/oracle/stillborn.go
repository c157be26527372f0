package oracle

import (
	"slices"

	"github.com/seatrial/seatrial/history"
)

// stillborn tells whether the operator makes nothing of a resource that was never another, though it makes something of
// the seed, and prints of both, and not of the seed, the same about something that went wrong: it does not take such a
// resource, and leaves what there is as it was.
func (c *Case) stillborn() bool {
	if c.Twin == nil || c.makes(c.Twin) || !c.makes(c.Steps[0]) {
		return false
	}
	seed, twin := map[string]bool{}, map[string]bool{}
	for _, line := range lines(c.Steps[0].Output) {
		seed[c.alike(line)] = true
	}
	for _, line := range lastOf(lines(c.Twin.Output)) {
		twin[c.alike(line)] = true
	}
	return slices.ContainsFunc(lastOf(lines(c.Last().Output)), func(line string) bool {
		said := c.alike(line)
		return (troubled(line) || objects(line)) && twin[said] && !seed[said]
	})
}

// makes tells whether there is anything at the end of a step that came with the custom resource, beside what is given
// with it and events.
func (c *Case) makes(s *Step) bool {
	given := c.given()
	return slices.ContainsFunc(s.End.Keys(), func(key history.Key) bool {
		return key != c.Key && key.Resource != events && c.own(key) && !c.Mask.IgnoresObject(key.Resource, s.End[key]) && !given[s.End[key].Text("kind")+"/"+key.Name]
	})
}
