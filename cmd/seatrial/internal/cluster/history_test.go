package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

const historyObjects = `{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}
---
`

// pdb is a budget; applied is what its annotation says was applied.
func pdb(spec, applied string) string {
	annotation := ""
	if applied != "" {
		annotation = fmt.Sprintf(`, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web"},"spec":{%s}}'}`, applied)
	}
	return fmt.Sprintf(`{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web%s}, spec: {selector: {matchLabels: {app: web}}%s}}`, annotation, spec)
}

// told is the one budget's versions, the first of which differs from none, and
// where each write leads from each.
func told(t *testing.T, given string, events ...string) []string {
	t.Helper()
	text := historyObjects
	if given != "" {
		text += given + "\n---\n"
	}
	text += "{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {events: [" + strings.Join(events, ", ") + "]}}"
	in, err := manifest.Load(context.Background(), []string{"-"}, strings.NewReader(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := build(context.Background(), in, Options{})
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	var out []string
	for _, r := range w.PDBs[0].Revisions {
		said := "minAvailable"
		n := r.PDB.Spec.MinAvailable
		if n == nil {
			said, n = "maxUnavailable", r.PDB.Spec.MaxUnavailable
		}
		if n == nil {
			out = append(out, "no limit")
			continue
		}
		policy := ""
		if p := r.PDB.Spec.UnhealthyPodEvictionPolicy; p != nil {
			policy = " " + string(*p)
		}
		out = append(out, said+" "+n.String()+policy)
	}
	for _, e := range w.Events {
		out = append(out, fmt.Sprint(e.Type, " ", e.Rewrite.Next, " first ", e.Rewrite.First))
	}
	if w.PDBs[0].Absent {
		out = append(out, "absent")
	}
	return out
}

func TestWhatWritesLeave(t *testing.T) {
	apply := func(spec string) string { return "{type: apply, manifest: " + pdb(spec, "") + "}" }
	create := func(spec string) string { return "{type: create, manifest: " + pdb(spec, "") + "}" }
	for _, row := range []struct {
		name   string
		given  string
		events []string
		want   []string
	}{
		{
			"changed", pdb(", minAvailable: 1", ""),
			[]string{apply(", minAvailable: 2")},
			[]string{"minAvailable 1", "minAvailable 2", "apply [1 1] first 0"},
		},
		{
			"applied as it is: one version", pdb(", minAvailable: 1", ""),
			[]string{apply(", minAvailable: 1")},
			[]string{"minAvailable 1", "apply [0] first 0"},
		},
		{
			"left out and never applied: it stays", pdb(", minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow", ""),
			[]string{apply(", minAvailable: 2")},
			[]string{"minAvailable 1 AlwaysAllow", "minAvailable 2 AlwaysAllow", "apply [1 1] first 0"},
		},
		{
			"left out and applied before: removed", pdb(", minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow", `"unhealthyPodEvictionPolicy":"AlwaysAllow"`),
			[]string{apply(", minAvailable: 2")},
			[]string{"minAvailable 1 AlwaysAllow", "minAvailable 2", "apply [1 1] first 0"},
		},
		{
			"one field for another", pdb(", minAvailable: 1", `"minAvailable":1`),
			[]string{apply(", maxUnavailable: 1")},
			[]string{"minAvailable 1", "maxUnavailable 1", "apply [1 1] first 0"},
		},
		{
			"two manifests, each over the other", pdb(", minAvailable: 1", ""),
			[]string{
				apply(", minAvailable: 2, unhealthyPodEvictionPolicy: AlwaysAllow"), apply(", minAvailable: 3"),
			},
			[]string{
				"minAvailable 1", "minAvailable 2 AlwaysAllow", "minAvailable 3", "apply [1 1 1] first 0", "apply [2 2 2] first 0",
			},
		},
		// Version 3 is what the second manifest makes of the given policy before the
		// first one was applied, which then takes it over.
		{
			"what nobody applied stays until somebody has", pdb(", minAvailable: 1, unhealthyPodEvictionPolicy: IfHealthyBudget", ""),
			[]string{
				apply(", minAvailable: 2, unhealthyPodEvictionPolicy: AlwaysAllow"), apply(", minAvailable: 3"),
			},
			[]string{
				"minAvailable 1 IfHealthyBudget", "minAvailable 2 AlwaysAllow", "minAvailable 3 IfHealthyBudget", "minAvailable 3",
				"apply [1 1 1 1] first 0", "apply [2 3 2 3] first 0",
			},
		},
		{
			"created and changed", "",
			[]string{create(", minAvailable: 1"), apply(", minAvailable: 2")},
			[]string{"minAvailable 1", "minAvailable 2", "create [] first 0", "apply [1 1] first 1", "absent"},
		},
		{
			"created by an apply", "",
			[]string{apply(", maxUnavailable: 1")},
			[]string{"maxUnavailable 1", "apply [0] first 0", "absent"},
		},
		{
			"what the API server refuses", pdb(", minAvailable: 1", ""),
			[]string{apply(", maxUnavailable: 1")},
			[]string{"<stdin>:7: applied to what is there: spec: Invalid value: minAvailable and maxUnavailable cannot be both set"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, told(t, row.given, row.events...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A field is shown where it was written last.
func TestAFieldHasTheLineOfItsLastWrite(t *testing.T) {
	text := historyObjects + `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec:
  minAvailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector: {matchLabels: {app: web}}
---
apiVersion: seatrial.dev/v1alpha1
kind: Scenario
spec:
  events:
  - type: apply
    manifest:
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web}
      spec:
        minAvailable: 2
        selector: {matchLabels: {app: web}}
`
	in, err := manifest.Load(context.Background(), []string{"-"}, strings.NewReader(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := build(context.Background(), in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := func(r *model.PDBRevision) []int {
		var out []int
		for _, path := range []string{"spec.minAvailable", "spec.unhealthyPodEvictionPolicy", "spec.selector", "spec"} {
			ref := r.Ref(path, "")
			out = append(out, ref.Source.Position(ref.Path).Line)
		}
		return out
	}
	if got := lines(&w.PDBs[0].Revisions[0]); !slices.Equal(got, []int{9, 10, 11, 8}) {
		t.Errorf("as given: lines %v", got)
	}
	if got := lines(&w.PDBs[0].Revisions[1]); !slices.Equal(got, []int{23, 10, 24, 22}) {
		t.Errorf("as applied: lines %v", got)
	}
}

// What is not to happen leaves no versions.
func TestAnEventThatIsNotKeptWritesNothing(t *testing.T) {
	text := historyObjects + pdb(", minAvailable: 1", "") + `
---
{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {events: [{type: drain}, {type: apply, manifest: ` + pdb(", minAvailable: 2", "") + "}]}}"
	for _, row := range []struct {
		events []string
		want   int
	}{{nil, 2}, {[]string{"drain"}, 1}, {[]string{"apply"}, 2}} {
		in, err := manifest.Load(context.Background(), []string{"-"}, strings.NewReader(text), manifest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := build(context.Background(), in, Options{Events: row.events})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(w.PDBs[0].Revisions); got != row.want {
			t.Errorf("with --event %v: %d versions, want %d", row.events, got, row.want)
		}
	}
}

// What an apply leaves of a Deployment beside its replicas, by what it finds: which
// manifest was applied last, and which settings are there.
func TestWhatAppliesLeaveOfADeployment(t *testing.T) {
	web := func(spec string) string {
		return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {` + spec + ` selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}`
	}
	for _, row := range []struct {
		name, given, last string
		manifests         []string
		want              []string
	}{
		{
			"set by one and left out by the other", "", "",
			[]string{"paused: true,", ""},
			[]string{"", "paused", "0/0>1 1/1>1", "0/0>0 1/1>0"},
		},
		{
			"one that sets and one that never had it", "minReadySeconds: 5,", "",
			[]string{"paused: true, minReadySeconds: 7,", "minReadySeconds: 7,"},
			[]string{"5", "7 paused", "7", "0/0>1 0/2>1 1/1>1", "0/0>2 0/2>2 1/1>2"},
		},
		{"nobody applied it: it stays", "paused: true,", "", []string{""}, []string{"paused", "0/0>0"}},
		{"the last apply had it", "paused: true,", `"paused":true`, []string{""}, []string{"paused", "", "0/0>1 1/1>1"}},
		{
			"a type alone takes the limits away", "strategy: {rollingUpdate: {maxSurge: 2}},", "",
			[]string{"strategy: {type: Recreate},", "strategy: {type: RollingUpdate},"},
			[]string{"RollingUpdate 2", "Recreate", "RollingUpdate 25%", "0/0>1 0/1>1 0/2>1", "0/0>2 0/1>2 0/2>2"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := strings.Replace(historyObjects, strings.Split(historyObjects, "\n---\n")[1], web(row.given), 1)
			if row.last != "" {
				text = strings.Replace(text, "{name: web}", `{name: web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":{`+row.last+`}}'}}`, 1)
			}
			var events []string
			for _, m := range row.manifests {
				events = append(events, "{type: apply, manifest: "+web(m)+"}")
			}
			w, _, err := worldOf(text+scenarioText(events), false)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range w.Workloads[0].Settings {
				got = append(got, settingsText(s, strings.Contains(row.given, "strategy")))
			}
			for _, e := range w.Events {
				var leaves []string
				for found, form := range e.Apply.Leaves {
					leaves = append(leaves, fmt.Sprintf("%d/%d>%d", found.Applied, found.Settings, form.Settings))
				}
				slices.Sort(leaves)
				got = append(got, strings.Join(leaves, " "))
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func scenarioText(events []string) string {
	return "{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {events: [" + strings.Join(events, ", ") + "]}}"
}

// settingsText is what is set of minReadySeconds and paused, and of the strategy if
// that is asked for.
func settingsText(s model.Settings, strategy bool) string {
	var said []string
	spec := &s.Deployment.Spec
	if strategy {
		said = append(said, string(spec.Strategy.Type))
		if rolling := spec.Strategy.RollingUpdate; rolling != nil {
			said = append(said, rolling.MaxSurge.String())
		}
	}
	if spec.MinReadySeconds > 0 {
		said = append(said, fmt.Sprint(spec.MinReadySeconds))
	}
	if s.Paused() {
		said = append(said, "paused")
	}
	return strings.Join(said, " ")
}
