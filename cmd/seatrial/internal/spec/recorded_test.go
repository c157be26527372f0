package spec

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// record has the recorded histories of examples/spec made anew.
var record = flag.Bool("record", false, "write the histories of examples/spec as they are on a control plane now")

// recordings are the histories of real controllers that the examples have.
var recordings = []struct {
	// file is the history, module and configuration what explains it, and kinds are what it is about.
	file, module, configuration string
	kinds                       []string
	play                        func(*stage)
}{
	{"rollout/rollout.jsonl", "rollout/Observed.tla", "", rolled, rollout{4, 1, 1}.play},
	{"eviction/evictions.jsonl", "eviction/Observed.tla", "", evicted, evictions{3, 2, "minAvailable: 2", 3}.play},
	{"eviction/crowd.jsonl", "eviction/Observed.tla", "crowd.cfg", evicted, evictions{5, 4, "minAvailable: 3", 4}.play},
	{"eviction/share.jsonl", "eviction/Observed.tla", "share.cfg", evicted, evictions{4, 3, "maxUnavailable: 30%", 3}.play},
	{"eviction/most.jsonl", "eviction/Observed.tla", "most.cfg", evicted, evictions{4, 3, "maxUnavailable: 1", 3}.play},
	{"rollout/wide.jsonl", "rollout/Observed.tla", "wide.cfg", rolled, rollout{6, 2, 3}.play},
	{"rollout/hurried.jsonl", "rollout/Observed.tla", "wide.cfg", rolled, rollout{6, 2, 3}.play},
	{"rollout/down.jsonl", "rollout/Observed.tla", "down.cfg", rolled, rollout{5, 0, 2}.play},
}

// rolled are the kinds that rollouts are about.
var rolled = []string{"deployments.apps", "replicasets.apps", "pods"}

// evicted are the kinds that evictions are about.
var evicted = []string{"poddisruptionbudgets.policy", "pods"}

// stage is a control plane on which something is played.
type stage struct {
	*testing.T
	plane  *controlplane.Plane
	client dynamic.Interface
}

func newStage(t *testing.T) *stage {
	t.Helper()
	plane := controlplane.Start(t)
	config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.WarningHandler, config.UserAgent = -1, rest.NoWarnings{}, "client"
	return &stage{t, plane, dynamic.NewForConfigOrDie(config)}
}

// on is a resource in the namespace default.
func (s *stage) on(group, version, resource string) dynamic.ResourceInterface {
	return s.client.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: resource}).Namespace("default")
}

func (s *stage) create(on dynamic.ResourceInterface, manifest string) {
	s.Helper()
	o := &unstructured.Unstructured{}
	if err := sigsyaml.Unmarshal([]byte(manifest), &o.Object); err != nil {
		s.Fatal(err)
	}
	if _, err := on.Create(s.Context(), o, metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
}

// until waits for what the plane holds to be as wanted, from now on.
func (s *stage) until(what string, is func(history.State) bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	now := int64(0)
	for _, e := range s.plane.History() {
		now = e.Revision
	}
	state := history.State{}
	for e, err := range s.plane.Follow(ctx) {
		if err != nil {
			s.Fatalf("%s: %v", what, err)
		}
		if state.Apply(e); e.Revision >= now && is(state) {
			return
		}
	}
	s.Fatalf("%s did not come", what)
}

// rollout is a Deployment whose image is changed, with these limits.
type rollout struct{ replicas, surge, unavailable int }

const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: %d, strategy: {rollingUpdate: {maxSurge: %d, maxUnavailable: %d}},
selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}}}`

// play changes the image when all pods are available.
func (r rollout) play(s *stage) {
	deployments := s.on("apps", "v1", "deployments")
	s.create(deployments, fmt.Sprintf(deployment, r.replicas, r.surge, r.unavailable))
	available := func(revision string) func(history.State) bool {
		return func(state history.State) bool {
			for key, o := range state {
				if n, _ := o.Number("status", "availableReplicas"); key.Resource == "replicasets.apps" && n == int64(r.replicas) &&
					o.Text("metadata", "annotations", "deployment.kubernetes.io/revision") == revision {
					return !slices.ContainsFunc(state.Keys(), func(k history.Key) bool {
						old, _ := state[k].Number("status", "availableReplicas")
						return k.Resource == "replicasets.apps" && k != key && old > 0
					})
				}
			}
			return false
		}
	}
	s.until("the first version", available("1"))
	if _, err := deployments.Patch(s.Context(), "web", types.StrategicMergePatchType,
		[]byte(`{"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}}}}`), metav1.PatchOptions{}); err != nil {
		s.Fatal(err)
	}
	s.until("the second version", available("2"))
}

