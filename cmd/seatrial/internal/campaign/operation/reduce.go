package operation

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// TriesMax bounds how often [Reduce] asks.
const TriesMax = 120

// Reduce makes operations that show something fewer and smaller: with fewer operations
// (delta debugging, Zeller and Hildebrandt 2002), as one if they can be, with fewer
// changes in each, each of less, and with less in their values. fails says whether operations,
// from the seed, still show it; one that cannot be applied does not. It is asked at most
// [TriesMax] times, never twice for the same. root has the properties of the resource,
// after which operations are named that change less than those of the plan; nil if that is not
// known.
//
// What is returned fails, if seq does: seq itself is not asked about. With an error of fails,
// that is what was found so far, and the error. The operations of seq stay as they are.
func Reduce(seed history.Object, root *schema.Property, seq []*Operation, fails func([]*Operation) (bool, error)) ([]*Operation, error) {
	r := &reducer{seed: seed, root: root, best: seq, fails: fails, known: map[string]bool{}}
	r.known[key(seq)] = true
	for size := -1; size != r.size() && !r.over(); {
		size = r.size()
		r.fewer()
		r.together()
		r.slimmer()
		r.plainer()
		r.narrower()
	}
	return retitled(seed, r.best), r.err
}

type reducer struct {
	seed  history.Object
	root  *schema.Property
	best  []*Operation
	fails func([]*Operation) (bool, error)
	// known are all that were asked about.
	known map[string]bool
	tries int
	err   error
}

func key(seq []*Operation) string {
	text, err := json.Marshal(seq)
	if err != nil {
		return ""
	}
	return string(text)
}

func (r *reducer) over() bool { return r.err != nil || r.tries >= TriesMax }

// size is what gets smaller.
func (r *reducer) size() int { return len(key(r.best)) }

// try takes operations for the best if they fail.
func (r *reducer) try(seq []*Operation) bool {
	k := key(seq)
	if r.known[k] || r.over() || len(seq) == 0 {
		return false
	}
	r.known[k] = true
	r.tries++
	failed, err := r.fails(seq)
	if err != nil {
		r.err = err
		return false
	}
	if failed {
		r.best = seq
	}
	return failed
}

// fewer leaves operations out: halves, quarters, and at last each by itself.
func (r *reducer) fewer() {
	minimal(len(r.best), r.over, func(keep []int) bool {
		return r.try(picked(r.best, keep))
	})
}

// minimal takes parts out of n things, large parts first, until none can be. fails is asked with
// what would be kept, of as many as there are then; it has to go on from these where it says yes.
func minimal(n int, over func() bool, fails func(keep []int) bool) {
	for part := (n + 1) / 2; part >= 1 && !over(); {
		cut := false
		for from := 0; from < n && n > 1; {
			keep := make([]int, 0, n)
			for i := range n {
				if i < from || i >= from+part {
					keep = append(keep, i)
				}
			}
			if len(keep) > 0 && fails(keep) {
				n = len(keep)
				cut = true
			} else {
				from += part
			}
		}
		if part == 1 && !cut {
			return
		}
		part = max(1, part/2)
		if part > n {
			part = n
		}
	}
}

func picked[T any](all []T, keep []int) []T {
	some := make([]T, 0, len(keep))
	for _, i := range keep {
		some = append(some, all[i])
	}
	return some
}

// together makes one operation of all, or two: of all but the last, and the last.
func (r *reducer) together() {
	told := withWrong(r.best)
	if len(told) < 2 || r.try([]*Operation{bundle(told)}) || len(told) < 3 {
		return
	}
	last := len(told) - 1
	if !r.try([]*Operation{bundle(told[:last]), r.best[last]}) {
		r.try([]*Operation{r.best[0], bundle(told[1:])})
	}
}

// slimmer leaves changes out of operations, and the objects that nothing names any more. One that is named stays: an
// operator with the mistake may not need it, as it does not go that far, and one without it would wait for it.
func (r *reducer) slimmer() {
	for i := range r.best {
		if before, ok := r.before(i); ok {
			minimal(len(r.best[i].Changes), r.over, func(keep []int) bool {
				o := r.best[i]
				return r.try(r.with(i, r.part(o, picked(o.Changes, keep), before)))
			})
		}
		if r.best[i].around() != "" {
			r.try(r.with(i, calmer(r.best[i], nil)))
		}
		minimal(len(r.best[i].Overtakes), r.over, func(keep []int) bool {
			return r.try(r.with(i, calmer(r.best[i], picked(r.best[i].Overtakes, keep))))
		})
		o := *r.best[i]
		if o.Objects = named(o.Objects, o.All()); len(o.Objects) < len(r.best[i].Objects) {
			r.try(r.with(i, &o))
		}
	}
}

// calmer is an operation with less around it: no restart, and no more than that is overtaken.
func calmer(o *Operation, overtakes []Change) *Operation {
	again := *o
	again.Restarts, again.Overtakes = false, overtakes
	again.Name = trace.Printable(strings.TrimSuffix(o.Name, trace.Printable(o.around(), false))+again.around(), false)
	return &again
}

// named are the objects whose names are in what changes set.
func named(objects []history.Object, changes []Change) (all []history.Object) {
	text, err := json.Marshal(changes)
	for _, o := range objects {
		if err != nil || strings.Contains(string(text), o.Text("metadata", "name")) {
			all = append(all, o)
		}
	}
	return all
}

// with is the best with another i-th operation.
func (r *reducer) with(i int, o *Operation) []*Operation {
	seq := slices.Clone(r.best)
	seq[i] = o
	return seq
}

// plainer makes values less: what a change sets is removed, which leaves the default; fields
// and items are taken out of it.
func (r *reducer) plainer() {
	for i := range r.best {
		for j := range r.best[i].Changes {
			c := r.best[i].Changes[j]
			if c.Remove {
				continue
			}
			if r.changed(i, j, Change{Path: c.Path, Remove: true}) {
				continue
			}
			r.smaller(i, j, nil)
		}
	}
}

func (r *reducer) changed(i, j int, c Change) bool {
	o := r.best[i]
	changes := slices.Clone(o.Changes)
	changes[j] = c
	before, known := r.before(i)
	if !known {
		one := *o
		one.Changes = changes
		return r.try(r.with(i, &one))
	}
	return r.try(r.with(i, r.part(o, changes, before)))
}

// smaller takes fields and items out of the value of a change, at a path in it and below.
func (r *reducer) smaller(i, j int, path []any) {
	now, _ := at(r.best[i].Changes[j].Value, path)
	switch now := now.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(now)) {
			r.without(i, j, append(slices.Clone(path), name))
		}
	case []any:
		for n := len(now) - 1; n >= 0; n-- {
			r.without(i, j, append(slices.Clone(path), n))
		}
	}
}

func (r *reducer) without(i, j int, path []any) {
	c := r.best[i].Changes[j]
	out := Change{Path: path, Remove: true}
	next, err := out.edit(value.Clone(c.Value))
	if err != nil {
		return
	}
	c.Value = next
	if !r.changed(i, j, c) {
		r.smaller(i, j, path)
	}
}
