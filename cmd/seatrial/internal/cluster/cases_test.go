package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// caseBudget is the longest that one case may take.
const caseBudget = 5 * time.Minute

// A variant is one folder of examples/cases: manifests with a known verdict.
type variant struct {
	// dir is the folder; path its last two elements, as reports name it.
	dir, path string
	// rule is the one that is violated, or that holds where it could be.
	rule string
	bad  bool
	// from is the folder's neighbour that differs in fields alone; empty for a
	// variant that stands for itself.
	from   string
	fields []string
}

var (
	ruleLine    = regexp.MustCompile(`(?m)^rule: (SEA\d{4})$`)
	variantLine = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (violated|holds) \\| (?:`([^`]+)`)? *\\| (.*?) *\\| [^|]+ \\|$")
	codeSpan    = regexp.MustCompile("`([^`]+)`")
)

// variants reads the table in the README of every case. The folders and the
// tables have to agree.
func variants(t *testing.T) []variant {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "examples", "cases")
	readmes, err := filepath.Glob(filepath.Join(root, "*", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(root, "*", "*", "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var out []variant
	told := map[string]bool{}
	for _, readme := range readmes {
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		rule := ruleLine.FindSubmatch(text)
		if rule == nil {
			t.Fatalf("%s does not name its rule", readme)
		}
		for _, row := range variantLine.FindAllSubmatch(text, -1) {
			v := variant{
				dir: filepath.Join(filepath.Dir(readme), string(row[1])), rule: string(rule[1]),
				bad: string(row[2]) == "violated", from: string(row[3]),
			}
			v.path = filepath.Base(filepath.Dir(readme)) + "/" + string(row[1])
			for _, field := range codeSpan.FindAllSubmatch(row[4], -1) {
				v.fields = append(v.fields, string(field[1]))
			}
			if v.bad != strings.HasPrefix(string(row[1]), "bad") {
				t.Errorf("%s: the name of %s does not fit the verdict", readme, row[1])
			}
			told[filepath.Join(v.dir, "manifests.yaml")] = true
			out = append(out, v)
		}
	}
	for _, f := range folders {
		if !told[f] {
			t.Errorf("no README tells of %s", f)
		}
		delete(told, f)
	}
	for f := range told {
		t.Errorf("a README tells of %s, which is not there", f)
	}
	if len(out) < 40 {
		t.Fatalf("only %d variants were found", len(out))
	}
	return out
}

func (v variant) load(t *testing.T) *manifest.Input {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{v.dir}, strings.NewReader(""), manifest.Options{ValidateDescheduler: cluster.CheckPolicy})
	if err != nil {
		t.Fatalf("%s: %v", v.path, err)
	}
	return in
}

func (v variant) check(t *testing.T, o cluster.Options) *finding.Report {
	t.Helper()
	o.Timeout = caseBudget
	report, err := cluster.Check(context.Background(), v.load(t), o)
	if err != nil {
		t.Fatalf("%s: %v", v.path, err)
	}
	return report
}

// TestCases holds every case to its verdict, and the reports to being the same
// for one worker and for two.
func TestCases(t *testing.T) {
	for _, v := range variants(t) {
		t.Run(v.path, func(t *testing.T) {
			t.Parallel()
			one, two := v.check(t, cluster.Options{Workers: 1}), v.check(t, cluster.Options{Workers: 2})
			if diff := cmp.Diff(asJSON(t, one), asJSON(t, two)); diff != "" {
				t.Errorf("one worker and two report differently (-1 +2):\n%s", diff)
			}
			if v.bad {
				v.wantViolated(t, one)
			} else {
				v.wantHolds(t, one)
			}
		})
	}
}

func asJSON(t *testing.T, r *finding.Report) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantViolated: exit 1, the intended rule, a trace, and lines to blame.
func (v variant) wantViolated(t *testing.T, r *finding.Report) {
	t.Helper()
	if r.Verdict != finding.Violated || r.Code() != finding.CodeViolated {
		t.Fatalf("%s, exit code %d: want violated, 1 (%s)", r.Verdict, r.Code(), r.Reason)
	}
	for _, p := range r.Results {
		if p.Rule != v.rule || p.Verdict != finding.Violated {
			continue
		}
		switch {
		case p.Trace == nil || len(p.Trace.Steps) == 0 && p.Trace.Loop == nil:
			t.Errorf("%s has no trace", p.Rule)
		case p.Trace.Setup == nil:
			t.Errorf("the trace of %s has no setup", p.Rule)
		case len(p.Causes) == 0:
			t.Errorf("%s names no line of the input", p.Rule)
		}
		if err := cluster.GoRound(p.Trace); err != nil {
			t.Errorf("%s: %v", p.Rule, err)
		}
		for _, c := range p.Causes {
			if c.Location.Line == 0 || !strings.Contains(filepath.ToSlash(c.Location.File), v.path) {
				t.Errorf("a cause without a place: %+v", c)
			}
		}
		return
	}
	t.Errorf("%s is not among what is violated: %s", v.rule, summary(r))
}

// wantHolds: exit 0, nothing left to say, and the situations that the intended
// rule is about were reached.
func (v variant) wantHolds(t *testing.T, r *finding.Report) {
	t.Helper()
	if r.Verdict != finding.Holds || r.Code() != finding.CodeHolds {
		t.Fatalf("%s, exit code %d: want holds, 0 (%s %s)", r.Verdict, r.Code(), r.Reason, summary(r))
	}
	found := false
	for _, p := range r.Results {
		if p.Rule != v.rule {
			continue
		}
		found = true
		if len(p.Witnesses) == 0 {
			t.Errorf("%s of %s has no witness", p.Rule, p.Subject)
		}
		for _, w := range p.Witnesses {
			if !w.Reached {
				t.Errorf("%s of %s: %q is never reached", p.Rule, p.Subject, w.Name)
			}
		}
	}
	if !found {
		t.Errorf("%s was not checked: %s", v.rule, summary(r))
	}
}

// summary is a report's verdicts, one word each, in a fixed order.
func summary(r *finding.Report) string {
	var said []string
	for _, p := range r.Results {
		said = append(said, fmt.Sprintf("%s %s: %s", p.Rule, p.Subject, p.Verdict))
	}
	slices.Sort(said)
	return strings.Join(said, "; ")
}

// TestCasePairs holds every case to differing from its neighbour in the fields
// that its README names, which are those of one row of a truth table: one
// field, object or list item, or fields side by side.
func TestCasePairs(t *testing.T) {
	all := variants(t)
	byPath := map[string]variant{}
	for _, v := range all {
		byPath[v.path] = v
	}
	paired := map[string]bool{}
	for _, v := range all {
		if v.from == "" {
			continue
		}
		other, ok := byPath[filepath.Base(filepath.Dir(v.dir))+"/"+v.from]
		if !ok || !other.bad {
			t.Errorf("%s: %s is no failing variant", v.path, v.from)
			continue
		}
		paired[v.path], paired[other.path] = true, true
		got := differences(documents(t, other.dir), documents(t, v.dir))
		if diff := cmp.Diff(v.fields, got); diff != "" {
			t.Errorf("%s differs from %s otherwise than its README says (-README +files):\n%s", v.path, v.from, diff)
		}
		if !sideBySide(got) {
			t.Errorf("%s differs from %s in more than one place: %v", v.path, v.from, got)
		}
	}
	for _, v := range all {
		if !paired[v.path] {
			t.Errorf("%s has no counterpart", v.path)
		}
	}
}

// documents are the objects of a folder by kind and name.
func documents(t *testing.T, dir string) map[string]any {
	t.Helper()
	out := map[string]any{}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range strings.Split(string(text), "\n---\n") {
			object := map[string]any{}
			if err := yaml.Unmarshal([]byte(doc), &object); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			name := fmt.Sprint(object["kind"])
			if meta, ok := object["metadata"].(map[string]any); ok && name != "Scenario" {
				name += fmt.Sprint("/", meta["name"])
			}
			if out[name] != nil {
				t.Fatalf("%s: %s twice", f, name)
			}
			out[name] = object
		}
	}
	return out
}

// differences are the places at which two folders differ, sorted.
func differences(a, b map[string]any) []string {
	var out []string
	differ("", a, b, func(path string) {
		document, field, inside := strings.Cut(path, "\x00")
		if inside {
			path = document + " " + strings.ReplaceAll(field, "\x00", ".")
		}
		out = append(out, path)
	})
	slices.Sort(out)
	return out
}

// differ tells every place at which two values differ: a field or list item
// that only one has, or a value that is another.
func differ(path string, a, b any, tell func(string)) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			differInFields(path, x, y, tell)
			return
		}
	case []any:
		if y, ok := b.([]any); ok && differInItems(path, x, y, tell) {
			return
		}
	}
	if !cmp.Equal(a, b) {
		tell(path)
	}
}

