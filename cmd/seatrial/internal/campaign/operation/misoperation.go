package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

var _ = register(phase{name: "misoperations", order: 5, share: 20, plan: func(m *maker) { m.misoperations(own) }})

// misoperations plans one misoperation of each property.
func (m *maker) misoperations(r rank) {
	from := len(m.sequences) - 1
	m.SequenceLength--
	m.once("misoperations", r, func(p *property) { m.one(p, value.Misoperation) })
	m.SequenceLength++
	m.stuck(from)
}

// stuck ends sequences that end with a repair with all of their misoperations at once, as far as they are taken.
// Nothing repairs these: the resource is deleted behind them, which has to work also when nothing else does.
func (m *maker) stuck(from int) {
	some := false
	for _, s := range m.sequences[from:] {
		n := len(s.Operations)
		if n == 0 || !s.Operations[n-1].Repairs || m.full() {
			continue
		}
		if o := m.allWrong(s.Operations); o != nil {
			s.Operations = append(s.Operations, o)
			m.count++
			some = true
		}
	}
	if some {
		m.next()
	}
}

// allWrong is one operation with all misoperations of a sequence, or the last of them, behind it; nil if the API server
// takes neither.
func (m *maker) allWrong(sequence []*Operation) *Operation {
	now := m.seed.written
	var wrong []*Operation
	for _, o := range sequence {
		next, err := o.Apply(now)
		if err != nil {
			return nil
		}
		if now = next; o.Misoperation && !m.pausing(o) && !many(o) {
			wrong = append(wrong, o)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	stored := m.Server.Complete(now)
	for _, some := range [][]*Operation{wrong, wrong[len(wrong)-1:]} {
		o := bundle(some)
		o.Stays, o.Sentinels = true, nil // which stand where they were drawn
		next, err := o.Apply(now)
		if err == nil && m.refuses(next, stored) == "" && !equal(m.Server.Complete(next), stored) {
			return o
		}
	}
	return nil
}

// many tells whether an operation may have the operator make many of something: to delete these takes long, however it
// is done.
func many(o *Operation) bool {
	return slices.ContainsFunc(o.Changes, func(c Change) bool { return value.Many(c.Value) })
}

// pausing tells whether an operation is about a property that tells the operator to do nothing, which may be meant of a
// deletion, too.
func (m *maker) pausing(o *Operation) bool {
	return o.Pauses || slices.ContainsFunc(m.properties, func(p *property) bool { return p.Path == o.Property && value.Pauses(p.Property) })
}

// repair takes back what a draft did; nil if that is refused.
func (m *maker) repair(d *draft) *draft {
	if m.compares && m.refuses(d.before.written, d.after.stored) != "" {
		return nil
	}
	repair := d.undo("repaired", d.before.written)
	return &draft{property: d.property, before: d.after, after: d.before, Operation: repair}
}

// Undo is what makes a resource again what it was before an operation that turned out to fail.
func (o *Operation) Undo(before history.Object) *Operation { return o.undo("taken back", before) }

func (o *Operation) undo(how string, before history.Object) *Operation {
	return &Operation{
		Property: o.Property, Case: how, Kind: o.Kind, Changes: o.undone(before), Repairs: true,
		Name: trace.Printable(o.Property+": "+how+", after "+o.Case, false),
	}
}

// undone are the changes that take back those of an operation.
func (o *Operation) undone(resource history.Object) (changes []Change) {
	before := any(map[string]any(resource))
	for _, c := range o.All() {
		changes = append(changes, c.undo(before))
		if next, err := c.edit(before); err == nil {
			before = next
		}
	}
	slices.Reverse(changes)
	return changes
}

var _ = register(phase{name: "what the schema refuses", order: 16, plan: (*maker).refused})

// Bounds of what is planned although the schema refuses it: to see that it does. To find out costs
// more the more properties there are, so it is done only so often.
const (
	refusedTries        = 1000
	refusedMost         = 300
	refusedMostProperty = 4
	refusedLength       = 50
)

// refused plans operations that the schema refuses, one for each property and
// constraint, each on the seed.
func (m *maker) refused() {
	n, tries := 0, 0
	for _, p := range m.properties {
		if !p.in(own) {
			continue
		}
		some := 0
		for i := 0; n < refusedMost && some < refusedMostProperty && tries < refusedTries; i++ {
			// Anew for each, for another draw.
			path, cases := m.cases(p, m.seed)
			if i >= len(cases) {
				break
			}
			c := cases[i]
			if c.Class != value.Misoperation {
				continue
			}
			tries++
			d := m.draft(p, path, c, m.seed)
			if d == nil || d.Refused == "" {
				continue
			}
			if n%refusedLength == 0 {
				m.refusals = append(m.refusals, &Sequence{})
			}
			s := m.refusals[len(m.refusals)-1]
			s.Operations = append(s.Operations, d.Operation)
			p.refused[c.Name] = d.Refused
			m.step(d)
			some++
			n++
		}
	}
	m.now = m.seed
}
