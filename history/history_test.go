package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

const created = `{"revision":3,"type":"create","resource":"pods","namespace":"default","name":"web-0","object":{"spec":{"priority":1,"weight":0.5,"big":9007199254740993}}}`

func TestDecode(t *testing.T) {
	events, err := Read(strings.NewReader(created + "\n" +
		`{"revision":4,"time":"2026-01-02T03:04:05.5Z","type":"delete","resource":"pods","namespace":"default","name":"web-0","uid":"u","actor":"gc","outside":true,"previous":{"x":"<&>"},"unknown":1}` + "\n" +
		`{"revision":4,"type":"update","resource":"nodes","name":"n","object":{"a":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Event{
		{
			Revision: 3, Type: Create, Key: Key{"pods", "default", "web-0"},
			Object: Object{"spec": map[string]any{"priority": int64(1), "weight": 0.5, "big": int64(9007199254740993)}},
		},
		{
			Revision: 4, Time: time.Date(2026, 1, 2, 3, 4, 5, 5e8, time.UTC), Type: Delete, Key: Key{"pods", "default", "web-0"},
			UID: "u", Actor: "gc", Outside: true, Previous: Object{"x": "<&>"},
		},
		{Revision: 4, Type: Update, Key: Key{"nodes", "", "n"}, Object: Object{"a": int64(1)}},
	}
	if !reflect.DeepEqual(events, want) {
		t.Errorf("got  %+v\nwant %+v", events, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	cases := []struct{ name, line, want string }{
		{"no JSON", "{", "history, line 2: unexpected end of JSON input"},
		{"an empty line", "", "history, line 2: unexpected end of JSON input"},
		{"no revision", `{"type":"create","resource":"pods","name":"a","object":{"a":1}}`, "history, line 2: the revision is 0, want 1 or more"},
		{"going back", `{"revision":2,"type":"create","resource":"pods","name":"a","object":{"a":1}}`, "history, line 2: the revision goes back from 3 to 2"},
		{"no type", `{"revision":9,"resource":"pods","name":"a","object":{"a":1}}`, `history, line 2: the type is "", want create, update or delete`},
		{"no name", `{"revision":9,"type":"create","resource":"pods","object":{"a":1}}`, "history, line 2: an event needs a resource and a name"},
		{"no object", `{"revision":9,"type":"update","resource":"pods","name":"a","object":{}}`, "history, line 2: the update has no object"},
		{"an object deleted", `{"revision":9,"type":"delete","resource":"pods","name":"a","object":{"a":1}}`, "history, line 2: a delete has no object, only a previous one"},
		{"created from one", `{"revision":9,"type":"create","resource":"pods","name":"a","object":{"a":1},"previous":{"a":1}}`, "history, line 2: a create has no previous object"},
		{"a list", `{"revision":9,"type":"create","resource":"pods","name":"a","object":[]}`, "history, line 2: json: cannot unmarshal array"},
		{"no number", `{"revision":9,"type":"create","resource":"pods","name":"a","object":{"a":[1e999]}}`, "history, line 2: the number 1e999 is out of range"},
		{"too long", strings.Repeat(" ", LineMax+1), fmt.Sprintf("history, line 2: longer than %d bytes", LineMax)},
	}
	for _, c := range cases {
		events, err := Read(strings.NewReader(created + "\n" + c.line + "\n" + created + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if len(events) != 1 {
			t.Errorf("%s: %d events before it, want 1", c.name, len(events))
		}
	}
	if _, err := Read(failing{}); err == nil || err.Error() != "history, after line 0: broken" {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }

func TestEncodeRefuses(t *testing.T) {
	for _, e := range []Event{
		{},
		{Revision: 1, Type: Create, Key: Key{Resource: "pods", Name: "a"}},
		{Revision: 1, Type: Create, Key: Key{Resource: "pods", Name: "a"}, Object: Object{"a": strings.Repeat("x", LineMax)}},
		{Revision: 1, Type: Create, Key: Key{Resource: "pods", Name: "a"}, Object: Object{"a": func() {}}},
	} {
		var b bytes.Buffer
		if err := Encode(&b, e); err == nil || b.Len() > 0 {
			t.Errorf("%v: %d bytes, %v", e.Type, b.Len(), err)
		}
	}
}

// TestDefaultMask: the list parses, and says itself again.
func TestDefaultMask(t *testing.T) {
	m := DefaultMask()
	if got := m.Patterns(); !reflect.DeepEqual(got, defaults) {
		t.Errorf("the patterns are %q", got)
	}
	more, err := m.With("spec.x")
	if err != nil || len(more.Patterns()) != len(defaults)+1 || len(DefaultMask().Patterns()) != len(defaults) {
		t.Errorf("more patterns: %v", err)
	}
}

// random makes an object like those of Kubernetes: maps with few keys, lists
// that have keys or none.
func random(r *rand.Rand, depth int) Object {
	o := Object{}
	for range r.IntN(4) {
		key := []string{"a", "b.c/d", "metadata", "containers", "conditions", "finalizers", "ports", "items", "x]y", "*"}[r.IntN(10)]
		o[key] = randomValue(r, key, depth)
	}
	return o
}

func randomValue(r *rand.Rand, field string, depth int) any {
	if depth == 0 {
		return []any{"x", "y", int64(1), int64(2), true, 0.5}[r.IntN(6)]
	}
	switch field {
	case "containers", "conditions", "items":
		key := map[string]string{"conditions": "type"}[field]
		if key == "" {
			key = "name"
		}
		list := []any{}
		for _, i := range r.Perm(3)[:r.IntN(4)] {
			o := random(r, depth-1)
			o[key] = []string{"k", "l", "m.n"}[i]
			list = append(list, map[string]any(o))
		}
		return list
	case "ports", "finalizers":
		list := []any{}
		for range r.IntN(3) {
			list = append(list, []any{"x", "y", "z", map[string]any{"port": int64(80 + r.IntN(3))}}[r.IntN(4)])
		}
		return list
	}
	return map[string]any(random(r, depth-1))
}

// TestDiffAgreesWithCanonical: two objects have no difference exactly if their
// canonical forms are the same bytes, and a mask of all the paths that differ
// leaves none.
func TestDiffAgreesWithCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	equal, masked := 0, 0
	for range 5000 {
		a, b := Mask{}.Canonical("x", random(r, 3)), Mask{}.Canonical("x", random(r, 3))
		found := Diff(a, b)
		same := bytes.Equal(encode(a), encode(b))
		if same != (len(found) == 0) {
			t.Fatalf("%s\n%s\nthe same: %v, differences: %v", encode(a), encode(b), same, changes(found))
		}
		if same {
			equal++
			continue
		}
		m := Mask{}
		for _, c := range found {
			var err error
			if m, err = m.With(c.Path); err != nil {
				t.Fatalf("%s\n%s\nthe path of a difference is no mask: %v", encode(a), encode(b), err)
			}
		}
		if left := Diff(m.Canonical("x", a), m.Canonical("x", b)); len(left) > 0 {
			t.Fatalf("%s\n%s\nmasked by %q, left: %v", encode(a), encode(b), m.Patterns(), changes(left))
		}
		masked++
	}
	if equal < 300 || masked < 300 {
		t.Errorf("only %d equal and %d masked pairs", equal, masked)
	}
}

// FuzzDecode: what is read is written and read again as it was.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(created))
	f.Add([]byte(`{"revision":4,"time":"2026-01-02T03:04:05.5Z","type":"delete","resource":"pods","name":"a","previous":{"x":[null,"<&>"]}}`))
	f.Add([]byte(created + "\n" + created + "\n{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		events, _ := Read(bytes.NewReader(text))
		var b bytes.Buffer
		for _, e := range events {
			if err := Encode(&b, e); err != nil {
				t.Fatal(err)
			}
		}
		again, err := Read(&b)
		if err != nil || !reflect.DeepEqual(events, again) && !sameLines(events, again) {
			t.Fatalf("read %+v\nthen %+v, %v", events, again, err)
		}
	})
}

// sameLines compares what two histories are written as: -0.0 and 0 are not the
// same value, and times have zones.
func sameLines(a, b []Event) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// FuzzMask: a pattern that parses is shown as it is and applies to anything. The
// object stays as it was, and its canonical form has no difference to itself.
func FuzzMask(f *testing.F) {
	for _, p := range defaults {
		f.Add(p, `{"metadata":{"uid":"1"},"status":{"conditions":[{"type":"a","lastTransitionTime":"t"}]}}`)
	}
	f.Add(`data["a\u0000b"].**`, `{"data":{"a\u0000b":[[1]]}}`)
	f.Fuzz(func(t *testing.T, text, object string) {
		m, err := Mask{}.With(text)
		if err != nil {
			return
		}
		if got := m.Patterns(); len(got) != 1 || got[0] != text {
			t.Fatalf("%q is shown as %q", text, got)
		}
		var o Object
		if json.Unmarshal([]byte(object), &o) != nil {
			return
		}
		before := encode(o)
		c := m.Canonical("pods", o)
		if found := Diff(c, c); len(found) > 0 {
			t.Errorf("a form differs from itself: %v", found)
		}
		if !bytes.Equal(before, encode(o)) {
			t.Errorf("the object was changed from %s to %s", before, encode(o))
		}
	})
}

// FuzzDiff: no difference means the same bytes and the other way round, and
// each path is a pattern.
func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[{"name":"x"}]}`, `{"a":[{"name":"y"},{"name":"x"}]}`)
	f.Add(`{"finalizers":["a"],"":-0.0}`, `{"finalizers":[1],"\u0000":1e30}`)
	f.Fuzz(func(t *testing.T, x, y string) {
		var a, b Object
		if json.Unmarshal([]byte(x), &a) != nil || json.Unmarshal([]byte(y), &b) != nil || a == nil || b == nil {
			return
		}
		a, b = Mask{}.Canonical("x", a), Mask{}.Canonical("x", b)
		found := Diff(a, b)
		if same := bytes.Equal(encode(a), encode(b)); same != (len(found) == 0) {
			t.Errorf("%s\n%s\nthe same: %v, differences: %v", encode(a), encode(b), same, changes(found))
		}
		for _, c := range found {
			if _, err := parsePath(c.Path); err != nil && !strings.Contains(err.Error(), "more than") {
				t.Errorf("%q is no path: %v", c.Path, err)
			}
		}
	})
}

func TestObjectAt(t *testing.T) {
	o := Object{
		"metadata": map[string]any{"name": "web", "labels": map[string]any{"a.b/c": "x"}},
		"spec":     map[string]any{"replicas": int64(3), "weight": 2.5, "paused": nil},
		"kind":     "Deployment",
	}
	cases := []struct {
		object Object
		path   []string
		at     any
		text   string
		number int64
		ok     bool
	}{
		{object: o, path: []string{"metadata", "name"}, at: "web", text: "web"},
		{object: o, path: []string{"metadata", "labels", "a.b/c"}, at: "x", text: "x"},
		{object: o, path: []string{"spec", "replicas"}, at: int64(3), number: 3, ok: true},
		{object: o, path: []string{"spec", "weight"}, at: 2.5, number: 2, ok: true},
		{object: o, path: []string{"spec", "paused"}},
		{object: o, path: []string{"spec", "paused", "deeper"}},
		{object: o, path: []string{"status", "phase"}},
		{object: o, path: []string{"kind", "name"}},
		{object: nil, path: []string{"kind"}},
	}
	for _, c := range cases {
		if at := c.object.At(c.path...); !reflect.DeepEqual(at, c.at) {
			t.Errorf("At(%q) is %v, want %v", c.path, at, c.at)
		}
		if text := c.object.Text(c.path...); text != c.text {
			t.Errorf("Text(%q) is %q, want %q", c.path, text, c.text)
		}
		if n, ok := c.object.Number(c.path...); n != c.number || ok != c.ok {
			t.Errorf("Number(%q) is %d, %v, want %d, %v", c.path, n, ok, c.number, c.ok)
		}
	}
	if at := o.At(); !reflect.DeepEqual(at, map[string]any(o)) {
		t.Errorf("At() is %v, want the object", at)
	}
}

// TestChangeReads: a change that was written is the same when it is read, whole
// numbers as exact as they were.
func TestChangeReads(t *testing.T) {
	object := func(text string) (o Object) {
		if err := o.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return o
	}
	changes := Diff(object(`{"a": 9007199254740993, "b": 1.5, "c": {"d": [1]}}`), object(`{"a": 9007199254740992, "c": "x", "e": {"f": [2, null]}}`))
	text, err := json.Marshal(changes)
	if err != nil {
		t.Fatal(err)
	}
	var again []Change
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, changes) {
		t.Errorf("%s: %#v, want %#v, %v", text, again, changes, err)
	}
	var c Change
	if err := json.Unmarshal([]byte(`[]`), &c); err == nil {
		t.Error("a list is a change")
	}
}

// TestElements: the paths that Diff writes are taken apart again.
func TestElements(t *testing.T) {
	for path, want := range map[string][]Element{
		"spec.replicas":                     {{Name: "spec"}, {Name: "replicas"}},
		"metadata.annotations[a.io/b]":      {{Name: "metadata"}, {Name: "annotations"}, {Name: "a.io/b"}},
		"containers[web].args[0]":           {{Name: "containers"}, {Name: "web", Item: true, Key: "name"}, {Name: "args"}, {Name: "0", Item: true}},
		"ports[80/TCP]":                     {{Name: "ports"}, {Name: "80/TCP", Item: true}},
		"servers[a]":                        {{Name: "servers"}, {Name: "a", Item: true, Key: "name"}},
		"metadata.finalizers[a.io/protect]": {{Name: "metadata"}, {Name: "finalizers"}, {Name: "a.io/protect", Item: true}},
	} {
		if got, err := Elements(path); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	if _, err := Elements("a["); err == nil {
		t.Error("a[ is taken for a path")
	}
}
