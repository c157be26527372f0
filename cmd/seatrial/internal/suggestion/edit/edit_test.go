package edit

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestApply(t *testing.T) {
	surge := Path{"spec", "strategy", "rollingUpdate", "maxUnavailable"}
	for _, c := range []struct {
		name, before, after string
		edit                Edit
	}{
		{"a value in a block, its comment stays", "spec:\n  replicas: 1 # one\n", "spec:\n  replicas: 2 # one\n", Edit{Path: Path{"spec", "replicas"}, Value: Number(2)}},
		{"a value between brackets", "strategy: {maxSurge: 1, maxUnavailable: 0}\n", "strategy: {maxSurge: 1, maxUnavailable: 1}\n", Edit{Path: Path{"strategy", "maxUnavailable"}, Value: Number(1)}},
		{"a quoted value", "a: \"25%\"\nb: 'it''s'\n", "a: \"25%\"\nb: new\n", Edit{Path: Path{"b"}, Value: Text("new")}},
		{"a field that is not there yet, before the template", "spec:\n  replicas: 1\n\n  # the pods\n  template: {}\n", "spec:\n  replicas: 1\n  strategy:\n    rollingUpdate:\n      maxUnavailable: 1\n\n  # the pods\n  template: {}\n", Edit{Path: surge, Value: Number(1)}},
		{"a field of an object that is there", "spec:\n  strategy:\n    rollingUpdate: {maxSurge: 1}\n    type: RollingUpdate\n", "spec:\n  strategy:\n    rollingUpdate: {maxSurge: 1, maxUnavailable: 1}\n    type: RollingUpdate\n", Edit{Path: surge, Value: Number(1)}},
		{"an object without a value", "spec:\n  strategy:\n  x: 1\n", "spec:\n  strategy: {rollingUpdate: {maxUnavailable: 1}}\n  x: 1\n", Edit{Path: surge, Value: Number(1)}},
		{"an empty object", "spec: {}\n", "spec: {strategy: {rollingUpdate: {maxUnavailable: 1}}}\n", Edit{Path: surge, Value: Number(1)}},
		{"no line end at the end", "spec:\n  a: 1", "spec:\n  a: 1\n  b: 2", Edit{Path: Path{"spec", "b"}, Value: Number(2)}},
		{"line ends of Windows", "spec:\r\n  a: 1\r\n", "spec:\r\n  a: 1\r\n  b: 2\r\n", Edit{Path: Path{"spec", "b"}, Value: Number(2)}},
		{"a byte order mark", "\xef\xbb\xbfa: 1\n", "\xef\xbb\xbfa: 2\n", Edit{Path: Path{"a"}, Value: Number(2)}},
		{"an item of a list in the style of the document", "a:\n- x: 1\n  y:\n    - 1\n# end\n", "a:\n- x: 1\n  y:\n    - 1\n- z: 2\n# end\n", Edit{Path: Path{"a", 1}, Value: Map("z", Number(2))}},
		{"an item between brackets", "a: [b]\n", "a: [b, c]\n", Edit{Path: Path{"a", 1}, Value: Text("c")}},
		{"a new list, indented as the others are", "a:\n  - 1\nb:\n  c: 1\n", "a:\n  - 1\nb:\n  c: 1\n  d:\n    - k: v\n", Edit{Path: Path{"b", "d"}, Value: List(Map("k", Text("v")))}},
		{"a field of an item", "a:\n- x: 1\n- y: 1\n", "a:\n- x: 1\n  z: true\n- y: 1\n", Edit{Path: Path{"a", 0, "z"}, Value: Flag(true)}},
		{"a field away", "a: 1\nb:\n- 1\n- 2\nc: 3\n", "a: 1\nc: 3\n", Edit{Op: Remove, Path: Path{"b"}}},
		{"the field behind a dash away", "a:\n- x: 1\n  y: 2\n", "a:\n- y: 2\n", Edit{Op: Remove, Path: Path{"a", 0, "x"}}},
		{"an item away", "a:\n- x: 1\n  y: 2\n- z: 1\n", "a:\n- z: 1\n", Edit{Op: Remove, Path: Path{"a", 0}}},
		{"the last item between brackets away", "a: [x, y]\n", "a: [x]\n", Edit{Op: Remove, Path: Path{"a", 1}}},
		{"the first field between brackets away", "a: {x: 1, y: 2}\n", "a: {y: 2}\n", Edit{Op: Remove, Path: Path{"a", "x"}}},
		{"JSON", "{\n  \"spec\": {\n    \"a\": 1\n  }\n}\n", "{\n  \"spec\": {\n    \"a\": 1,\n    \"b\": {\"c\": \"x\"}\n  }\n}\n", Edit{Path: Path{"spec", "b", "c"}, Value: Text("x")}},
		{"a block by brackets", "a:\n  b:\n    c: 1\n  d: 2\n", "a:\n  b: x\n  d: 2\n", Edit{Path: Path{"a", "b"}, Value: Text("x")}},
		{"a text below its field", "a:\n  k: |\n    {\"x\":1}\nb: 1\n", "a:\n  k: |-\n    {}\nb: 1\n", Edit{Path: Path{"a", "k"}, Value: Text("{}")}},
		{"the second document", "a: 1\n---\na: 1\n", "a: 1\n---\na: 2\n", Edit{Line: 3, Path: Path{"a"}, Value: Number(2)}},
		{"a document behind the first", "a: 1\n---\nb: 1\n", "a: 1\n---\nkind: Node\n---\nb: 1\n", Edit{Op: Behind, Value: Map("kind", Text("Node"))}},
		{"a document behind the last", "a: 1", "a: 1\n---\nx:\n  y: {z: 1}\n", Edit{Op: Behind, Value: Map("x", Map("y", Flow(Map("z", Number(1)))))}},
		{"an item of a list between brackets by another", "a: [b, c]\n", "a: [b, d]\n", Edit{Path: Path{"a", 1}, Value: Text("d")}},
		{"beside a merge key", "a: &x {b: 1}\nc:\n  <<: *x\n", "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", Edit{Path: Path{"c", "b"}, Value: Number(2)}},
		{"a value that looks like something else is quoted", "a: 1\n", "a: 1\nb: \"true\"\n", Edit{Path: Path{"b"}, Value: Text("true")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.edit.Line == 0 {
				c.edit.Line = 1
			}
			got, err := Apply([]byte(c.before), []Edit{c.edit})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormsThatAreNotEdited(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		edit Edit
	}{
		"through an alias":           {"a: &x {b: 1}\nc: *x\n", Edit{Path: Path{"c", "b"}, Value: Number(2)}},
		"what others refer to":       {"a: &x {b: 1}\nc: *x\n", Edit{Path: Path{"a", "b"}, Value: Number(2)}},
		"the only field":             {"a:\n  b: 1\n", Edit{Op: Remove, Path: Path{"a", "b"}}},
		"what is not there":          {"a: 1\n", Edit{Op: Remove, Path: Path{"b"}}},
		"a field of a value":         {"a: 1\n", Edit{Path: Path{"a", "b"}, Value: Number(1)}},
		"a value over several lines": {"a: x\n  y\n", Edit{Path: Path{"a"}, Value: Number(1)}},
		"a line that is no document": {"a: 1\n---\n", Edit{Line: 2, Path: Path{"a"}, Value: Number(1)}},
		"an item beyond the end":     {"a: [1]\n", Edit{Path: Path{"a", 2}, Value: Number(1)}},
		"a document behind JSON":     {"{\"a\": 1}\n", Edit{Op: Behind, Value: Map("a", Number(1))}},
		"no YAML":                    {"a: [\n", Edit{Path: Path{"a"}, Value: Number(1)}},
		"a comment between brackets": {"a: {b: 1, # x\n  c: 2}\n", Edit{Path: Path{"a", "d"}, Value: Number(1)}},
	} {
		if c.edit.Line == 0 {
			c.edit.Line = 1
		}
		if got, err := Apply([]byte(c.text), []Edit{c.edit}); !errors.Is(err, ErrForm) {
			t.Errorf("%s: %v, got %q", name, err, got)
		}
	}
}

// FuzzApply: no text and no path brings it down, and what it returns means what the
// text meant with one field changed.
func FuzzApply(f *testing.F) {
	for _, text := range []string{"spec:\n  replicas: 1 # one\n  l:\n  - a: 1\n", "a: {b: [1, 2], c: 'x'}", "{\"a\": {\"b\": 1}}\n", "a:\r\n- b\r\n", "a: &x 1\nb: *x\n", "a: |\n  # text\n  x\nb:\n", "---\na: 1\n--- # c\nb: 2\n"} {
		for op := range 3 {
			f.Add(text, "a.b", op, 1)
			f.Add(text, "spec.l.0.a", op, 2)
		}
	}
	f.Fuzz(func(t *testing.T, text, dotted string, op, line int) {
		if len(text) > 4096 || strings.Contains(text, "&") { // aliases grow without bounds
			return
		}
		e := Edit{Line: line, Op: Op(((op % 2) + 2) % 2), Value: Number(7)}
		for _, step := range strings.Split(dotted, ".") {
			if len(step) == 1 && step[0] >= '0' && step[0] <= '9' {
				e.Path = append(e.Path, int(step[0]-'0'))
			} else {
				e.Path = append(e.Path, step)
			}
		}
		got, err := Apply([]byte(text), []Edit{e})
		if err != nil {
			return
		}
		before, after := split([]byte(strings.TrimPrefix(text, "\xef\xbb\xbf"))), split([]byte(strings.TrimPrefix(string(got), "\xef\xbb\xbf")))
		if len(before) != len(after) {
			t.Fatalf("%d documents became %d: %q", len(before), len(after), got)
		}
		at := before.of(line)
		for i := range before {
			if i != at && string(before[i].text) != string(after[i].text) {
				t.Fatalf("another document was changed: %q", got)
			}
		}
		var node yaml.Node
		if err := yaml.Unmarshal(after[at].text, &node); err != nil {
			t.Fatalf("what is left is no YAML: %v: %q", err, got)
		}
		was, err := meaning(before[at].text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := changedMeaning(was, e)
		if err != nil {
			t.Fatal(err)
		}
		if is, err := meaning(after[at].text); err != nil || !equal(is, want) {
			t.Fatalf("%q means %v, want %v (%v)", got, is, want, err)
		}
	})
}
