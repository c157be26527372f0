package perturb

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// scripted is a runner whose runs are written down: for runs of the plan, and for runs
// without one. The last of each is repeated.
type scripted struct {
	mu             sync.Mutex
	planned, plain []func() (*recording.Recording, error)
	// asked are the runs that were made: p for the plan, o for one by ordinal, - for none.
	asked string
}

func (s *scripted) Grow(context.Context) error { return nil }

func (s *scripted) run(_ context.Context, o stage.Options) (*recording.Recording, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	script := &s.planned
	switch {
	case o.Plan == nil:
		s.asked += "-"
		script = &s.plain
	case o.Plan.Trigger.Ordinal:
		s.asked += "o"
	default:
		s.asked += "p"
	}
	next := (*script)[0]
	if len(*script) > 1 {
		*script = (*script)[1:]
	}
	return next()
}

// ended is a run that ended with ConfigMaps of these names.
func ended(names ...string) *recording.Recording {
	r := &recording.Recording{Final: history.State{}, Fired: true, Done: true}
	for i, name := range names {
		key := history.Key{Resource: "configmaps", Namespace: "default", Name: name}
		o := history.Object{"kind": "ConfigMap", "metadata": map[string]any{"name": name}}
		r.Final[key] = o
		r.Events = append(r.Events, history.Event{Revision: int64(i + 1), Type: history.Create, Key: key, UID: name, Actor: plan.Controller, Object: o})
		r.Times = append(r.Times, time.Duration(i)*time.Millisecond)
	}
	return r
}

func usual() (*recording.Recording, error) { return ended("a", "b"), nil }
func lost() (*recording.Recording, error)  { return ended("a"), nil }

func unfired() (*recording.Recording, error) {
	r := ended("a", "b")
	r.Fired, r.Done = false, false
	return r, nil
}

func infeasible() (*recording.Recording, error) {
	r := ended("a")
	r.Infeasible = "it does not come"
	return r, nil
}

func unfinished() (*recording.Recording, error) {
	r := ended("a", "b")
	r.Done = false
	return r, nil
}

// healed is a run in which the next event brought what was missing.
func healed() (*recording.Recording, error) {
	r := ended("a", "b")
	r.Nudged, r.Healed = true, true
	r.BeforeNudge = &recording.End{State: history.State{}, Events: len(r.Events)}
	for key, o := range ended("a").Final {
		r.BeforeNudge.State[key] = o
	}
	return r, nil
}

func broken() (*recording.Recording, error) { return nil, errors.New("the plane is ill") }

func newTrial(t *testing.T, s *scripted) *trial {
	t.Helper()
	mask, err := reference.Mask(nil)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := reference.Learn(mask, []*recording.Recording{ended("a", "b"), ended("a", "b")})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	o := &Options{Experiment: &experiment.Experiment{}, Confirm: 2, Parallel: 1, Now: func() time.Time { return now }}
	return &trial{o: o, pool: s, ref: ref, out: &Outcome{Reference: ref}, confirmed: map[string]int{}}
}

// thePlan kills the controller after the first ConfigMap.
func thePlan(t *trial) *plan.Plan {
	return &plan.Plan{Pattern: "intermediate-state", Sentence: "Kill it.", Assumption: plan.Crash, Trigger: t.ref.Events[0].Exact, Fault: plan.Fault{Kind: "crash"}}
}

type script = []func() (*recording.Recording, error)

