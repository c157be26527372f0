package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/fidelity"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// manager is the field manager of what the environment writes.
const manager = "seatrial"

// Options say how a trace is replayed.
type Options struct {
	// Executable is the control plane's path; empty to look for it.
	Executable string
	// Timeout is how long the whole may take.
	Timeout time.Duration
	// Progress is told what is being done; nil for nobody.
	Progress func(string)
}

const (
	// rounds is how often a cycle has to be gone through to be one.
	rounds = 3
	// tieTries is how often the scheduler may choose another of equal nodes, and
	// steadyTries where the trace says that there is no choice.
	tieTries, steadyTries = 400, 3
)

// run is one replay.
type run struct {
	trace   *trace.Trace
	options Options
	out     *Outcome

	process *controlplane.Process
	admin   *admin.Client
	plane   string
	client  kubernetes.Interface
	dynamic dynamic.Interface
	mapper  meta.RESTMapper
	uids    map[string]types.UID // of what was created, by "Kind namespace/name"

	view *view
	pods *renaming
	sets sets
	// names are those of the real ReplicaSets, by namespace and the trace's name.
	names map[name]string
	// expected are pods whose creation was let through, in order.
	expected []identity
	// chosen are the pods that the descheduler could equally have chosen.
	chosen map[identity][]int
	// preemptor is the pod for which the scheduler deletes others.
	preemptor *name
	// readied is the number of the step in which a pod became ready; 0 of those that are
	// at the start.
	readied map[name]int
	// cycle is the descheduler's that runs, and told when it has ended.
	cycle chan error
	loads loads
	rules []rule
	// early are acts that happened before their step.
	early map[*trace.Act]bool
	// ending are the pods of acts by which a pod is gone, whose kubelets have said that the
	// containers have ended.
	ending map[*trace.Act]name
	// undecided are the components that are to do several things of the present step by
	// one decision, and have not begun.
	undecided map[string]bool
	// acted is the revision of the last thing that was done or let through, and before
	// the newest request that was parked when all had seen that.
	acted, before int64
	step          int
	// loop is where the cycle begins and cycleSteps how long it is, in a trace whose
	// rounds are written out; 0 steps if it has none.
	loop, cycleSteps int
	// beginning is what the cycle comes back to, waiting what is parked when its first
	// round ends, and starving what of that is still wanted in the last one.
	beginning situation
	waiting   map[int64]bool
	starving  map[string]bool
	// lossy: machines may be lost; lost are those that are at the start.
	lossy bool
	lost  []string
	// resyncs: pods may have several budgets. remembers: a part of what an autoscaler
	// remembers decides; metrics are what each said of its metrics when it last looked.
	resyncs, remembers bool
	metrics            map[string]string
	// rests: nothing happens any more after the last step.
	rests bool
	// loose: nothing is held, and nobody is waited for. exact: a pod that is being deleted
	// is there with all that it holds until its step.
	loose, exact bool
	// start is who is who at the start, and events the writes since.
	start  fidelity.Start
	events []history.Event
	began  bool
}

// Run replays a trace on a control plane of its own. An error is about the trace
// (Unusable) or the control plane; what the components made of it is the outcome.
func Run(ctx context.Context, t *trace.Trace, o Options) (*Outcome, error) {
	if err := usable(t); err != nil {
		return nil, err
	}
	loop, steps := t.Loop, len(t.Steps)
	t, err := t.Rounds(rounds)
	if err != nil {
		return nil, Unusable{err.Error()}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errTimeout)
	defer cancel()
	r := newRun(t, o)
	r.exact = true
	r.lossy, r.resyncs, r.remembers = loses(t), sharesBudgets(t), remembers(t)
	switch {
	case loop == nil:
	case *loop == steps:
		r.rests = true
	default:
		r.loop, r.cycleSteps = *loop, steps-*loop
	}
	return r.conclude(ctx, r.replay)
}

