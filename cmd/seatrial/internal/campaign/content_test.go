package campaign

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// orderly notes what is asked of a stage beside what is applied.
type orderly struct {
	*growing
	comesBack bool
}

func (o orderly) Begin() { o.done = append(o.done, "begin") }

func (o orderly) Setup(_ context.Context, objects []history.Object) error {
	for _, object := range objects {
		o.done = append(o.done, object.Text("metadata", "name")+" says "+object.Text("data", "key"))
	}
	return nil
}

func (o orderly) Poke(context.Context, experiment.Reference, string) error {
	o.done = append(o.done, "poke")
	return nil
}

func (o orderly) Settle(_ context.Context, p stage.Patience) (stage.Rest, error) {
	if p.Idle == lateMost {
		o.done = append(o.done, "wait")
		return stage.Rest{Quiet: true}, nil
	}
	return stage.Rest{Quiet: true, Panicked: []string{"web"}, ComesBack: o.comesBack}, nil
}

func (o orderly) State() history.State { return history.State{webKey: history.Object{}} }

// TestContent: where what the resource refers to says something else, the resource is not applied; what the operator
// writes is behind that. Who looks now and then is waited for, and not poked, which would have it look.
func TestContent(t *testing.T) {
	says := func(text string) []history.Object {
		return []history.Object{{"kind": "Secret", "metadata": map[string]any{"name": "a"}, "data": map[string]any{"key": text}}}
	}
	refers, changes := do("spec.size=2"), do("spec.size=2")
	refers.Objects = says("1")
	changes.Objects, changes.Content = says("2"), true
	live := orderly{growing: &growing{}}
	l := &lab{key: webKey, now: time.Now, mask: history.DefaultMask(), complete: func(o history.Object) history.Object { return o }}
	p := &performance{live: live, lab: l}
	r := &run{Undone: map[*oracle.Step]bool{}}
	seed := history.Object{"kind": "Web", "spec": map[string]any{"size": "1"}}
	if err := p.play(t.Context(), job{Resource: seed, Operations: []*operation.Operation{refers, changes}, Patient: true}, r); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"begin", "1", "wait", "a says 1", "begin", "2", "begin", "a says 2", "wait"}, live.done); d != "" {
		t.Error(d)
	}
	if last := r.Steps[len(r.Steps)-1]; len(last.Rest.Panicked) == 0 {
		t.Error("a panic is forgotten when it is waited for longer")
	}
}

// TestMadeLater: who waits for an object is given the time to look again, in the first run, too; where it says that it
// will, in a time that nobody knows, it is had to.
func TestMadeLater(t *testing.T) {
	for comesBack, want := range map[bool][]string{
		false: {"begin", "1", "begin", "2", "begin", "a says 1", "wait"},
		true:  {"begin", "1", "begin", "2", "begin", "a says 1", "poke"},
	} {
		lacks, made := do("spec.size=2"), do("spec.size=2")
		lacks.Misoperation, lacks.Lacks = true, true
		made.Objects, made.Content = []history.Object{{"kind": "Secret", "metadata": map[string]any{"name": "a"}, "data": map[string]any{"key": "1"}}}, true
		live := orderly{growing: &growing{}, comesBack: comesBack}
		p := &performance{live: live, lab: &lab{input: &input.Input{ComesBack: true}, key: webKey, now: time.Now, mask: history.DefaultMask(), complete: func(o history.Object) history.Object { return o }}}
		seed := history.Object{"kind": "Web", "spec": map[string]any{"size": "1"}}
		if err := p.play(t.Context(), job{Resource: seed, Operations: []*operation.Operation{lacks, made}}, &run{Undone: map[*oracle.Step]bool{}}); err != nil {
			t.Fatal(err)
		}
		for len(live.done) > 2 && live.done[2] == "wait" { // of the first step of all
			live.done = append(live.done[:2], live.done[3:]...)
		}
		if d := cmp.Diff(want, live.done); d != "" {
			t.Errorf("it comes back: %t\n%s", comesBack, d)
		}
	}
}
