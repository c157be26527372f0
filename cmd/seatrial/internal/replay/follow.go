package replay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Follow has real components act in an order that a seed decides, at most so many
// steps, and follows them with the model: whatever a component wants to do with
// everything before its eyes has to be possible in the model, and where the model
// can go on the components have to. The outcome is confirmed if so; its trace is the
// path. Errors are Run's.
func Follow(ctx context.Context, m *cluster.Stepper, seed uint64, steps int, o Options) (*Outcome, error) {
	f, err := newFollower(m, seed, steps, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errTimeout)
	defer cancel()
	return f.conclude(ctx, f.follow)
}

func newFollower(m *cluster.Stepper, seed uint64, steps int, o Options) (*follower, error) {
	const stream = 0xf0_110e // any constant: the seed alone tells runs apart
	f := &follower{model: m, random: rand.New(rand.NewPCG(seed, stream)), steps: steps, fresh: map[string]int{}}
	at := m.Start(f.random.IntN(1 << 16))
	f.beliefs = []belief{{at: at}}
	t := m.Trace(at)
	if err := usable(t); err != nil {
		return nil, err
	}
	f.run = newRun(t, o)
	f.out.Path = t
	f.followed = f.view.state
	f.lossy = m.Loses() || loses(t)
	f.resyncs = m.SharesBudgets()
	return f, nil
}

// follower is a run whose trace is written while it goes on.
type follower struct {
	*run
	model  *cluster.Stepper
	random *rand.Rand
	steps  int
	// followed is what the plane held when what was followed last was written.
	followed history.State
	// beliefs are the paths of the model that agree with all that was seen; the
	// first is what the trace becomes. There is always one.
	beliefs []belief
	// pause is for how many steps the environment still keeps quiet.
	pause int
	// fresh counts by what they are the requests of which the model knows nothing,
	// since the last step.
	fresh map[string]int
	// timed is for how long the model has let time pass since somebody last did
	// something, in seconds.
	timed int64
	// idle is since when nobody wants anything; zero if somebody does.
	idle time.Time
}

func (f *follower) follow(ctx context.Context) error {
	f.pause = f.random.IntN(pauseMax + 1)
	for len(f.trace.Steps) < f.steps {
		if on, err := f.move(ctx); err != nil || !on {
			return err
		}
	}
	return nil
}

// pauseMax is the longest pause between steps of the environment while components
// have something to do.
const pauseMax = 6

// move takes one step, or finds out that there is none.
func (f *follower) move(ctx context.Context) (on bool, err error) {
	possible, err := f.model.Steps(f.beliefs[0].at)
	if err != nil {
		return false, err
	}
	if err := f.turns(ctx, possible); err != nil {
		return false, err
	}
	if err := f.mend(ctx, possible); err != nil {
		return false, err
	}
	requests, err := f.settled(ctx)
	if err != nil {
		return false, err
	}
	known, again, err := f.sort(ctx, possible, requests)
	if err != nil {
		return false, err
	}
	own := only(possible, func(p cluster.Possible) bool { return performed(p) && !p.Outside })
	all := only(possible, func(p cluster.Possible) bool { return p.Outside })
	if n := len(known) + len(own); n > 0 && (f.pause > 0 || len(all) == 0) {
		f.pause = max(0, f.pause-1)
		f.idle, f.timed = time.Time{}, 0
		i := f.random.IntN(n)
		if i < len(known) {
			return true, f.take(ctx, known[i])
		}
		return true, f.perform(ctx, own[i-len(known)])
	}
	due := only(possible, func(p cluster.Possible) bool { return f.visible(p) != nil })
	if len(all) > 0 && (f.pause == 0 || len(due) == 0) {
		f.pause = f.random.IntN(pauseMax + 1)
		f.idle = time.Time{}
		return true, f.perform(ctx, all[f.random.IntN(len(all))])
	}
	if again {
		return true, nil // what was refused comes again
	}
	return f.wait(possible, due)
}

// wait is for when nobody wants anything: the model may have to let time pass, or
// wait for a component that takes its time.
func (f *follower) wait(possible, due []cluster.Possible) (on bool, err error) {
	if len(due) > 0 {
		act := f.visible(due[0])
		switch now := time.Now(); {
		case f.idle.IsZero():
			f.idle = now
		case now.Sub(f.idle) <= patience(act)+time.Duration(min(f.timed, waitable))*time.Second:
		case f.timed > waitable:
			return false, unsupported{"wait as long as " + sentence(act) + " takes"}
		default:
			return false, &divergence{expected: sentence(act), why: fmt.Sprintf("%s does nothing of the kind within %v", act.By, patience(act))}
		}
		return true, nil
	}
	hidden := only(possible, func(p cluster.Possible) bool { return !performed(p) && !chooses(p) })
	if len(hidden) == 0 {
		// The descheduler chooses when it is let; all else is done.
		return slices.ContainsFunc(possible, chooses), nil
	}
	p := hidden[f.random.IntN(len(hidden))]
	for i := range p.Acts {
		if a := &p.Acts[i]; a.Verb == "wait" {
			f.timed += min(a.Seconds, longest) // as admission shortens it
		}
	}
	return true, f.note(p)
}

// waitable is for how many seconds that the model lets pass a component is waited for.
const waitable = 60

