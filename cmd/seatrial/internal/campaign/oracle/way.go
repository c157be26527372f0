package oracle

import (
	"reflect"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// way are those operations before the last step's without which its property would have no part in the resource, or the
// operation nothing to change: what it belongs to was switched on, the item that it changes was added. The others of a
// long sequence say nothing of it.
func (t *Tracer) way(c *Case) (way []*operation.Operation) {
	for i, s := range c.Steps[:len(c.Steps)-1] {
		undone := !reflect.DeepEqual(c.Steps[i+1].Before, s.Resource)
		if s.Operation != nil && s.Refused == "" && !undone {
			way = append(way, s.Operation)
		}
	}
	seed, o := c.Steps[0].End[c.Key], c.Last().Operation
	alone := t.alone(o, c.Last().End[c.Key])
	for i := len(way) - 1; i >= 0; i-- {
		if less := slices.Delete(slices.Clone(way), i, i+1); t.means(seed, c.Last().Start[c.Key], c.Steps[0].Resource, less, o, alone) {
			way = less
		}
	}
	return way
}

// means tells whether an operation changes something that has a part in the resource, behind others, in what was there
// in another resource as well: an item that is not there would be added. It may only be alone there if it was. The seed
// is as it is stored, and as it was written.
func (t *Tracer) means(seed, other, written history.Object, way []*operation.Operation, o *operation.Operation, alone bool) bool {
	now := seed
	var err error
	for _, before := range way {
		if now, err = before.Apply(now); err != nil {
			return false
		}
	}
	path := o.Changes[0].Path
	for i := 1; i < len(path); i++ {
		outer := operation.Change{Path: path[:i]}
		_, has := outer.At(now)
		if _, had := outer.At(other); had != has {
			return false
		}
	}
	after, err := o.Apply(now)
	return err == nil && !reflect.DeepEqual(now, after) && !t.idle(o, after, written) && (alone || !t.alone(o, after))
}

// shorter orders ways to the same probe, so that it does not matter which was seen first.
func shorter(a, b []*operation.Operation) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i := range a {
		if a[i].Name != b[i].Name {
			return a[i].Name < b[i].Name
		}
	}
	return false
}

// tracedMost is how many operations on a property are shown that nothing comes of.
const tracedMost = 2

// shown are operations that show by themselves, from the seed, what probes have shown: each behind those that make it
// mean something. besides are shown behind them. mu is held.
func (t *Tracer) shown(property string, probes []*probe, besides ...*probe) (all []*operation.Operation) {
	add := func(p *probe) {
		for _, o := range append(slices.Clone(p.way), p.operation) {
			if !slices.ContainsFunc(all, func(known *operation.Operation) bool { return reflect.DeepEqual(known.Changes, o.Changes) }) {
				all = append(all, o)
			}
		}
	}
	for _, p := range append(slices.Clone(probes[:min(len(probes), tracedMost)]), besides...) {
		add(p)
	}
	if !t.binary(property) || len(probes) > 1 {
		return all
	}
	// Its other value was tried, too, and that is why one is enough: the seed may have neither.
	for _, id := range sortedKeys(t.probes[property]) {
		if p := t.probes[property][id]; p.idle && !p.operation.Changes[0].Remove && !reflect.DeepEqual(p.operation.Changes, probes[0].operation.Changes) {
			add(p)
			break
		}
	}
	return all
}
