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
	register(Oracle{Name: deadName, Rule: "SEA3013", Order: 80, Judge: dead})
}

// consistency follows values: those that are not in the custom resource any more are
// nowhere else, and a new one is where others of its property were seen. Where there is a twin, what
// it has in the same place is no fault of the way.
func consistency(c *Case) []Deviation {
	last := c.Last()
	if c.misoperation() || last.Refused != "" || !last.Rest.Quiet || c.declined() || c.impossible() {
		return nil
	}
	out := append(c.stale(), c.zeroed()...)
	if c.Tracer == nil || last.Operation == nil {
		return out
	}
	for _, d := range c.behindOthers() {
		if !slices.ContainsFunc(out, func(s Deviation) bool { return s.Object == d.Object && s.Path == d.Path }) {
			out = append(out, d)
		}
	}
	c.Tracer.mu.Lock()
	defer c.Tracer.mu.Unlock()
	if d, ok := c.Tracer.judge(last.Operation.Property); ok && d.Oracle == consistencyName {
		out = append(out, d.Deviation)
	}
	return out
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
		if _, also := expected[leaf]; also || leaf.Resource == claims {
			continue
		}
		out = append(out, Deviation{
			Object: c.keyOf(leaf), Path: leaf.Path, Found: found[leaf], Lines: linesWith(leaf.Resource, leaf.Path, found[leaf], gone),
			Text: fmt.Sprintf("%s is still %s, which the resource does not say any more", leaf, say(found[leaf])),
		})
	}
	return out
}

// behindOthers are leaves of the property at which the last operation's value did not arrive, and
// an older one stays. It is for steps without a twin, which would show it.
func (c *Case) behindOthers() []Deviation {
	last := c.Last()
	o := last.Operation
	if c.Twin != nil || len(o.Sentinels) == 0 {
		return nil
	}
	var older []string
	for _, s := range c.Steps[:len(c.Steps)-1] {
		if s.Operation != nil && s.Operation.Property == o.Property {
			older = append(older, s.Operation.Sentinels...)
		}
	}
	arrived, left := c.leaves(last.End, o.Sentinels), c.leaves(last.End, older)
	var out []Deviation
	for _, leaf := range c.Tracer.Leaves(o.Property) {
		_, has := arrived[leaf]
		if old, is := left[leaf]; is && !has {
			out = append(out, Deviation{
				Object: c.keyOf(leaf), Path: leaf.Path, Expected: slices.Max(o.Sentinels), Found: old,
				Text: fmt.Sprintf("%s is still %s: values of %s go there, and the last one does not", leaf, say(old), o.Property),
			})
		}
	}
	return out
}

// keyOf is a leaf's object, as findings name it.
func (c *Case) keyOf(l Leaf) history.Key {
	name := l.Name
	if name == "*" || strings.HasPrefix(name, "*-") {
		name = c.Key.Name + strings.TrimPrefix(name, "*")
	}
	return history.Key{Resource: l.Resource, Namespace: c.Key.Namespace, Name: name}
}

// dead says of the last operation's property that nothing comes of any operation on it, if that is known.
func dead(c *Case) []Deviation {
	if c.Tracer == nil || c.Last().Operation == nil || c.misoperation() || c.Last().Refused != "" {
		return nil
	}
	c.Tracer.mu.Lock()
	defer c.Tracer.mu.Unlock()
	d, ok := c.Tracer.judge(c.Last().Operation.Property)
	if !ok || d.Oracle != deadName {
		return nil
	}
	return []Deviation{d.Deviation}
}