// TestJudge: how often a plan is run, and what becomes of it.
func TestJudge(t *testing.T) {
	cases := []struct {
		name           string
		planned, plain script
		asked          string
		verdict        Verdict
		failed, runs   int
		reason         string
	}{
		{"as usual", script{usual}, nil, "p", Passed, 0, 1, ""},
		{"fails each time", script{lost}, script{usual}, "ppp-", Failed, 3, 3, ""},
		{"fails once", script{lost, usual}, script{usual}, "ppp-", Failed, 1, 3, ""},
		{"fails without the plan, too", script{lost}, script{lost}, "ppp-", Inconclusive, 3, 3, "different without the perturbation"},
		{"does not fire", script{unfired}, nil, "ppp", Inconclusive, 0, 1, "trigger did not fire"},
		{"does not fire at first", script{unfired, usual}, nil, "pp", Passed, 0, 1, ""},
		{"fails when it fires", script{unfired, lost}, script{usual}, "pppp-", Failed, 3, 3, ""},
		{"the plane is ill for a moment", script{broken, usual}, nil, "pp", Passed, 0, 1, ""},
		{"cannot end", script{infeasible}, nil, "p", Infeasible, 0, 1, "it does not come"},
		{"does not end", script{unfinished}, nil, "ppp", Inconclusive, 0, 1, "did not come to an end"},
	}
	for _, c := range cases {
		s := &scripted{planned: c.planned, plain: c.plain}
		trial := newTrial(t, s)
		r, err := trial.judge(t.Context(), thePlan(trial))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.asked != c.asked || r.Verdict != c.verdict || r.Failed != c.failed || r.Runs != c.runs || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%s: runs %q, %s, %d of %d, %q; want %q, %s, %d of %d, %q",
				c.name, s.asked, r.Verdict, r.Failed, r.Runs, r.Reason, c.asked, c.verdict, c.failed, c.runs, c.reason)
		}
	}
}

// TestHealed: what the next event brings is told, and does not count.
func TestHealed(t *testing.T) {
	trial := newTrial(t, &scripted{planned: script{healed}})
	r, err := trial.judge(t.Context(), thePlan(trial))
	if err != nil {
		t.Fatal(err)
	}
	trial.out.Results = []*Result{r}
	report := trial.out.Report("sample", func(*plan.Plan) string { return "" })
	if r.Verdict != Passed || report.Verdict != finding.Holds || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].Message, "configmaps default/b is missing in the end, until") {
		t.Errorf("%s, %s, warnings %v", r.Verdict, report.Verdict, report.Warnings)
	}
}

// TestSameCause: of plans that fail for the same cause one is run again, and they are
// one finding.
func TestSameCause(t *testing.T) {
	s := &scripted{planned: script{lost}, plain: script{usual}}
	trial := newTrial(t, s)
	one, other := thePlan(trial), thePlan(trial)
	other.Trigger = trial.ref.Events[1].Exact
	if err := trial.runAll(t.Context(), []*plan.Plan{one, other}); err != nil {
		t.Fatal(err)
	}
	groups := trial.out.Groups()
	if s.asked != "ppp-p" || len(groups) != 1 || len(groups[0].Results) != 2 {
		t.Errorf("runs %q, %d groups", s.asked, len(groups))
	}
}

// TestWrong: a run that goes wrong by no fault of the controller costs no other; if
// that goes on, the trial ends and keeps what it has.
func TestWrong(t *testing.T) {
	s := &scripted{planned: script{broken, broken, broken, usual}}
	trial := newTrial(t, s)
	if err := trial.runAll(t.Context(), []*plan.Plan{thePlan(trial), thePlan(trial)}); err != nil {
		t.Fatal(err)
	}
	var verdicts []Verdict
	for _, r := range trial.out.Results {
		verdicts = append(verdicts, r.Verdict)
	}
	if !slices.Equal(verdicts, []Verdict{Inconclusive, Passed}) || !strings.Contains(trial.out.Results[0].Reason, "the plane is ill") {
		t.Errorf("%v, %q", verdicts, trial.out.Results[0].Reason)
	}
	trial = newTrial(t, &scripted{planned: script{broken}})
	plans := slices.Repeat([]*plan.Plan{thePlan(trial)}, 20)
	if err := trial.runAll(t.Context(), plans); err == nil || len(trial.out.Results) != wrongMax+1 || trial.out.Skipped != 20-wrongMax-1 {
		t.Errorf("%v, %d results, %d skipped", err, len(trial.out.Results), trial.out.Skipped)
	}
}

