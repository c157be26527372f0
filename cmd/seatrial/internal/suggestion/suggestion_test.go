package suggestion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/edit"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/remedy"
	"github.com/seatrial/seatrial/finding"
)

const examples = "../../../../examples"

// statesKnown bounds the search for what every property said before.
const statesKnown = 50_000

// mended are the failing examples, with the remedy of the first suggestion of each;
// empty for those that no remedy mends, for the reason that docs/suggest.md gives.
// slow ones take seconds each and are for SEATRIAL_CONFORMANCE.
var mended = []struct {
	folder, remedy string
	slow           bool
}{
	{"cases/a5/bad", "descheduler-hard-only", false},
	{"cases/a5/bad-four-nodes", "descheduler-hard-only", false},
	{"cases/a5/bad-no-fit", "descheduler-hard-only", false},
	{"cases/a5/bad-reported", "descheduler-hard-only", true},
	{"cases/a6/bad", "toleration", false},
	{"cases/a8/bad", "packing", false},
	{"cases/a8/bad-most-allocated", "packing", false},
	{"cases/a8/bad-no-spreading", "packing", false},
	{"cases/apply-strategy/bad", "last-applied", false},
	{"cases/b1/bad", "spread-revision", false},
	{"cases/b3/bad", "spread-taints", true},
	{"cases/b3/bad-drain", "spread-taints", false},
	{"cases/b5/bad", "rollout-room", false},
	{"cases/b5/bad-four", "rollout-room", false},
	{"cases/b5/bad-one", "rollout-room", false},
	{"cases/b5/bad-percent", "rollout-room", false},
	{"cases/b6/bad", "rollout-room", true},
	{"cases/b6/bad-unavailable-percent", "rollout-room", true},
	{"cases/budget-node-loss/bad", "budget", false},
	{"cases/c1/bad", "replicas", false},
	{"cases/c1/bad-percent", "replicas", false},
	{"cases/c2/bad", "budget", false},
	{"cases/c2/bad-any-load", "budget", true},
	{"cases/c2/bad-four", "budget", true},
	{"cases/c2/bad-three", "budget", true},
	{"cases/c2/bad-two", "budget", false},
	{"cases/c4/bad", "unhealthy-pods", false},
	{"cases/c4/bad-one-node", "unhealthy-pods", false},
	{"cases/c5/bad", "", true},
	{"cases/e1/bad", "scale-window", false},
	{"cases/e1/bad-one-pod", "scale-window", false},
	{"cases/e3/bad", "", false},
	{"cases/e4/bad", "", true},
	{"cases/e4/bad-under-load", "", true},
	{"cases/g3/bad", "larger-node", false},
	{"cases/hpa-window/bad", "scale-window", false},
	{"cases/j2/bad", "budget", false},
	{"cases/kivi-c1/bad", "scale-window", false},
	{"cases/kivi-c2/bad", "last-applied", false},
	{"cases/kivi-c3/bad", "spread-soft", false},
	{"cases/kivi-c4/bad", "one-node-more", false},
	{"cases/kivi-c4/bad-one-node", "one-node-more", false},
	{"cases/kivi-c5/bad", "descheduler-fit", false},
	{"cases/kivi-c5/bad-node-fit-three-nodes", "larger-node", true},
	{"cases/kivi-c5/bad-score", "spread-hosts", false},
	{"cases/kivi-c6/bad", "new-budget", false},
	{"cases/kivi-c7/bad", "toleration", false},
	{"cases/kivi-c7/bad-no-grace", "toleration", false},
	{"cases/kivi-c8/bad", "descheduler-hard-only", true},
	{"cases/node-loss-recovery/bad", "selector-soft", false},
	{"cases/node-loss-recovery/bad-tolerates-for-ever", "toleration-seconds", false},
	{"cases/own-reaper/bad", "", false},
	{"cases/own-rebalancer/bad", "", false},
	{"cases/recreate-node-loss/bad", "rolling-update", false},
	{"cases/scale-down-doubled/bad", "", true},
	{"cases/scale-down-pending/bad", "", false},
	{"cases/single-replica/bad", "replicas", false},
	{"cases/spread-node-loss/bad", "spread-taints", false},
	{"rules/SEA1002/fails", "replicas", false},
	{"rules/SEA1003/fails", "rollout-room", false},
	{"rules/SEA1005/fails", "", true},
	{"rules/SEA1007/fails", "spread-revision", false},
	{"rules/SEA1011/fails", "never-preempt", false},
	{"rules/SEA1012/fails", "scale-window", false},
	{"rules/SEA1013/fails", "cpu-request", false},
}

