package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// run makes a recording of writes, one a line: ACTOR TYPE RESOURCE NAME OBJECT, in
// default; the object of a delete is what there was. UIDs are uid-NAME, or u of the
// object.
func run(t testing.TB, text string) *recording.Recording {
	t.Helper()
	r := &recording.Recording{Revision: 10, Start: history.State{}, Final: history.State{}, Fired: true, Done: true}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		words := strings.SplitN(line, " ", 5)
		e := history.Event{Revision: 11 + int64(len(r.Events)), Actor: words[0], Type: history.Type(words[1]), UID: "uid-" + words[3]}
		e.Key = history.Key{Resource: words[2], Namespace: "default", Name: words[3]}
		e.Object = history.Object{"kind": "Thing", "metadata": map[string]any{"name": words[3]}}
		if len(words) > 4 {
			if err := json.Unmarshal([]byte(words[4]), &e.Object); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		if e.Type != history.Create {
			e.Previous = r.Final[e.Key]
		}
		if uid := e.Object.Text("u"); uid != "" {
			e.UID = uid
		} else if uid := e.Previous.Text("u"); uid != "" {
			e.UID = uid
		}
		if e.Type == history.Delete {
			e.Object = nil
		}
		r.Final.Apply(e)
		r.Events, r.Times = append(r.Events, e), append(r.Times, time.Duration(len(r.Events))*time.Millisecond)
	}
	return r
}

