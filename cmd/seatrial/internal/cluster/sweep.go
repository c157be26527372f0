package cluster

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/assumption"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/growth"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// memoShare is the part of Options.MaxMemory, which is for states, that answers of
// real code may take beside it.
const memoShare = 8

// Check explores everything that can happen to the input's cluster, at every
// size that the input leaves open. An error is a manifest.Problems if the
// input is at fault, and ours otherwise; running out of a budget, or cancelling
// ctx, is not an error but an inconclusive report. A property that cannot be
// evaluated in some state is an error beside the report of all else.
func Check(ctx context.Context, in *manifest.Input, o Options) (*finding.Report, error) {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	o.memo = model.NewMemo(o.MaxMemory/memoShare, o.Clock)
	if o.Asked != nil {
		defer func() { o.Asked(o.memo.Tallies()) }()
	}
	s, err := open(ctx, in, o)
	if err != nil {
		return nil, err
	}
	return s.run(ctx)
}

// open completes an input, lists its sizes and notes what was assumed.
func open(ctx context.Context, in *manifest.Input, o Options) (*sweep, error) {
	asked := assumption.Asked{Exact: o.Exact, Happens: func(t scenario.EventType) bool { return o.happens(&scenario.Event{Type: t}) }}
	completed, err := assumption.Complete(in, asked, func(in *manifest.Input) (int, int, error) { return running(ctx, in, o) })
	if err != nil {
		return nil, err
	}
	if o.Grow {
		grown, lines := growth.Nodes(completed.Input)
		completed.Input = grown
		for _, line := range lines {
			completed.Lines = append(completed.Lines, assumption.Line{Text: line})
		}
	}
	o.gradual, o.assumed = in.Scenario == nil, completed.Lines
	s := &sweep{in: completed.Input, o: o, setups: growth.Setups(completed.Input, o.Exact)}
	if len(s.setups) == 0 {
		s.setups = []growth.Setup{{}} // building it says that there is no node
	}
	return s, nil
}

// running fills a cluster from empty, and counts the pods that run then and
// those that its workloads want.
func running(ctx context.Context, in *manifest.Input, o Options) (have, wanted int, err error) {
	w, err := build(ctx, in, o)
	if err != nil {
		return 0, 0, err
	}
	w.Prepare()
	states, err := placements(ctx, w, statespace.Options{Workers: 1, Classes: w.Classes, MaxStates: o.MaxStates, MaxMemory: o.MaxMemory}, true)
	if err != nil {
		return 0, 0, err
	}
	if err := w.Kube.Err(); err != nil {
		return 0, 0, err
	}
	for _, work := range states[0].Work {
		if work.Exists {
			wanted += int(work.Replicas)
		}
	}
	return states[0].Count(func(_ model.Place, p model.Pod) bool { return p.Phase == model.Running }), wanted, nil
}

// sweep is the check of every size of an input.
type sweep struct {
	in     *manifest.Input
	o      Options
	setups []growth.Setup
}

// outcome is what the check of one size said.
type outcome struct {
	report *finding.Report
	err    error
	// events says what may happen.
	events string
	// crash is the panic that ended it, with its stack.
	crash string
}

// settled is o, or the panic that ended it.
func (o outcome) settled() outcome {
	if o.crash != "" {
		panic(o.crash)
	}
	return o
}

