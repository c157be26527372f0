package replay

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

const web = "Deployment default/web"

// TestRenaming: a pod keeps its identity until another one that it could equally be
// is taken in its place.
func TestRenaming(t *testing.T) {
	real := func(n string) name { return name{"default", n} }
	pod := func(revision, ordinal int) *trace.Pod {
		return &trace.Pod{Owner: web, Revision: revision, Ordinal: ordinal}
	}
	cases := []struct {
		name  string
		want  *trace.Pod
		among []int
		taken name
		ok    bool
		after map[string]int // ordinals of the pods of revision 0
	}{
		{"itself", pod(0, 1), nil, real("a"), true, map[string]int{"a": 1, "b": 2}},
		{"one that it could be", pod(0, 1), []int{1, 2}, real("b"), true, map[string]int{"b": 1, "a": 2}},
		{"one that it could not be", pod(0, 1), nil, real("b"), false, map[string]int{"a": 1, "b": 2}},
		{"one of another template", pod(0, 1), []int{1, 2}, real("c"), false, map[string]int{"a": 1, "b": 2}},
		{"one that nobody knows", pod(0, 1), []int{1, 2}, real("d"), false, map[string]int{"a": 1, "b": 2}},
		{"one for a pod that has no other", pod(0, 3), []int{2, 3}, real("b"), true, map[string]int{"a": 1, "b": 3}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRenaming()
			r.set(identity{web, 0, 1}, real("a"))
			r.set(identity{web, 0, 2}, real("b"))
			r.set(identity{web, 1, 1}, real("c"))
			if could := r.could(c.want, c.among, c.taken); could != c.ok {
				t.Errorf("it could be: %v, want %v", could, c.ok)
			}
			if ok := r.take(c.want, c.among, c.taken); ok != c.ok {
				t.Errorf("taken: %v, want %v", ok, c.ok)
			}
			for n, ordinal := range c.after {
				if i := r.identities[real(n)]; i.ordinal != ordinal || r.names[i] != real(n) {
					t.Errorf("%s is %v (of which the name is %v), want #%d", n, i, r.names[i], ordinal)
				}
			}
		})
	}
}

