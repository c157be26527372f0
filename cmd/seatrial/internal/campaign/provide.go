package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// A seed of a tutorial names a Secret that its reader is to make. Where the operator does not get on with the seed, what that names and
// nobody gave is made: first what pods wait for, which say the keys as well, and then what the schema shows to be a reference. What an
// operator makes itself is there by then. A guess that is of no help is taken back.

// seeded runs the seed, and once more for each kind of thing that it lacks.
func (t *trial) seeded(ctx context.Context) (*run, error) {
	seed := job{Resource: t.seed, First: true, Patient: true, Restart: true, Delete: true}
	first, err := t.lab.do(ctx, seed)
	seed.First = false
	if err != nil {
		return nil, err
	}
	in := t.o.Input
	for _, look := range []struct {
		lacking func(*run) []history.Object
		guess   bool
	}{{t.awaited, false}, {t.referred, true}} {
		if !t.stuck(first) {
			break
		}
		made := look.lacking(first)
		if len(made) == 0 {
			continue
		}
		t.o.tell(Progress{What: "provide", Of: len(made)})
		given := in.Made
		in.Made = append(given[:len(given):len(given)], made...)
		again, err := t.lab.do(ctx, seed)
		if err != nil {
			return nil, err
		}
		if look.guess && t.stuck(again) {
			in.Made = given
			continue
		}
		first = again
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

// stuck tells whether the operator does not get on with the seed.
func (t *trial) stuck(r *run) bool {
	c := t.caseOf(r, 0)
	return !r.Steps[0].Rest.Quiet || len(r.Steps[0].Rest.Failing) > 0 || !c.Wrote() || len(oracle.Unwell(c)) > 0 || oracle.NotDone(c.Last().End[t.key]) != ""
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
func (t *trial) referred(r *run) []history.Object {
	if t.root == nil {
		return nil
	}
	at := t.reference(t.seed.Text("metadata", "namespace"))
	at.Property = t.root
	return slices.DeleteFunc(value.Referred(at, map[string]any(t.seed)), func(o history.Object) bool {
		name := o.Text("metadata", "name")
		if strings.HasPrefix(name, "system-") { // the API server's own
			return true
		}
		there := func(other history.Object) bool {
			return other.Text("kind") == o.Text("kind") && other.Text("metadata", "name") == name && other.Text("metadata", "namespace") == o.Text("metadata", "namespace")
		}
		if slices.ContainsFunc(t.o.Input.Setup.Objects, there) || slices.ContainsFunc(t.o.Input.Made, there) {
			return true
		}
		for _, other := range r.Steps[0].End {
			if there(other) {
				return true
			}
		}
		return false
	})
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
