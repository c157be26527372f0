package oracle_test

import "testing"

// TestPast: what a status tells of the past does not count, and what it says of the present, or has not come to, does.
func TestPast(t *testing.T) {
	of := func(status string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {config: st-1, retries: 3}, status: {" + status + "}}"
	}
	for _, c := range []struct {
		end, twin string
		found     bool
	}{
		{"lastAction: 'Updated Deployment'", "lastAction: 'Created Deployment'", false},
		{"conditions: [{type: Ready, status: 'True', reason: Updated}]", "conditions: [{type: Ready, status: 'True', reason: Created}]", false},
		{"conditions: [{type: Ready, status: 'False', reason: Updated}]", "conditions: [{type: Ready, status: 'True', reason: Created}]", true},
		{"phase: Updated", "phase: Created", true},
		{"message: 'updating a'", "message: 'creating a'", true},
		{"message: 'updated to old'", "message: 'created st-1'", true},
		{"lastAction: 'applied old'", "lastAction: 'applied st-1'", true},
		{"history: [{image: st-1, at: '2030-01-02T03:04:05Z'}, {image: old}]", "history: [{image: st-1, at: '2031-01-02T03:04:05Z'}]", false},
		{"history: [{image: old}, {image: older}]", "history: [{image: st-1}]", true},
		{"rollouts: 1", "rollouts: 2", true},
		{"servers: 2", "servers: 1", true},
		{"maxRetries: 7", "maxRetries: 3", true},
		{"catalog: [{image: st-1}, {image: old}]", "catalog: [{image: st-1}]", true},
	} {
		k := twins(t, property("spec.config", "st-1"), "{kind: Thing, metadata: {name: a}, spec: {config: old, retries: 7}}", of(c.end), of(c.twin), "")
		if got := len(said("twin", k)) > 0; got != c.found {
			t.Errorf("%s against %s: it is found: %t, want %t: %q", c.end, c.twin, got, c.found, said("twin", k))
		}
	}
}
