// Package custom is the oracles that users give: expressions in CEL, and programs.
package custom

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// Oracles are those of an input that are not off. Programs end with done, which is nil for never.
func Oracles(in *input.Input, done <-chan struct{}) (all []oracle.Custom) {
	for i := range in.Oracles {
		o := &in.Oracles[i]
		switch {
		case slices.Contains(in.Off, o.Name):
		case o.Expression() != nil:
			all = append(all, &expression{o})
		default:
			all = append(all, &program{o, in.Folder, done})
		}
	}
	return all
}

// judged is the step that was taken last, and what was done then; nil for one that is not judged: a
// resource that was refused, and a misoperation for an oracle that does not ask for those.
func judged(c *oracle.Case, o *input.Oracle) (*oracle.Step, oracle.Behind) {
	last := c.Last()
	if last.Refused != "" || last.Operation != nil && last.Operation.Misoperation && !o.Misoperations {
		return nil, ""
	}
	switch {
	case c.Deleted != nil:
		return c.Deleted, oracle.Deletion
	case c.Restart != nil:
		return c.Restart, oracle.Restarted
	}
	return last, oracle.Steps
}

// Operation is what an oracle sees of an operation.
type Operation struct {
	Name         string `json:"name"`
	Property     string `json:"property"`
	Case         string `json:"case"`
	Misoperation bool   `json:"misoperation"`
	Repairs      bool   `json:"repairs"`
}

func operationOf(c *oracle.Case) *Operation {
	o := c.Last().Operation
	if o == nil {
		return nil
	}
	return &Operation{o.Name, o.Property, o.Case, o.Misoperation, o.Repairs}
}

// Event is what an oracle sees of a write.
type Event struct {
	// Type is create, update or delete.
	Type      string `json:"type"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// Actor is who wrote: controller is the operator.
	Actor string `json:"actor,omitempty"`
	// Object is what there is after the write, and Previous what there was before.
	Object   history.Object `json:"object,omitempty"`
	Previous history.Object `json:"previous,omitempty"`
}

func eventsOf(s *oracle.Step) []Event {
	all := make([]Event, 0, len(s.Events))
	for _, e := range s.Events {
		all = append(all, Event{string(e.Type), e.Resource, e.Namespace, e.Name, e.Actor, e.Object, e.Previous})
	}
	return all
}
