package value

import (
	"fmt"
	"testing"
)

// TestApart: items that come from a table have names and numbers of their own.
func TestApart(t *testing.T) {
	p := property(t, "type: array\nmaxItems: 4\nx-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [name]\nitems: {type: object, required: [name, port], properties: {name: {type: string}, port: {type: integer}}}", "")
	p.Children[0].Kind = "io.k8s.api.core.v1.ServicePort"
	at := &Place{Property: p, Present: true, Value: []any{map[string]any{"name": "web", "port": int64(80)}}, Draw: Draw{Property: 17, Operation: 3, Number: 20017}, Tables: BuiltIn()}
	full := 0
	for _, c := range Cases(at) {
		list, _ := c.Value.([]any)
		seen := map[string]bool{}
		for _, item := range list {
			m, _ := item.(map[string]any)
			for _, field := range []string{"name", "port"} {
				if id := field + fmt.Sprint(m[field]); c.Class == Change && seen[id] {
					t.Errorf("%s: %s twice", c.Name, id)
				} else {
					seen[id] = true
				}
			}
			if n, _ := m["port"].(int64); c.Class == Change && n != 80 && len(at.Draw.in(n, nil)) != 1 {
				t.Errorf("%s: %d cannot be followed", c.Name, n)
			}
		}
		if c.Name == "as many items as it may have" {
			full = len(list)
		}
	}
	if full != 4 {
		t.Errorf("as many as there may be are %d", full)
	}
}
