package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// object is one that is written as JSON, as the plane's history has it.
func object(t testing.TB, text string) history.Object {
	t.Helper()
	var o history.Object
	if err := o.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return o
}

// write is an event on a ConfigMap in default: TYPE NAME ACTOR, and what was
// before => what is after, each with what counts of it.
func write(t testing.TB, line string) history.Event {
	t.Helper()
	var kind, name, actor string
	if _, err := fmt.Sscan(line, &kind, &name, &actor); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	e := history.Event{Revision: 1, Type: history.Type(kind), Key: history.Key{Resource: "configmaps", Namespace: "default", Name: name}, Actor: actor}
	if _, objects, ok := strings.Cut(line, "{"); ok {
		before, after, both := strings.Cut("{"+objects, " => ")
		e.Object = object(t, before)
		if both {
			e.Previous, e.Object = e.Object, object(t, after)
		}
	}
	if e.Type == history.Delete {
		e.Previous, e.Object = e.Object, nil
	}
	return e
}

// TestDescribe: what fires with an event, in words; a dash for what does not count.
func TestDescribe(t *testing.T) {
	mask, err := history.DefaultMask().With("data.noise", "secrets:", "~data.drawn")
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		`create a controller {"data": {"x": 1}}`:                                                         "create of configmaps default/a by the controller",
		`create a user {}`:                                                                               "create of configmaps default/a by the user",
		`create a kubelet {"data": {"x": 1}}`:                                                            "create of configmaps default/a",
		`create a-x7bzq user {"metadata": {"generateName": "a-"}}`:                                       "create of configmaps default/a-* by the user",
		`delete a-x7bzq user {"metadata": {"generateName": "a-"}}`:                                       "delete of configmaps default/a-* by the user",
		`create pvc-1b4e28ba-2fa1-11d2-883f-0016d3cca427 user {}`:                                        "create of configmaps default/pvc-* by the user",
		`update a user {"data": {"x": 1}} => {"data": {"x": 2}}`:                                         "update of configmaps default/a by the user (data.x 1→2)",
		`update a user {"data": {"x": 1}} => {"data": {"y": "z"}}`:                                       `update of configmaps default/a by the user (data.x 1→-, data.y -→"z")`,
		`update a user {} => {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}`:                                   "update of configmaps default/a by the user (a -→1, b -→2, c -→3, 2 more)",
		`update a user {"data": {"noise": 1}} => {"data": {"noise": 2}}`:                                 "-",
		`update a user {"data": {"drawn": 1}} => {"data": {"drawn": 2}}`:                                 "-",
		`update a user {"metadata": {"resourceVersion": "1"}} => {"metadata": {"resourceVersion": "2"}}`: "-",
		`update a user {"data": {"x": 1}} => {"data": {"x": 1}}`:                                         "-",
	} {
		got := "-"
		if trigger, counts := Describe(write(t, line), mask); counts {
			got = trigger.String()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	secret := write(t, `create a user {}`)
	secret.Resource = "secrets"
	if _, counts := Describe(secret, mask); counts {
		t.Error("a masked resource counts")
	}
}

// TestNumbering: the how manieth of its kind each event is, exactly and among all of
// its type on the object.
func TestNumbering(t *testing.T) {
	numbers := NewNumbering(history.DefaultMask())
	for _, c := range []struct {
		line           string
		exact, ordinal int // 0 for what does not count
	}{
		{`create a controller {"x": 0}`, 1, 1},
		{`update a controller {"x": 0} => {"x": 1}`, 1, 1},
		{`update a controller {"x": 1} => {"x": 0}`, 1, 2},
		{`update a controller {"x": 0} => {"x": 1}`, 2, 3},
		{`update a user {"x": 0} => {"x": 1}`, 1, 1}, // of somebody else
		{`update a controller {"x": 1} => {"x": 1}`, 0, 0},
		{`update b controller {"x": 0} => {"x": 1}`, 1, 1}, // of another object
		{`update a controller {"x": 0} => {"x": 1, "y": 1}`, 1, 4},
		{`delete a controller {"x": 1}`, 1, 1},
		{`create a controller {"x": 7}`, 2, 2}, // what is created is not told apart
		{`update l controller {"metadata": {}} => {"metadata": {"annotations": {"control-plane.alpha.kubernetes.io/leader": "me"}}}`, 0, 0}, // a lock
		{`create p-wq4fk user {"metadata": {"generateName": "p-"}}`, 1, 1},
		{`create p-8xvdz user {"metadata": {"generateName": "p-"}}`, 2, 2}, // nor are drawn names
		{`create p-0 user {"metadata": {"generateName": "p-"}}`, 1, 1},     // as of a StatefulSet
	} {
		n, counts := numbers.Next(write(t, c.line))
		if counts != (c.exact > 0) {
			t.Errorf("%s: counts: %t", c.line, counts)
		}
		if counts && (n.Exact.Occurrence != c.exact || n.Ordinal.Occurrence != c.ordinal) {
			t.Errorf("%s: %d, %d, want %d, %d", c.line, n.Exact.Occurrence, n.Ordinal.Occurrence, c.exact, c.ordinal)
		}
	}
}

// TestFires: of the events of a run, one fires a trigger, whether the trigger is as
// it was made or was read from a file.
func TestFires(t *testing.T) {
	lines := []string{
		`create a controller {"x": 0}`,
		`update a controller {"x": 0} => {"x": 1}`,
		`update a controller {"x": 1} => {"x": 0}`,
		`update a controller {"x": 0} => {"x": 1}`,
		`update a user {"x": 0} => {"x": 1}`,
		`update a controller {"x": 1} => {"x": 1.5}`,
		`update a controller {"x": 1.5} => {"x": 2.0}`,
		`update a controller {"x": 2} => {"x": 9007199254740993}`,
		`update a controller {"x": 9007199254740993} => {"x": 9007199254740992}`,
		`update a controller {"x": 9007199254740992} => {"x": -9223372036854775808}`,
		`update a controller {"x": 0} => {"x": 1e300}`,
		`update a controller {"x": 0} => {"x": [1, {"name": "b", "n": 12345678901}], "y": {"z": null, "no": false, "": ""}}`,
		`update a controller {"x": 0} => {"x": "2026-01-01"}`,
		`update a controller {"x": 0} => {"x": "1e3"}`,
		`update a controller {"x": 0} => {"x": "yes"}`,
		`update a controller {"x": 0} => {"x": "null"}`,
		`update a controller {"x": 0} => {"x": "<a>\u0001\u2028\n é\ud83d\ude00"}`,
		`update a controller {"x": 0} => {"x": " # \t: -\n\n"}`,
		`delete a controller {"x": 0}`,
	}
	mask := history.DefaultMask()
	var made []Numbered
	numbers := NewNumbering(mask)
	for _, line := range lines {
		n, counts := numbers.Next(write(t, line))
		if !counts {
			t.Fatalf("%s does not count", line)
		}
		made = append(made, n)
	}
	for i, m := range made {
		for _, trigger := range []Trigger{m.Exact, m.Ordinal} {
			kept := stored(t, &trigger)
			for j, n := range made {
				if n.Fires(&trigger) != (i == j) {
					t.Errorf("%s fires %s", lines[j], &trigger)
				}
				if n.Fires(kept) != (i == j) {
					t.Errorf("%s: %s fires what was stored of it: %t", lines[i], lines[j], n.Fires(kept))
				}
			}
		}
	}
}

// example is a plan that can be read.
func example(t testing.TB) *Plan {
	t.Helper()
	e, err := experiment.Parse("web.yaml", "web", "/", []byte("apiVersion: seatrial.dev/v1alpha1\nkind: Experiment\ncontroller: {command: [manager]}\nsteps: [{run: ['true']}, {wait: {object: pods a/b}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	trigger, _ := Describe(write(t, `update a controller {"x": 1} => {"x": 2}`), history.DefaultMask())
	seen := trigger.ByOrdinal()
	return &Plan{
		APIVersion: APIVersion, Kind: Kind, Version: "v1", Pattern: "stale-state", Sentence: "Do it.", Assumption: OldList,
		Trigger: trigger, Fault: Fault{Kind: "stale", Resource: "pods", Seen: &seen}, Experiment: e,
	}
}

// stored is a trigger that was written into a plan and read.
func stored(t *testing.T, trigger *Trigger) *Trigger {
	t.Helper()
	p := example(t)
	p.Trigger = *trigger
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again.ID() != p.ID() {
		t.Errorf("%s: the ID is %s, and then %s", trigger, p.ID(), again.ID())
	}
	return &again.Trigger
}

// TestID: a plan has the same one in every run and version; what is only said of it
// does not matter.
func TestID(t *testing.T) {
	const id = "c9d345cd"
	p := example(t)
	if got := p.ID(); got != id {
		t.Errorf("the ID is %s: plans that users have kept are known by another", got)
	}
	p.Sentence, p.Version, p.Class, p.Experiment = "", "v2", "x", nil
	if got := p.ID(); got != id {
		t.Errorf("the ID is %s without what is only said", got)
	}
	p.Fault.Before = true
	if got := p.ID(); got == id {
		t.Error("another fault has the same ID")
	}
}

// TestDecodeErrors: each is one line, and says what is wrong.
func TestDecodeErrors(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m map[string]any)
		want  string
	}{
		"another kind":         {func(m map[string]any) { m["kind"] = "Experiment" }, "this is no plan: apiVersion: seatrial.dev/v1alpha1 and kind: Plan are wanted"},
		"another version":      {func(m map[string]any) { m["apiVersion"] = "seatrial.dev/v1" }, "this is no plan"},
		"no experiment":        {func(m map[string]any) { delete(m, "experiment") }, "the plan has no experiment"},
		"no trigger":           {func(m map[string]any) { delete(m, "trigger") }, "the plan has no trigger or no fault"},
		"no fault":             {func(m map[string]any) { m["fault"] = map[string]any{} }, "the plan has no trigger or no fault"},
		"never":                {func(m map[string]any) { m["trigger"].(map[string]any)["occurrence"] = 0 }, "the occurrence of a trigger counts from 1"},
		"another type":         {func(m map[string]any) { m["trigger"].(map[string]any)["type"] = "patch" }, `a trigger of type "patch": it is create, update or delete`},
		"no object":            {func(m map[string]any) { delete(m["trigger"].(map[string]any), "object") }, "a trigger has no object"},
		"never seen":           {func(m map[string]any) { m["fault"].(map[string]any)["seen"].(map[string]any)["occurrence"] = -1 }, "the occurrence of a trigger counts from 1"},
		"unknown field":        {func(m map[string]any) { m["triger"] = 1 }, `unknown field "triger"`},
		"a bad experiment":     {func(m map[string]any) { m["experiment"].(map[string]any)["steps"] = []any{} }, "there are no steps"},
		"an experiment's file": {func(m map[string]any) { m["experiment"].(map[string]any)["setup"] = []any{"a.yaml"} }, "it names the file a.yaml"},
	} {
		text, err := json.Marshal(example(t))
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		c.spoil(m)
		if text, err = json.Marshal(m); err != nil {
			t.Fatal(err)
		}
		_, err = Decode(text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for _, text := range []string{"", "[]", "\x00", "just a text", "kind: [", "kind: Plan\nkind: Plan\n"} {
		if _, err := Decode([]byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLoad names the file.
func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.yaml")
	if _, err := Load(path); err == nil || err.Error() != path+": no such file or directory" {
		t.Error(err)
	}
	p := example(t)
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := Load(path)
	if err != nil || again.ID() != p.ID() || again.Experiment.Metadata.Name != "web" || again.Experiment.Steps[1].Wait.Limit() == 0 {
		t.Errorf("%+v, %v", again, err)
	}
	if err := os.WriteFile(path, []byte("kind: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), path+": this is no plan") {
		t.Error(err)
	}
}

// TestAssumptions: each says what it means.
func TestAssumptions(t *testing.T) {
	for _, a := range []Assumption{Crash, LostAnswer, RefusedWrite, SlowAnswer, OldList, LaggingStandby, LaggingWatch, PausedLeader} {
		if text := a.Text(); text == "" || strings.HasSuffix(text, ".") {
			t.Errorf("%s: %q", a, text)
		}
	}
}

// TestOrdinals: numbers in words.
func TestOrdinals(t *testing.T) {
	var got []string
	for _, n := range []int{1, 2, 3, 4, 10, 11, 12, 13, 20, 21, 22, 23, 101, 111, 112, 113, 122} {
		got = append(got, ordinal(n))
	}
	if d := cmp.Diff("1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 23rd 101st 111th 112th 113th 122nd", strings.Join(got, " ")); d != "" {
		t.Error(d)
	}
}

// FuzzDecode: a plan that is read is written so that the same is read, with the same
// ID, and an error is one line.
func FuzzDecode(f *testing.F) {
	text, err := example(f).Encode()
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", string(text), strings.Replace(string(text), "to: 2", "to: {a: [1.50, 9007199254740993, null]}", 1), "kind: Plan", "a: &a [*a]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if p.ID() != again.ID() || p.Trigger.Signature() != again.Trigger.Signature() {
			t.Errorf("%s\n%s", data, text)
		}
		_ = p.Trigger.String()
	})
}
