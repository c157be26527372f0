// Package perturb finds out whether a controller survives crashes, stale reads and
// missed events: it learns what is usual from runs without a perturbation, makes
// all plans that could matter, runs each on a plane that was reset, and says which
// runs end otherwise (docs/adr/0020).
package perturb

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/fleet"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/pattern"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Options are one execution of the trial.
type Options struct {
	Experiment *experiment.Experiment
	// Executable is the control plane's path; empty to look for it.
	Executable string
	// Patterns are the names of those whose plans are run; none for all.
	Patterns []string
	// References is how many runs without a perturbation it learns from, and Parallel
	// how many planes there are.
	References, Parallel int
	// Confirm is how often a plan that fails is run again.
	Confirm int
	// PlansMax bounds how many plans are run; 0 for all.
	PlansMax int
	// Known are results of plans that need not be run again, by their IDs.
	Known map[string]*Result
	// Done is told of each result that was not known, when it is there; nil for nobody.
	Done func(*Result)
	// Progress is told how far it is; nil for nobody.
	Progress func(Progress)
	Now      func() time.Time
	Version  string
	// ListOnly makes plans and runs none.
	ListOnly bool
	// ConfirmAll runs every plan as often as those that fail.
	ConfirmAll bool

	// only is the one plan of a replay.
	only *plan.Plan
}

// Progress is how far a trial is.
type Progress struct {
	// What is being done: "start", "learn", "plans".
	What string
	// Done and Of count the plans, Failed those that fail so far.
	Done, Of, Failed int
	// Left is an estimate of how long it still takes.
	Left time.Duration
}

// Verdict is what became of a plan.
type Verdict string

// The verdicts.
const (
	// Passed: the run ended as usual, or what was different went away by itself.
	Passed Verdict = "passed"
	Failed Verdict = "failed"
	// Infeasible: what should end the perturbation does not come because of it.
	Infeasible Verdict = "infeasible"
	// Inconclusive: the trigger did not fire, or the run could not be judged.
	Inconclusive Verdict = "inconclusive"
)

// Result is what became of a plan.
type Result struct {
	Plan    *plan.Plan
	Verdict Verdict
	Reason  string
	// Divergences are those of the first run that failed.
	Divergences []oracle.Divergence
	// Failed of Runs runs failed.
	Failed, Runs int
	Took         time.Duration

	// recording is the first run that failed, or the last one; nil where nobody shows it.
	recording *recording.Recording
}

// cause is equal for results that fail by the same pattern in the same way.
func (r *Result) cause() string { return r.Plan.Pattern + "\n" + oracle.Class(r.Divergences) }

// Outcome is everything that one execution has found.
type Outcome struct {
	Reference *reference.Reference
	// Asked are the patterns that were asked for by name.
	Asked []string
	// Plans are all that were to be run.
	Plans   []*plan.Plan
	Results []*Result
	// Pruned is how many plans were left out because another does the same, and
	// Skipped how many were not run.
	Pruned, Skipped int
	// Unperturbed is what differs without a perturbation as well: found beside a plan
	// that failed.
	Unperturbed []oracle.Divergence
	// Outside are writes by others than the controller and the plane's components.
	Outside []history.Event
	// Alone: only one process of the controller can run at once, since it listens on a
	// port that is always the same.
	Alone bool
	// Lost is how many control planes ended in the middle of a run, which was repeated.
	Lost int
	// Learning and Running are how long it took.
	Learning, Running time.Duration
	Kubernetes        string
	Interrupted       bool
}

// Run learns, makes plans and runs them. Beside an error it returns what it has.
func Run(ctx context.Context, o Options) (out *Outcome, err error) {
	o = o.withDefaults()
	out = &Outcome{Asked: o.Patterns}
	o.tell(Progress{What: "start"})
	f, err := fleet.Open(ctx, fleet.Options{
		Name: "perturb", Executable: o.Executable, Spec: o.Experiment.Plane, Setup: o.Experiment.Setup.Objects, Parallel: o.Parallel,
	})
	if err != nil {
		return out, err
	}
	defer func() { out.Lost, err = f.Lost(), errors.Join(err, f.Close()) }()
	out.Kubernetes = f.Kubernetes()
	t := &trial{o: &o, pool: pool{&o, f}, out: out, confirmed: map[string]int{}}
	if err := t.learn(ctx); err != nil {
		return out, err
	}
	out.Plans = t.plans()
	if o.ListOnly {
		return out, nil
	}
	return out, t.timed(ctx, out.Plans)
}