func newRun(t *trace.Trace, o Options) *run {
	r := &run{
		trace: t, options: o, out: &Outcome{Schema: Schema, Kubernetes: t.Setup.Kubernetes, Rows: []Row{}},
		uids: map[string]types.UID{}, pods: newRenaming(), sets: sets{t.Setup.Workloads},
		names: map[name]string{}, chosen: map[identity][]int{}, early: map[*trace.Act]bool{}, readied: map[name]int{}, metrics: map[string]string{}, ending: map[*trace.Act]name{}, rules: []rule{asKubelets},
	}
	r.view = newView(r.observe)
	return r
}

// conclude builds the setup, lets something happen in it, ends the control plane
// and judges.
func (r *run) conclude(ctx context.Context, happens func(context.Context) error) (*Outcome, error) {
	err := r.within(ctx, happens)
	if r.process != nil {
		err = errors.Join(r.because(ctx, err), r.process.Stop())
	}
	return r.judge(ctx, err)
}

// within lets something happen on a control plane with the setup.
func (r *run) within(ctx context.Context, happens func(context.Context) error) error {
	if err := r.launch(ctx); err != nil {
		return err
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	go r.view.follow(following, r.admin, r.plane)
	if err := r.build(ctx); err != nil {
		return fmt.Errorf("build the setup: %w", err)
	}
	return happens(ctx)
}

var (
	errTimeout     = errors.New("it took longer than it may")
	errInterrupted = errors.New("interrupted")
)

// because is err, or why the control plane has ended, which says more.
func (r *run) because(ctx context.Context, err error) error {
	var diverged *divergence
	var cannot unsupported
	var unusable Unusable
	if err == nil || ctx.Err() != nil || errors.As(err, &diverged) || errors.As(err, &cannot) || errors.As(err, &unusable) {
		return err
	}
	why, ended := r.process.Because(err)
	if !ended {
		return err
	}
	return fmt.Errorf("step %d: %w", r.row().Step+1, why)
}

// judge makes an outcome of how a replay ended. That every step was let through
// and showed is one half; the other is that the record of the control plane has
// these actions and no others, under one renaming.
func (r *run) judge(ctx context.Context, err error) (*Outcome, error) {
	if r.began {
		r.count()
	}
	var diverged *divergence
	var cannot unsupported
	switch {
	case err == nil && r.out.Matched < max(r.out.Expected, r.out.Seen):
		r.out.Verdict, r.out.Reason = Diverged, "every step happened, and the record has other actions too"
	case err == nil:
		r.out.Verdict = Confirmed
		if r.cycleSteps > 0 {
			r.out.Rounds = rounds
		}
	case errors.As(err, &diverged):
		r.out.Verdict, r.out.Reason = Diverged, fmt.Sprintf("step %d: %v", r.row().Step+1, diverged)
		row := r.row()
		row.Expected = diverged.expected
		r.out.Rows = append(r.out.Rows, row)
		for _, seen := range diverged.seen {
			row.Expected, row.Seen = "", seen
			r.out.Rows = append(r.out.Rows, row)
		}
	case errors.As(err, &cannot):
		r.out.Verdict, r.out.Reason = Inconclusive, fmt.Sprintf("step %d: %v", r.row().Step+1, err)
	case ctx.Err() != nil:
		// What is under way when its time is up fails in ways that say nothing.
		why := context.Cause(ctx)
		if !errors.Is(why, errTimeout) {
			why = errInterrupted
		}
		r.out.Verdict, r.out.Reason = Inconclusive, fmt.Sprintf("step %d: %v", r.row().Step+1, why)
	default:
		return nil, err
	}
	return r.out, nil
}

// count compares the trace with the record.
func (r *run) count() {
	m := fidelity.Match(fidelity.Expected(r.trace), fidelity.Seen(r.trace, r.start, r.events))
	r.out.Expected, r.out.Seen, r.out.Matched, r.out.Rate = m.Expected, m.Seen, m.Matched, m.Rate()
	for _, row := range m.Rows {
		if row.Expected == nil {
			r.out.Rows = append(r.out.Rows, Row{Step: len(r.trace.Steps), Seen: row.Seen.String()})
		}
	}
}

func (r *run) replay(ctx context.Context) error {
	if err := r.play(ctx); err != nil {
		return err
	}
	if r.rests {
		return r.rest(ctx)
	}
	return nil
}

// play makes the steps happen.
func (r *run) play(ctx context.Context) error {
	for r.step = range r.trace.Steps {
		if r.options.Progress != nil {
			r.options.Progress(fmt.Sprintf("step %d of %d: %s", r.step+1, len(r.trace.Steps), r.trace.Steps[r.step].Action))
		}
		if err := r.round(ctx, r.step); err != nil {
			return err
		}
		if err := r.starved(ctx, r.step); err != nil {
			return err
		}
		if err := r.happen(ctx, r.trace.Steps[r.step].Acts); err != nil {
			return err
		}
	}
	if err := r.round(ctx, len(r.trace.Steps)); err != nil {
		return err
	}
	return r.starved(ctx, len(r.trace.Steps))
}

// row is one of the outcome's at the present step: as the trace numbers it, with
// the round of its cycle.
func (r *run) row() Row {
	if r.cycleSteps == 0 || r.step < r.loop {
		return Row{Step: r.step}
	}
	return Row{Step: r.loop + (r.step-r.loop)%r.cycleSteps, Round: (r.step-r.loop)/r.cycleSteps + 1}
}

// happen makes the acts of one step happen: the environment's are done, the
// components' are waited for, in any order, because they were decided at once.
func (r *run) happen(ctx context.Context, acts []trace.Act) error {
	r.preemptor = r.preempts(acts)
	if err := r.olden(ctx, acts); err != nil {
		return err
	}
	var awaited []*trace.Act
	for i := range acts {
		a := &acts[i]
		v := verbs[a.Verb]
		if r.early[a] {
			delete(r.early, a)
			continue
		}
		if v.prepare != nil {
			if err := v.prepare(ctx, r, a); err != nil {
				return err
			}
		}
		switch {
		case condition(a):
			if shown, err := r.happened(ctx, a, patience(a)); err != nil {
				return err
			} else if !shown {
				return &divergence{expected: sentence(a), why: "its condition is another: " + conditions(r.objectNow(a, r.view.state))}
			}
		case a.Role == trace.RoleInner, a.By == "kube-apiserver", a.Verb == "status" && a.By != "disruption-controller":
		case a.Role == trace.RoleEnvironment:
			if v.perform == nil {
				return unsupported{"do " + sentence(a)}
			}
			if err := v.perform(ctx, r, a); err != nil {
				return refusedBy(a, err)
			}
			if v.through != "" {
				awaited = append(awaited, a)
				continue
			}
			if shown, err := r.happened(ctx, a, shows); err != nil {
				return err
			} else if !shown {
				return &divergence{expected: sentence(a), why: "it was done, and does not show"}
			}
		case (a.Verb == "crash" || a.Verb == "status") && v.happened(r, a, r.view.state):
			// It is so already: nothing that one can see changes.
		case v.matches != nil:
			awaited = append(awaited, a)
		}
	}
	if choosesOnly(acts) {
		return r.choose(ctx)
	}
	if err := r.looked(ctx, acts); err != nil {
		return err
	}
	r.undecided = together(awaited)
	for len(awaited) > 0 {
		taken, err := r.await(ctx, awaited)
		if err != nil {
			return err
		}
		delete(r.undecided, writer(taken))
		awaited = without(awaited, taken)
	}
	if r.preemptor != nil {
		// It has had its turn: when there is room it would be bound before its step.
		if err := r.admin.Steer(ctx, r.plane, admin.Steer{On: true}); err != nil {
			return err
		}
	}
	return r.use(ctx)
}

// condition tells whether an act writes a condition, which is not held: it comes by
// itself.
func condition(a *trace.Act) bool {
	var patch history.Object
	return a.Verb == "status" && len(a.Patch) > 0 && json.Unmarshal(a.Patch, &patch) == nil && patch.At("status", "conditions") != nil
}

// conditions are those of an object, in words.
func conditions(o history.Object) string {
	all, _ := o.At("status", "conditions").([]any)
	var out []string
	for _, each := range all {
		if c, ok := each.(map[string]any); ok {
			out = append(out, fmt.Sprintf("%v %v %v", c["type"], c["status"], c["reason"]))
		}
	}
	return strings.Join(out, ", ")
}

// refusedBy makes a divergence of what the API server does not let the environment
// do: the trace says that it did.
func refusedBy(a *trace.Act, err error) error {
	if !answered(err) {
		return err
	}
	return &divergence{expected: sentence(a), seen: []string{"kube-apiserver refuses it"}, why: err.Error()}
}

// answered tells whether an error is the API server's answer, and no fault: for a
// pod with two budgets that is an internal error.
func answered(err error) bool {
	var status *apierrors.StatusError
	return errors.As(err, &status) && !apierrors.IsServiceUnavailable(err) && !apierrors.IsTimeout(err) && !apierrors.IsServerTimeout(err)
}

// happened waits until an act shows in the plane, and notes that it does.
func (r *run) happened(ctx context.Context, a *trace.Act, within time.Duration) (bool, error) {
	v := verbs[a.Verb]
	if v.happened != nil {
		limited, cancel := context.WithTimeoutCause(ctx, within, errShows)
		defer cancel()
		err := r.view.wait(limited, func(s history.State) bool { return v.happened(r, a, s) })
		if errors.Is(err, errShows) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	r.acted = r.view.newest
	if (a.Verb == "start" || a.Verb == "ready") && a.Pod != nil && a.Pod.Ready {
		r.readied[r.pods.names[identityOf(a.Pod)]] = r.step + 1
	}
	row := r.row()
	row.Expected, row.Seen = sentence(a), sentence(a)
	r.out.Rows = append(r.out.Rows, row)
	return true, r.allSee(ctx)
}

// allSee waits until every component has seen what was written. Only what one of them
// wants from then on is wanted with everything before its eyes, however busy the
// machine is.
func (r *run) allSee(ctx context.Context) error {
	if r.loose {
		return nil
	}
	if err := r.admin.Seen(ctx, r.plane); err != nil {
		return causeOf(ctx, err)
	}
	queue, err := r.admin.Parked(ctx, r.plane, 0)
	for _, p := range queue.Parked {
		r.before = max(r.before, p.ID)
	}
	return causeOf(ctx, err)
}

// knows tells whether a request was made with everything before its component's eyes.
func (r *run) knows(q request) bool {
	return q.Revision >= r.acted && q.ID > r.before && !r.repeats(q)
}

// repeats tells whether a request is an old decision that is sent once more: the taint
// eviction controller tries a deletion five times without another look. When no taint
// of the node asks for it any more it has been decided before.
func (r *run) repeats(q request) bool {
	if q.Actor != "taint-eviction-controller" {
		return false
	}
	node := r.view.object("nodes", "", text(r.view.object("pods", q.Namespace, q.Name), "spec", "nodeName"))
	for taint := range taints(node, "spec", "taints") {
		if strings.HasSuffix(taint, ":NoExecute") {
			return false
		}
	}
	return true
}

// shows is how long what was done, or let through and accepted, may take to show, and
// showsSoon what was refused: it may be so already.
const shows, showsSoon = 10 * time.Second, 100 * time.Millisecond

var errShows = errors.New("it does not show")

// preempts is the pod that a preemption of the step makes room for.
func (r *run) preempts(acts []trace.Act) *name {
	for i := range acts {
		if acts[i].Verb == "nominate" && acts[i].Pod != nil && acts[i].Pod.Nominated != "" {
			if n, ok := r.pods.names[identityOf(acts[i].Pod)]; ok {
				return &n
			}
		}
	}
	return nil
}

func choosesOnly(acts []trace.Act) bool {
	for i := range acts {
		if acts[i].Verb != "choose" {
			return false
		}
	}
	return len(acts) > 0
}

func without(all []*trace.Act, one *trace.Act) []*trace.Act {
	var out []*trace.Act
	for _, a := range all {
		if a != one {
			out = append(out, a)
		}
	}
	return out
}