// evictions are evicted pods of a StatefulSet, under a budget of some shape.
type evictions struct {
	pods, clients int
	// budget is what the budget's spec has, as YAML.
	budget string
	// rounds is how often each client evicts.
	rounds int
}

const statefulSet = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: %d, serviceName: web, podManagementPolicy: Parallel,
selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}}}`

const budget = `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {%s, selector: {matchLabels: {app: web}}}}`

// play has clients evict at once, and waits for all pods to be there again after each round.
func (e evictions) play(s *stage) {
	s.create(s.on("policy", "v1", "poddisruptionbudgets"), fmt.Sprintf(budget, e.budget))
	s.create(s.on("apps", "v1", "statefulsets"), fmt.Sprintf(statefulSet, e.pods))
	ready := func(state history.State) bool {
		n := 0
		for key, o := range state {
			if key.Resource == "pods" && o.At("metadata", "deletionTimestamp") == nil && o.Text("status", "phase") == "Running" {
				n++
			}
		}
		return n == e.pods
	}
	s.until("a disruption that is allowed", func(state history.State) bool {
		n, _ := state[history.Key{Resource: "poddisruptionbudgets.policy", Namespace: "default", Name: "web"}].Number("status", "disruptionsAllowed")
		return n > 0 && ready(state)
	})
	pods := s.on("", "v1", "pods")
	for round := range e.rounds {
		done := make(chan error, e.clients)
		for client := range e.clients {
			name := fmt.Sprintf("web-%d", (round+client*client)%e.pods) // some want the same one
			eviction := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": map[string]any{"name": name, "namespace": "default"}}}
			go func() {
				_, err := pods.Create(s.Context(), eviction, metav1.CreateOptions{}, "eviction")
				done <- err
			}()
		}
		for range e.clients {
			if err := <-done; err != nil {
				s.Log(err) // some of them are refused, or all
			}
		}
		s.until("all pods", ready)
	}
}

// kept are the fields of objects that recorded histories have in the examples: what Observed is about, and what is
// needed to read them.
var kept = []string{
	"apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.uid", "metadata.deletionTimestamp", "metadata.ownerReferences",
	"metadata.annotations.deployment.kubernetes.io/revision", "spec.replicas", "status.replicas", "status.availableReplicas",
	"status.conditions", "status.phase", "status.disruptionsAllowed", "status.disruptedPods", "status.currentHealthy", "status.desiredHealthy", "status.expectedPods",
}

// trimmed is an object with what is kept.
func trimmed(o map[string]any, path string) map[string]any {
	out := map[string]any{}
	for name, v := range o {
		here := path + name
		inner, ok := v.(map[string]any)
		switch {
		case slices.Contains(kept, here):
			out[name] = v
		case ok && slices.ContainsFunc(kept, func(k string) bool { return strings.HasPrefix(k, here+".") }):
			out[name] = trimmed(inner, here+".")
		}
	}
	return out
}

// recorded plays on a control plane, and gives what was written of some kinds.
func recorded(t *testing.T, kinds []string, play func(*stage)) []history.Event {
	t.Helper()
	s := newStage(t)
	play(s)
	return slices.DeleteFunc(s.plane.History(), func(e history.Event) bool { return !slices.Contains(kinds, e.Resource) })
}

// written writes a history.
func written(t *testing.T, file string, events []history.Event) {
	t.Helper()
	var b bytes.Buffer
	for _, e := range events {
		if err := history.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// became is what becomes of a history.
func became(t *testing.T, module, configuration, file string) finding.Result {
	t.Helper()
	if configuration != "" {
		configuration = filepath.Join(filepath.Dir(module), configuration)
	}
	report, err := Run(t.Context(), Options{File: module, Configuration: configuration, History: file, Observed: "Observed"})
	if err != nil {
		t.Fatal(err)
	}
	return report.Results[0]
}

const examples = "../../../../examples/spec"

// TestRecordedHistories: what real controllers did is a behaviour of the specifications. With -record the histories
// that the examples have are made anew.
func TestRecordedHistories(t *testing.T) {
	for _, r := range recordings {
		file := filepath.Join(examples, r.file)
		if *record {
			events := recorded(t, r.kinds, r.play)
			for i := range events {
				events[i].Previous, events[i].Time = nil, time.Time{}
				if events[i].Object != nil {
					events[i].Object = trimmed(events[i].Object, "")
				}
			}
			written(t, file, events)
		}
		if got := became(t, filepath.Join(examples, r.module), r.configuration, file); got.Verdict != finding.Holds {
			t.Errorf("%s: %s: %s", r.file, got.Verdict, got.Message)
		}
	}
}

// TestLiveHistories: so is what they do now, each time in another order; make conformance looks many times.
func TestLiveHistories(t *testing.T) {
	if os.Getenv(controlplane.Executable) == "" {
		t.Fatalf("%s is not set: make test builds it", controlplane.Executable)
	}
	times, played := 1, recordings[:2]
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		times, played = 50, recordings
	}
	for i := range times {
		for _, r := range played {
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(r.file), i), func(t *testing.T) { // which gives the plane back
				file := filepath.Join(t.TempDir(), "history.jsonl")
				written(t, file, recorded(t, r.kinds, r.play))
				if got := became(t, filepath.Join(examples, r.module), r.configuration, file); got.Verdict != finding.Holds {
					text, err := os.ReadFile(file)
					t.Errorf("%s: %s\n%s, %v", got.Verdict, got.Message, text, err)
				}
			})
		}
	}
}

// mistakes are made in specifications: in a module, or in the configuration of a recording.
var mistakes = []struct{ of, file, what, was, is string }{
	{"rollout", "Observed.cfg", "no surge", "MaxSurge = 1", "MaxSurge = 0"},
	{"rollout", "Observed.cfg", "more surge", "MaxSurge = 1", "MaxSurge = 2"},
	{"rollout", "Observed.cfg", "nothing may be unavailable", "MaxUnavailable = 1", "MaxUnavailable = 0"},
	{"rollout", "Observed.cfg", "more may be unavailable", "MaxUnavailable = 1", "MaxUnavailable = 2"},
	{"rollout", "wide.cfg", "less surge", "MaxSurge = 2", "MaxSurge = 1"},
	{"rollout", "wide.cfg", "fewer may be unavailable", "MaxUnavailable = 3", "MaxUnavailable = 2"},
	{"rollout", "down.cfg", "some surge", "MaxSurge = 0", "MaxSurge = 1"},
	{"rollout", "down.cfg", "one may be unavailable", "MaxUnavailable = 2", "MaxUnavailable = 1"},
	{"rollout", "Rollout.tla", "reports are never behind", `Written(set, wanted[set], seen[set]`, `Written(set, wanted[set], pods[set].available`},
	{"rollout", "Rollout.tla", "the new version is raised at once", `wanted["new"] + room`, `Replicas`},
	{"rollout", "Rollout.tla", "a pod starts as available", "pods[set].starting + 1, pods[set].available)", "pods[set].starting, pods[set].available + 1)"},
	{"rollout", "Rollout.tla", "what has been is not reported", "Head(late[set])]\n  /\\ late' = [late EXCEPT ![set] = Tail(@)]", "pods[set].available]\n  /\\ late' = [late EXCEPT ![set] = <<>>]"},
	{"rollout", "Rollout.tla", "the old version is lowered after all of the new one is there", "/\\ Spare(view) > 0", "/\\ reported[\"new\"] = Replicas"},
	{"rollout", "Rollout.tla", "it is lowered first", "/\\ room > 0", "/\\ room > 0 /\\ Total(View(\"new\")) <= Least"},
	{"rollout", "Rollout.tla", "one is lowered at a time", `wanted["old"] - Less(view)`, `wanted["old"] - 1`},
	{"rollout", "Rollout.tla", "one is raised at a time", `wanted["new"] + room`, `wanted["new"] + 1`},
	{"rollout", "Rollout.tla", "the limits are exchanged", "Most == Replicas + MaxSurge", "Most == Replicas + MaxUnavailable"},
	{"rollout", "Rollout.tla", "what is available is not asked for", `view.reported["old"] + view.reported["new"] - Least`, `Total(view) - Least`},
	{"eviction", "Observed.cfg", "one more is needed", "Amount = 2", "Amount = 3"},
	{"eviction", "Observed.cfg", "one fewer is needed", "Amount = 2", "Amount = 1"},
	{"eviction", "crowd.cfg", "one fewer is needed of many", "Amount = 3", "Amount = 2"},
	{"eviction", "most.cfg", "two may be missing", "Amount = 1", "Amount = 2"},
	{"eviction", "most.cfg", "what may be missing has to be there", "maxUnavailable", "minAvailable"},
	{"eviction", "share.cfg", "a smaller share may be missing", "Amount = 30", "Amount = 25"},
	{"eviction", "share.cfg", "a number, and no share", "Percent = TRUE", "Percent = FALSE"},
	{"eviction", "Observed.cfg", "pods that are about to be deleted are counted", `"none"`, `"forgetful"`},
	{"eviction", "Observed.cfg", "disruptions that are not allowed are taken", `"none"`, `"unguarded"`},
	{"eviction", "Eviction.tla", "a share is rounded down", "* whole + 99)", "* whole)"},
	{"eviction", "Eviction.tla", "the controller never hears of a change", "seen' = [seen EXCEPT ![Head(news).pod] = Head(news).is]", "seen' = seen"},
	{"eviction", "Eviction.tla", "the controller hears of everything at once", "/\\ status # budget", "/\\ status # budget /\\ news = <<>>"},
	{"eviction", "Eviction.tla", "who is evicted stays", "THEN Goes(client[c].pod) ELSE", "THEN UNCHANGED <<pods, news>> ELSE"},
	{"eviction", "Eviction.tla", "pods are deleted before the budget is asked", "  /\\ client[c].at = \"allowed\"\n  /\\ IF", "  /\\ client[c].at = \"asked\"\n  /\\ IF"},
	{"eviction", "Eviction.tla", "an eviction takes no disruption", "client[c].allowed - 1", "client[c].allowed"},
	{"eviction", "Eviction.tla", "an eviction is taken from another field", "!.allowed = client[c].allowed - 1", "!.healthy = @ - 1"},
	{"eviction", "Eviction.tla", "nobody takes note of the pod", `@ \union {client[c].pod}`, "@"},
	{"eviction", "Eviction.tla", "pods never come back", `\/ pods[pod] = "absent" /\ Becomes(pod, "starting")`, `\/ FALSE`},
	{"eviction", "Eviction.tla", "pods that start are counted", `known[pod] = "ready" /\`, `known[pod] \in {"starting", "ready"} /\`},
	{"eviction", "Eviction.tla", "pods that go are counted", `known[pod] = "ready" /\`, `known[pod] \in {"ending", "ready"} /\`},
	{"eviction", "Eviction.tla", "pods that go are not expected", `known[pod] # "absent"}`, `known[pod] \in {"starting", "ready"}}`},
	{"eviction", "Eviction.tla", "names are kept when their pods have gone", `{pod \in disrupted : known[pod] \in {"starting", "ready"}}`, "disrupted"},
	{"eviction", "Eviction.tla", "names are dropped with the next count", `{pod \in disrupted : known[pod] \in {"starting", "ready"}}`, "{}"},
	{"eviction", "Eviction.tla", "one disruption more is allowed", "THEN healthy - desired ELSE 0", "THEN healthy - desired + 1 ELSE 0"},
	{"eviction", "Eviction.tla", "fields are exchanged", "desired |-> desired, expected |-> expected", "desired |-> expected, expected |-> desired"},
}

// TestWrongSpecifications: a specification with a mistake does not explain all that real controllers did.
func TestWrongSpecifications(t *testing.T) {
	for _, c := range mistakes {
		folder := t.TempDir()
		if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, c.of))); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, c.file)
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), c.was) {
			t.Fatalf("%s has no %q: %v", file, c.was, err)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), c.was, c.is, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		rejected := ""
		for _, r := range recordings {
			if rejected != "" || filepath.Dir(r.file) != c.of || filepath.Ext(c.file) == ".cfg" && c.file != cmp.Or(r.configuration, "Observed.cfg") {
				continue
			}
			if got := became(t, filepath.Join(folder, "Observed.tla"), r.configuration, filepath.Join(folder, filepath.Base(r.file))); got.Verdict == finding.Violated {
				rejected = filepath.Base(r.file) + ": " + got.Message
			}
		}
		if rejected == "" {
			t.Errorf("%s: no recording tells", c.what)
		}
		t.Logf("%s: %s", c.what, rejected)
	}
}

