package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func number(n int32) *int32 { return &n }

// played is a small trace with a setup and acts: a pod goes round two nodes.
func played() *Trace {
	const web = "Deployment default/web"
	pod := func(ordinal int, node, phase string, ready bool) *Pod {
		return &Pod{Owner: web, Ordinal: ordinal, Node: node, Phase: phase, Ready: ready}
	}
	first := 0
	return &Trace{
		Initial: []string{"two nodes"},
		Setup: &Setup{
			Kubernetes: "v1.36.3",
			Objects:    []json.RawMessage{json.RawMessage(`{"kind":"Node","metadata":{"name":"a"}}`), json.RawMessage(`{"kind":"Deployment"}`)},
			Components: map[string]json.RawMessage{"descheduler": json.RawMessage(`{"kind":"DeschedulerPolicy"}`)},
			Workloads: []Workload{{
				Object: web, Load: json.RawMessage(`{"total":{"cpu":"1"}}`),
				Revisions: []Revision{{Set: "web-1", Replicas: number(1)}, {Set: "web-2", Template: json.RawMessage(`{"spec":{}}`)}},
			}},
		},
		Pods: []Pod{*pod(1, "a", "Running", true)},
		Steps: []Step{
			{Actor: "descheduler", Action: "evicts", Acts: []Act{{Verb: "evict", By: "descheduler", Role: RoleController, Pod: pod(1, "a", "Running", false), Gone: true}}},
			{Actor: "replicaset", Action: "creates", Acts: []Act{{Verb: "create", By: "replicaset-controller", Role: RoleController, Pod: pod(2, "", "Pending", false)}}},
			{Actor: "scheduler", Action: "binds", Acts: []Act{{Verb: "bind", By: "kube-scheduler", Role: RoleController, Pod: pod(2, "a", "Pending", false), Ties: []string{"a", "b"}}}},
			{Actor: "kubelet", Action: "starts", Acts: []Act{{Verb: "start", By: "kubelet", Role: RoleController, Pod: pod(2, "a", "Running", true)}}},
			{Actor: "hpa", Action: "scales", Acts: []Act{{Verb: "scale", By: "hpa", Role: RoleController, Object: web, From: number(1), To: number(0)}}},
			{Actor: "event", Action: "applies", Acts: []Act{
				{Verb: "apply", By: "apply", Role: RoleEnvironment, Object: web, Revision: &first, Manifest: json.RawMessage(`{"spec":{"replicas":1}}`), Patch: json.RawMessage(`{"spec":{"replicas":1}}`)},
				{Verb: "load", By: "load", Role: RoleEnvironment, Object: web, Load: json.RawMessage(`{"total":{"cpu":"2"}}`)},
				{Verb: "wait", By: "hpa", Role: RoleInner, Seconds: 300},
			}},
		},
		Loop:  &first,
		Again: []Renaming{{Owner: web, Was: 1, Is: 2}},
	}
}

func TestCodecKeepsActs(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, played()); err != nil {
		t.Fatal(err)
	}
	back, err := Decode(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, played().Normal()) {
		t.Errorf("got %+v, want %+v", back, played().Normal())
	}
	var again bytes.Buffer
	if err := Encode(&again, back); err != nil || again.String() != b.String() {
		t.Errorf("written again it is (%v)\n%s", err, again.String())
	}
}

