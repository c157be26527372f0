package replay

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// FollowFree lets real components go as they go, with nothing held and no lock-step,
// and follows with the model what they wrote. The outcome is confirmed if that is one
// of the model's paths, and diverged where it leaves them: most often because somebody
// decided upon what he had not heard of yet, which the model leaves out. Errors are
// Run's.
func FollowFree(ctx context.Context, m *cluster.Stepper, seed uint64, steps int, o Options) (*Outcome, error) {
	f, err := newFollower(m, seed, steps, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errTimeout)
	defer cancel()
	free := &freeFollower{follower: f}
	f.loose = true
	f.followed = history.State{}
	f.view.each = free.see
	return f.conclude(ctx, free.follow)
}

// freeFollower follows a record.
type freeFollower struct {
	*follower
	// unread are the events that the model has not followed yet.
	unread []history.Event
	// owed are acts of steps that were begun.
	owed []*trace.Act
}

// see takes an event as it comes: before the start it is the setup's.
func (f *freeFollower) see(e history.Event) {
	if !f.began {
		f.followed.Apply(e)
		f.observe(e)
		return
	}
	f.unread = append(f.unread, e)
}

func (f *freeFollower) follow(ctx context.Context) error {
	if err := f.admin.LockStep(ctx, f.plane, false); err != nil {
		return err
	}
	if err := f.admin.Hold(ctx, f.plane); err != nil {
		return err
	}
	if err := f.admin.Steer(ctx, f.plane, admin.Steer{}); err != nil {
		return err
	}
	f.pause = f.random.IntN(pauseMax + 1)
	for len(f.trace.Steps) < f.steps {
		on, err := f.move(ctx)
		if err != nil || !on {
			return err
		}
	}
	return nil
}

// move follows what was written, and then lets the environment take a step. It ends
// when all is still and nothing is left to do.
func (f *freeFollower) move(ctx context.Context) (on bool, err error) {
	quiet, err := f.read(ctx)
	if err != nil {
		return false, err
	}
	possible, err := f.model.Steps(f.beliefs[0].at)
	if err != nil {
		return false, err
	}
	if err := f.mend(ctx, possible); err != nil {
		return false, err
	}
	ours := only(possible, performed)
	if len(ours) > 0 && (quiet || f.pause == 0) {
		f.pause = f.random.IntN(pauseMax + 1)
		return true, f.performFree(ctx, ours[f.random.IntN(len(ours))])
	}
	f.pause = max(0, f.pause-1)
	_, has := f.trace.Setup.Components["descheduler"]
	if ended, err := f.ended(); err != nil {
		return false, err
	} else if quiet && ended && has && slices.ContainsFunc(possible, chooses) {
		return true, f.deschedule(ctx)
	}
	if quiet && len(ours) == 0 {
		return f.wait(possible, only(possible, func(p cluster.Possible) bool { return f.visible(p) != nil }))
	}
	return true, nil
}

// performFree takes a step of the environment. What the API server refuses has not
// happened: components may be further than the model.
func (f *freeFollower) performFree(ctx context.Context, p cluster.Possible) error {
	var through []*trace.Act
	for i := range p.Acts {
		a := &p.Acts[i]
		v := verbs[a.Verb]
		if a.Role != trace.RoleEnvironment {
			continue
		}
		if v.prepare != nil {
			if err := v.prepare(ctx, f.run, a); err != nil {
				return err
			}
		}
		if v.perform == nil {
			return unsupported{"do " + sentence(a)}
		}
		if err := v.perform(ctx, f.run, a); answered(err) {
			return nil
		} else if err != nil {
			return err
		}
		if v.through != "" {
			through = append(through, a)
			continue
		}
		if _, err := f.happened(ctx, a, shows); err != nil {
			return err
		}
	}
	// What components wrote before comes before.
	for len(f.unread) > 0 && f.unread[0].Actor != manager && slices.ContainsFunc(f.unread, func(e history.Event) bool { return e.Actor == manager }) {
		if err := f.readOne(); err != nil {
			return err
		}
	}
	if err := f.environment(p); err != nil {
		return err
	}
	f.owed = append(f.owed, through...)
	return f.use(ctx)
}

// environment goes a step of the environment on every path that has it now.
func (f *freeFollower) environment(p cluster.Possible) error {
	var all []belief
	for _, b := range f.beliefs {
		possible, err := f.model.Steps(b.at)
		if err != nil {
			return err
		}
		for _, other := range possible {
			if other.Actor == p.Actor && other.Action == p.Action {
				all = append(all, b.after(other))
			}
		}
	}
	if len(all) == 0 {
		return &divergence{expected: "no " + p.Actor + ": " + p.Action, seen: []string{p.Actor + ": " + p.Action}, why: "the model cannot any more"}
	}
	f.believe(all)
	return nil
}