// usual is a reference of two runs that are alike.
func usual(t testing.TB, text string) *reference.Reference {
	t.Helper()
	mask, err := reference.Mask(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := reference.Learn(mask, []*recording.Recording{run(t, text), run(t, text)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// judged is what is said of a run, a line each: ORACLE: TEXT.
func judged(c *Case) string {
	var out []string
	for _, d := range Judge(c) {
		text := d.Oracle + ": " + d.Text
		if d.Healed {
			text += " (heals)"
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// TestProperties: a run in which pods come and go, and what may be claimed of it.
func TestProperties(t *testing.T) {
	r := run(t, `
		user create pods a {"ready": false}
		kubelet update pods a {"ready": true}
		user create pods b {"ready": true}
		user delete pods b`)
	for _, c := range []struct{ property, want string }{
		{`always: "objects['pods'].size() <= 2"`, ""},
		{`always: "objects['pods'].size() <= 1"`, "it does not hold after the create of pods default/b by user"},
		{`always: "objects['pods'].size() > 0"`, "it does not hold at the start"},
		{`always: "objects['pods'].all(p, p.ready)"`, "it does not hold after the create of pods default/a by user"},
		{`always: "objects['pods'].all(p, p.missing)"`, "it does not hold after the create of pods default/a by user (no such key: missing)"},
		{`always: "objects['pods'][0].ready"`, "it does not hold at the start (index out of bounds: 0)"},
		{`eventually: "objects['pods'].size() == 0"`, ""}, // so at the start
		{`eventually: "objects['pods'].size() == 2"`, ""},
		{`eventually: "objects['pods'].size() == 1"`, ""},
		{`eventually: "objects['pods'].size() == 3"`, "it never holds"},
		{`eventually: "objects['pods'][0].missing"`, "it never holds (no such key: missing)"},
		{`eventually: "objects['pods'][1].ready"`, ""}, // an error before does no harm
		{`finally: "objects['pods'].size() == 1"`, ""},
		{`finally: "objects['pods'].size() == 2"`, "it does not hold in the end"},
		{`finally: "objects['pods'][0].missing"`, "it does not hold in the end (no such key: missing)"},
	} {
		e, err := experiment.Parse("web.yaml", "web", "/", []byte("apiVersion: seatrial.dev/v1alpha1\nkind: Experiment\nsteps: [run: [a]]\nproperties:\n- {name: mine, "+c.property+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		want := c.want
		if want != "" {
			want = "property: property mine: " + want
		}
		if got := judged(&Case{Run: r, Experiment: e}); got != want {
			t.Errorf("%s\n got %s\nwant %s", c.property, got, want)
		}
	}
	if len(r.Start) > 0 {
		t.Error("the start of the run was changed")
	}
}

// web is the usual run.
const web = `
	user create webs web {"kind": "Web", "metadata": {"name": "web"}, "u": "w"}
	controller create secrets key {"metadata": {"name": "key", "ownerReferences": [{"uid": "w"}]}, "data": {"a": "1"}}`

var hold = &plan.Plan{Fault: plan.Fault{Kind: "hold", Resource: "webs"}}

// afterWeb shows a web that is gone.
var afterWeb = &plan.Plan{
	Trigger: plan.Trigger{Type: history.Delete, Object: experiment.Reference{Resource: "webs", Name: "web"}},
	Fault: plan.Fault{Kind: "stale", Resource: "webs", Before: true, Seen: &plan.Trigger{
		Type: history.Update, Object: experiment.Reference{Resource: "webs", Name: "web"},
	}},
}

// oracleCases are runs that begin with web, and what is said of them.
var oracleCases = map[string]struct {
	more  string // what happens beside the usual
	spoil func(r *recording.Recording)
	plan  *plan.Plan
	want  string
}{
	"as usual": {},
	"another end": {
		more: `other update secrets key {"metadata": {"name": "key", "ownerReferences": [{"uid": "w"}]}, "data": {"a": "2"}}`,
		want: `end-state: secrets default/key is not as usual in the end: data.a is "2" and usually "1"`,
	},
	"one more": {
		more: `controller create configmaps c`,
		want: "end-state: configmaps default/c is there in the end, and usually is not\ncount: configmaps default/c is created once (usually never)",
	},
	"one too few, and data that is lost": {
		more: `controller delete secrets key`,
		want: "data-loss: the controller deletes secrets default/key while its owner Web web lives\n" +
			"end-state: secrets default/key is missing in the end\ncount: secrets default/key is created once and deleted once (usually never)",
	},
	"deleted by others": {
		more: `user delete secrets key`,
		want: "end-state: secrets default/key is missing in the end\ncount: secrets default/key is created once and deleted once (usually never)",
	},
	"made anew": {
		more: "other delete secrets key\n controller create secrets key " + `{"metadata": {"name": "key", "ownerReferences": [{"uid": "w"}]}, "data": {"a": "1"}}`,
		want: "count: secrets default/key is created twice (usually once) and deleted once (usually never)",
	},
	"an owner that is gone": {
		more: "user delete webs web",
		want: "end-state: webs default/web is missing in the end\ncount: webs default/web is created once and deleted once (usually never)\ndangling-owner: secrets default/key is there in the end, and its owner is not",
	},
	"being deleted": {
		more: `user update webs web {"kind": "Web", "metadata": {"name": "web", "deletionTimestamp": "2026-01-01T00:00:00Z"}, "u": "w"}`,
		want: "end-state: webs default/web is being deleted in the end",
	},
	"heals": {
		more: `controller create configmaps c`,
		spoil: func(r *recording.Recording) {
			r.Nudged, r.Healed, r.BeforeNudge = true, true, &recording.End{State: r.Final, Events: 2}
		},
		want: "end-state: configmaps default/c is there in the end, and usually is not (heals)",
	},
	"what comes of the nudge": {
		more: "controller create configmaps c\n" +
			`controller update webs web {"kind": "Web", "u": "w", "metadata": {"name": "web"}, "a": 1, "b": 1}`,
		spoil: func(r *recording.Recording) {
			before := maps.Clone(r.Final)
			delete(before, history.Key{Resource: "configmaps", Namespace: "default", Name: "c"})
			before[history.Key{Resource: "webs", Namespace: "default", Name: "web"}] = history.Object{"kind": "Web", "metadata": map[string]any{"name": "web"}, "u": "w", "a": int64(1)}
			r.Nudged, r.BeforeNudge = true, &recording.End{State: before, Events: 2}
		},
		want: "end-state: webs default/web is not as usual in the end: a is 1 and usually -",
	},
	"less when less was seen": {
		more: "", plan: hold,
		spoil: func(r *recording.Recording) { r.Events = r.Events[:1] },
	},
	"less when it was not there": {
		more: "", plan: &plan.Plan{Trigger: plan.Trigger{Actor: plan.User}, Fault: plan.Fault{Kind: "crash"}},
		spoil: func(r *recording.Recording) { r.Events = r.Events[:1] },
	},
	"less when it was killed behind a write": {
		more: "", plan: &plan.Plan{Trigger: plan.Trigger{Actor: plan.Controller}, Fault: plan.Fault{Kind: "crash"}},
		spoil: func(r *recording.Recording) { r.Events = r.Events[:1] },
		want:  "count: secrets default/key is created never (usually once)",
	},
	"made for what is gone, and gone again": {
		more: "controller create configmaps c\n other delete configmaps c", plan: afterWeb,
	},
	"made for what is gone, and left": {
		more: "controller create configmaps c", plan: afterWeb,
		want: "end-state: configmaps default/c is there in the end, and usually is not\ncount: configmaps default/c is created once (usually never)",
	},
	"one rollout less when less was seen": {
		more: `controller update webs web {"kind": "Web", "u": "w", "metadata": {"name": "web", "annotations": {"webs.example.com/revision": "1", "webs.example.com/revision-history": "1"}}}`,
		plan: hold,
	},
	"an annotation when less was seen": {
		more: `controller update webs web {"kind": "Web", "u": "w", "metadata": {"name": "web", "annotations": {"webs.example.com/revised": "1"}}}`,
		plan: hold,
		want: `end-state: webs default/web is not as usual in the end: metadata.annotations is {"webs.example.com/revised":"1"} and usually -`,
	},
	"more when less was seen": {
		more: "other create configmaps c\n other delete configmaps c", plan: hold,
		want: "count: configmaps default/c is created once (usually never) and deleted once (usually never)",
	},
	"a step": {
		spoil: func(r *recording.Recording) { r.Steps = []recording.Step{{Index: 0}, {Index: 1, Failed: "wait: no"}} },
		want:  "step: step 2: wait: no",
	},
	"an exit": {
		spoil: func(r *recording.Recording) {
			r.Lives = []recording.Life{{}, {Exited: true, Code: 3}, {Exited: true, Code: 3}, {Exited: true, Signal: "SEGV"}, {Exited: true, Expected: true}}
		},
		want: "exit: the controller's process ends by itself, with code 3\nexit: the controller's process ends by itself, by signal SEGV",
	},
	"a circle": {
		spoil: func(r *recording.Recording) {
			r.Cycle = &history.Cycle{Writes: []history.Write{{Resource: "pods", Name: "a", Type: history.Update, Actor: "controller"}}}
		},
		want: "hot-loop: it never comes to rest: 1 writes repeat for ever, among them update of pods a by controller",
	},
	"many writes that come to nothing": {
		spoil: func(r *recording.Recording) {
			for range hotRequestMore + 1 {
				r.Exchanges = append(r.Exchanges, apiproxy.Record{Kind: apiproxy.RecordRequest, Exchange: &apiproxy.Exchange{Request: apiproxy.Request{Verb: "update", Resource: "pods"}}})
			}
		},
		want: fmt.Sprintf("hot-loop: the controller sends %d requests, and usually 0", hotRequestMore+1),
	},
	"a delete of what it did not know of": {
		more: "controller delete secrets key\n user create secrets key {\"u\": \"new\"}\n controller delete secrets key",
		plan: &plan.Plan{Fault: plan.Fault{Kind: "stale", Resource: "webs"}},
		spoil: func(r *recording.Recording) {
			r.Exchanges = []apiproxy.Record{
				{Kind: apiproxy.RecordDelivery, Incarnation: "c", Resource: "webs", Revision: 11},
				{Kind: apiproxy.RecordRequest, Incarnation: "c", Exchange: &apiproxy.Exchange{Request: apiproxy.Request{Verb: "delete", Resource: "secrets"}, Code: 200, Revision: 15, UID: "new"}},
			}
		},
		want: "stale-delete: the controller deletes secrets default/key, which was created after all that it knew of webs, with no precondition\n" +
			"data-loss: the controller deletes secrets default/key while its owner Web web lives\n" +
			"end-state: secrets default/key is missing in the end\ncount: secrets default/key is created twice (usually once) and deleted twice (usually never)",
	},
}

// TestOracles holds runs to a usual one.
func TestOracles(t *testing.T) {
	for name, c := range oracleCases {
		r := run(t, web+"\n"+c.more)
		if c.spoil != nil {
			c.spoil(r)
		}
		got := judged(&Case{Run: r, Reference: usual(t, web), Experiment: &experiment.Experiment{}, Plan: c.plan})
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestWithoutReference: a run that nothing is known to be usual of is judged by
// itself.
func TestWithoutReference(t *testing.T) {
	r := run(t, "user create webs web\n controller create secrets a {\"metadata\": {\"ownerReferences\": [{\"uid\": \"uid-web\"}]}}\n user delete webs web")
	if got, want := judged(&Case{Run: r, Experiment: &experiment.Experiment{}}), "dangling-owner: secrets default/a is there in the end, and its owner is not"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestClass: what heals does not count, and the order of what is wrong does not
// matter.
func TestClass(t *testing.T) {
	a, b := Divergence{Class: "a"}, Divergence{Class: "b", Healed: true}
	c := Divergence{Class: "c"}
	if got := Class([]Divergence{c, b, a, c}); got != "a\nc" {
		t.Errorf("%q", got)
	}
	if Counts([]Divergence{b}) || !Counts([]Divergence{b, a}) || Counts(nil) {
		t.Error("what heals counts")
	}
}

// TestRank: what names the mistake stands before what only shows that there is one.
func TestRank(t *testing.T) {
	order := [][]Divergence{{{Oracle: "end-state", Healed: true}, {Oracle: "count"}, {Oracle: "stale-delete"}}, {{Oracle: "data-loss"}}, {{Oracle: "end-state"}}, {{Oracle: "count"}, {Oracle: "end-state", Healed: true}}, nil}
	for i := range order[1:] {
		if a, b := Rank(order[i]), Rank(order[i+1]); a >= b {
			t.Errorf("%v has rank %d, and %v %d", order[i], a, order[i+1], b)
		}
	}
}
