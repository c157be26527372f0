package cluster_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// given checks text; the error is that of the check.
func given(t *testing.T, text string) (*finding.Report, error) {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return cluster.Check(t.Context(), in, cluster.Options{})
}

const givenWeb = `apiVersion: v1
kind: Node
metadata: {name: a, labels: {kubernetes.io/hostname: a}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "1100"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]}
`

// TestTheBoundHasEveryAutoscaler: the second of two autoscalers of one workload
// counts in the bound, and in what SEA1008 takes for the maximum.
func TestTheBoundHasEveryAutoscaler(t *testing.T) {
	text := givenWeb
	for i, most := range []int{3, 7} {
		text += fmt.Sprintf(`---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: scaler-%d}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: %d
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
`, i, most)
	}
	r, err := given(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if r.Bound.Pods != 7 || !strings.Contains(r.Bound.Text, "up to 7 wanted pods") {
		t.Errorf("%d pods: %s", r.Bound.Pods, r.Bound.Text)
	}
}

// TestAPodOfItsOwnSpecIsSaid: where a given pod differs from its template, with
// its line, once for all that differ alike.
func TestAPodOfItsOwnSpecIsSaid(t *testing.T) {
	text := givenWeb
	for i := range 3 {
		text += fmt.Sprintf(`---
apiVersion: v1
kind: Pod
metadata: {name: web-%d, uid: u%d, labels: {app: web}}
spec:
  nodeName: a
  priority: 0
  containers:
  - name: c
    image: i
    resources: {requests: {cpu: 900m}}
status: {phase: Running}
`, i, i)
	}
	r, err := given(t, text)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, w := range r.Warnings {
		if strings.Contains(w.Message, "differs") {
			said = append(said, w.Location.FileLine()+": "+w.Message)
		}
	}
	const want = "<stdin>:25: the pod differs in spec.containers[0].resources from the template of Deployment default/web (<stdin>:12)" +
		": it is checked as it is, and one created in its place as the template says"
	if len(said) != 1 || said[0] != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(said, "\n"), want)
	}
}

// TestWhatDoesNotFitIntoTheStateIsRefused: more pod templates of a workload and
// more phases of a start-up profile than a pod can tell apart are errors of the
// input, with their line.
func TestWhatDoesNotFitIntoTheStateIsRefused(t *testing.T) {
	var sets strings.Builder
	sets.WriteString(givenWeb)
	for i := range 300 {
		fmt.Fprintf(&sets, `---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-%d
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: true}]
spec:
  replicas: 1
  selector: {matchLabels: {app: web, n: "%d"}}
  template:
    metadata: {labels: {app: web, n: "%d"}}
    spec: {containers: [{name: c, image: i}]}
`, i, i, i)
	}
	_, err := given(t, sets.String())
	problems, ok := manifest.AsProblems(err)
	if !ok || !strings.HasPrefix(problems[0].String(), "<stdin>:") || !strings.Contains(problems[0].Message, "more than 254 different pod templates") {
		t.Errorf("300 ReplicaSets: %v", err)
	}

	phases := strings.Repeat("    - {use: {cpu: 1m}, seconds: 1}\n", 257)
	_, err = given(t, givenWeb+"---\napiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec:\n  load:\n  - workload: {name: web}\n    startUp:\n"+phases)
	const want = "<stdin>:278: a start-up profile of 257 phases is too long to check (at most 256)"
	if err == nil || err.Error() != want {
		t.Errorf("257 phases: got %v, want %s", err, want)
	}
}
