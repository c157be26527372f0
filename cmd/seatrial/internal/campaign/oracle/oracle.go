// Package oracle judges the operations of a campaign: a file for each oracle, which
// registers itself. Each says what is not as the custom resource says, by itself or
// beside a run that had nothing else to do, its twin (docs/adr/0034).
//
// Two ends are compared in four steps. In their forms, what is drawn (UIDs, addresses,
// names) is replaced by what it is of, wherever it stands. What the masks leave out does
// not count: each has a name, by which it is taken away, and a reason, and none knows of an
// operator. What differs between two twins, too, differs for no reason. And a pod that
// differs because its workload does is no finding of its own.
//
// What was seen once is mostly not certain: that something is not there, differs, or is written again is about where
// things had come to when it was looked, and on a busy machine that may have been too early. It counts when it came
// again. One look is enough for what the operator's own runtime says of it in its output: that it dereferenced nil, or
// that two of its threads changed a map at once. No load does that to a program that is right. An operator that just
// ends, or panics with words of its own, may do so because it had no answer; and what metrics count has no words.
package oracle

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Step is what was seen of one operation, from when it was applied until all was
// quiet.
type Step struct {
	// Operation is nil for the seed, a twin, and a restart.
	Operation *operation.Operation
	// Before and Resource are the custom resource as it was and as it was applied.
	Before, Resource history.Object
	// Refused is why the API server did not take it; empty if it did. There is nothing else to see then.
	Refused string
	// Start and End are what there was, custom resource included.
	Start, End history.State
	// Untouched is what there is beside at the end that belongs to no custom resource: the run has left it alone so
	// far.
	Untouched history.State
	// Events are the writes in between, of everybody; none of a twin, of which Written is how often the operator wrote.
	Events  []history.Event
	Written int
	// Lives are the processes of the operator that ended, by themselves or at the end of the run,
	// with what they said.
	Lives []recording.Life
	// Output is what the operator said during the step.
	Output string
	Rest   Rest
	// Wrong is what is wrong with a twin by itself.
	Wrong []Deviation
}

// Rest is how things came to rest.
type Rest struct {
	// Quiet tells that nothing that counts was written for long enough, and that nothing
	// was under way.
	Quiet bool
	// Still tells that nothing was written any more, whatever was under way: pods that will never be ready, too.
	Still bool
	// Cycle is the circle in which writes go; nil for none.
	Cycle *history.Cycle
	// Restates tells that the operator wrote the same fields again and again without a pause, with other values, and
	// was still doing so.
	Restates bool
	// Endless is what the operator does again and again without end; nil for nothing.
	Endless *Endless
	// Why says what it still waited for when its time was over; empty if Quiet.
	Why string
	// Took is from the operation until the last write that counts.
	Took time.Duration
	// Restarts is how often the operator ended by itself and was started again.
	Restarts int
	// Failing are the operator's controllers whose reconciles go on failing when nothing moves any more, and Panicked
	// those of which one has panicked, as its metrics say.
	Failing, Panicked []string
	// ComesBack tells that it looks again in its time at what it is done with, as its metrics say.
	ComesBack bool
}

// Endless is what an operator does without end that is no circle: it makes an object anew, or sets a field that
// somebody else sets back.
type Endless struct {
	Object history.Key
	// Path is the field; empty if it makes the object anew.
	Path string
	// Text says what it does.
	Text string
}

// Case is an operation that is judged, and what it is held to.
type Case struct {
	// Steps are those of the run so far; the last is judged. The first is the seed.
	Steps []*Step
	// Twin is the run that had the same resource as its first step; nil if there is none.
	// Twice is a second one, to see what differs for no reason.
	Twin, Twice *Step
	// Twins are all that were made, also one that was taken for quiet too early.
	Twins []*Step
	// Restart is what came when the operator was killed and started again behind the
	// last step; nil if it was not.
	Restart *Step
	// Deleted is what came when the custom resource was deleted behind the last step; nil if it was not.
	Deleted *Step
	// Properties are those of the custom resource by their paths.
	Properties map[string]*schema.Property
	// Customs are the judges that the user gives.
	Customs []Custom
	// Mask is what does not count, beside what [Masks] lists.
	// Given is that without what was learned.
	Mask, Given history.Mask
	// Keep are the names of those of Masks that are not applied.
	Keep []string
	// Key is the custom resource's.
	Key history.Key
	// Unreachable is what the operator wants of pods and does not get here, exec and tcp: that it says so is no
	// deviation.
	Unreachable []string
	// Dials tells that it says so with the seed already, in any run: it goes on without.
	Dials bool

	// open has compared what the operator says that it does not do, and what it has not come to.
	open bool
}

// Last is the step that is judged.
func (c *Case) Last() *Step { return c.Steps[len(c.Steps)-1] }

// misoperation tells whether the last step should be refused, or cannot work.
func (c *Case) misoperation() bool {
	o := c.Last().Operation
	return o != nil && o.Misoperation
}

