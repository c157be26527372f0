package campaign

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// A seed of a tutorial names a Secret that its reader is to make. Where the operator does not get on with the seed on a
// plane, what that names and nobody gave is made: first what pods wait for, which say the keys as well, and then what
// the schema shows to be a reference. What an operator makes itself is there by then. A guess with which it does not
// get further is taken back. In a cluster of the user's nothing is made: what is there that no run has to do with is
// not seen.

// seeded runs the seed, and once more for each kind of thing that it lacks.
func (t *trial) seeded(ctx context.Context) (*run, error) {
	seed := job{Resource: t.seed, First: t.o.Cluster == nil, Patient: true, Restart: true, Delete: true}
	first, err := t.lab.do(ctx, seed)
	if err != nil || t.o.Cluster != nil {
		return first, err
	}
	seed.First = false
	in := t.o.Input
	for _, look := range []struct {
		lacking func(*run) []history.Object
		guess   bool
	}{{t.awaited, false}, {t.referred, true}} {
		reached := t.reached(first)
		if reached == wholly {
			break
		}
		made := look.lacking(first)
		if len(made) == 0 {
			continue
		}
		t.o.tell(Progress{What: "provide", Of: len(made)})
		if l, is := t.lab.(*lab); is {
			l.tempo.forget()
		}
		given := in.Made
		in.Made = append(given[:len(given):len(given)], made...)
		again, err := t.lab.do(ctx, seed)
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err != nil, look.guess && t.reached(again) <= reached: // it may not even be there: the API server knows more of it
			in.Made = given
		default:
			first = again
		}
	}
	if len(in.Made) == 0 {
		return first, nil
	}
	for _, o := range in.Made {
		t.out.Notes = append(t.out.Notes, fmt.Sprintf("the seed refers to %s %s, which nobody gave: %s", o.Text("kind"), o.Text("metadata", "name"), madeWith(o)))
	}
	in.Setup.Objects = append(in.Setup.Objects, in.Made...)
	if t.replan == nil {
		return first, nil
	}
	return first, t.replan()
}

// wholly is how far an operator is that has got on with the seed.
const wholly = 4

// reached counts how far the operator gets with the seed: it writes something, no reconciles go on failing, it comes to
// rest, and nothing is wrong.
func (t *trial) reached(r *run) (n int) {
	c, s := t.caseOf(r, 0), r.Steps[0]
	for _, so := range []bool{c.Wrote(), len(s.Rest.Failing) == 0, s.Rest.Quiet, len(oracle.Unwell(c)) == 0 && oracle.NotDone(s.End[t.key]) == ""} {
		if so {
			n++
		}
	}
	return n
}

// awaited is what pods wait for.
func (t *trial) awaited(r *run) (all []history.Object) {
	for _, need := range oracle.Needs(r.Steps[0].End, t.seed) {
		if o := value.Holder(t.reference(need.Namespace), need.Kind, need.Name, need.Keys); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// referred is what the seed names where the schema has a reference, and is not there.
func (t *trial) referred(r *run) (lacking []history.Object) {
	if t.root == nil {
		return nil
	}
	at := t.reference(t.seed.Text("metadata", "namespace"))
	at.Property = t.root
	s := r.Steps[0]
	there := slices.Concat(t.o.Input.Setup.Objects, t.o.Input.Made, slices.Collect(maps.Values(s.End)), slices.Collect(maps.Values(s.Untouched)))
	for _, together := range value.Referred(at, map[string]any(t.seed)) {
		known := func(o history.Object) bool {
			return strings.HasPrefix(o.Text("metadata", "name"), "system-") || // the API server's own
				slices.ContainsFunc(there, func(is history.Object) bool { return same(is, o) })
		}
		if !slices.ContainsFunc(together, known) {
			lacking, there = append(lacking, together...), append(there, together...)
		}
	}
	return lacking
}

// same tells whether two objects are one by their names.
func same(a, b history.Object) bool {
	return a.Text("kind") == b.Text("kind") && a.Text("metadata", "name") == b.Text("metadata", "name") &&
		cmp.Or(a.Text("metadata", "namespace"), "default") == cmp.Or(b.Text("metadata", "namespace"), "default")
}

// reference is a place for what the seed refers to in a namespace.
func (t *trial) reference(namespace string) *value.Place {
	return &value.Place{Tables: value.BuiltIn(), Namespace: namespace}
}

// madeWith says how an object is there that nobody gave.
func madeWith(o history.Object) string {
	var keys []string
	for _, field := range []string{"data", "stringData"} {
		data, _ := o[field].(map[string]any)
		for key := range data {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return "one is there that says no more than it has to"
	}
	slices.Sort(keys)
	return "it is there with keys " + strings.Join(keys, ", ") + "; give it with the seed for what else is in it"
}
