package campaign

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// growing is a stage whose API server refuses that spec.size becomes less, and whose operator comes to rest at once
// unless spec.text is "hang".
type growing struct {
	size  string
	hangs bool
	done  []string
}

func (g *growing) Do(_ context.Context, step *experiment.Step) error {
	var o history.Object
	if step.Patch != nil {
		if err := json.Unmarshal(step.Patch.Merge, &o); err != nil {
			return err
		}
	} else {
		o = step.Apply.Objects[0]
	}
	size := o.Text("spec", "size")
	if size < g.size {
		g.done = append(g.done, size+" refused")
		return apierrors.NewInvalid(schema.GroupKind{Kind: "Web"}, "web", nil)
	}
	g.done, g.size, g.hangs = append(g.done, size), size, o.Text("spec", "text") == "hang"
	return nil
}

func (g *growing) Settle(context.Context, stage.Patience) (stage.Rest, error) {
	return stage.Rest{Quiet: !g.hangs}, nil
}

func (g *growing) Restart(_ context.Context, meanwhile func()) error {
	g.done = append(g.done, "down")
	if meanwhile != nil {
		meanwhile()
	}
	g.done = append(g.done, "up")
	return &stage.ControllerError{Text: "not ready"}
}

func (g *growing) UntilActed(context.Context, stage.Patience, history.Key) error {
	g.done = append(g.done, "begun")
	return nil
}

func (g *growing) Begin()                                                   {}
func (g *growing) Setup(context.Context, []history.Object) error            { return nil }
func (g *growing) Provide(context.Context, []history.Object) error          { return nil }
func (g *growing) Poke(context.Context, experiment.Reference, string) error { return nil }
func (g *growing) Events() []history.Event                                  { return nil }
func (g *growing) Untouched() history.State                                 { return nil }

func (g *growing) State() history.State                    { return nil }
func (g *growing) Lives() []recording.Life                 { return nil }
func (g *growing) Output(int64) (text string, bytes int64) { return "said", 4 }

// TestNotTakenBack: where the API server refuses that something is taken back, nothing comes behind it, which would be
// judged as if it had been.
func TestNotTakenBack(t *testing.T) {
	wrong := do("spec.size=9")
	wrong.Misoperation = true
	hang := do("spec.size=8")
	hang.Changes = append(hang.Changes, do("spec.text=hang").Changes...)
	behind := do("spec.size=3")
	behind.Restarts = true
	refusedEnd := do("spec.size=4")
	refusedEnd.Overtakes = do("spec.size=5").Changes
	overtakes := do("spec.size=5")
	overtakes.Overtakes = do("spec.size=4").Changes
	after := func(steps []*oracle.Step) next {
		if steps[len(steps)-1].Rest.Quiet {
			return goOn
		}
		return back
	}
	for _, test := range []struct {
		name       string
		operations []*operation.Operation
		after      func([]*oracle.Step) next
		want       []string
		stopped    bool
	}{
		{"a change", []*operation.Operation{do("spec.size=0"), do("spec.size=2")}, after, []string{"1", "0 refused", "2"}, false},
		{"a repair", []*operation.Operation{wrong, do("spec.size=1!"), do("spec.text=x")}, after, []string{"1", "9", "1 refused"}, true},
		{"a repair that is tried again", []*operation.Operation{wrong, do("spec.size=1!"), do("spec.text=x")}, nil, []string{"1", "9", "1 refused"}, true},
		{"while there is no operator", []*operation.Operation{do("spec.size=2"), behind}, nil, []string{"1", "2", "down", "3", "up"}, false},
		{"while a change is on its way", []*operation.Operation{overtakes, do("spec.size=3")}, nil, []string{"1", "4", "begun", "5", "3 refused"}, false},
		{"an end that is refused", []*operation.Operation{refusedEnd, do("spec.size=3")}, nil, []string{"1", "5", "begun", "4 refused", "1 refused"}, true},
		{"what has broken something", []*operation.Operation{hang, do("spec.text=x")}, after, []string{"1", "8", "1 refused"}, true},
	} {
		live, r := &growing{}, &run{Undone: map[*oracle.Step]bool{}}
		p := &performance{live: live, lab: &lab{key: webKey, now: time.Now, complete: func(o history.Object) history.Object { return o }}}
		seed := history.Object{"kind": "Web", "spec": map[string]any{"size": "1"}}
		if err := p.play(t.Context(), job{Resource: seed, Operations: test.operations, After: test.after}, r); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(test.want, live.done); d != "" || r.Stopped != test.stopped {
			t.Errorf("%s: stopped %t: %s", test.name, r.Stopped, d)
		}
	}
}

// TestNotReadyAgain: of an operator that does not get ready when it is started again it is kept why, and what it has
// written and said; nothing is deleted behind that, which is said.
func TestNotReadyAgain(t *testing.T) {
	live, r := &growing{}, &run{Undone: map[*oracle.Step]bool{}}
	p := &performance{live: live, lab: &lab{key: webKey, now: time.Now, complete: func(o history.Object) history.Object { return o }}}
	seed := history.Object{"kind": "Web", "spec": map[string]any{"size": "1"}}
	if err := p.play(t.Context(), job{Resource: seed, Restart: true, Delete: true}, r); err != nil {
		t.Fatal(err)
	}
	if r.Restart == nil || r.Restart.Rest.Why != "not ready" || r.Restart.Output != "said" || r.Deleted != nil {
		t.Errorf("%+v, deleted: %+v", r.Restart, r.Deleted)
	}
	one := made(&fake{operator: follows})
	found := one.judgeEnd(r, restarted)
	if len(found) != 1 || found[0].Oracle != "restart" || found[0].Text != "it was killed and started again, and does not come to rest: not ready" {
		t.Errorf("%+v", found)
	}
	r.Steps[0].Output = "panic: no such thing\n\ngoroutine 1 [running]:\nmain.main()\n\t/op/main.go:3 +0x1\nexit status 2\n"
	if found := one.judgeEnd(r, deleted); len(found) != 1 || !found[0].Inconclusive {
		t.Errorf("of a deletion that was not: %+v", found)
	}
}