func load(t *testing.T, folder string) *manifest.Input {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{folder}, strings.NewReader(""), manifest.Options{ValidateDescheduler: cluster.CheckPolicy})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func check(t *testing.T, in *manifest.Input, o cluster.Options) *finding.Report {
	t.Helper()
	r, err := cluster.Check(t.Context(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func options(folder string) suggestion.Options {
	return suggestion.Options{
		Check: func(ctx context.Context, in *manifest.Input, all bool) (*finding.Report, error) {
			return cluster.Check(ctx, in, cluster.Options{Workers: 1, All: all, Timeout: 5 * time.Minute})
		},
		Read: os.ReadFile, Folder: folder,
	}
}

// TestFailingExamples: at least two thirds of the failing examples have a suggestion.
// Its patch applies with git, and then the violated property holds and no other is
// worse off.
func TestFailingExamples(t *testing.T) {
	conformance := os.Getenv("SEATRIAL_CONFORMANCE") != ""
	var told []string
	with := 0
	for _, m := range mended {
		told = append(told, filepath.Join(examples, m.folder))
		if m.remedy != "" {
			with++
		}
		if m.slow && !conformance {
			continue
		}
		t.Run(m.folder, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			folder := filepath.Join(root, "deploy")
			if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, m.folder))); err != nil {
				t.Fatal(err)
			}
			in := load(t, folder)
			r := check(t, in, cluster.Options{Workers: 1})
			before := check(t, in, cluster.Options{Workers: 1, All: true, MaxStates: statesKnown})
			suggestion.Find(t.Context(), in, r, options(root))
			if got := first(r); got != m.remedy {
				t.Fatalf("the first suggestion is %q, want %q: %+v", got, m.remedy, r.Suggesting)
			}
			if m.remedy == "" {
				said := slices.ContainsFunc(r.Results, func(p finding.Result) bool { return p.Verdict == finding.Violated && p.Unmended != "" })
				if r.Suggesting.Patch != "" || !said {
					t.Errorf("nothing is suggested and not said why, or there is a patch all the same: %+v", r.Suggesting)
				}
				return
			}
			for _, p := range r.Results {
				for _, s := range p.Suggestions {
					apply(t, root, s.Patch, "--check")
				}
			}
			apply(t, root, r.Suggesting.Patch)
			mendedAs(t, before, check(t, load(t, folder), cluster.Options{Workers: 1, All: true}))
		})
	}
	if 3*with < 2*len(mended) {
		t.Errorf("%d of %d failing examples have a suggestion", with, len(mended))
	}
	var all []string
	for _, pattern := range []string{"cases/*/bad*", "rules/*/fails"} {
		found, err := filepath.Glob(filepath.Join(examples, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if !slices.Equal(slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(told))) {
		t.Errorf("the table and the folders differ: %d and %d", len(told), len(all))
	}
}

// first is the remedy of the first suggestion of a report.
func first(r *finding.Report) string {
	for _, p := range r.Results {
		if len(p.Suggestions) > 0 {
			return p.Suggestions[0].Remedy
		}
	}
	return ""
}

func apply(t *testing.T, folder, patch string, flags ...string) {
	t.Helper()
	git := exec.CommandContext(t.Context(), "git", append([]string{"apply"}, flags...)...)
	git.Dir, git.Stdin = folder, strings.NewReader(patch)
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v: %s\n%s", err, out, patch)
	}
}

// mendedAs compares every property before and after a patch that mends all violations.
func mendedAs(t *testing.T, before, after *finding.Report) {
	t.Helper()
	if after.Verdict != finding.Holds || !after.Bound.Complete {
		t.Errorf("after the patch: %s %s", after.Verdict, after.Reason)
	}
	now := map[string]finding.Result{}
	prints := finding.Fingerprints(after.Results)
	for i, p := range after.Results {
		now[prints[i]] = p
	}
	for i, print := range finding.Fingerprints(before.Results) {
		was := before.Results[i]
		is, asked := now[print]
		switch {
		case !asked:
			t.Errorf("%s of %s is not asked any more", was.Name, was.Subject)
		case was.Verdict == finding.Violated && is.Vacuous != "":
			t.Errorf("%s of %s holds because it cannot fail any more: %s", was.Name, was.Subject, is.Vacuous)
		case was.Verdict == finding.Holds && was.Vacuous == "" && is.Vacuous != "":
			t.Errorf("%s of %s is vacuous now: %s", was.Name, was.Subject, is.Vacuous)
		}
	}
}

// TestManual: the page on suggestions lists every remedy, and the examples for which it
// comes first.
func TestManual(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/suggest.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range remedy.All() {
		var firsts []string
		for _, m := range mended {
			if m.remedy == r.Name {
				firsts = append(firsts, "`"+strings.TrimPrefix(strings.TrimPrefix(m.folder, "cases/"), "rules/")+"`")
			}
		}
		if row := "| `" + r.Name + "` | " + r.Doc + " | " + strings.Join(firsts, ", ") + " |\n"; !strings.Contains(string(page), row) {
			t.Errorf("docs/suggest.md does not have the row\n%s", row)
		}
	}
	with := 0
	for _, m := range mended {
		if m.remedy != "" {
			with++
		}
	}
	if said := fmt.Sprintf("%d of %d", with, len(mended)); !strings.Contains(string(page), said) {
		t.Errorf("docs/suggest.md does not say %s", said)
	}
}