// repairs tells whether the last step takes back one that could not work. Where an operation before both was taken
// back, it does not: it asks for what that asked for.
func (c *Case) repairs() bool {
	o, wrong := c.Last().Operation, c.wrong()
	return o != nil && o.Repairs && (wrong == nil || wrong.Before == nil || reflect.DeepEqual(wrong.Before["spec"], c.Last().Resource["spec"]))
}

// wrong is the step before the last if that should be refused, or cannot work; nil if it is another.
func (c *Case) wrong() *Step {
	if n := len(c.Steps) - 2; n > 0 && c.Steps[n].Operation != nil && c.Steps[n].Operation.Misoperation {
		return c.Steps[n]
	}
	return nil
}

// Deviation is one thing that is not as the custom resource says.
type Deviation struct {
	// Oracle is the name of the one that says it.
	Oracle string `json:"oracle"`
	// Object and Path are what it is about, if it is about one. The name may end in a *.
	Object history.Key `json:"object,omitzero"`
	Path   string      `json:"path,omitempty"`
	// Expected and Found stand side by side; nil for what is not there.
	Expected any `json:"expected,omitempty"`
	Found    any `json:"found,omitempty"`
	// Lines are what the lines begin with in which a text of several differs, if that can be told: two may have two
	// causes.
	Lines []string `json:"lines,omitempty"`
	// Text says it, in a sentence without a full stop.
	Text string `json:"text"`
	// Place is equal for what is in the same place, or the same as a judge sees it: without what is drawn, and without
	// sentinels.
	Place string `json:"place,omitempty"`
	// Behind tells that it follows from another deviation, of the same oracle: a write that was refused has left it
	// undone, too.
	Behind bool `json:"behind,omitempty"`
	// Own tells that it is of a field of the custom resource's own spec, which only the operator can have written:
	// what it makes of that follows.
	Own bool `json:"own,omitempty"`
	// Property is that of the custom resource, if it is another one than the
	// operation's.
	Property string `json:"property,omitempty"`
	// Inconclusive tells that there is no verdict; Text says why.
	Inconclusive bool `json:"inconclusive,omitempty"`
	// Certain tells that one look is enough; anything else may be chance until it comes again.
	Certain bool `json:"certain,omitempty"`
}

// Oracle is one way to judge.
type Oracle struct {
	Name string
	// Rule is the id of its rule.
	Rule string
	// Order is where what it says stands: the most telling first.
	Order int
	// Twin tells that what it says depends on the twin: what it finds is sure only with a second one.
	Twin bool
	// Behind is what is done behind the last step that it judges; Steps for the step itself.
	Behind Behind
	// Alone tells that it judges a twin by itself, too.
	Alone bool
	// Still tells that it judges where nothing moves any more, also if that is no rest: pods that will never be ready.
	Still bool
	// Judge is nil for what only a tracer can say, when all was seen.
	Judge func(c *Case) []Deviation
}

// Behind is what is done behind the last step of a run.
type Behind string

const (
	// Any is all of them.
	Any Behind = "any"
	// Steps is nothing: the step itself.
	Steps Behind = ""
	// Restarted is that the operator was killed and started again.
	Restarted Behind = "restart"
	// Deletion is that the custom resource was deleted.
	Deletion Behind = "deletion"
)

// behind is what was done last in a case.
func (c *Case) behind() Behind {
	switch {
	case c.Deleted != nil:
		return Deletion
	case c.Restart != nil:
		return Restarted
	}
	return Steps
}

var oracles []Oracle

func register(o Oracle) {
	oracles = append(oracles, o)
	slices.SortFunc(oracles, func(a, b Oracle) int { return cmp.Compare(a.Order, b.Order) })
}

// All lists the oracles, the most telling first.
func All() []Oracle { return oracles }

// Named is the oracle of a name; one that says nothing if there is none.
func Named(name string) Oracle {
	for _, o := range oracles {
		if o.Name == name {
			return o
		}
	}
	return Oracle{}
}

// Names are those of the oracles, in the order of [All].
func Names() (all []string) {
	for _, o := range oracles {
		all = append(all, o.Name)
	}
	return all
}

// Alone tells whether an oracle judges a twin by itself, too.
func Alone(name string) bool {
	return slices.ContainsFunc(oracles, func(o Oracle) bool { return o.Name == name && o.Alone })
}

// Judge lists what is wrong behind the last step, or, of a case that has a restart or a
// deletion, behind that; the most telling first. Oracles whose name off says true for are left out.
func Judge(c *Case, off func(name string) bool) []Deviation {
	var all []Deviation
	for _, o := range oracles {
		if o.Judge == nil || off != nil && off(o.Name) || o.Behind != Any && o.Behind != c.behind() {
			continue
		}
		found := o.Judge(c)
		for i := range found {
			found[i].Oracle = o.Name
			if found[i].Place == "" {
				found[i].Place = c.general(found[i].Path)
			}
		}
		if o.Twin {
			found = c.behindRefused(found)
		}
		all = append(all, found...)
	}
	return all
}
