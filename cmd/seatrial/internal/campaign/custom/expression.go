package custom

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// expression is an oracle in CEL.
type expression struct{ o *input.Oracle }

func (e *expression) Name() string { return e.o.Name }

// Judge evaluates the expression. Behind a deletion there is no custom resource that it could be
// about.
func (e *expression) Judge(c *oracle.Case) ([]oracle.Deviation, error) {
	s, behind := judged(c, e.o)
	if s == nil || behind == oracle.Deletion {
		return nil, nil
	}
	events := []any{}
	for _, w := range eventsOf(s) {
		events = append(events, map[string]any{
			"type": w.Type, "resource": w.Resource, "namespace": w.Namespace, "name": w.Name, "actor": w.Actor,
			"object": plain(w.Object), "previous": plain(w.Previous),
		})
	}
	variables := map[string]any{
		"cr": plain(c.Last().Resource), "previous": plain(c.Last().Before), "objects": experiment.Lists(s.End), "events": events, "operation": nil,
	}
	if o := operationOf(c); o != nil {
		variables["operation"] = map[string]any{"name": o.Name, "property": o.Property, "case": o.Case, "misoperation": o.Misoperation, "repairs": o.Repairs}
	}
	holds, err := e.o.Expression().Holds(variables)
	if err != nil || holds {
		return nil, err
	}
	return []oracle.Deviation{{Object: c.Key, Text: e.o.Name + " does not hold: " + e.o.CEL}}, nil
}

// plain is an object for CEL; nil if there is none.
func plain(o history.Object) any {
	if o == nil {
		return nil
	}
	return map[string]any(o)
}
