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

// TestSharing: of items that are told apart by several fields there is one more that has all but one as another item,
// with what a third one has, or with another sign.
func TestSharing(t *testing.T) {
	p := property(t, `type: array
x-kubernetes-list-type: map
x-kubernetes-list-map-keys: [listener, path, tls]
items:
  type: object
  required: [listener, path, tls, port]
  properties: {listener: {type: string}, path: {type: string, pattern: "^/[-a-z/]*$"}, tls: {type: boolean}, port: {type: integer}}`, "")
	items := []any{
		map[string]any{"listener": "web", "path": "/api/v", "tls": true, "port": int64(80)},
		map[string]any{"listener": "admin", "path": "/", "tls": false, "port": int64(81)},
	}
	at := &Place{Property: p, Present: true, Value: items, Draw: Draw{Property: 17, Operation: 3, Number: 20017}, Tables: BuiltIn()}
	got := map[string]string{}
	for _, c := range Cases(at) {
		if item, is := c.Value.(map[string]any); is {
			got[c.Name] = fmt.Sprintf("%v %v %v instead of %q", item["listener"], item["path"], item["tls"], c.Instead)
		}
	}
	for name, want := range map[string]string{
		"item added that differs from the last one in listener, which it has from another one": `web / false instead of "item added that differs from the last one in listener, and has all that it has"`,
		"item added that differs from another one in a sign of path":                           `web /api-v true instead of ""`,
		"item added that differs from the last one in tls, which it has from another one":      `admin / true instead of ""`, // no other word is known
	} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s; there are %q", name, got[name], want, got)
		}
	}
}
