package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// A sort of workload that pairs are made of: name and application are put in.
var sorts = map[string]string{
	"one":   `{replicas: 1, TEMPLATE}`,
	"two":   `{replicas: 2, TEMPLATE}`,
	"apart": `{replicas: 2, TEMPLATE AFFINITY}`,
	"even":  `{replicas: 2, TEMPLATE SPREAD}`,
}

const (
	affinityTerm = `affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: NAME}}}]}}`
	spreadTerm   = `topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: NAME}}}]`
)

func workload(sort, name, cpu, more string) string {
	spec := sorts[sort]
	extra := ""
	if strings.Contains(spec, " AFFINITY") {
		extra = ", " + affinityTerm
	}
	if strings.Contains(spec, " SPREAD") {
		extra = ", " + spreadTerm
	}
	spec = strings.NewReplacer(" AFFINITY", "", " SPREAD", "").Replace(spec)
	template := `selector: {matchLabels: {app: NAME}}, template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: c, image: "NAME:1", resources: {requests: {cpu: ` + cpu + `}}}]` + extra + `}}`
	return strings.ReplaceAll("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME}\nspec: "+strings.Replace(spec, "TEMPLATE", template, 1)+"\n---\n"+more, "NAME", name)
}

const (
	partNodes = `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: ROOM, memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: ROOM, memory: 8Gi, pods: "110"}}
---
`
	partBudget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: NAME}\nspec: {minAvailable: 1, selector: {matchLabels: {app: NAME}}}\n---\n"
	partEvent  = "apiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec: {events: [%s]}\n"
)

func checkPair(t *testing.T, text string, o Options) *finding.Report {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{ValidateDescheduler: CheckPolicy})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.All = true
	r, err := Check(context.Background(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func verdicts(r *finding.Report) string {
	var out []string
	for _, p := range r.Results {
		out = append(out, fmt.Sprintf("%s %s %s", p.Rule, p.Subject, p.Verdict))
	}
	slices.Sort(out)
	return strings.Join(append(out, string(r.Verdict)), "\n")
}

// TestParts holds the check of parts to the check of the whole, for every pair
// of these workloads, with a budget over the first and without, under one
// event of each sort, and on nodes that have not room for all.
func TestParts(t *testing.T) {
	var names []string
	for name := range sorts {
		names = append(names, name)
	}
	slices.Sort(names)
	apart := 0
	for i, a := range names {
		for _, b := range names[i:] {
			for _, event := range []struct{ name, budget, room string }{
				{"drain", "", "4"}, {"drain", partBudget, "4"}, {"node-loss", "", "4"}, {"rollout", "", "4"}, {"drain", "", "1900m"},
			} {
				text := strings.ReplaceAll(partNodes, "ROOM", event.room) + workload(a, "a", "100m", event.budget) + workload(b, "b", "1", "") + fmt.Sprintf(partEvent, "{type: "+event.name+"}")
				parts, whole := checkPair(t, text, Options{}), checkPair(t, text, Options{together: true})
				if diff := cmp.Diff(verdicts(whole), verdicts(parts)); diff != "" {
					t.Errorf("%s and %s, %v (-whole +parts):\n%s", a, b, event, diff)
				}
				if parts.Bound.Parts == 2 {
					apart++
				}
			}
		}
	}
	if apart < 25 {
		t.Errorf("only %d pairs were checked apart", apart)
	}
}

// TestPartsThatShareScarceNodesAreJoined: two Deployments fill a node between them,
// a third has one of its own.
func TestPartsThatShareScarceNodesAreJoined(t *testing.T) {
	node := func(name, pool, cpu string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {pool: %s}}\nstatus: {allocatable: {cpu: %q, memory: 8Gi, pods: \"110\"}}\n---\n", name, pool, cpu)
	}
	deployment := func(name, pool, cpu string) string {
		return strings.NewReplacer("NAME", name, "POOL", pool, "CPU", cpu).Replace("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME}\nspec: {replicas: 1, selector: {matchLabels: {app: NAME}}, template: {metadata: {labels: {app: NAME}}, spec: {nodeSelector: {pool: POOL}, containers: [{name: c, image: a, resources: {requests: {cpu: CPU}}}]}}}\n---\n")
	}
	for _, row := range []struct {
		cpu   string // of the node that two of them share
		parts int
	}{{"8", 3}, {"1500m", 2}} {
		text := node("n1", "east", row.cpu) + node("n2", "west", "2") + deployment("a", "east", "500m") + deployment("b", "east", "500m") + deployment("c", "west", "500m") +
			fmt.Sprintf(partEvent, "{type: rollout}")
		parts, whole := checkPair(t, text, Options{}), checkPair(t, text, Options{together: true})
		if diff := cmp.Diff(verdicts(whole), verdicts(parts)); diff != "" {
			t.Errorf("%s (-whole +parts):\n%s", row.cpu, diff)
		}
		if parts.Bound.Parts != row.parts {
			t.Errorf("%s: %d parts, want %d", row.cpu, parts.Bound.Parts, row.parts)
		}
	}
}

// TestFewerEventsThatWereExploredAreSaid: two events are too many for the budget, one
// is not, and that is worth knowing.
func TestFewerEventsThatWereExploredAreSaid(t *testing.T) {
	text := strings.ReplaceAll(partNodes, "ROOM", "8") + workload("two", "a", "100m", "")
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{ValidateDescheduler: CheckPolicy})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(t.Context(), in, Options{MaxStates: 3000})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != finding.Inconclusive || !strings.HasSuffix(r.Reason, "; with at most 1 event all was explored and nothing found") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}
