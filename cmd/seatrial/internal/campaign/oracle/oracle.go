// Package oracle judges the operations of a campaign: a file for each oracle, which
// registers itself. Each says what is not as the custom resource says, by itself or
// beside a run that had nothing else to do (docs/adr/0034).
package oracle

import (
	"cmp"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
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
	// Events are the writes in between, of everybody.
	Events []history.Event
	// Lives are the processes of the operator that ended, by themselves or at the end of the run,
	// with what they said.
	Lives []recording.Life
	// Output is what the operator said during the step.
	Output string
	Rest   Rest
}

// Rest is how things came to rest.
type Rest struct {
	// Quiet tells that nothing that counts was written for long enough, and that nothing
	// was under way.
	Quiet bool
	// Cycle is the circle in which writes go; nil for none.
	Cycle *history.Cycle
	// Why says what it still waited for when its time was over; empty if Quiet.
	Why string
	// Took is from the operation until the last write that counts.
	Took time.Duration
	// Restarts is how often the operator ended by itself and was started again.
	Restarts int
}

// Case is an operation that is judged, and what it is held to.
type Case struct {
	// Steps are those of the run so far; the last is judged. The first is the seed.
	Steps []*Step
	// Twin is the run that had the same resource as its first step; nil if there is none.
	// Twice is a second one, to see what differs for no reason.
	Twin, Twice *Step
	// Restart is what came when the operator was killed and started again behind the
	// last step; nil if it was not.
	Restart *Step
	// Mask is what does not count.
	Mask history.Mask
	// Key is the custom resource's.
	Key history.Key
}

// Last is the step that is judged.
func (c *Case) Last() *Step { return c.Steps[len(c.Steps)-1] }

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
	// Text says it, in a sentence without a full stop.
	Text string `json:"text"`
	// Class is equal for what has the same cause: without what is drawn, and without
	// sentinels.
	Class string `json:"class"`
	// Property is that of the custom resource, if it is another one than the
	// operation's.
	Property string `json:"property,omitempty"`
}

// Oracle is one way to judge.
type Oracle struct {
	Name string
	// Rule is the id of its rule.
	Rule string
	// Order is where what it says stands: the most telling first.
	Order int
	// Twin and Restart tell what has to be there for it to judge.
	Twin, Restart bool
	Judge         func(c *Case) []Deviation
}

var oracles []Oracle

func register(o Oracle) {
	oracles = append(oracles, o)
	slices.SortFunc(oracles, func(a, b Oracle) int { return cmp.Compare(a.Order, b.Order) })
}

// All lists the oracles, the most telling first.
func All() []Oracle { return oracles }

// Judge lists what is wrong behind the last step, the most telling first. Oracles whose
// name off says true for are left out.
func Judge(c *Case, off func(name string) bool) []Deviation {
	var all []Deviation
	for _, o := range oracles {
		if off != nil && off(o.Name) || o.Twin && c.Twin == nil || o.Restart && c.Restart == nil {
			continue
		}
		for _, d := range o.Judge(c) {
			d.Oracle = o.Name
			if d.Class == "" {
				d.Class = d.Text
			}
			d.Class = o.Name + " " + d.Class
			all = append(all, d)
		}
	}
	return all
}
