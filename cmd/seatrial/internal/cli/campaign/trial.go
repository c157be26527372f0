package campaign

import (
	"context"
	"encoding/json"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// Trial is what the command runs.
type Trial struct {
	// Runs is where runs are kept; what is needed to go on is beside them.
	Runs runstore.Store
	// Oracles and Masks are the names of those that there are, and Rules what is reported.
	Oracles, Masks []string
	Rules          []finding.Rule
	// Campaign runs a campaign. Beside an error it returns what it has.
	Campaign func(context.Context, Options) (*Outcome, error)
}

// Options are one campaign.
type Options struct {
	Input *input.Input
	// Parallel is how many planes there are, Operations how many operations at most; 0 for
	// the usual.
	Parallel, Operations int
	// Deadline is when no more sequences are begun; zero for none.
	Deadline time.Time
	// Known are results of sequences that need not be run again, by what identifies them, and
	// Done is told of each that can be kept so.
	Known map[string]json.RawMessage
	Done  func(Done)
	// Progress is told how far it is.
	Progress func(Progress)
	Now      func() time.Time
	Version  string
	// ListOnly makes the plan and runs nothing.
	ListOnly bool
}

// Done is a sequence that was run.
type Done struct {
	// ID identifies it among those of the plan.
	ID string
	// Result is what is kept of it; nil if it has to be run again.
	Result json.RawMessage
	// Text says in a line what became of it.
	Text string
}

// Progress is how far a campaign is.
type Progress struct {
	// What is being done: "start", "learn", "operations", "reduce".
	What string
	// Done and Of count operations, or findings while they are made smaller; Found counts what
	// was found so far.
	Done, Of, Found int
	// Left is an estimate of how long it still takes.
	Left time.Duration
}

// Outcome is what a campaign has found.
type Outcome struct {
	Plan *operation.Plan
	// Tried is how many operations were run.
	Tried       int
	Interrupted bool
	// Facts are figures of the run.
	Facts []report.Fact
	// Report is the outcome for all formats. name is what the campaign is called, and interrupted
	// tells that it was.
	Report func(name string, interrupted bool) *finding.Report
}