// TestVerdicts: what a report makes of results.
func TestVerdicts(t *testing.T) {
	failed := func(o *Outcome) {
		o.Results[0].Verdict, o.Results[0].Failed = Failed, 1
		o.Results[0].Divergences = sample
	}
	cases := []struct {
		name    string
		change  func(*Outcome)
		verdict finding.Verdict
		reason  string
	}{
		{"all passed", func(*Outcome) {}, finding.Holds, ""},
		{"one failed", failed, finding.Violated, ""},
		{"one inconclusive", func(o *Outcome) { o.Results[0].Verdict = Inconclusive }, finding.Inconclusive, "1 of 2 plans are inconclusive"},
		{"one infeasible", func(o *Outcome) { o.Results[0].Verdict = Infeasible }, finding.Holds, ""},
		{"interrupted", func(o *Outcome) { o.Interrupted, o.Skipped = true, 3 }, finding.Inconclusive, "interrupted: 3 plans were not run"},
		{"interrupted after a failure", func(o *Outcome) { failed(o); o.Interrupted = true }, finding.Violated, ""},
		{"no plan", func(o *Outcome) { o.Results = nil }, finding.Inconclusive, "there is no plan to run"},
		{"no plan of the pattern that was asked for", func(o *Outcome) { o.Results, o.Asked = nil, []string{"stale-state"} }, finding.Holds, ""},
		{"the controller does nothing", func(o *Outcome) { o.Reference.Writes = 0 }, finding.Inconclusive, "wrote nothing that counts"},
		{"somebody else writes", func(o *Outcome) { o.Outside = []history.Event{{Actor: "manager"}} }, finding.Inconclusive, "came past the proxy"},
	}
	for _, c := range cases {
		trial := newTrial(t, nil)
		trial.ref.Writes = 2
		o := trial.out
		o.Results = []*Result{{Plan: thePlan(trial), Verdict: Passed, Runs: 1}, {Plan: thePlan(trial), Verdict: Passed, Runs: 1}}
		c.change(o)
		r := o.Report("sample", func(*plan.Plan) string { return "" })
		if r.Verdict != c.verdict || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, r.Verdict, r.Reason, c.verdict, c.reason)
		}
	}
}

// sample is what an oracle may have to say.
var sample = []oracle.Divergence{{Oracle: "end-state", Text: "configmaps default/b is missing in the end", Class: "end-state delete configmaps default b"}}

// TestAlone: a controller of which a second one cannot listen is run alone.
func TestAlone(t *testing.T) {
	taken := func() (*recording.Recording, error) {
		return nil, &stage.ControllerError{Text: "the controller exited with code 1 before it was ready: it said: listen tcp :8080: bind: Address already in use"}
	}
	trial := newTrial(t, &scripted{plain: script{usual, taken, taken, usual}})
	trial.o.References, trial.o.Parallel = 3, 3
	if err := trial.learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !trial.out.Alone || trial.o.Parallel != 1 || len(trial.ref.Runs) != 3 {
		t.Errorf("alone %t, %d at once, %d runs", trial.out.Alone, trial.o.Parallel, len(trial.ref.Runs))
	}
	broken := newTrial(t, &scripted{plain: script{usual, broken}})
	broken.o.References = 3
	if err := broken.learn(t.Context()); err == nil {
		t.Error("a reference that cannot be run is no error")
	}
}

// beating is a runner of a controller that counts, for as long as it runs.
type beating struct{}

func (beating) Grow(context.Context) error { return nil }

func (beating) run(_ context.Context, o stage.Options) (*recording.Recording, error) {
	r, beats := ended("a"), int64(2)
	if o.Expect != nil && o.Expect.Short == o.Expect.Long {
		beats = 5
	}
	for _, object := range r.Final {
		object["beats"] = beats
	}
	return r, nil
}

// TestWhatTimeChanges: runs that are alike end with the same count, but for the one that
// goes on for longer; so the count is known to mean nothing.
func TestWhatTimeChanges(t *testing.T) {
	trial := newTrial(t, nil)
	trial.pool, trial.o.References = beating{}, 2
	if err := trial.learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if learned := trial.ref.Learned; !slices.Equal(learned, []string{"~configmaps:beats"}) {
		t.Errorf("what differs for no reason is %q", learned)
	}
}
