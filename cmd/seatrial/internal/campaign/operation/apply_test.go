package operation

import (
	"encoding/json"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestApply makes changes: of JSON, as plans are kept.
func TestApply(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, resource, changes, want string }{
		{"a field", `{"spec":{"a":1}}`, `[{"path":["spec","a"],"value":2}]`, `{"spec":{"a":2}}`},
		{"parents are made", `{}`, `[{"path":["spec","tls","name"],"value":"a"}]`, `{"spec":{"tls":{"name":"a"}}}`},
		{"an item is added at the end", `{"l":[1]}`, `[{"path":["l",1],"value":2}]`, `{"l":[1,2]}`},
		{"the first item makes the list", `{}`, `[{"path":["l",0,"a"],"value":true}]`, `{"l":[{"a":true}]}`},
		{"the item behind a removed one moves up", `{"l":[1,2,3]}`, `[{"path":["l",0],"remove":true}]`, `{"l":[2,3]}`},
		{"what is not there is removed already", `{"a":1}`, `[{"path":["b","c"],"remove":true},{"path":["l",0],"remove":true}]`, `{"a":1}`},
		{"null is a value", `{"a":1}`, `[{"path":["a"]}]`, `{"a":null}`},
		{"one after another", `{}`, `[{"path":["a"],"value":{}},{"path":["a","b"],"value":1},{"path":["a","b"],"remove":true}]`, `{"a":{}}`},
		{"far behind the end", `{"l":[1]}`, `[{"path":["l",2],"value":2}]`, `l[2]: there is no item 2 in a list of 1`},
		{"a key of a list", `{"l":[1]}`, `[{"path":["l","a.b"],"value":2}]`, `l["a.b"]: a.b is a key, but there is no object`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var resource history.Object
			op := &Operation{}
			for _, err := range []error{json.Unmarshal([]byte(test.resource), &resource), json.Unmarshal([]byte(test.changes), &op.Changes)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			next, err := op.Apply(resource)
			got := ""
			if err != nil {
				got = err.Error()
			} else if text, err := json.Marshal(next); err == nil {
				got = string(text)
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			before, err := json.Marshal(resource)
			if empty := string(before) == "null"; err != nil || !empty && string(before) != test.resource {
				t.Errorf("the resource is %s now", before)
			}
		})
	}
}

// TestPaths matches properties by patterns.
func TestPaths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"spec.tls", "spec.tls", true},
		{"spec.tls", "spec.tls.secretName", true},
		{"spec.tls", "spec.tlsMode", false},
		{"spec.servers[].port", "spec.servers[].port", true},
		{"spec.servers[]", "spec.servers", false},
		{"spec.*.replicas", "spec.web.replicas", true},
		{"spec.*.replicas", "spec.web.pods.replicas", false},
		{"**.resources", "spec.a[].resources.limits{}", true},
		{"spec.labels{}", "spec.labels{}", true},
		{"spec.log*", "spec.logLevel", true},
	} {
		p, err := parsePattern(test.pattern)
		if got := p.matches(parts(test.path)); err != nil || got != test.want {
			t.Errorf("%s selects %s: %v, %v", test.pattern, test.path, got, err)
		}
	}
}
