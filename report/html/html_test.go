package html

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/sample"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

func rendered(t *testing.T, r *finding.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var dataElement = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// dataOf is the document that the script of a page reads.
func dataOf(t *testing.T, text string) *page {
	t.Helper()
	found := dataElement.FindStringSubmatch(text)
	if found == nil {
		t.Fatal("the page has no data")
	}
	var p page
	if err := json.Unmarshal([]byte(found[1]), &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

// A page of a long trace in a large cluster can be sent and opened.
func TestALargePageIsSmall(t *testing.T) {
	const bytesMax = 5 << 20
	text := rendered(t, sample.Large(100, 500))
	if len(text) > bytesMax {
		t.Errorf("500 steps of 100 nodes make %d bytes, at most %d", len(text), bytesMax)
	}
	if p := dataOf(t, text); len(p.Traces[0].Steps) != 500 || len(p.Traces[0].Cluster.Nodes) != 100 {
		t.Errorf("there are %d steps and %d nodes", len(p.Traces[0].Steps), len(p.Traces[0].Cluster.Nodes))
	}
}

func TestThePageIsTheSameEachTime(t *testing.T) {
	first := rendered(t, sample.Large(10, 50))
	for range 5 {
		if rendered(t, sample.Large(10, 50)) != first {
			t.Fatal("the same report makes two pages")
		}
	}
}

// User text is nowhere a part of the HTML: with it or without, a page has the same
// elements.
func TestHostileTextMakesNoElements(t *testing.T) {
	elements := func(text string) string {
		out := regexp.MustCompile(`<[/!]?[a-zA-Z-]+`).FindAllString(dataElement.ReplaceAllString(text, "<data>"), -1)
		return strings.Join(out, " ")
	}
	plain := rendered(t, sample.Hostile("x"))
	for _, attack := range sample.Attacks {
		text := rendered(t, sample.Hostile(attack))
		if got, want := elements(text), elements(plain); got != want {
			t.Errorf("%q changes the elements of the page:\n%s\n%s", attack, got, want)
		}
		if data := dataElement.FindStringSubmatch(text)[1]; strings.ContainsAny(data, "<>&\x00\x1b\u2028\u202e") {
			t.Errorf("%q is in the data as it is", attack)
		}
	}
}

// The policy of a page allows its own script and style, and no request.
func TestThePolicyOfThePage(t *testing.T) {
	text := rendered(t, sample.Large(2, 2))
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil || strings.Contains(policy[1], "unsafe") || strings.Contains(policy[1], "http") {
		t.Fatalf("the policy is %q", policy)
	}
	for _, want := range []string{"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "require-trusted-types-for 'script'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy[1], want) {
			t.Errorf("the policy lacks %s: %s", want, policy[1])
		}
	}
	if external := regexp.MustCompile(`(src|href)="[^#][^"]*"|url\(|@import`).FindAllString(dataElement.ReplaceAllString(text, ""), -1); fmt.Sprint(external) != `[href="data:,"]` {
		t.Errorf("the page refers to %q", external)
	}
}

func TestTheSentence(t *testing.T) {
	violated := finding.Result{Name: "pods-run", Subject: "Deployment a/b", Verdict: finding.Violated, Message: "pods do not run"}
	silent := finding.Result{Name: "pods-run", Subject: "Deployment a/b", Verdict: finding.Violated}
	holds := finding.Result{Verdict: finding.Holds}
	ignored := finding.Result{Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByBaseline}}
	cases := []struct {
		name   string
		report finding.Report
		want   string
		badge  string
	}{
		{"one violation is its message", finding.Report{Verdict: finding.Violated, Results: []finding.Result{holds, violated}}, "pods do not run", "violated"},
		{"without a message", finding.Report{Verdict: finding.Violated, Results: []finding.Result{silent}}, "pods-run is violated for Deployment a/b", "violated"},
		{"of a few the first is named", finding.Report{Verdict: finding.Violated, Results: []finding.Result{violated, silent}}, "pods do not run", "violated"},
		{"many are counted", finding.Report{Verdict: finding.Violated, Results: []finding.Result{violated, silent, violated, silent}}, "4 properties are violated", "violated"},
		{"a violation outweighs the rest", finding.Report{Verdict: finding.Inconclusive, Reason: "no time", Results: []finding.Result{violated}}, "pods do not run", "violated"},
		{"what is ignored does not count", finding.Report{Verdict: finding.Holds, Results: []finding.Result{ignored, holds}}, "1 property holds up to this bound", "holds"},
		{"all hold", finding.Report{Verdict: finding.Holds, Results: []finding.Result{holds, holds}}, "2 properties hold up to this bound", "holds"},
		{"one holds", finding.Report{Verdict: finding.Holds, Results: []finding.Result{holds}}, "1 property holds up to this bound", "holds"},
		{"nothing was checked", finding.Report{Verdict: finding.Holds}, "nothing was checked", "holds"},
		{"no verdict has a reason", finding.Report{Verdict: finding.Inconclusive, Reason: "no time"}, "no verdict: no time", "inconclusive"},
		{"or that of the bound", finding.Report{Verdict: finding.Inconclusive, Bound: finding.Bound{Reason: "no memory"}}, "no verdict: no memory", "inconclusive"},
		{"or that of a property", finding.Report{Verdict: finding.Inconclusive, Results: []finding.Result{{Verdict: finding.Inconclusive, Reason: "left out"}}}, "no verdict: left out", "inconclusive"},
		{"or none", finding.Report{Verdict: finding.Inconclusive}, "no verdict: no reason was given", "inconclusive"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := rendered(t, &c.report)
			if p := dataOf(t, text); p.Sentence != c.want || p.Badge != c.badge {
				t.Errorf("%s: %q, want %s: %q", p.Badge, p.Sentence, c.badge, c.want)
			}
			if !strings.Contains(text, "<h1>"+c.want+"</h1>") {
				t.Error("the shell does not say it")
			}
		})
	}
}

