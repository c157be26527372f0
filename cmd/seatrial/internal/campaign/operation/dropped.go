package operation

import (
	"slices"

	"github.com/seatrial/seatrial/history"
)

// Bounds of [Dropped]: how many sequences there are of one part, and the part of the plan's operations that all of them
// may have.
const (
	droppedMost  = 2
	droppedShare = 10
)

// Dropped plans for operations that the operator did not do that what they change is taken away as a whole, instead of
// being repaired: the item of a list, the outermost, or the part of the spec. An operator that knows what there is from
// what it could do last may leave what it did before. Each is on the seed, which has that part.
func Dropped(o Options, failed []*Operation) ([]*Sequence, error) {
	m, err := newMaker(o)
	if err != nil {
		return nil, err
	}
	var all []*Sequence
	of := map[string]int{}
	known := map[string]bool{}
	for _, op := range failed {
		if 2*(len(all)+1) > m.Max/droppedShare {
			break
		}
		wrong, err := op.Apply(m.seed.written)
		if err != nil || len(op.All()) != 1 || m.refuses(wrong, m.seed.stored) != "" {
			continue
		}
		gone := m.whole(op.Changes[0].Path, wrong)
		if gone == nil || of[gone.Property] == droppedMost || known[op.Property] {
			continue
		}
		known[op.Property] = true
		of[gone.Property]++
		followed := *op
		followed.Followed = true
		all = append(all, &Sequence{Operations: []*Operation{&followed, gone}})
	}
	return all, nil
}

// whole is the operation that takes away the part of a resource that a path leads into: the item of a list, the
// outermost, or else what is right below the spec; nil if there is none in the seed, or it cannot go.
func (m *maker) whole(path []any, now history.Object) *Operation {
	inner := path[:len(path)-1]
	n := min(2, len(inner))
	if i := slices.IndexFunc(inner, func(step any) bool { _, item := step.(int); return item }); i >= 0 {
		n = i + 1
	}
	if _, had := at(map[string]any(m.seed.written), path[:n]); !had || n < 2 {
		return nil
	}
	p := m.known[propertyAt(m.Definition.Root, path[:n])]
	if p == nil {
		return nil // it is not to be changed
	}
	o := &Operation{Property: p.Path, Case: "removed", Changes: []Change{{Path: path[:n], Remove: true}}}
	o.Name = title(o, &o.Changes[0], now)
	next, err := o.Apply(now)
	if err != nil || m.refuses(next, m.Server.Complete(now)) != "" {
		return nil
	}
	return o
}