func object(t *testing.T, text string) history.Object {
	t.Helper()
	if text == "" {
		return nil
	}
	var o history.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestEffective: what a trace could not tell of passes, all else waits for its step.
func TestEffective(t *testing.T) {
	const running = `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`
	cases := []struct {
		name, resource, verb, body, now string
		want                            bool
	}{
		{"a pod is created", "pods", "create", `{}`, "", true},
		{"a pod gets a finalizer", "pods", "patch", `{"metadata":{}}`, `{"metadata":{}}`, false},
		{"a pod is ready", "pods/status", "patch", running, `{"status":{"phase":"Running"}}`, true},
		{"a pod is ready again", "pods/status", "patch", running, running, false},
		{"a pod that was not seen yet is ready", "pods/status", "patch", running, "", true},
		{"a pod that ends is not ready", "pods/status", "patch", `{"status":{"phase":"Failed"}}`, `{"metadata":{"deletionTimestamp":"now"},"status":{"phase":"Running"}}`, false},
		{"a condition gets a message", "pods/status", "patch", `{"status":{"conditions":[{"type":"PodScheduled"}]}}`, running, false},
		{"a pod is nominated", "pods/status", "patch", `{"status":{"nominatedNodeName":"n1"}}`, `{"metadata":{}}`, true},
		{"a ReplicaSet is scaled", "replicasets.apps", "update", `{"spec":{"replicas":2}}`, `{"spec":{"replicas":1}}`, true},
		{"a ReplicaSet gets an annotation", "replicasets.apps", "update", `{"spec":{"replicas":2}}`, `{"spec":{"replicas":2}}`, false},
		{"a node gets a taint", "nodes", "patch", `{"spec":{"taints":[]}}`, `{"metadata":{}}`, true},
		{"a node gets a label", "nodes", "patch", `{"metadata":{}}`, `{"metadata":{}}`, false},
		{"a heartbeat", "nodes/status", "patch", running, running, false},
		{"a budget counts anew", "poddisruptionbudgets.policy/status", "update", `{"status":{"currentHealthy":1}}`, `{"status":{"currentHealthy":2}}`, true},
		{"a budget was looked at", "poddisruptionbudgets.policy/status", "update", `{"status":{"currentHealthy":2}}`, `{"status":{"currentHealthy":2}}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			q := request{body: object(t, c.body), now: object(t, c.now)}
			q.Resource, q.Verb, q.Name = c.resource, c.verb, "a"
			if got := q.effective(); got != c.want {
				t.Errorf("effective: %v", got)
			}
		})
	}
	gone := request{Parked: admin.Parked{Resource: "pods/status", Verb: "patch", Name: "a"}, body: object(t, running), seen: true}
	if gone.effective() {
		t.Error("the status of a pod that is gone waits for a step")
	}
}

// TestInTheWay: kubelets do for one pod what they do whatever waits for another.
func TestInTheWay(t *testing.T) {
	r := &run{pods: newRenaming(), chosen: map[identity][]int{}}
	r.pods.set(identity{web, 0, 1}, name{"default", "a"})
	r.pods.set(identity{web, 0, 2}, name{"default", "b"})
	awaited := func(by, verb string, among ...int) []*trace.Act {
		return []*trace.Act{{Verb: verb, By: by, Role: trace.RoleController, Among: among, Pod: &trace.Pod{Owner: web, Ordinal: 1}}}
	}
	cases := []struct {
		actor, pod string
		acts       []*trace.Act
		want       bool
	}{
		{"kubelet", "a", awaited("kubelet", "ready"), true},
		{"kubelet", "b", awaited("kubelet", "ready"), false},
		{"kubelet", "b", awaited("kubelet", "ready", 1, 2), true},
		{"replicaset-controller", "b", awaited("replicaset-controller", "delete"), true},
		{"replicaset-controller", "a", awaited("kubelet", "ready"), false},
	}
	for _, c := range cases {
		q := request{Parked: admin.Parked{Actor: c.actor, Resource: "pods/status", Namespace: "default", Name: c.pod}}
		if got := r.inTheWay(q, c.acts); got != c.want {
			t.Errorf("%s on %s while %s is awaited of %v: %v", c.actor, c.pod, c.acts[0].Verb, c.acts[0].Among, got)
		}
	}
}

// TestSituation: a cycle comes back to what it began with, whichever pods these are.
func TestSituation(t *testing.T) {
	pod := func(name, phase, rest string) string {
		return `{"metadata":{"name":"` + name + `"` + rest + `},"spec":{"nodeName":"n1"},"status":{"phase":"` + phase + `"}}`
	}
	set := func(pods ...string) situation {
		r := &run{pods: newRenaming(), view: newView(nil)}
		for i, p := range pods {
			o := object(t, p)
			n := text(o, "metadata", "name")
			r.pods.set(identity{web, 0, i + 1}, name{"default", n})
			r.view.state[history.Key{Resource: "pods", Namespace: "default", Name: n}] = o
		}
		return r.situation()
	}
	beginning := set(pod("a", "Running", ""), pod("b", "Failed", ""), pod("c", "Failed", ""))
	for _, c := range []struct {
		name string
		now  situation
		want string
	}{
		{"other pods", set(pod("x", "Failed", ""), pod("y", "Failed", ""), pod("z", "Running", "")), ""},
		{"one failed pod more than two", set(pod("a", "Running", ""), pod("b", "Failed", ""), pod("c", "Failed", ""), pod("d", "Failed", "")), ""},
		{"one failed pod fewer", set(pod("a", "Running", ""), pod("b", "Failed", "")), "1 pods of Deployment default/web revision 0 Failed on n1, at its beginning 2"},
		{
			"one that terminates", set(pod("a", "Running", ""), pod("b", "Failed", ""), pod("c", "Failed", ""), pod("d", "Running", `,"deletionTimestamp":"now"`)),
			"1 pods of Deployment default/web revision 0 terminating on n1, at its beginning 0",
		},
	} {
		if got := strings.Join(c.now.differs(beginning), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDraining: a drain is under way until it is done or its node is schedulable.
func TestDraining(t *testing.T) {
	act := func(verb, by, node string) trace.Step {
		return trace.Step{Acts: []trace.Act{{Verb: verb, By: by, Object: "Node " + node}}}
	}
	for _, c := range []struct {
		name  string
		steps []trace.Step
		want  bool
	}{
		{"begun", []trace.Step{act("cordon", "drain", "n1")}, true},
		{"done", []trace.Step{act("cordon", "drain", "n1"), act("drained", "drain", "n1")}, false},
		{"given up", []trace.Step{act("cordon", "drain", "n1"), act("uncordon", "uncordon", "n1")}, false},
		{"another is done", []trace.Step{act("cordon", "drain", "n1"), act("drained", "drain", "n2")}, true},
		{"a cordon", []trace.Step{act("cordon", "cordon", "n1")}, false},
	} {
		if got := draining(&trace.Trace{Steps: c.steps})["n1"]; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestUsable: what contradicts itself is refused before anything is started.
func TestUsable(t *testing.T) {
	good := func() *trace.Trace {
		pod := func(node string) *trace.Pod { return &trace.Pod{Owner: web, Ordinal: 1, Node: node, Phase: "Running"} }
		return &trace.Trace{
			Setup: &trace.Setup{Kubernetes: Kubernetes, Objects: []json.RawMessage{[]byte(`{"kind":"Node","metadata":{"name":"n1"}}`)}},
			Pods:  []trace.Pod{*pod("n1")},
			Steps: []trace.Step{{Acts: []trace.Act{{Verb: "evict", By: "drain", Role: trace.RoleEnvironment, Pod: pod("n1")}}}},
		}
	}
	for _, c := range []struct {
		name, want string
		change     func(*trace.Trace)
	}{
		{"as it is", "", func(*trace.Trace) {}},
		{"no setup", "no setup", func(t *trace.Trace) { t.Setup = nil }},
		{"another Kubernetes", "v1.2.3", func(t *trace.Trace) { t.Setup.Kubernetes = "v1.2.3" }},
		{"a verb that is not known", `verb "fly" is not known`, func(t *trace.Trace) { t.Steps[0].Acts[0].Verb = "fly" }},
		{"a bind to nowhere", "a bind without a node", func(t *trace.Trace) { t.Steps[0].Acts[0].Verb, t.Steps[0].Acts[0].Pod.Node = "bind", "" }},
		{"a pod that is elsewhere", `is on "n2", and by the steps before on "n1"`, func(t *trace.Trace) { t.Steps[0].Acts[0].Pod.Node = "n2" }},
		{"a node that is not there", `on node "n2", which the setup does not have`, func(t *trace.Trace) { t.Pods[0].Node = "n2" }},
	} {
		tr := good()
		c.change(tr)
		err := usable(tr)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestAgrees: of a budget's status the counts matter that the trace writes.
func TestAgrees(t *testing.T) {
	for _, c := range []struct {
		patch, is string
		want      bool
	}{
		{`{"status":{"disruptionsAllowed":0}}`, `{"status":{"disruptionsAllowed":0,"currentHealthy":3}}`, true},
		{`{"status":{"disruptionsAllowed":1}}`, `{"status":{"disruptionsAllowed":0}}`, false},
		{`{"status":{"currentHealthy":1}}`, `{}`, false},
		{`[`, `{}`, false},
	} {
		if got := agrees(json.RawMessage(c.patch), object(t, c.is)); got != c.want {
			t.Errorf("%s of %s: %v", c.patch, c.is, got)
		}
	}
}

// TestPasses: at the start a pod becomes what it is to be, and no more, whatever the
// history has shown of it.
func TestPasses(t *testing.T) {
	const running, readied, failed = `{"status":{"phase":"Running"}}`,
		`{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`, `{"status":{"phase":"Failed"}}`
	cases := []struct {
		name, body string
		pod        trace.Pod
		want       bool
	}{
		{"one that is to be pending runs", running, trace.Pod{Phase: "Pending"}, true},
		{"one that is to run runs", running, trace.Pod{Phase: "Running"}, false},
		{"one that is to run is ready", readied, trace.Pod{Phase: "Running"}, true},
		{"one that is to be ready runs", running, trace.Pod{Phase: "Running", Ready: true}, false},
		{"one that is to be ready is", readied, trace.Pod{Phase: "Running", Ready: true}, false},
		{"one that is deleted was ready", readied, trace.Pod{Phase: "Running", Terminating: true}, false},
		{"one that is to run fails", failed, trace.Pod{Phase: "Running"}, true},
		{"one that is to fail runs", running, trace.Pod{Phase: "Failed"}, false},
		{"one that is to fail does", failed, trace.Pod{Phase: "Failed"}, false},
	}
	for _, c := range cases {
		if got := (request{body: object(t, c.body)}).passes(&c.pod); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestEnds: that the containers of a pod have ended that is being deleted is the first half
// of its end.
func TestEnds(t *testing.T) {
	const going, running = `{"metadata":{"deletionTimestamp":"now"},"status":{"phase":"Running"}}`, `{"status":{"phase":"Running"}}`
	for _, c := range []struct {
		name, actor, body, now string
		want                   bool
	}{
		{"it has ended", "kubelet", `{"status":{"phase":"Succeeded"}}`, going, true},
		{"it has failed", "kubelet", `{"status":{"phase":"Failed"}}`, going, true},
		{"it is not ready", "kubelet", `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}`, going, false},
		{"nobody deletes it", "kubelet", `{"status":{"phase":"Failed"}}`, running, false},
		{"its node is lost", "node-lifecycle-controller", `{"status":{"phase":"Failed"}}`, going, false},
	} {
		q := request{Parked: admin.Parked{Actor: c.actor, Resource: "pods/status"}, body: object(t, c.body), now: object(t, c.now)}
		if got := q.ends(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
