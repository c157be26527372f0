package spec

import (
	"strings"
	"testing"
)

// TestMistaken: who gives something else than a history reads what it is, and what writes one.
func TestMistaken(t *testing.T) {
	for _, c := range []struct{ name, text, problem string }{
		{"a report of replay", "{\n \"schema\": \"seatrial.dev/replays/v1alpha1\"}", "h:1: this is what replay -o json writes, and no history: with --histories=FOLDER"},
		{"a report of perturb", `{"schema":"seatrial.dev/report/v1alpha1","command":"seatrial perturb e.yaml"}`, "h:1: this is a report of perturb, and no history: with --histories=FOLDER"},
		{"a report of campaign", `{"schema":"seatrial.dev/report/v1alpha1","command":"seatrial campaign"}`, "h:1: this is a report of campaign, and no history: seatrial controlplane --history"},
		{"a report of check", `{"schema":"seatrial.dev/report/v1alpha1","command":"seatrial check ."}`, "h:1: this is what a model did, and no history: replay --histories=FOLDER"},
		{"an audit log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1"}`, "h:1: this is an audit log"},
		{"a watch", `{"type":"ADDED","object":{"kind":"Pod"}}`, "h:1: this is a watch"},
		{"a list", `{"apiVersion":"v1","kind":"List","items":[]}`, "h:1: this is an object as it is"},
		{"a text", "# Title", "h:1: invalid character '#' looking for beginning of value: a history has an event a line"},
		{"no document of ours", "{}", "h:1: the revision is 0, want 1 or more: a history has an event a line"},
		{"a line in the middle", `{"revision":1,"type":"create","resource":"pods","name":"a","object":{"a":1}}` + "\n{", "h:2: unexpected end of JSON input"},
		{"nothing", "", "h: there is no event in it"},
	} {
		_, err := observations(nil, "h", []byte(c.text), "Observed")
		if err == nil || !strings.HasPrefix(err.Error(), c.problem) {
			t.Errorf("%s: %v, want %s", c.name, err, c.problem)
		}
	}
}