func differInFields(path string, x, y map[string]any, tell func(string)) {
	for key := range x {
		if _, both := y[key]; !both {
			tell(joined(path, key))
			continue
		}
		differ(joined(path, key), x[key], y[key], tell)
	}
	for key := range y {
		if _, both := x[key]; !both {
			tell(joined(path, key))
		}
	}
}

func joined(path, key string) string {
	if path == "" {
		return key
	}
	return path + "\x00" + key
}

// differInItems handles lists of one length, and those of which one has a
// single item more. It reports whether it did.
func differInItems(path string, x, y []any, tell func(string)) bool {
	long, short := x, y
	if len(long) < len(short) {
		long, short = short, long
	}
	switch len(long) - len(short) {
	case 0:
		for i := range x {
			differ(fmt.Sprintf("%s[%d]", path, i), x[i], y[i], tell)
		}
		return true
	case 1:
		for i := range long {
			if cmp.Equal(slices.Delete(slices.Clone(long), i, i+1), short) {
				tell(fmt.Sprintf("%s[%d]", path, i))
				return true
			}
		}
	}
	return false
}

// sideBySide tells whether the places are one, or fields of one object.
func sideBySide(places []string) bool {
	if len(places) == 0 {
		return false
	}
	parent := func(p string) string { return p[:max(0, strings.LastIndexAny(p, " ."))] }
	for _, p := range places {
		if len(places) > 1 && (parent(p) == "" || parent(p) != parent(places[0])) {
			return false
		}
	}
	return true
}