// Whatever is wrong in a file that somebody has edited is said with its place.
func TestDecodeSaysWhatIsWrong(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, played()); err != nil {
		t.Fatal(err)
	}
	tight := &bytes.Buffer{}
	if err := json.Compact(tight, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"verb":"bind"`, `"verb":""`, "steps[2].acts[0]: verb and by are needed"},
		{`"role":"controller"`, `"role":"boss"`, `steps[0].acts[0]: the role is "boss"; it is one of environment, controller, inner`},
		{
			`"pod":{"owner":"Deployment default/web","revision":0,"ordinal":2,"node":"a","phase":"Pending"}`, `"pod":{"owner":"Deployment default/web","revision":0,"ordinal":3,"node":"a","phase":"Pending"}`,
			"steps[2].acts[0]: bind by kube-scheduler: pod 3 of Deployment default/web, revision 0 is not there",
		},
		{`"ordinal":2,"phase":"Pending"`, `"ordinal":0,"phase":"Pending"`, "steps[1].acts[0]: pod 0 of Deployment default/web, revision 0: ordinals are counted from 1"},
		{`"is":2`, `"is":7`, "again[0]: pod 7 of Deployment default/web, revision 0 is not there at the end of the cycle"},
		{`"loop":0`, `"loop":6`, "again is about a cycle, and there is none"},
		{`"kubernetes":"v1.36.3"`, `"kubernetes":""`, "the setup: kubernetes is missing"},
		{`{"kind":"Deployment"}`, `"Deployment"`, "the setup: objects[1]: not a JSON object"},
		{`"manifest":{"spec":{"replicas":1}}`, `"manifest":[]`, "steps[5].acts[0]: apply by apply: manifest, patch or load: not a JSON object"},
		{`"object":"Deployment default/web","from":1`, `"from":1`, "scale by hpa is about neither an object nor a pod"},
		{`"ordinal":1,"node":"a","phase":"Running","ready":true}],`, `"ordinal":1,"node":"a","phase":""}],`, "pods[0]: pod 1 of Deployment default/web, revision 0 has no phase"},
		{`"loop":0`, `"loop":0,"setupOf":2`, "cut out of a report"},
		{`"loop":0`, `"loop":0,"setupOf":-2`, "setupOf is -2, which is no index"},
	} {
		broken := strings.Replace(tight.String(), c.old, c.new, 1)
		if broken == tight.String() {
			t.Errorf("%s is not in the trace %s", c.old, broken)
		}
		if _, err := Decode(strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.new, err, c.want)
		}
	}
}

// FuzzDecode: whatever is read is an error or a trace that is written and read
// again as it is.
func FuzzDecode(f *testing.F) {
	for _, t := range []*Trace{{}, eviction(), rollout(3, 1), played()} {
		var b bytes.Buffer
		if err := Encode(&b, t); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(fmt.Sprintf(`{"schema":%q,"steps":[{"acts":[{"verb":"create","by":"x","role":"inner","pod":{}}]}],"setupOf":1}`, Schema)))
	f.Fuzz(func(t *testing.T, text []byte) {
		first, err := Decode(bytes.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Encode(&b, first); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		second, err := Decode(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, b.String())
		}
		var again bytes.Buffer
		if err := Encode(&again, second); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("written twice, two things (%v):\n%s\n%s", err, b.String(), again.String())
		}
	})
}

// TestRounds: in each round another pod goes the same way.
func TestRounds(t *testing.T) {
	three, err := played().Rounds(3)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, s := range three.Steps {
		for _, a := range s.Acts {
			if a.Pod != nil {
				told = append(told, fmt.Sprintf("%s %d", a.Verb, a.Pod.Ordinal))
			}
		}
	}
	want := "evict 1 create 2 bind 2 start 2 evict 2 create 3 bind 3 start 3 evict 3 create 4 bind 4 start 4"
	if got := strings.Join(told, " "); got != want || three.Loop != nil || three.Again != nil || len(three.Steps) != 18 {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := three.Check(); err != nil {
		t.Error(err)
	}
	if once, err := played().Rounds(1); err != nil || !reflect.DeepEqual(once.Steps, played().Steps) {
		t.Errorf("one round is another trace: %v", err)
	}
	rest := eviction()
	rest.Loop = at(5)
	if same, err := rest.Rounds(7); err != nil || len(same.Steps) != 5 || same.Loop == nil || *same.Loop != 5 {
		t.Errorf("a trace that rests has no rounds, and rests: %v", err)
	}
	for _, n := range []int{0, -1, 1 << 30} {
		if _, err := played().Rounds(n); err == nil {
			t.Errorf("%d rounds are no error", n)
		}
	}
}
