package oracle

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// A line that was copied from one role to another may say something of the other only where that says something, too.
// Then what the one says is nowhere, and what its namesake says is in its place. No twin shows that, which does the
// same.

// namesakes are values that are nowhere since the last operation has set a property of the same name in another object,
// whose value has come in their place.
func (c *Case) namesakes() []Deviation {
	last := c.Last()
	spec, err := json.Marshal(last.End[c.Key].At("spec"))
	p := c.Properties[last.Operation.Property]
	if err != nil || p == nil || len(last.Operation.Sentinels) == 0 || c.Fails() {
		return nil
	}
	for _, s := range c.Steps[:len(c.Steps)-1] {
		if s.Operation == nil || len(s.Operation.Sentinels) == 0 || !in(string(spec), s.Operation.Sentinels) {
			continue
		}
		other := c.Properties[s.Operation.Property]
		if other == nil || !schema.Namesakes(p, other) {
			continue
		}
		if d := c.displaced(s.Operation); d != nil {
			return []Deviation{*d}
		}
	}
	return nil
}

// displaced is a place where an operation's values were, and those of the last one are, while its own are nowhere; nil
// if there is none.
func (c *Case) displaced(o *operation.Operation) *Deviation {
	last := c.Last()
	if len(c.leaves(last.End, o.Sentinels)) > 0 || c.Twin != nil && len(c.leaves(c.Twin.End, o.Sentinels)) > 0 {
		return nil
	}
	there := c.leaves(last.End, last.Operation.Sentinels)
	for _, leaf := range sortedLeaves(c.leaves(last.Start, o.Sentinels)) {
		v, is := there[leaf]
		if !is || slices.Contains(passing, leaf.Resource) {
			continue
		}
		return &Deviation{
			Object: c.keyOf(leaf), Path: leaf.Path, Expected: slices.Max(o.Sentinels), Found: v, Property: o.Property, Place: "namesake",
			Text: fmt.Sprintf("%s of %s is where %s of %s was, and still should be: %s", slices.Max(last.Operation.Sentinels), last.Operation.Property, slices.Max(o.Sentinels), o.Property, leaf),
		}
	}
	return nil
}
