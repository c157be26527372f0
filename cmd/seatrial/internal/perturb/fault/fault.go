// Package fault is what can be done to a controller when a trigger fires: a file
// for each kind, which registers itself.
//
// A fault goes through three phases. It waits for its trigger; it has fired, and
// something is held, refused or ended; it is done, and from then on the world is
// as any other. What moves it are the events of the plane, the controller's
// writes, and that all is quiet.
package fault

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// View is what one process of the controller sees: an [apiproxy.Incarnation].
type View interface {
	Limit(resource string, revision int64)
	Lift(resource string, how apiproxy.Lifting)
}

// Stage is what a fault may do to a run. Its methods do not block.
type Stage interface {
	// Active is the incarnation that acts, Standby the one that waits to; nil if there
	// is none.
	Active() View
	Standby() View
	// Crash kills the active process, frees its locks and starts it again. The new
	// one sees no more of a resource than the limits say.
	Crash(limits map[string]int64)
	// TakeOver kills the active process and frees its locks, so that the standby
	// becomes the active one.
	TakeOver()
	// Pause stops the active process in its tracks and frees its locks, so that the
	// standby leads beside it; Resume lets it go on, and Retire ends it.
	Pause()
	Resume()
	Retire()
	// Mark notes a moment for the report, in a sentence without a full stop.
	Mark(format string, args ...any)
	// Seen is how many events so far fire a trigger if its occurrence is left out.
	Seen(t *plan.Trigger) int
	// Object is the object of a key, which must not be changed; nil if there is none.
	Object(key history.Key) history.Object
	// Step is how many of the users' steps are done, of so many.
	Step() (done, of int)
	// Begun is how many of them were begun. Acted tells whether one behind the first so
	// many is done that is no wait.
	Begun() int
	Acted(since int) bool
}

// Phase is how far a fault is.
type Phase int

// The phases.
const (
	Waiting Phase = iota
	Fired
	Done
)

// Fault is one perturbation under way. Its methods but Before and After are called
// one at a time; those are called from the goroutines of requests, and hold
// nothing up but their own.
type Fault interface {
	// Observe is told of each event before the controller can be.
	Observe(s Stage, e history.Event, n plan.Numbered)
	// Before is asked about a write of the controller before it is passed on; After
	// when it is stored and everything up to it was observed.
	Before(ctx context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer
	After(ctx context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer
	// Quiet is called when nothing moves any more. It is true if that made the fault
	// do something.
	Quiet(s Stage) bool
	Phase() Phase
	// Infeasible says why it did not come to its end as it should; empty if it did.
	Infeasible() string
}

// Needs is what a fault asks of a run from the beginning.
type Needs struct {
	// OldLists: the API server lists as one before 1.34.
	OldLists bool
	// Standby: a second process of the controller is there.
	Standby bool
}

// Kind makes the faults of one kind.
type Kind struct {
	Name  string
	Needs Needs
	// Reads are the fields of the plan's fault that have to be there.
	Reads []string
	New   func(p *plan.Plan) Fault
}

var kinds = map[string]Kind{}

func register(k Kind) { kinds[k.Name] = k }

// Names lists the kinds, in order.
func Names() []string { return slices.Sorted(maps.Keys(kinds)) }

// New makes the fault of a plan. Its error says what is wrong with the plan.
func New(p *plan.Plan) (Fault, Needs, error) {
	f := p.Fault
	k, known := kinds[f.Kind]
	if !known {
		return nil, Needs{}, fmt.Errorf("the plan has a fault of kind %q, which this version does not know; it knows %s", f.Kind, strings.Join(Names(), ", "))
	}
	for _, field := range k.Reads {
		good := false
		switch field {
		case "resource":
			good = f.Resource != ""
		case "seen":
			good = f.Seen != nil
		case "verb":
			good = slices.Contains([]string{"create", "update", "patch", "delete", "deletecollection"}, f.Verb)
		case "code":
			good = f.Code >= 400 && f.Code <= 599
		}
		if !good {
			return nil, Needs{}, fmt.Errorf("the plan has a fault of kind %q, whose %s is missing or wrong", f.Kind, field)
		}
	}
	return k.New(p), k.Needs, nil
}

// base is what all faults have: a plan and a phase, and no opinion.
type base struct {
	plan  *plan.Plan
	phase lockedPhase
	why   string
}

func (b *base) Observe(Stage, history.Event, plan.Numbered) {}
func (b *base) Before(context.Context, Stage, *apiproxy.Exchange) apiproxy.Answer {
	return apiproxy.Pass
}

func (b *base) After(context.Context, Stage, *apiproxy.Exchange) apiproxy.Answer {
	return apiproxy.Pass
}
func (b *base) Quiet(Stage) bool   { return false }
func (b *base) Phase() Phase       { return b.phase.get() }
func (b *base) Infeasible() string { return b.why }
