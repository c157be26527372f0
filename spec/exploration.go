package spec

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/statespace"
)

// ActionCount is how often an action was taken. Those that stand at one place count together, whatever they are
// taken with.
type ActionCount struct {
	program.Action
	statespace.LabelCount
}

// ValueCount is how many different values a variable had in the states that were explored.
type ValueCount struct {
	Variable string
	Values   int
}

// actionCounts joins the counts of the actions, in the order in which they are written.
func actionCounts(p *program.Program, labels []statespace.LabelCount) []ActionCount {
	var all []ActionCount
	type place struct {
		name string
		at   syntax.Position
	}
	at := map[place]int{}
	for i, n := range labels {
		a := p.Actions[i]
		j, known := at[place{a.Base(), a.At}]
		if !known {
			j = len(all)
			at[place{a.Base(), a.At}] = j
			all = append(all, ActionCount{Action: program.Action{Name: a.Base(), At: a.At}})
		}
		all[j].Transitions += n.Transitions
		all[j].States += n.States
	}
	return all
}

// valueCounts are those of all variables, the one with the most values first.
func valueCounts(p *program.Program) []ValueCount {
	var all []ValueCount
	for i, n := range p.ValueCounts() {
		all = append(all, ValueCount{p.Variables[i], n})
	}
	slices.SortStableFunc(all, func(a, b ValueCount) int { return cmp.Compare(b.Values, a.Values) })
	return all
}
