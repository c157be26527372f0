package settle

import (
	"slices"
)

// behind tells whether caches may be behind.
func (f *Faults) behind() bool { return f.Stale || f.Older }

// lags is what a trace says of an API server that is behind from now on, and older what it says of a
// process that begins with what that lists.
const (
	lags  = "an API server falls behind: "
	older = "is killed, and begins again with older lists"
)

// lag lets an API server be behind from now on, for any cache of what a process watches. It is of no
// account as long as no process begins, so that one that catches up is the same as none.
func (x *explorer) lag(n *node, emit emit) {
	if x.used(n, "Older") {
		return // no process would begin with it
	}
	for _, id := range x.watched {
		at, found := slices.BinarySearchFunc(n.older, id, func(f frozen, id cacheID) int { return int(f.id - id) })
		if found {
			continue
		}
		process, s := x.of(id)
		to := n.clone()
		to.older = slices.Insert(slices.Clone(n.older), at, frozen{id: id, objects: slices.Collect(n.world.Under(x.resource(s.Kind).Prefix("")))})
		emit(step{label: label{x.processes[process].Name, lags + x.title(id)}}, to)
	}
}

// ages has the caches of a process, which begins, have what API servers list that are behind, and tells
// whether that is older than what there is.
func (x *explorer) ages(n *node, process int) (is bool) {
	var left []frozen
	for _, f := range n.older {
		of, s := x.of(f.id)
		if of != process {
			left = append(left, f)
			continue
		}
		n.frozen = slices.Concat(n.frozen, []frozen{f})
		is = is || !slices.Equal(f.objects, slices.Collect(n.world.Under(x.resource(s.Kind).Prefix(""))))
	}
	n.older = left
	slices.SortFunc(n.frozen, func(a, b frozen) int { return int(a.id - b.id) })
	return is
}
