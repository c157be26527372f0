package campaign

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// creation is the run that makes the custom resource as it is behind operations, so that it was never another. What
// they refer to is there, also of those that change nothing any more.
func (t *trial) creation(path []*operation.Operation) job {
	j := job{Resource: t.seed, Patient: true}
	for _, o := range path {
		if next, err := o.Apply(j.Resource); err == nil {
			j.Resource = next
		}
		j.Objects = append(j.Objects, o.Objects...)
	}
	return j
}

// byItself is what is wrong with the operator where a resource is made that was never another, beside nothing: a twin
// may be what is wrong, and not what is compared with it.
func (t *trial) byItself(r *run) []oracle.Deviation {
	return oracle.Judge(t.caseOf(r, 0), func(name string) bool { return t.off(name) || !oracle.Alone(name) })
}

// ofTwins is what is wrong with the twins of a case by themselves.
func ofTwins(c *oracle.Case) (all []oracle.Deviation) {
	for _, twin := range c.Twins {
		all = append(all, without(twin.Wrong, all)...)
	}
	return all
}