// TestDoctoredHistories: what no controller would do is explained by no specification, and the event is named.
func TestDoctoredHistories(t *testing.T) {
	raise := func(e history.Event) bool {
		n, _ := e.Object.Number("spec", "replicas")
		return e.Resource == "replicasets.apps" && e.Object.Text("metadata", "annotations", "deployment.kubernetes.io/revision") == "2" && n == 1
	}
	for _, c := range []struct {
		of, what string
		// which is the event that is changed, and change what becomes of it; all that become nothing are left out.
		which  func(history.Event) bool
		change func(*history.Event)
		want   string
	}{
		{"rollout/rollout", "more than maxSurge", raise, func(e *history.Event) { e.Object["spec"].(map[string]any)["replicas"] = int64(2) }, "by deployment-controller: no step"},
		{"rollout/rollout", "a report of more than there are", func(e history.Event) bool {
			n, _ := e.Object.Number("status", "availableReplicas")
			return e.Resource == "replicasets.apps" && n == 3
		}, func(e *history.Event) { e.Object["status"].(map[string]any)["availableReplicas"] = int64(5) }, "by replicaset-controller: no step"},
		{"eviction/evictions", "a pod goes without its budget being asked", func(e history.Event) bool {
			return e.Object.At("status", "disruptedPods") != nil
		}, func(e *history.Event) { e.Object = nil }, "update pods default/web-"},
		{"eviction/evictions", "a disruption more", func(e history.Event) bool {
			n, _ := e.Object.Number("status", "disruptionsAllowed")
			return n == 1
		}, func(e *history.Event) { e.Object["status"].(map[string]any)["disruptionsAllowed"] = int64(2) }, "by disruption-controller: no step"},
		{"eviction/evictions", "an eviction that is not allowed", func(e history.Event) bool {
			healthy, _ := e.Object.Number("status", "currentHealthy")
			return healthy == 2 && e.Object.At("status", "disruptedPods") != nil
		}, func(e *history.Event) {
			e.Object["status"].(map[string]any)["disruptedPods"].(map[string]any)["web-2"] = "2026-01-01T00:00:00Z"
		}, "no step"},
	} {
		f, err := os.Open(filepath.Join(examples, c.of+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		events, err := history.Read(f)
		_ = f.Close() // it was read
		i := slices.IndexFunc(events, c.which)
		if err != nil || i < 0 {
			t.Fatalf("%s: no event to change, %v", c.what, err)
		}
		if c.change(&events[i]); events[i].Object == nil {
			events = slices.DeleteFunc(slices.Delete(events, i, i+1), c.which)
		}
		file := filepath.Join(t.TempDir(), "history.jsonl")
		written(t, file, events)
		if got := became(t, filepath.Join(examples, filepath.Dir(c.of), "Observed.tla"), "", file); got.Verdict != finding.Violated || !strings.Contains(got.Message, c.want) {
			t.Errorf("%s: %s: %s; want it violated at an event %q", c.what, got.Verdict, got.Message, c.want)
		} else {
			t.Logf("%s: %s", c.what, got.Message)
		}
	}
}
