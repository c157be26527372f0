// Package oracle judges runs: a file for each oracle, which registers itself. Each
// says in what a run is not as it should be, against what is usual or by itself.
package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Case is a run and what it is held to.
type Case struct {
	Run *recording.Recording
	// Reference is nil where none is known.
	Reference  *reference.Reference
	Experiment *experiment.Experiment
	// Plan is nil for a run without a perturbation.
	Plan *plan.Plan
}

// Divergence is one thing that is not as it should be.
type Divergence struct {
	// Oracle is the name of the one that says it.
	Oracle string `json:"oracle"`
	// Object is what it is about, if it is about one.
	Object history.Key `json:"object,omitzero"`
	// Text says it, in a sentence without a full stop.
	Text string `json:"text"`
	// Class is equal for what has the same cause: the text without what is drawn.
	Class string `json:"class"`
	// Changes are those of an object that is different at the end.
	Changes []history.Change `json:"changes,omitempty"`
	// Healed: it goes away with the next event, whatever that is.
	Healed bool `json:"healed,omitempty"`
}

// Oracle is one way to judge.
type Oracle struct {
	Name string
	// Order is where what it says stands: the most telling first.
	Order int
	Judge func(c *Case) []Divergence
}

var oracles []Oracle

func register(o Oracle) {
	oracles = append(oracles, o)
	slices.SortFunc(oracles, func(a, b Oracle) int { return cmp.Compare(a.Order, b.Order) })
}

// Judge lists what is wrong with a run, the most telling first.
func Judge(c *Case) []Divergence {
	var all []Divergence
	for _, o := range oracles {
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

// Class is equal for runs in which the same is wrong.
func Class(all []Divergence) string {
	var classes []string
	for _, d := range all {
		if !d.Healed {
			classes = append(classes, d.Class)
		}
	}
	slices.Sort(classes)
	return strings.Join(slices.Compact(classes), "\n")
}

// Counts tells whether any of it stays.
func Counts(all []Divergence) bool {
	return slices.ContainsFunc(all, func(d Divergence) bool { return !d.Healed })
}

// Rank is the place of the most telling of what stays, the first being 0: that of its
// oracle among all. It is past the last if nothing stays.
func Rank(all []Divergence) int {
	for i, o := range oracles {
		if slices.ContainsFunc(all, func(d Divergence) bool { return d.Oracle == o.Name && !d.Healed }) {
			return i
		}
	}
	return len(oracles)
}
