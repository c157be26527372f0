package remedy

import (
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// forgotten are fields that others than the next apply are meant to keep.
var forgotten = []string{"replicas", "strategy"}

var _ = register(&Remedy{
	Name: "last-applied",
	Doc:  "takes a field out of what the last apply is remembered to have set, so that the next one leaves it alone",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			applied := d.Value.Annotations[corev1.LastAppliedConfigAnnotation]
			var whole, spec map[string]json.RawMessage
			if json.Unmarshal([]byte(applied), &whole) != nil || json.Unmarshal(whole["spec"], &spec) != nil {
				continue
			}
			for _, name := range forgotten {
				if spec[name] == nil {
					continue
				}
				without := map[string]json.RawMessage{}
				for k, v := range spec {
					if k != name {
						without[k] = v
					}
				}
				rest, ok := replaced(applied, whole, without)
				if !ok {
					continue
				}
				out = append(out, Candidate{
					Title: "take " + name + " out of the last-applied-configuration of " + nameOf(d) + " (kubectl apply edit-last-applied)",
					Cost:  "an apply no longer says how it is: whoever wants another value has to set it", Rank: 4,
					Edits: edits(in(d.Source, "metadata", "annotations", corev1.LastAppliedConfigAnnotation).set(text(rest))),
				})
			}
		}
		return out
	},
})

// replaced is an object as JSON with another spec, on one line.
func replaced(text string, whole, spec map[string]json.RawMessage) (string, bool) {
	inner, err := json.Marshal(spec)
	if err != nil {
		return "", false
	}
	// The rest of the text stays as it is, if the spec can be found in it.
	if at := string(whole["spec"]); strings.Count(text, at) == 1 {
		return strings.TrimSpace(strings.Replace(text, at, string(inner), 1)), true
	}
	return "", false
}
