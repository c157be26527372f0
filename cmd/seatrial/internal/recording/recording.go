// Package recording is what happened in one run of an experiment: the history of
// the plane, what the controller asked and was told, how its processes ended.
// Oracles, references and patterns read it.
package recording

import (
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/history"
)

// Recording is one run. Revisions tie its parts together.
type Recording struct {
	// Revision is that of the baseline; all events are later.
	Revision int64
	Events   []history.Event
	// Times are when the events came, since the start of the run.
	Times []time.Duration
	// Start is the state before the first event. Final is that behind the last one, of
	// the objects that any event was about.
	Start, Final history.State
	// Exchanges are the controller's requests, streams and deliveries.
	Exchanges []apiproxy.Record
	// Ready is the number of the newest record when the controller was ready.
	Ready int64
	// Lives are the processes of the controller.
	Lives []Life
	Steps []Step
	Marks []Mark
	// Cycle is the circle in which writes still went at the end.
	Cycle *history.Cycle
	// Fired tells that the trigger of the plan fired; Done that its fault ran to the
	// end. Both are true without a plan.
	Fired, Done bool
	// Infeasible says why the fault cannot be brought to an end: what is waited for
	// does not come because of it.
	Infeasible string
	// Nudged tells that a difference was there before the controller was given an
	// event, and Healed that there was none afterwards.
	Nudged, Healed bool
	// BeforeNudge is how the run would have ended without; nil if it was not nudged.
	BeforeNudge *End
	Took        time.Duration
}

// Life is one process of the controller.
type Life struct {
	Name string
	// Exited: it ended by itself, with this code or by this signal.
	Exited bool
	Code   int
	Signal string
	// Expected: a controller may end by itself then, as one does that has lost its
	// lease.
	Expected bool
	// Text is what it printed, cut in the middle where it is long.
	Text string
}

// Step is what became of one step of the experiment.
type Step struct {
	Index int
	// Revision is the newest one when the step was done.
	Revision int64
	At       time.Duration
	// Soft: what was waited for did not come, and everything was quiet.
	Soft bool
	// Failed says why it could not be done.
	Failed string
}

// Mark is one moment of the perturbation.
type Mark struct {
	// Revision is the newest one at the time.
	Revision int64
	At       time.Duration
	// Text says what was done, in a sentence without a full stop.
	Text string
}

// Counts tells how often each object was created and deleted, by its key with a *
// for what of the name is drawn. Stillborn ones do not count: whether a reconcile that
// is under way when its owner goes still creates a child is chance, and the garbage
// collector undoes it.
func (r *Recording) Counts(mask history.Mask) map[history.Key]Count {
	counts := map[history.Key]Count{}
	stillborn, generic := r.stillborn(), r.Generic()
	for _, e := range r.Events {
		if e.Type == history.Update || mask.IgnoresEvent(e) || stillborn[e.UID] {
			continue
		}
		key := generic(e)
		c := counts[key]
		if e.Type == history.Create {
			c.Created++
		} else {
			c.Deleted++
		}
		counts[key] = c
	}
	return counts
}

// Generic gives the keys of events with a * for what of the name is drawn. A name that the
// API server has once drawn stays one: a controller that has noted it may create the
// object again and give the name itself.
func (r *Recording) Generic() func(history.Event) history.Key {
	drawn := map[history.Key]string{}
	for _, e := range r.Events {
		if name := e.GenericName(); name != e.Name && e.Type == history.Create {
			drawn[e.Key] = name
		}
	}
	return func(e history.Event) history.Key {
		key := e.Key
		key.Name = e.GenericName()
		if name := drawn[e.Key]; name != "" {
			key.Name = name
		}
		return key
	}
}

// stillborn are the UIDs of objects whose owners were all gone when they were created,
// and still when they were deleted; what belongs to them is, too.
func (r *Recording) stillborn() map[string]bool {
	gone, born, out := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range r.Events {
		switch e.Type {
		case history.Create:
			if Orphaned(e.Object, gone) {
				gone[e.UID], born[e.UID] = true, true
			}
		case history.Update:
			if born[e.UID] && !Orphaned(e.Object, gone) { // somebody adopts it
				delete(gone, e.UID)
				delete(born, e.UID)
			}
		case history.Delete:
			if born[e.UID] && Orphaned(e.Previous, gone) {
				out[e.UID] = true
			}
			gone[e.UID] = true
		}
	}
	return out
}

// Orphaned tells whether an object has owners, and all of them are gone. These are
// given by their UIDs.
func Orphaned(o history.Object, gone map[string]bool) bool {
	owners, _ := o.At("metadata", "ownerReferences").([]any)
	for _, owner := range owners {
		reference, _ := owner.(map[string]any)
		if uid, _ := reference["uid"].(string); !gone[uid] {
			return false
		}
	}
	return len(owners) > 0
}

// Count is how often an object was created and deleted.
type Count struct{ Created, Deleted int }

// End is where a run stands.
type End struct {
	State history.State
	// Events are how many had come.
	Events int
}
