package operation

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

// Whatever is tried of a property is taken back once when the operator was started again, with which the resource is as
// the seed has it.
func TestTakenBackBehindRestart(t *testing.T) {
	t.Parallel()
	o := Options{Definition: definition(t, moded(), nil), Seed: thing(map[string]any{"image": "a", "store": map[string]any{"path": "/b"}})}
	m, err := newMaker(o)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	back := map[string]bool{}
	for _, s := range plan.Sequences {
		now := m.seed.written
		for i, op := range s.Operations {
			next, err := op.Apply(now)
			if err != nil {
				t.Fatal(err)
			}
			if op.Restarts {
				if i == 0 || !equal(m.Server.Complete(next), m.seed.stored) || op.Repairs || op.Misoperation {
					t.Errorf("%s leads to %v", op.Name, next)
				}
				for _, p := range append([]string{op.Property}, op.With...) {
					back[p] = true
				}
			}
			if op.Refused == "" {
				now = next
			}
		}
	}
	for _, p := range m.properties {
		if m.now = m.seed; p.in(own) && m.chosen(p, value.Change, nil) != nil && !back[p.Path] {
			t.Errorf("%s is not taken back while the operator is down", p.Path)
		}
	}
}

// What shows a finding without a restart is made smaller by it; what needs it keeps it, and says it.
func TestReduceRestart(t *testing.T) {
	t.Parallel()
	const name = "spec.a: set, while the operator is down"
	for _, needed := range []bool{true, false} {
		seq := sets("a=1 b=2")
		seq[1].Restarts, seq[1].Name = true, name
		small, err := Reduce(thing(nil), nil, seq, func(some []*Operation) (bool, error) {
			return len(some) == 2 && (!needed || slices.ContainsFunc(some, func(o *Operation) bool { return o.Restarts })), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := small[1]; got.Restarts != needed || needed != (got.around() != "") {
			t.Errorf("needed %t: %+v", needed, *got)
		}
	}
}