// wedge is a drain that a budget blocks, in YAML and in JSON.
const wedge = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {kubernetes.io/hostname: n2}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec: # one is enough
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: c, image: web}]}
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: web}
  spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
- {apiVersion: seatrial.dev/v1alpha1, kind: Scenario, metadata: {name: s}, spec: {events: [{type: drain}]}}`

// TestForms: patches of files of any form and name apply with git, and mend.
func TestForms(t *testing.T) {
	inJSON, err := yaml.YAMLToJSON([]byte(wedge))
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, inJSON, "", "  "); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list.yaml":             wedge + "\n",
		"no end.yaml":           wedge,
		"windows.yaml":          strings.ReplaceAll(wedge+"\n", "\n", "\r\n"),
		"mark.yaml":             "\xef\xbb\xbf" + wedge + "\n",
		"one-line.json":         string(inJSON),
		"many-lines.json":       indented.String(),
		"strange \"é\\ \t.yaml": wedge + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			in := load(t, root)
			r := check(t, in, cluster.Options{Workers: 1})
			suggestion.Find(t.Context(), in, r, options(root))
			if first(r) != "replicas" {
				t.Fatalf("%q is first: %+v", first(r), r.Suggesting)
			}
			apply(t, root, r.Suggesting.Patch)
			if now := check(t, load(t, root), cluster.Options{Workers: 1}); now.Verdict != finding.Holds {
				t.Errorf("after the patch: %s", now.Verdict)
			}
			after, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			if lost := strings.Count(text, "\r\n") > 0 && strings.Count(string(after), "\n") != strings.Count(string(after), "\r\n"); lost || strings.Contains(text, "# one") && !strings.Contains(string(after), "spec: # one is enough") {
				t.Errorf("other bytes were changed:\n%s", after)
			}
		})
	}
}

// TestCutShort: what was found before the end stays, and the report says that it ended.
func TestCutShort(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.yaml"), []byte(wedge), 0o600); err != nil {
		t.Fatal(err)
	}
	in := load(t, root)
	for checks, want := range map[int]string{0: "", 4: "replicas"} {
		ctx, cancel := context.WithCancel(t.Context())
		r := check(t, in, cluster.Options{Workers: 1})
		o := options(root)
		ask, left := o.Check, checks
		o.Check = func(ctx context.Context, in *manifest.Input, all bool) (*finding.Report, error) {
			if left--; left < 0 {
				cancel()
			}
			return ask(ctx, in, all)
		}
		suggestion.Find(ctx, in, r, o)
		cancel()
		if first(r) != want || r.Suggesting.Reason != "interrupted" || r.Suggesting.Tried > checks || (want == "") != (r.Suggesting.Patch == "") {
			t.Errorf("after %d checks %q is first: %+v", checks, first(r), r.Suggesting)
		}
	}
}

// TestChangedFile: a file that is not as it was read is not patched.
func TestChangedFile(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.yaml")
	if err := os.WriteFile(file, []byte(wedge), 0o600); err != nil {
		t.Fatal(err)
	}
	in := load(t, root)
	r := check(t, in, cluster.Options{Workers: 1})
	if err := os.WriteFile(file, []byte(wedge+"\n# changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	suggestion.Find(t.Context(), in, r, options(root))
	if first(r) != "" || r.Suggesting.Tried != 0 || len(r.Suggesting.Left) != 1 || !strings.Contains(r.Suggesting.Left[0], "there is no file to change") {
		t.Errorf("%q is first: %+v", first(r), r.Suggesting)
	}
}

// TestScenarioStays: of a Scenario nothing is edited but the sizes of its pools, and no
// object is removed.
func TestScenarioStays(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(examples, "*", "*", "*", "manifests.yaml"))
	if err != nil || len(folders) < 50 {
		t.Fatal(len(folders), err)
	}
	for _, f := range folders {
		in := load(t, filepath.Dir(f))
		if in.Scenario == nil {
			continue
		}
		file, line, _ := in.Scenario.Source.Written()
		for _, c := range remedy.Candidates(remedy.For(in, finding.Result{})) {
			for _, e := range c.Edits {
				size := len(e.Path) == 4 && e.Path[1] == "nodePools" && (e.Path[3] == "min" || e.Path[3] == "max")
				if e.File == file && e.Line == line && !size {
					t.Errorf("%s: %s edits %s of the Scenario", f, c.Remedy, e.Path)
				}
				if e.Op == edit.Remove && len(e.Path) < 2 {
					t.Errorf("%s: %s removes %s", f, c.Remedy, e.Path)
				}
			}
		}
	}
}
