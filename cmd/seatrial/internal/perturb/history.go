package perturb

import (
	"fmt"
	"iter"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Histories are what was written in the runs that there is something to learn from, by names: in each run without a
// perturbation, and in the first one of each plan that failed. What was there before a run comes first, as if it had
// been created by one write.
func (o *Outcome) Histories() iter.Seq2[string, []history.Event] {
	return func(yield func(string, []history.Event) bool) {
		if o.Reference != nil {
			for i, run := range o.Reference.Runs {
				if !yield(fmt.Sprintf("reference-%d", i+1), historyOf(run)) {
					return
				}
			}
		}
		for _, r := range o.Results {
			if r.Verdict == Failed && r.recording != nil && !yield("plan-"+r.Plan.ID(), historyOf(r.recording)) {
				return
			}
		}
	}
}

func historyOf(run *recording.Recording) []history.Event {
	var events []history.Event
	for _, key := range run.Start.Keys() {
		o := run.Start[key]
		events = append(events, history.Event{Revision: run.Revision, Type: history.Create, Key: key, UID: o.Text("metadata", "uid"), Object: o})
	}
	return append(events, run.Events...)
}
