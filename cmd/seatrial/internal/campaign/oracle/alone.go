package oracle

import (
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// alone tells whether the property of an operation stands without any of the texts beside it, so that it may mean
// nothing in this resource, and something in another.
func (t *Tracer) alone(o *operation.Operation, resource history.Object) bool {
	p := t.properties[o.Property]
	if p == nil {
		return false
	}
	beside := p.Beside()
	for _, text := range beside {
		if v, is := resource.At(strings.Split(text.Path, ".")...).(string); is && v != "" {
			return false
		}
	}
	return len(beside) > 0
}

// meant tells whether any of some probes was of a resource in which the property stands beside what it may be about.
func meant(probes []*probe) bool {
	for _, p := range probes {
		if !p.alone {
			return true
		}
	}
	return false
}
