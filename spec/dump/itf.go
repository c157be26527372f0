package dump

import (
	"encoding/json"
	"io"

	"github.com/seatrial/seatrial/spec"
)

// The Informal Trace Format is that of Apalache's ADR 15: https://apalache-mc.org/docs/adr/015adr-trace.html.
var _ = register(Format{
	Suffix: ".itf.json", Doc: "the behaviour that violates a claim, if there is one, for what reads the Informal Trace Format",
	Trace: func(w io.Writer, source string, t *spec.Trace) error {
		out := struct {
			Meta      map[string]string `json:"#meta"`
			Variables []string          `json:"vars"`
			States    []map[string]any  `json:"states"`
			Loop      *int              `json:"loop,omitempty"`
		}{
			Meta:      map[string]string{"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html", "source": source},
			Variables: t.Variables, States: []map[string]any{},
		}
		for i, s := range t.States {
			fields := state(t.Variables, s.Values)
			meta := map[string]any{"index": i}
			if s.Action != "" {
				meta["action"] = s.Action
			}
			fields["#meta"] = meta
			out.States = append(out.States, fields)
		}
		if t.Loop >= 0 {
			out.Loop = &t.Loop
		}
		return write(w, out)
	},
})

// write writes JSON with a line for each field.
func write(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(v)
}
