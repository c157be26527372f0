package manifest

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/finding"
)

// finish does what needs all objects. The order of the lists, and with it
// every message, is fixed first.
func (l *loader) finish() {
	l.in.sort()
	l.resolvePriorities()
	if l.in.Scenario != nil {
		l.checkScenario()
	}
	l.ignores()
	if len(l.problems) > 0 {
		return
	}
	l.in.leaveFields()
	l.in.crossCheck()
	l.in.sort()
}

// sort puts every list into an order that does not depend on the order of
// files and documents.
func (in *Input) sort() {
	byName(in.Deployments)
	byName(in.ReplicaSets)
	byName(in.Pods)
	byName(in.Autoscalers)
	byName(in.DisruptionBudgets)
	byName(in.Nodes)
	byName(in.Namespaces)
	byName(in.PriorityClasses)
	byName(in.Services)
	slices.SortStableFunc(in.LeftOut, func(a, b LeftOut) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(in.Warnings, func(a, b finding.Warning) int {
		return cmp.Or(cmp.Compare(a.Location.File, b.Location.File),
			cmp.Compare(a.Location.Line, b.Location.Line), cmp.Compare(a.Message, b.Message))
	})
}

func byName[T any](objects []Object[T]) {
	slices.SortStableFunc(objects, func(a, b Object[T]) int {
		return cmp.Or(cmp.Compare(a.Source.Namespace, b.Source.Namespace), cmp.Compare(a.Source.Name, b.Source.Name))
	})
}