// read follows what has been written, and tells whether nothing was for a while.
func (f *freeFollower) read(ctx context.Context) (quiet bool, err error) {
	more, err := f.view.look()
	if err != nil {
		return false, err
	}
	if len(f.unread) == 0 {
		limited, cancel := context.WithTimeoutCause(ctx, calm, errCalm)
		defer cancel()
		select {
		case <-more:
		case <-limited.Done():
			return errors.Is(context.Cause(limited), errCalm), causeOf(ctx, ctx.Err())
		}
		if _, err := f.view.look(); err != nil {
			return false, err
		}
	}
	for len(f.unread) > 0 {
		if err := f.readOne(); err != nil {
			return false, err
		}
	}
	return false, f.use(ctx)
}

// readOne follows the first event that is not followed yet.
func (f *freeFollower) readOne() error {
	e := f.unread[0]
	f.unread = f.unread[1:]
	for _, q := range wrote(e) {
		if slices.ContainsFunc(held, func(m admin.Match) bool { return m.Selects(q.Parked) }) && q.effective() {
			if err := f.walk(q); err != nil {
				return err
			}
		}
	}
	f.followed.Apply(e)
	f.observe(e)
	return nil
}

// walk has the model do what was written.
func (f *freeFollower) walk(q request) error {
	f.idle = time.Time{}
	for i, a := range f.owed {
		if q.Actor == writer(a) && verbs[a.Verb].matches(f.run, a, q) {
			f.owed = slices.Delete(f.owed, i, i+1)
			f.done(a, q)
			return nil
		}
	}
	ways, err := f.find(q)
	if err != nil {
		return err
	}
	if len(ways) == 0 {
		possible, err := f.model.Steps(f.beliefs[0].at)
		if err != nil {
			return err
		}
		return &divergence{expected: "what the model can do: " + listed(possible), seen: []string{f.shown(q)}, why: "the model cannot"}
	}
	f.chosen = ways[0].chosen
	f.done(ways[0].act, q)
	rest := f.remaining(ways[0])
	var all []belief
	for _, w := range ways {
		if same(rest, f.remaining(w)) {
			all = append(all, w.after(w.last))
		}
	}
	f.owed = append(f.owed, rest...)
	f.believe(all)
	return nil
}

// done notes that an act has happened.
func (f *freeFollower) done(a *trace.Act, q request) {
	if taken := verbs[a.Verb].taken; taken != nil {
		taken(f.run, a, q)
	}
	row := f.row()
	row.Expected, row.Seen = sentence(a), f.shown(q)
	f.out.Rows = append(f.out.Rows, row)
}

// wrote are the requests that an event tells of.
func wrote(e history.Event) []request {
	var out []request
	add := func(verb, resource string, body history.Object) {
		out = append(out, request{
			Parked: admin.Parked{Actor: e.Actor, Verb: verb, Resource: resource, Namespace: e.Namespace, Name: e.Name, Revision: e.Revision},
			body:   body, now: e.Previous, seen: true,
		})
	}
	switch {
	case e.Type == history.Create:
		add("create", e.Resource, e.Object)
	case e.Type == history.Delete && e.Actor != "kubelet" && terminating(e.Previous):
		// The second half of a deletion without grace.
	case e.Type == history.Delete:
		add("delete", e.Resource, nil)
	case e.Resource == "pods":
		wrotePod(e, add)
	case e.Resource == "nodes":
		if before, after := taints(e.Previous, "spec", "taints"), taints(e.Object, "spec", "taints"); !maps.Equal(before, after) {
			spec, _ := e.Object.At("spec").(map[string]any)
			spec = maps.Clone(spec)
			if spec["taints"] == nil {
				spec["taints"] = []any{}
			}
			add("patch", "nodes", history.Object{"spec": spec})
		}
		add("patch", "nodes/status", e.Object)
	case e.Resource == "poddisruptionbudgets.policy":
		add("update", e.Resource+"/status", e.Object)
	case e.Actor == "horizontal-pod-autoscaler-controller":
		add("update", e.Resource+"/scale", e.Object)
	default:
		add("update", e.Resource, e.Object)
	}
	return out
}

// wrotePod are the requests by which a pod changes.
func wrotePod(e history.Event, add func(verb, resource string, body history.Object)) {
	if node := text(e.Object, "spec", "nodeName"); node != text(e.Previous, "spec", "nodeName") {
		add("create", "pods/binding", history.Object{"target": map[string]any{"name": node}})
		return
	}
	if terminating(e.Object) && !terminating(e.Previous) {
		if e.Actor == "descheduler" {
			add("create", "pods/eviction", e.Object)
		} else {
			add("delete", "pods", e.Object)
		}
		return
	}
	add("patch", "pods/status", e.Object)
}
