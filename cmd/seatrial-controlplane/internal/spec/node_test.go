package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestNodes(t *testing.T) {
	const a = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}`
	const two = "# two\n---\napiVersion: v1\nkind: Node\nmetadata: {name: b}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: c}\n---\n"
	text := func(s string) json.RawMessage {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return quoted
	}
	cases := []struct {
		given []json.RawMessage
		want  string // names, or what the error says
	}{
		{nil, ""},
		{[]json.RawMessage{json.RawMessage(a)}, "a"},
		{[]json.RawMessage{text(two), json.RawMessage(a)}, "b c a"},
		{[]json.RawMessage{text("")}, ""},
		{[]json.RawMessage{text(a), text(a)}, "node a is there twice"},
		{[]json.RawMessage{text("apiVersion: v1\nkind: Pod\nmetadata: {name: p}")}, `node 0: it is apiVersion "v1", kind "Pod", and not v1, Node`},
		{[]json.RawMessage{text("apiVersion: v1\nkind: Node")}, "node 0: it has no name"},
		{[]json.RawMessage{text("{")}, "node 0: "},
		{[]json.RawMessage{json.RawMessage("7")}, "node 0: "},
	}
	for _, c := range cases {
		nodes, err := Nodes(c.given)
		if err != nil {
			if !IsWrong(err) || c.want == "" || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.given, err, c.want)
			}
			continue
		}
		var names []string
		for _, node := range nodes {
			var head struct{ Metadata struct{ Name string } }
			if err := json.Unmarshal(node, &head); err != nil {
				t.Error(err)
			}
			names = append(names, head.Metadata.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.given, got, c.want)
		}
	}
}

// FuzzNodes: whatever is given, the result has Nodes with names, or there is an
// error that is the giver's.
func FuzzNodes(f *testing.F) {
	f.Add("apiVersion: v1\nkind: Node\nmetadata: {name: b}\n---\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := Nodes([]json.RawMessage{quoted})
		if err != nil && !IsWrong(err) {
			t.Error(err)
		}
		for _, node := range nodes {
			if !json.Valid(node) {
				t.Errorf("%s is no JSON", node)
			}
		}
	})
}
