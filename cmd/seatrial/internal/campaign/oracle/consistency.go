package oracle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// The names of the oracles that a tracer speaks for.
const (
	consistencyName = "consistency"
	deadName        = "dead-property"
)

func init() {
	register(Oracle{Name: consistencyName, Rule: "SEA3012", Order: 55, Judge: consistency})
	register(Oracle{Name: deadName, Rule: "SEA3013", Order: 80})
}

// consistency follows values: those that are not in the custom resource any more are
// nowhere else, and those of an item of a list, or of a property that has a namesake, are somewhere as those of the
// other are, and not where those of the other were. A resource that says the same as before, in another form, is
// followed as before. Where there is a twin, what it has in the same place is no fault of the way.
func consistency(c *Case) []Deviation {
	last := c.Last()
	if c.misoperation() || last.Refused != "" || !last.Rest.Quiet || c.declined() || c.impossible() {
		return nil
	}
	out := append(c.stale(), c.zeroed()...)
	if last.Operation == nil {
		return out
	}
	return slices.Concat(out, c.respelt(), c.nothingOfAll(), c.vanished(), c.overridden(), c.neighbours(), c.namesakes(), c.crossed())
}

// stale are leaves that have a value which the custom resource had, and has no more.
func (c *Case) stale() []Deviation {
	last := c.Last()
	var gone []string
	text, err := json.Marshal(last.End[c.Key].At("spec"))
	if err != nil {
		return nil
	}
	for _, s := range c.sentinels() {
		numeric := strings.Trim(s, "0123456789") == ""
		if !in(string(text), []string{s}) && !numeric { // a number may be another's
			gone = append(gone, s)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	v := c.view(nil, last.End)
	counted := history.State{}
	for key, o := range v.got.state {
		if form := v.mask.Canonical(key.Resource, o); form != nil && key.Resource != pods {
			counted[key] = form
		}
	}
	var expected map[Leaf]any
	if c.Twin != nil {
		expected = c.leaves(c.Twin.End, gone)
	}
	var out []Deviation
	found := c.leaves(counted, gone)
	for _, leaf := range sortedLeaves(found) {
		if _, also := expected[leaf]; also || leaf.Resource == claims || c.Twin != nil && !c.twinMakes(leaf) {
			continue
		}
		out = append(out, Deviation{
			Object: c.keyOf(leaf), Path: leaf.Path, Found: found[leaf], Lines: linesWith(leaf.Resource, leaf.Path, found[leaf], gone),
			Text: fmt.Sprintf("%s is still %s, which the resource does not say any more", leaf, say(found[leaf])),
		})
	}
	return out
}

// twinMakes tells whether the twin has the object of a leaf: one that it has not stays as a whole, which is the
// finding.
func (c *Case) twinMakes(l Leaf) bool {
	for key, o := range c.Twin.End {
		if key.Resource == l.Resource && c.generalName(key.Generic(o).Name) == l.Name {
			return true
		}
	}
	return false
}

// keyOf is a leaf's object, as findings name it.
func (c *Case) keyOf(l Leaf) history.Key {
	name := l.Name
	if name == "*" || strings.HasPrefix(name, "*-") {
		name = c.Key.Name + strings.TrimPrefix(name, "*")
	}
	return history.Key{Resource: l.Resource, Namespace: c.Key.Namespace, Name: name}
}