// check checks one size. A panic in it is carried to the caller's goroutine, which
// knows what to do with one.
func (s *sweep) check(ctx context.Context, i int, o Options) (out outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = outcome{crash: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	r, err := newRun(ctx, s.setups[i].Apply(s.in), o)
	if err != nil {
		return outcome{err: err}
	}
	report, err := r.check(ctx)
	return outcome{report: report, err: err, events: budgetText(r.w) + o.narrowed()}
}

// run checks the sizes in their order, several at a time, and ends with the
// first that is violated. What it returns does not depend on how many there are
// at a time.
func (s *sweep) run(ctx context.Context) (*finding.Report, error) {
	if len(s.setups) == 1 {
		o := s.check(ctx, 0, s.o).settled()
		return o.report, o.err
	}
	work, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait() // nothing is shown, and nothing runs, once this has returned
	defer stop()
	each := s.o
	each.Workers, each.Progress = 1, oneAtATime(s.o.Progress)
	workers := s.o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if each.MaxMemory > 0 {
		each.MaxMemory = max(1, each.MaxMemory/int64(workers))
	}
	outcomes := make([]chan outcome, len(s.setups))
	for i := range outcomes {
		outcomes[i] = make(chan outcome, 1)
	}
	next := make(chan int)
	for range workers {
		running.Go(func() {
			for i := range next {
				outcomes[i] <- s.check(work, i, each)
			}
		})
	}
	running.Go(func() {
		defer close(next)
		for i := range s.setups {
			select {
			case next <- i:
			case <-work.Done():
				close(outcomes[i]) // not begun
			}
		}
	})
	var whole combined
	for i := range s.setups {
		name := s.setups[i].String(s.in)
		o, begun := <-outcomes[i]
		if !begun {
			whole.missed = append(whole.missed, name)
			continue
		}
		if o.settled(); o.report == nil || o.err != nil {
			return o.report, o.err
		}
		whole.add(o.report, name)
		whole.events = o.events
		if o.report.Code() == finding.CodeViolated && !s.o.All {
			return whole.violated(o.report, i, s), nil
		}
	}
	return whole.report(s), nil
}

// oneAtATime is progress as several searches may call it.
func oneAtATime(progress func(statespace.Progress)) func(statespace.Progress) {
	if progress == nil {
		return nil
	}
	var mu sync.Mutex
	return func(p statespace.Progress) {
		mu.Lock()
		defer mu.Unlock()
		progress(p)
	}
}

// combined puts the reports of several sizes together.
type combined struct {
	out *finding.Report
	// undecided and missed are the sizes that were begun without a verdict, and
	// not begun.
	undecided, missed []string
	nodes, pods       [2]int // least and most
	events            string
}

func (c *combined) add(r *finding.Report, size string) {
	if r.Verdict == finding.Inconclusive {
		c.undecided = append(c.undecided, size)
	}
	if c.out == nil {
		first := *r
		c.out = &first
		c.nodes, c.pods = [2]int{r.Bound.Nodes, r.Bound.Nodes}, [2]int{r.Bound.Pods, r.Bound.Pods}
		return
	}
	c.nodes = [2]int{min(c.nodes[0], r.Bound.Nodes), max(c.nodes[1], r.Bound.Nodes)}
	c.pods = [2]int{min(c.pods[0], r.Bound.Pods), max(c.pods[1], r.Bound.Pods)}
	b := &c.out.Bound
	b.States, b.Transitions, b.Depth = b.States+r.Bound.States, b.Transitions+r.Bound.Transitions, max(b.Depth, r.Bound.Depth)
	if b.Complete = b.Complete && r.Bound.Complete; b.Reason == "" {
		b.Reason = r.Bound.Reason
	}
	for _, name := range r.Bound.Reductions {
		if !slices.Contains(b.Reductions, name) {
			b.Reductions = append(slices.Clip(b.Reductions), name)
		}
	}
	assumptions, more := c.out.Assumptions, r.Assumptions
	if r.Verdict == finding.Violated && c.out.Verdict != finding.Violated {
		assumptions, more = more, assumptions // what the violation rests on comes first
	}
	for _, a := range more {
		if !slices.Contains(assumptions, a) {
			assumptions = append(slices.Clip(assumptions), a)
		}
	}
	c.out.Assumptions, c.out.Verdict = assumptions, finding.Combine(c.out.Verdict, r.Verdict)
	c.out.Reason, c.out.Doubt = cmp.Or(c.out.Reason, r.Reason), cmp.Or(c.out.Doubt, r.Doubt)
	c.out.Results = slices.Clone(c.out.Results)
	for _, result := range r.Results {
		c.result(result)
	}
}

// result adds that of one property at one more size.
func (c *combined) result(r finding.Result) {
	i := slices.IndexFunc(c.out.Results, func(have finding.Result) bool {
		return have.Rule == r.Rule && have.Name == r.Name && have.Subject == r.Subject
	})
	if i < 0 {
		c.out.Results = append(c.out.Results, r)
		return
	}
	have := &c.out.Results[i]
	if r.Verdict == finding.Violated && have.Verdict != finding.Violated {
		r.Witnesses, have.Witnesses = have.Witnesses, r.Witnesses
		*have, r = r, *have
	}
	have.Verdict = finding.Combine(have.Verdict, r.Verdict)
	if have.Reason == "" {
		have.Reason = r.Reason
	}
	if r.Vacuous == "" {
		have.Vacuous = ""
	}
	have.Witnesses = slices.Clone(have.Witnesses)
	for _, w := range r.Witnesses {
		k := slices.IndexFunc(have.Witnesses, func(h finding.Witness) bool { return h.Name == w.Name })
		switch {
		case k < 0:
			have.Witnesses = append(have.Witnesses, w)
		case w.Reached && !have.Witnesses[k].Reached:
			have.Witnesses[k] = w
		}
	}
}

// violated is the report of the first size that is violated, the i-th.
func (c *combined) violated(r *finding.Report, i int, s *sweep) *finding.Report {
	out := *r
	out.Bound.Text += fmt.Sprintf("; size %d of %d", i+1, len(s.setups))
	if name := s.setups[i].String(s.in); name != "" {
		out.Bound.Text += ", " + name
	}
	out.Bound.Setups, out.Bound.Inconclusive = i+1, c.undecided
	return &out
}

// report is that of all sizes, none of which is violated.
func (c *combined) report(s *sweep) *finding.Report {
	out := c.out
	if out == nil {
		out = &finding.Report{
			Schema: finding.Schema, Tool: "seatrial check", Kubernetes: Kubernetes,
			Results: []finding.Result{}, Assumptions: texts(s.o.assumed), Omissions: []finding.Omission{}, Warnings: []finding.Warning{},
		}
	}
	out.Bound.Nodes, out.Bound.Pods = c.nodes[1], c.pods[1]
	out.Bound.Setups, out.Bound.Inconclusive = len(s.setups)-len(c.missed), append(c.undecided, c.missed...)
	out.Bound.Text = fmt.Sprintf("%s, up to %s, %s; %d sizes", span(c.nodes, "node"), span(c.pods, "wanted pod"), c.events, len(s.setups))
	if n := len(out.Bound.Inconclusive); n > 0 {
		out.Bound.Complete, out.Verdict = false, finding.Inconclusive
		out.Reason = fmt.Sprintf("%d of %d sizes are undecided, the first %s: %s", n, len(s.setups), out.Bound.Inconclusive[0], cmp.Or(out.Reason, "the time is over"))
	}
	return out
}

// span is a range of numbers in words.
func span(bounds [2]int, what string) string {
	if bounds[0] == bounds[1] {
		return plural(bounds[0], what)
	}
	return fmt.Sprintf("%d to %s", bounds[0], plural(bounds[1], what))
}