func TestWhatTheSentenceLeavesOutIsCounted(t *testing.T) {
	violated := finding.Result{Verdict: finding.Violated}
	for n, want := range []string{"", "", "and 1 more property is violated", "and 2 more properties are violated", ""} {
		r := &finding.Report{Verdict: finding.Violated}
		for range n {
			r.Results = append(r.Results, violated)
		}
		if got := dataOf(t, rendered(t, r)).More; got != want {
			t.Errorf("%d violations: %q, want %q", n, got, want)
		}
	}
}

func TestTheCommandThatReplaysIsOneThatCan(t *testing.T) {
	with, without := sample.Large(2, 2), sample.Large(2, 2)
	without.Results[0].Trace.Setup = nil
	cases := []struct {
		report  *finding.Report
		command string
		want    string
	}{
		{with, "seatrial check shop/", "seatrial check shop/ -o json=report.json; seatrial replay report.json"},
		{with, "seatrial check -", ""},
		{with, "seatrial settle", ""},
		{without, "seatrial check shop/", ""},
	}
	for _, c := range cases {
		c.report.Command = c.command
		if got := dataOf(t, rendered(t, c.report)).Replay; got != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}

// What a quote shows is marked where the location is; what none shows is said.
func TestCausesAreMarkedInTheirLines(t *testing.T) {
	r := sample.Large(2, 2)
	at := func(line, column int, text string) finding.Cause {
		return finding.Cause{Location: finding.Location{File: "a.yaml", Line: line, Column: column, Object: "Deployment web", Field: "spec"}, Message: text}
	}
	r.Results[0].Causes = []finding.Cause{at(12, 6, "one"), at(40, 1, "nowhere"), at(11, 3, "two"), at(12, 99, "far")}
	r.Sources = []finding.Source{{File: "a.yaml", Line: 10, Text: []string{"a:", "\tb:", "é\u202e: c"}}}
	f := dataOf(t, rendered(t, r)).Findings[0]
	want := `[{a.yaml 10 [a:     b: é\u202e: c] [{12 7 Deployment web spec one} {11 5 Deployment web spec two} {12 10 Deployment web spec far}]}]`
	if got := fmt.Sprint(f.Excerpts); got != want {
		t.Errorf("excerpts are\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprint(f.Causes); got != "[{a.yaml:40 Deployment web spec nowhere}]" {
		t.Errorf("the others are %s", got)
	}
}

// A lane for each node and workload that a step is about: what is written to a
// ReplicaSet is about its workload, and a pod is on the node that it leaves.
func TestLanesAreWhatAStepIsAbout(t *testing.T) {
	from, to := int32(1), int32(0)
	web := trace.Pod{Owner: "Deployment a/web", Ordinal: 1, Node: "n", Phase: "Running"}
	lost := web
	lost.Node = ""
	setup := &trace.Setup{Kubernetes: "v1", Workloads: []trace.Workload{{Object: "Deployment a/web", Revisions: []trace.Revision{{Set: "web-1", Replicas: &from}}}}}
	tr := &trace.Trace{Setup: setup, Pods: []trace.Pod{web}, Steps: []trace.Step{
		{Acts: []trace.Act{{Verb: "scale", By: "x", Role: trace.RoleController, Object: "ReplicaSet a/web-1", From: &from, To: &to}}},
		{Acts: []trace.Act{{Verb: "nominate", By: "x", Role: trace.RoleController, Pod: &lost}}},
		{Acts: []trace.Act{{Verb: "cordon", By: "x", Role: trace.RoleEnvironment, Object: "Node m"}}},
		{Acts: []trace.Act{{Verb: "wait", By: "x", Role: trace.RoleInner}}},
	}}
	reel, err := filmOf(tr)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"[Deployment a/web]", "[Deployment a/web Node n]", "[Node m]", "[]"} {
		if got := fmt.Sprint(reel.Steps[i].Lanes); got != want {
			t.Errorf("step %d is about %s, want %s", i+1, got, want)
		}
	}
}

// Going through the differences of a film, its objects are at each step what the
// acts of the trace make of them.
func TestDeltasLeadWhereActsLead(t *testing.T) {
	tr := sample.Hostile("'<").Results[0].Trace
	reel, err := filmOf(tr)
	if err != nil {
		t.Fatal(err)
	}
	state, err := tr.Start()
	if err != nil {
		t.Fatal(err)
	}
	objects := reel.Start
	for i, step := range reel.Steps {
		for k := range tr.Steps[i].Acts {
			if err := state.Act(&tr.Steps[i].Acts[k]); err != nil {
				t.Fatal(err)
			}
		}
		for name, d := range step.Delta {
			if d == nil {
				delete(objects, name)
				continue
			}
			if objects[name] == nil {
				objects[name] = fields{}
			}
			for field, v := range d {
				if objects[name][field] = v; v == nil {
					delete(objects[name], field)
				}
			}
		}
		if got, want := fmt.Sprint(objects), fmt.Sprint(objectsOf(state)); got != want {
			t.Fatalf("step %d: the differences lead to\n%s\nthe acts to\n%s", i+1, got, want)
		}
	}
}

func TestWritesSayWhatWasAndWhatIs(t *testing.T) {
	from, to := int32(2), int32(3)
	state := trace.NewState()
	state.Specs["Deployment a/b"] = map[string]any{"replicas": 2.0, "strategy": map[string]any{"type": "Recreate"}, "args": []any{"x", "y"}}
	state.Pods[trace.PodID{Owner: "Deployment a/b", Ordinal: 1}] = trace.Pod{Owner: "Deployment a/b", Ordinal: 1, Phase: "Pending"}
	cases := []struct {
		name string
		act  trace.Act
		want string
	}{
		{"replicas", trace.Act{Verb: "scale", Object: "Deployment a/b", From: &from, To: &to}, "[[spec.replicas 2 3]]"},
		{"a created object", trace.Act{Verb: "create", Object: "ReplicaSet a/c", To: &to}, "[[spec.replicas  3]]"},
		{"a patch", trace.Act{Verb: "patch", Object: "Deployment a/b", Patch: json.RawMessage(`{"spec":{"strategy":{"type":"RollingUpdate"},"args":["x","z"]}}`)}, "[[spec.args[1] y z] [spec.strategy.type Recreate RollingUpdate]]"},
		{"what is taken away", trace.Act{Verb: "patch", Object: "Deployment a/b", Patch: json.RawMessage(`{"spec":{"strategy":null}}`)}, `[[spec.strategy {"type":"Recreate"} ]]`},
		{"keys with dots", trace.Act{Verb: "patch", Object: "Node n", Patch: json.RawMessage(`{"metadata":{"labels":{"a.b/c":"<1>"}}}`)}, `[[metadata.labels["a.b/c"]  <1>]]`},
		{"a manifest", trace.Act{Verb: "create", Object: "ConfigMap a/b", Manifest: json.RawMessage(`{"data":{"k":"v"},"list":[{"a":1},{"b":2}],"plain":[1,2]}`)}, "[[data.k  v] [list[0].a  1] [list[1].b  2] [plain  [1,2]]]"},
		{"a taint", trace.Act{Verb: "taint", Object: "Node n", Taint: "a:NoSchedule"}, "[[spec.taints  a:NoSchedule]]"},
		{"a pod", trace.Act{Verb: "bind", Pod: &trace.Pod{Owner: "Deployment a/b", Ordinal: 1, Phase: "Pending", Node: "n"}}, "[[node  n]]"},
		{"what is gone", trace.Act{Verb: "delete", Object: "Deployment a/b", Gone: true}, "[[ there gone]]"},
		{"time", trace.Act{Verb: "wait", Object: "Node n", Seconds: 40}, "[[after  40 s]]"},
	}
	for _, c := range cases {
		if got := fmt.Sprint(writeOf(state, &c.act).Lines); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMilli(t *testing.T) {
	for v, want := range map[any]int64{
		"1": 1000, "250m": 250, "1.5": 1500, "0.1m": 1, "1Ki": 1024_000, "2Gi": 2 << 30 * 1000, "1k": 1_000_000, "100u": 1, "1e3": 1_000_000, "2E": 0,
		3.0: 3000, "": 0, "x": 0, "-1": 0, "1x": 0, "NaN": 0, "inf": 0, true: 0, "1KiKi": 0, "9Ei": 0,
	} {
		if got := milli(v); got != want {
			t.Errorf("%v is %d, want %d", v, got, want)
		}
	}
}

func TestRequestsCountAsTheSchedulerDoes(t *testing.T) {
	parse := func(text string) podSpec {
		var p podSpec
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	of := func(cpu string) string { return `{"resources":{"requests":{"cpu":"` + cpu + `"}}}` }
	cases := []struct {
		name, spec string
		want       int64
	}{
		{"containers together", `{"containers":[` + of("100m") + `,` + of("1") + `]}`, 1100},
		{"the greatest of those before", `{"containers":[` + of("100m") + `],"initContainers":[` + of("300m") + `,` + of("200m") + `]}`, 300},
		{"sidecars run on", `{"containers":[` + of("100m") + `],"initContainers":[{"restartPolicy":"Always",` + of("50m")[1:] + `,` + of("80m") + `]}`, 150},
		{"a sidecar beside one before", `{"containers":[` + of("10m") + `],"initContainers":[{"restartPolicy":"Always",` + of("50m")[1:] + `,` + of("80m") + `]}`, 130},
		{"overhead", `{"containers":[` + of("100m") + `],"overhead":{"cpu":"5m"}}`, 105},
		{"nothing", `{}`, 0},
	}
	for _, c := range cases {
		if got := requests(parse(c.spec)).CPU; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestPoolsAreTakenFromLabelsOrNames(t *testing.T) {
	cases := []struct{ name, nodes, want string }{
		{"by number", "small-1 small-2 big-1 big-2", "small small big big"},
		{"one pool is none", "node-1 node-2", " "},
		{"one of a name is no pool", "a1 a2 b", "a a "},
		{"no numbers", "small big", " "},
	}
	for _, c := range cases {
		var nodes []node
		for _, name := range strings.Fields(c.nodes) {
			nodes = append(nodes, node{Name: name})
		}
		pools(nodes)
		var got []string
		for _, n := range nodes {
			got = append(got, n.Pool)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A trace that makes no sense makes no page.
func TestABrokenTraceIsAnError(t *testing.T) {
	for name, change := range map[string]func(*trace.Trace){
		"the loop starts": func(t *trace.Trace) { n := 99; t.Loop = &n },
		"nobody knows":    func(t *trace.Trace) { t.Steps[0].Acts[0].Verb = "juggle" },
		"objects[0]":      func(t *trace.Trace) { t.Setup.Objects[0] = json.RawMessage(`{"kind":1}`) },
		"which is not there": func(t *trace.Trace) {
			t.Steps[0].Acts[0] = trace.Act{Verb: "scale", By: "x", Role: trace.RoleController, Object: "Deployment x"}
		},
		"kubernetes is missi": func(t *trace.Trace) { t.Setup.Kubernetes = "" },
	} {
		r := sample.Large(2, 5)
		change(r.Results[0].Trace)
		if err := Write(io.Discard, r, Options{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
}

func TestATraceWithoutASetupIsShownWithoutACluster(t *testing.T) {
	r := sample.Large(2, 5)
	r.Results[0].Trace.Setup = nil
	p := dataOf(t, rendered(t, r))
	if p.Traces[0].Cluster != nil || p.Traces[0].Start != nil || len(p.Traces[0].Steps) != 5 {
		t.Errorf("it has %+v", p.Traces[0])
	}
}

func TestFactsAreShownWithWhatWasExplored(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, sample.Large(2, 2), Options{Facts: []report.Fact{{Name: "time", Value: "1.2 s"}}}); err != nil {
		t.Fatal(err)
	}
	all := dataOf(t, b.String()).Explored
	if last := all[len(all)-1]; last != (report.Fact{Name: "time", Value: "1.2 s"}) {
		t.Errorf("the last of them is %v", last)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteReportsErrors(t *testing.T) {
	if err := Write(closed{}, &finding.Report{}, Options{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

// declared finds what a script declares for all of them.
var declared = regexp.MustCompile(`(?m)^(?:function|class|const) (\w+)`)

// TestScriptsShareNoNames: all scripts are one, in which the last function of a name would be the one that all call.
func TestScriptsShareNoNames(t *testing.T) {
	in := map[string]string{}
	for _, script := range scripts {
		text, err := assets.ReadFile("asset/" + script)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			if other := in[found[1]]; other != "" {
				t.Errorf("%s is in %s and in %s", found[1], other, script)
			}
			in[found[1]] = script
		}
	}
	if len(in) < 20 {
		t.Errorf("%d names were found", len(in))
	}
}

// A sentence that begins with a path keeps it as it is spelt; any other begins with a capital.
func TestLiteral(t *testing.T) {
	for sentence, want := range map[string]string{
		"pods do not run": "<h1>", "spec.size of web is 2": `<h1 class="literal">`, "a[0] is there": `<h1 class="literal">`, "": "<h1>",
	} {
		if got := "<h1" + literal(sentence) + ">"; got != want {
			t.Errorf("%q: %s, want %s", sentence, got, want)
		}
	}
}