// turns gives one pending pod its turn, and now and then the descheduler.
func (f *follower) turns(ctx context.Context, possible []cluster.Possible) error {
	if ended, err := f.ended(); err != nil {
		return err
	} else if _, has := f.trace.Setup.Components["descheduler"]; ended && has && !f.busy(possible) &&
		(slices.ContainsFunc(possible, chooses) || f.random.IntN(4) == 0) {
		if err := f.deschedule(ctx); err != nil {
			return err
		}
	}
	var able, pending []name
	for _, p := range possible {
		for i := range p.Acts {
			if a := &p.Acts[i]; a.Verb == "bind" || a.Verb == "nominate" {
				if n, known := f.pods.names[identityOf(a.Pod)]; known && !slices.Contains(able, n) {
					able = append(able, n)
				}
			}
		}
	}
	for _, key := range f.view.state.Keys() {
		if pod := f.view.state[key]; key.Resource == "pods" && text(pod, "spec", "nodeName") == "" && !terminating(pod) {
			pending = append(pending, name{key.Namespace, key.Name})
		}
	}
	from := pending
	if len(able) > 0 && f.random.IntN(4) > 0 {
		from = able
	}
	if len(from) == 0 {
		return f.admin.Steer(ctx, f.plane, admin.Steer{On: true})
	}
	return f.steer(ctx, from[f.random.IntN(len(from))], "", 0)
}

// mend ends now and then what a pod is kept from being ready by.
func (f *follower) mend(ctx context.Context, possible []cluster.Possible) error {
	for _, p := range possible {
		for i := range p.Acts {
			if a := &p.Acts[i]; a.Verb == "ready" && f.random.IntN(3) == 0 {
				return unflap(ctx, f.run, a)
			}
		}
	}
	return nil
}

// settled are the requests that are parked when no more come.
func (f *follower) settled(ctx context.Context) ([]request, error) {
	for generation := int64(0); ; {
		queue, quiet, err := f.parked(ctx, generation)
		if err != nil {
			return nil, err
		}
		generation = queue.Generation
		if _, err := f.view.look(); err != nil {
			return nil, err
		}
		requests, err := f.through(ctx, queue)
		if err != nil || quiet {
			return requests, err
		}
	}
}

// slow are the components that look once in a while: the model has them look when
// the others have nothing to do.
var slow = map[string]bool{"descheduler": true, "horizontal-pod-autoscaler-controller": true}

// busy tells whether a component that is not slow has something to do.
func (f *follower) busy(possible []cluster.Possible) bool {
	return slices.ContainsFunc(possible, func(p cluster.Possible) bool {
		a := f.visible(p)
		return a != nil && !slow[a.By]
	})
}

// early tells whether a request may come of a time that is over, which in the model it is
// when the others have nothing to do. It waits until then: refused five times a toleration
// would be forgotten, and after ten a Deployment is not looked at for seconds.
func (f *follower) early(q request, possible []cluster.Possible) bool {
	switch q.Actor {
	case "taint-eviction-controller":
		return f.busy(possible)
	case "deployment-controller":
		if least, _ := whole(q.now, "spec", "minReadySeconds"); least > 0 {
			return f.busy(only(possible, func(p cluster.Possible) bool { a := f.visible(p); return a != nil && a.By != q.Actor }))
		}
	}
	return false
}

// sort finds the requests of which the model knows, and has the others decided
// again. A component that insists has diverged.
func (f *follower) sort(ctx context.Context, possible []cluster.Possible, requests []request) (known []found, again bool, err error) {
	for _, q := range requests {
		ways, err := f.find(q)
		if err != nil {
			return nil, false, err
		}
		if len(ways) > 0 && (f.knows(q) || !f.goesOn(ways)) {
			known = append(known, found{q, ways})
			continue
		}
		if f.early(q, possible) {
			continue
		}
		counts := f.knows(q)
		if slow[q.Actor] && f.busy(possible) {
			counts = false
		} else if q.Actor == "descheduler" {
			// What a budget refuses is no step.
			if goesOn, err := f.evictable(ctx, q.pod()); err != nil {
				return nil, false, err
			} else if !goesOn {
				counts = false
			}
		}
		if counts {
			f.fresh[f.shown(q)]++
		}
		if f.fresh[f.shown(q)] > chances(q) {
			return nil, false, &divergence{expected: "what the model can do: " + listed(possible), seen: []string{f.shown(q)}, why: "the model cannot"}
		}
		f.out.Again++
		again = true
		if err := f.refuse(ctx, q); err != nil {
			return nil, false, err
		}
	}
	return known, again, nil
}

// goesOn tells whether a step by which a request is known has other writes beside it. Of
// an older decision these may be others: it is made again.
func (f *follower) goesOn(ways []way) bool {
	return slices.ContainsFunc(ways, func(w way) bool { return len(f.remaining(w)) > 0 })
}

// perform takes a step of the environment.
func (f *follower) perform(ctx context.Context, p cluster.Possible) error {
	if err := f.note(p); err != nil {
		return err
	}
	return f.happen(ctx, f.trace.Steps[f.step].Acts)
}

// take lets a request through, with what else its step does.
func (f *follower) take(ctx context.Context, q found) error {
	first := q.ways[0]
	before := f.step
	f.preemptor, f.step, f.chosen = f.preempts(first.last.Acts), len(first.steps), first.chosen
	done, err := f.let(ctx, first.act, q.request)
	if err != nil {
		return err
	}
	if !done {
		f.step = before
		return nil // the API server refused it, or it does nothing any more
	}
	rest := f.remaining(first)
	var all []belief
	for _, w := range q.ways {
		if same(rest, f.remaining(w)) {
			all = append(all, w.after(w.last))
		}
	}
	f.believe(all)
	for len(rest) > 0 {
		taken, err := f.await(ctx, rest)
		if err != nil {
			return err
		}
		rest = without(rest, taken)
	}
	return f.use(ctx)
}
