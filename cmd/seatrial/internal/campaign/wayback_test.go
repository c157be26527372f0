package campaign

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// The way back from a valid operation that the operator fails at is judged as that from a misoperation is: what does
// not recover is found, and what does, or what only the failure itself shows, is nothing of the way back.
func TestWayBack(t *testing.T) {
	const fails = "broken-1"
	stuck := func(spec map[string]any, old history.Object) map[string]any {
		if data, _ := old.At("data").(map[string]any); data["text"] == fails {
			return data // for ever
		}
		return follows(spec, old)
	}
	for _, test := range []struct {
		name     string
		operator func(map[string]any, history.Object) map[string]any
		want     []string
		steps    int
	}{
		{"it recovers", follows, nil, 3},
		{"it never does", stuck, []string{"recovery spec.text: spec.text=" + fails + " spec.text: taken back, after spec.text=" + fails}, 3},
	} {
		lab := &fake{operator: test.operator, prints: func(spec map[string]any) string {
			if spec["text"] == fails {
				return "error: it cannot be " + fails + "\n"
			}
			return ""
		}}
		one := made(lab, "spec.size=2 spec.text="+fails+" spec.size=3")
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := told(one.out); !slices.Equal(got, test.want) || len(one.out.Gone) > 0 {
			t.Errorf("%s: found %q, want %q, gone %d", test.name, got, test.want, len(one.out.Gone))
		}
		if n := one.out.counts().tried; n != test.steps {
			t.Errorf("%s: %d operations were tried, want %d: the way back is none of the plan", test.name, n, test.steps)
		}
	}
}

// The way back is a step of its own, whose operation makes of the resource what it was before.
func TestWayBackIsStep(t *testing.T) {
	live, r := &growing{}, &run{Undone: map[*oracle.Step]bool{}}
	p := &performance{live: live, lab: &lab{key: webKey, now: time.Now, complete: func(o history.Object) history.Object { return o }}}
	seed := history.Object{"kind": "Web", "spec": map[string]any{"size": "1"}}
	after := func(steps []*oracle.Step) next {
		if steps[len(steps)-1].Rest.Quiet {
			return goOn
		}
		return back
	}
	if err := p.play(t.Context(), job{Resource: seed, Operations: []*operation.Operation{do("spec.text=hang"), do("spec.size=2")}, After: after}, r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, s := range r.Steps {
		got = append(got, fmt.Sprint(name(s), " ", r.back(i)))
	}
	if want := []string{"the seed false", "spec.text=hang false", "spec.text: taken back, after spec.text=hang true", "spec.size=2 false"}; !slices.Equal(got, want) {
		t.Fatalf("steps are %q, want %q", got, want)
	}
	if undone, err := r.Steps[2].Operation.Apply(r.Steps[1].Resource); err != nil || !reflect.DeepEqual(undone, seed) {
		t.Errorf("the way back leads to %v, want %v: %v", undone, seed, err)
	}
}

// What belonged to an operation that was taken back is no step: it would change nothing, and say so of its property.
func TestBehindTakenBack(t *testing.T) {
	live, r := &growing{}, &run{Undone: map[*oracle.Step]bool{}}
	p := &performance{live: live, lab: &lab{key: webKey, now: time.Now, complete: func(o history.Object) history.Object { return o }}}
	after := func(steps []*oracle.Step) next {
		if steps[len(steps)-1].Rest.Quiet {
			return goOn
		}
		return back
	}
	seed := history.Object{"kind": "Web", "spec": map[string]any{"size": "1"}}
	if err := p.play(t.Context(), job{Resource: seed, Operations: []*operation.Operation{do("spec.text=hang"), do("spec.text-"), do("spec.size=2")}, After: after}, r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Steps {
		got = append(got, name(s))
	}
	if want := []string{"the seed", "spec.text=hang", "spec.text: taken back, after spec.text=hang", "spec.size=2"}; !slices.Equal(got, want) {
		t.Fatalf("steps are %q, want %q", got, want)
	}
}
