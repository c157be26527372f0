package manifest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sigsyaml "sigs.k8s.io/yaml"
)

func loadText(t *testing.T, text string) *Input {
	t.Helper()
	in, err := Load(context.Background(), []string{"-"}, strings.NewReader(text), testOptions)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestADumpLoads reads what kubectl get -o yaml prints of a running cluster.
func TestADumpLoads(t *testing.T) {
	in, err := Load(context.Background(), []string{"testdata/dump"}, nil, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(in, nil); got != "ok\n" {
		t.Error(got)
	}
	pod := in.Pods[0].Value
	if pod.Status.Phase != corev1.PodRunning || pod.Spec.NodeName != "worker-1" || *pod.Spec.Priority != 100 || len(pod.Spec.EphemeralContainers) != 1 {
		t.Errorf("the pod is not as it was: %+v", pod)
	}
	if in.Deployments[0].Value.Status.ReadyReplicas != 1 || in.DisruptionBudgets[0].Value.Status.DisruptionsAllowed != 1 ||
		in.Autoscalers[0].Value.Status.CurrentReplicas != 1 || in.Nodes[0].Value.Status.NodeInfo.KubeletVersion != "v1.36.3" {
		t.Error("a status was lost")
	}
}

func TestDefaultsAreTheAPIServers(t *testing.T) {
	in := loadText(t, `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: nginx, resources: {limits: {cpu: 0.5}}}]
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  targetCPUUtilizationPercentage: 42
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {capacity: {cpu: 4, memory: 1Gi, pods: 10}}
---
apiVersion: seatrial.dev/v1alpha1
kind: Scenario
spec:
  nodePools:
  - {name: pool, min: 2, template: {status: {capacity: {cpu: 4, memory: 1Gi, pods: 10}}}}
`)
	d := in.Deployments[0].Value
	container := d.Spec.Template.Spec.Containers[0]
	if *d.Spec.Replicas != 1 || d.Namespace != "default" || d.Spec.Strategy.RollingUpdate.MaxSurge.String() != "25%" ||
		*d.Spec.Template.Spec.TerminationGracePeriodSeconds != 30 || container.ImagePullPolicy != corev1.PullAlways {
		t.Errorf("%+v", d.Spec)
	}
	// Requests that are left out become the limits in a pod, not in a template.
	admission, err := in.Admission()
	if err != nil {
		t.Fatal(err)
	}
	pod := PodOf(&d.Spec.Template, "default", "web-1")
	if err := admission.Admit(pod); err != nil || len(container.Resources.Requests) != 0 || pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue() != 500 {
		t.Errorf("%v: %+v", err, pod.Spec)
	}
	h := in.Autoscalers[0].Value
	if *h.Spec.MinReplicas != 1 || *h.Spec.Metrics[0].Resource.Target.AverageUtilization != 42 || h.APIVersion != "autoscaling/v2" {
		t.Errorf("%+v", h)
	}
	if in.Nodes[0].Value.Status.Allocatable.Cpu().Value() != 4 {
		t.Errorf("%+v", in.Nodes[0].Value.Status)
	}
	if p := in.Scenario.Value.Spec.NodePools[0]; p.Max != 2 || p.Template.Status.Allocatable.Pods().Value() != 10 {
		t.Errorf("%+v", p)
	}
	if !bytes.Contains(in.Autoscalers[0].Raw, []byte(`"autoscaling/v1"`)) || bytes.Contains(in.Deployments[0].Raw, []byte("replicas")) {
		t.Error("Raw is not what stands in the document")
	}
}

// TestPodsAreAdmitted expects what the API server makes of a new pod; the
// values are those of the Priority and DefaultTolerationSeconds plugins and of
// the pod strategy (pkg/registry/core/pod).
func TestPodsAreAdmitted(t *testing.T) {
	in := loadText(t, `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: usual}
value: 7
globalDefault: true
preemptionPolicy: Never
---
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: a, rev: r1}}
spec:
  containers: [{name: c, image: i}]
  tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 5}]
  affinity:
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: zone, matchLabelKeys: [rev], labelSelector: {matchLabels: {app: a}}}
---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec:
  priorityClassName: system-cluster-critical
  containers: [{name: c, image: i}]
status: {phase: Running}
`)
	a, b := in.Pods[0].Value, in.Pods[1].Value
	if *a.Spec.Priority != 7 || a.Spec.PriorityClassName != "usual" || *a.Spec.PreemptionPolicy != corev1.PreemptNever || a.Status.Phase != corev1.PodPending {
		t.Errorf("%+v", a)
	}
	if *b.Spec.Priority != 2000000000 || *b.Spec.PreemptionPolicy != corev1.PreemptLowerPriority || b.Status.Phase != corev1.PodRunning || len(b.Spec.Tolerations) != 2 {
		t.Errorf("%+v", b)
	}
	seconds := func(s int64) *int64 { return &s }
	want := []corev1.Toleration{
		{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: seconds(5)},
		{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: seconds(300)},
	}
	if diff := cmp.Diff(want, a.Spec.Tolerations); diff != "" {
		t.Error(diff)
	}
	term := a.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0]
	merged := []metav1.LabelSelectorRequirement{{Key: "rev", Operator: "In", Values: []string{"r1"}}}
	if diff := cmp.Diff(merged, term.LabelSelector.MatchExpressions); diff != "" {
		t.Error(diff)
	}
	// Templates stay as they are; their pods are admitted one by one.
	admission, err := in.Admission()
	if err != nil {
		t.Fatal(err)
	}
	pod := PodOf(&corev1.PodTemplateSpec{Spec: corev1.PodSpec{PriorityClassName: "none"}}, "default", "x")
	if err := admission.Admit(pod); err == nil || err.Error() != "no PriorityClass none in the input" {
		t.Error(err)
	}
}

// TestValuesAreKubectls holds values that YAML 1.1 and 1.2 read differently,
// and merge keys, to the library that kubectl reads with.
func TestValuesAreKubectls(t *testing.T) {
	for _, text := range []string{
		"a: yes\nb: no\nc: on\nd: y\ne: ~\nf: null\n", "a: 010\nb: 0o10\nc: 0x1F\nd: 1_000\ne: 1e3\nf: 1.0\ng: .5\n",
		"a: 12:30:45\nb: 2026-01-01\nc: \"7\"\nd: !!str 7\n", "1: a\ntrue: b\n1.5: c\n",
		"x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: {b: 4, <<: *x}\nw: {<<: [*x, {c: 5}]}\n",
		"a: |\n  x\n  y\nb: >-\n  x\n  y\nc: 'it''s'\n", "a: 9007199254740993\nb: 18446744073709551615\n",
	} {
		want, err := sigsyaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		docs, problems := parse("x.yaml", []byte("---\n"+text+"---\n"))
		if len(problems) > 0 || len(docs) != 1 {
			t.Fatalf("%q: %v", text, problems)
		}
		if diff := cmp.Diff(string(want), string(docs[0].raw)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		var v map[string]any
		if err := json.Unmarshal(docs[0].raw, &v); err != nil {
			t.Error(err)
		}
	}
}

func TestNamesThatAcceptNothing(t *testing.T) {
	in := loadText(t, "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\n---\n"+
		"apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {restartPolicy: Never, containers: [{name: c, image: i}]}\n")
	names := []string{
		"StatefulSet/default/db", "StatefulSet/default", " StatefulSet ", "Pod/default/x:spec.restartPolicy", "Pod:spec",
		"StatefulSet/default/d", "Stateful", "Pod/default/x", "Pod:spec.restart", "StatefulSet:spec", "", ":spec",
	}
	if diff := cmp.Diff(names[5:], in.Unaccepting(names)); diff != "" {
		t.Error(diff)
	}
	if in.Omissions([]string{"Pod:spec"})[0].Accepted != true || in.Omissions(nil)[0].Accepted {
		t.Error("the names of the command line are not heeded")
	}
}

// BenchmarkLoad reads 500 Deployments.
func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web-%d}\nspec:\n  replicas: 3\n  selector: {matchLabels: {app: web-%d}}\n"+
			"  template:\n    metadata: {labels: {app: web-%d}}\n    spec:\n      containers:\n      - name: web\n        image: nginx\n        resources: {requests: {cpu: 500m, memory: 64Mi}}\n", i, i, i)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := Load(context.Background(), []string{"-"}, strings.NewReader(text.String()), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