// Replay runs one plan.
func Replay(ctx context.Context, one *plan.Plan, o Options) (out *Outcome, err error) {
	o = o.withDefaults()
	o.Parallel = 1
	o.only = one
	return Run(ctx, o)
}

func (t *trial) timed(ctx context.Context, plans []*plan.Plan) error {
	begun := t.o.Now()
	err := t.runAll(ctx, plans)
	t.out.Running = t.o.Now().Sub(begun)
	return err
}

func (o Options) withDefaults() Options {
	if o.References < 2 {
		o.References = 3
	}
	o.Parallel = max(o.Parallel, 1)
	return o
}

func (o *Options) tell(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// runner makes runs: a pool of planes, or what tests have for one.
type runner interface {
	// run runs the experiment once.
	run(context.Context, stage.Options) (*recording.Recording, error)
	// Grow lets as many runs be made at once as may be.
	Grow(context.Context) error
}

// pool makes runs of the experiment on the planes of a fleet.
type pool struct {
	o *Options
	*fleet.Fleet
}

func (p pool) run(ctx context.Context, o stage.Options) (rec *recording.Recording, err error) {
	o.Experiment, o.Now = p.o.Experiment, p.o.Now
	err = p.Use(ctx, func(ctx context.Context, place stage.Place) error {
		o.Place = place
		rec, err = stage.Run(ctx, o)
		return err
	})
	return rec, err
}

// trial is one execution under way.
type trial struct {
	o    *Options
	pool runner
	ref  *reference.Reference

	mu  sync.Mutex
	out *Outcome
	// confirmed counts the plans that were run again, by their cause.
	confirmed map[string]int
}

// learn runs the experiment without a perturbation, once alone and then on all
// planes at once.
func (t *trial) learn(ctx context.Context) error {
	begun := t.o.Now()
	t.o.tell(Progress{What: "learn", Of: t.o.References})
	mask, err := reference.Mask(t.o.Experiment.Ignore)
	if err != nil {
		return err
	}
	runs := make([]*recording.Recording, t.o.References)
	first := stage.Options{Mask: mask, OldLists: true, Standby: t.o.Experiment.Controller.LeaderElection}
	if runs[0], err = t.pool.run(ctx, first); err != nil {
		return err
	}
	if err := t.pool.Grow(ctx); err != nil {
		return err
	}
	alone, err := reference.Learn(mask, runs[:1])
	if err != nil {
		return err
	}
	options := func(i int) stage.Options {
		// One run lists as clients of today do, the others as those of old. It also goes on
		// for longer, which tells what changes by nothing but time.
		expect := alone.Expectation(nil)
		if i == 1 {
			expect.Short = expect.Long
		}
		return stage.Options{Mask: mask, OldLists: i != 1, Expect: expect}
	}
	if err := t.several(ctx, runs, options); err != nil {
		return err
	}
	if t.ref, err = reference.Learn(mask, runs); err != nil {
		return err
	}
	t.out.Reference, t.out.Learning = t.ref, t.o.Now().Sub(begun)
	for _, run := range runs {
		for _, e := range run.Events {
			if e.Outside {
				t.out.Outside = append(t.out.Outside, e)
			}
		}
	}
	return nil
}

// several makes the runs behind the first one, at once. A controller of which only
// one can run on a machine, because it listens on a port that is always the same,
// is run alone from then on.
func (t *trial) several(ctx context.Context, runs []*recording.Recording, options func(int) stage.Options) error {
	errs := make([]error, len(runs))
	var all sync.WaitGroup
	for i := 1; i < len(runs); i++ {
		all.Go(func() { runs[i], errs[i] = t.pool.run(ctx, options(i)) })
	}
	all.Wait()
	if !slices.ContainsFunc(errs, portTaken) {
		return errors.Join(errs...)
	}
	t.o.Parallel, t.out.Alone = 1, true
	for i := 1; i < len(runs); i++ {
		var err error
		if runs[i], err = t.pool.run(ctx, options(i)); err != nil {
			return err
		}
	}
	return nil
}

// portTaken tells whether a controller ended because it could not listen.
func portTaken(err error) bool {
	var controller *stage.ControllerError
	return errors.As(err, &controller) && strings.Contains(strings.ToLower(controller.Text), "address already in use")
}

// usual tells whether a run ends as usual, while it runs.
func (t *trial) usual(p *plan.Plan) func(*recording.Recording) bool {
	return func(r *recording.Recording) bool {
		return !oracle.Counts(oracle.Judge(&oracle.Case{Run: r, Reference: t.ref, Experiment: t.o.Experiment, Plan: p}))
	}
}

func (t *trial) plans() []*plan.Plan {
	if t.o.only != nil {
		return []*plan.Plan{t.o.only}
	}
	plans, pruned := pattern.Generate(t.ref, t.o.Experiment, t.o.Patterns)
	t.out.Pruned = pruned
	for _, p := range plans {
		p.Version, p.Experiment = t.o.Version, t.o.Experiment
	}
	if t.o.PlansMax > 0 && len(plans) > t.o.PlansMax {
		t.out.Skipped = len(plans) - t.o.PlansMax
		plans = plans[:t.o.PlansMax]
	}
	return plans
}

// wrongMax is how many runs may go wrong, by no fault of the controller, until it is
// not worth going on.
const wrongMax = 5

// runAll runs the plans on all planes. What is interrupted is left out.
func (t *trial) runAll(ctx context.Context, plans []*plan.Plan) error {
	results := make([]*Result, len(plans))
	var next, done, failed, wrong int
	begun := t.o.Now()
	var workers sync.WaitGroup
	var first error
	work := func() {
		for {
			t.mu.Lock()
			i := next
			next++
			t.mu.Unlock()
			if i >= len(plans) || ctx.Err() != nil {
				return
			}
			r, err := t.known(plans[i]), error(nil)
			isNew := r == nil
			if isNew {
				r, err = t.judge(ctx, plans[i])
			}
			t.mu.Lock()
			switch {
			case err != nil && ctx.Err() != nil:
				t.mu.Unlock()
				return
			case err != nil:
				// One run that went wrong costs no other.
				r = &Result{Plan: plans[i], Verdict: Inconclusive, Reason: err.Error(), Runs: 1}
				if wrong++; wrong > wrongMax {
					first, next = err, len(plans)
				}
			}
			results[i] = r
			done++
			if r.Verdict == Failed {
				failed++
			}
			if isNew && t.o.Done != nil {
				t.o.Done(r)
			}
			left := t.o.Now().Sub(begun) / time.Duration(done) * time.Duration(len(plans)-done)
			t.o.tell(Progress{What: "plans", Done: done, Of: len(plans), Failed: failed, Left: left})
			t.mu.Unlock()
		}
	}
	t.o.tell(Progress{What: "plans", Of: len(plans), Left: t.ref.Took * time.Duration(len(plans)) / time.Duration(t.o.Parallel)})
	for range t.o.Parallel {
		workers.Go(work)
	}
	workers.Wait()
	for _, r := range results {
		if r != nil {
			t.out.Results = append(t.out.Results, r)
		}
	}
	t.out.Skipped += len(plans) - len(t.out.Results)
	if ctx.Err() != nil {
		t.out.Interrupted = true
		return nil
	}
	return first
}

// known is the result of a plan that need not be run again.
func (t *trial) known(p *plan.Plan) *Result {
	known := t.o.Known[p.ID()]
	if known == nil {
		return nil
	}
	r := *known
	r.Plan = p
	return &r
}
