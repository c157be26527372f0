package settle

import (
	"slices"
)

// part notes how far a cache may go on first that is behind: all that happened until now is sent to it, and the rest
// later. There is one such place at a time.
func (x *explorer) part(n *node, emit emit) {
	for i, f := range n.frozen {
		process, s := x.of(f.id)
		now := slices.Collect(n.world.Under(x.resource(s.Kind).Prefix("")))
		if f.part != nil || slices.Equal(f.objects, now) && f.pending == nil {
			continue
		}
		to := n.clone()
		to.frozen = slices.Clone(n.frozen)
		to.frozen[i].part = &frozen{id: f.id, objects: now}
		emit(step{label: label{x.processes[process].Name, x.title(f.id) + " is sent what happened so far"}}, to)
	}
}
