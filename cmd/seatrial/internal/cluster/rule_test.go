package cluster_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

var rewriteDocs = flag.Bool("rewrite-docs", false, "rewrite the tables of docs/cel.md")

var top = filepath.Join("..", "..", "..", "..")

// example is a folder that a rule names.
func example(r *rule.Rule, folder string) variant {
	dir := filepath.Join(top, filepath.FromSlash(folder))
	return variant{dir: dir, path: filepath.Base(filepath.Dir(dir)) + "/" + filepath.Base(dir), rule: r.ID}
}

// TestRuleExamples: every rule has an example that it finds fault with and one
// in which it holds though it could fail; they differ in one place.
func TestRuleExamples(t *testing.T) {
	for _, r := range rule.All() {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			fails, holds := example(r, r.Fails), example(r, r.Holds)
			fails.wantViolated(t, fails.check(t, cluster.Options{}))
			holds.wantHolds(t, holds.check(t, cluster.Options{}))
			if places := differences(documents(t, fails.dir), documents(t, holds.dir)); !sideBySide(places) {
				t.Errorf("%s and %s differ in more than one place: %v", r.Fails, r.Holds, places)
			}
		})
	}
}

// TestFieldsOfExpressions holds the manual to what expressions can see.
func TestFieldsOfExpressions(t *testing.T) {
	manual := filepath.Join(top, "docs", "cel.md")
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- begin fields -->\n", "<!-- end fields -->\n"
	before, rest, ok1 := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the tables", manual)
	}
	upToDate(t, manual, before+begin+expression.Fields()+end+after)
}

func upToDate(t *testing.T, path, want string) {
	t.Helper()
	if *rewriteDocs {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), want); diff != "" {
		t.Errorf("%s is not up to date, run make generate (-file +rules):\n%s", path, diff)
	}
}

// customManifests are what the examples of docs/cel.md are about.
const customManifests = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: node-a, labels: {kubernetes.io/hostname: node-a}}, status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: node-b, labels: {kubernetes.io/hostname: node-b}}, status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1.28", resources: {requests: {cpu: 500m, memory: 128Mi}}}]}}}
---
`

// custom checks a scenario's properties on customManifests. name is that of the
// file, for messages.
func custom(t *testing.T, scenario string) (*finding.Report, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "custom.yaml")
	if err := os.WriteFile(file, []byte(customManifests+scenario), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := manifest.Load(t.Context(), []string{file}, strings.NewReader(""), manifest.Options{ValidateExpression: cluster.CheckExpression})
	if err != nil {
		return nil, err
	}
	return cluster.Check(t.Context(), in, cluster.Options{Timeout: caseBudget})
}

// TestCustomManual runs the examples of docs/cel.md.
func TestCustomManual(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "cel.md"))
	if err != nil {
		t.Fatal(err)
	}
	var verdicts []string
	for _, part := range strings.Split(string(text), "```yaml\n")[1:] {
		scenario, _, _ := strings.Cut(part, "```")
		r, err := custom(t, scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Results {
			verdicts = append(verdicts, fmt.Sprintf("%s %s", p.Name, p.Verdict))
		}
	}
	want := []string{"never-two-on-one-node holds", "replaced holds", "in-the-end-all-web-pods-are-ready holds"}
	if diff := cmp.Diff(want, verdicts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// property is a Scenario with a drain and one custom property.
func property(body string) string {
	return "apiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec:\n  events: [{type: drain}]\n  properties:\n  - name: mine\n    " + body + "\n"
}

// TestCustomVerdicts: each kind of property can hold and can be violated, and
// nodes that an expression tells apart are told apart.
func TestCustomVerdicts(t *testing.T) {
	for body, want := range map[string]string{
		`always: size(pods) <= 3`:                                                                                  "holds",
		`always: nodes.all(n, !n.spec.unschedulable)`:                                                              "violated",
		`eventuallyAlways: pods.all(p, p.status.ready)`:                                                            "holds",
		`eventuallyAlways: nodes.all(n, n.status.ready && !n.spec.unschedulable)`:                                  "violated",
		`leadsTo: {from: 'pods.exists(p, p.spec.nodeName == "")', to: 'pods.all(p, p.status.phase == "Running")'}`: "holds",
		`leadsTo: {from: 'nodes.exists(n, n.spec.unschedulable)', to: 'nodes.all(n, !n.spec.unschedulable)'}`:      "violated",
		// Each node may be drained, not only one of two that look alike.
		`always: '!nodes.exists(n, n.metadata.name == "node-a" && n.spec.unschedulable)'`:              "violated",
		`always: '!nodes.exists(n, n.metadata.name == "node-b" && n.spec.unschedulable)'`:              "violated",
		`always: '!nodes[0].spec.unschedulable'`:                                                       "violated",
		`always: '!nodes[1].spec.unschedulable'`:                                                       "violated",
		`always: '!(nodes[0].metadata.name < nodes[1].metadata.name) || !nodes[0].spec.unschedulable'`: "violated",
	} {
		r, err := custom(t, property(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := string(r.Verdict); got != want {
			t.Errorf("%s: %s (%s), want %s", body, got, r.Reason, want)
		}
		if p := r.Results[0]; want == "violated" && (p.Trace == nil || len(p.Causes) == 0 || !strings.HasPrefix(p.Message, "mine: ")) {
			t.Errorf("%s: the finding does not convince: %+v", body, p)
		}
	}
}

// TestCustomErrors: what is wrong with an expression has a line; what fails in
// a state leaves everything else standing.
func TestCustomErrors(t *testing.T) {
	for body, want := range map[string]string{
		`always: pods.all(p, p.spec.image == "x")`:            "custom.yaml:18: spec.properties[0].always: column 19: undefined field 'image'",
		`always: size(pods)`:                                  "custom.yaml:18: spec.properties[0].always: the expression is of type int, not bool",
		`leadsTo: {from: 'true', to: 'pods.all(p, p.ready)'}`: "custom.yaml:18: spec.properties[0].leadsTo.to: column 14: undefined field 'ready'",
		`always: pods.all(p, p.metadata.labels.tier == "x")`:  "custom.yaml:18: property mine cannot be evaluated in every state: no such key: tier",
		`always: pods.all(p, pods.all(q, [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, a*b*c*d*e > 0)))))))`: "custom.yaml:18: property mine cannot be evaluated in every state: operation cancelled: actual cost limit exceeded",
	} {
		r, err := custom(t, property(body)+"  - rule: drain-completes\n")
		problems, ok := manifest.AsProblems(err)
		if !ok || len(problems) != 1 {
			t.Errorf("%s: got %v, want one problem", body, err)
			continue
		}
		if got := problems[0].String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
		if strings.Contains(want, "evaluated") {
			if r == nil || r.Results[0].Rule != "SEA1002" || r.Results[0].Verdict != finding.Holds || r.Results[1].Verdict != finding.Inconclusive {
				t.Errorf("%s: the rest of the check is lost: %+v", body, r)
			}
		}
	}
}

// TestMisplacedParameters: a parameter that its rule does not take is an error,
// not a promise without effect.
func TestMisplacedParameters(t *testing.T) {
	_, err := custom(t, "apiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec:\n  properties:\n  - rule: pods-run\n    node: node-a\n")
	if want := "custom.yaml:17: spec.properties[0].node: rule pods-run takes workload only"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
