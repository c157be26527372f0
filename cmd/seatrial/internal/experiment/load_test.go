package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

// head is before what the transcripts say, whose first line is the third.
const head = "apiVersion: seatrial.dev/v1alpha1\nkind: Experiment\n"

// TestTranscripts runs the files in testdata:
//
//	file path=NAME    writes a file beside the experiment
//	parse             reads an experiment behind head, or whole without it
//	steps             says what users do in one
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcript", func(t *testing.T, path string) {
		folder := t.TempDir()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				var name string
				d.ScanArgs(t, "path", &name)
				name = filepath.Join(folder, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(d.Input), 0o600); err != nil {
					t.Fatal(err)
				}
				return ""
			case "parse", "steps":
				text := head + d.Input
				if d.HasArg("whole") {
					text = d.Input
				}
				e, err := Parse("web.yaml", "web", folder, []byte(text))
				if err != nil {
					return strings.ReplaceAll(err.Error(), folder, "FOLDER") + "\n"
				}
				if d.Cmd == "parse" {
					return strings.ReplaceAll(string(written(t, e)), folder, "FOLDER")
				}
				var b strings.Builder
				for i := range e.Steps {
					fmt.Fprintf(&b, "line %d: %s\n", e.Steps[i].Line, &e.Steps[i])
				}
				return b.String()
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

func written(t *testing.T, e *Experiment) []byte {
	t.Helper()
	text, err := yaml.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// everything has each field that an experiment may have.
const everything = head + `metadata: {name: web}
controller:
  command: [manager, --flag]
  directory: /
  env: {A: "1"}
  serviceAccount: default/manager
  leaderElection: true
setup:
- {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
steps:
- apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {"on": "1e3", day: 2026-01-01, big: "9007199254740993"}}
- apply: [{apiVersion: example.com/v1, kind: Web, metadata: {name: w}, spec: {n: 9007199254740993, f: 1.5, whole: 2.0, none: null, list: [1, a, true]}}]
- wait: {object: webs.example.com default/w, until: object.status.ready, timeout: 5s}
- wait: {object: nodes node-1, gone: true}
- wait: {until: "objects['pods'].size() == 0"}
- patch: {object: webs.example.com default/w, merge: {status: {x: null}}, subresource: status}
- scale: {object: deployments.apps default/w, replicas: 0}
- delete: {object: webs.example.com default/w, propagation: Orphan}
- run: ["true"]
ignore: ["secrets:data"]
properties:
- {name: one, always: "true"}
- {name: two, eventually: "true"}
- {name: three, finally: "true"}
plane: {mode: lean, controllers: ["-kubelet"], count: 1}
`

// TestRoundTrip: an experiment is the same when a plan has kept it, as JSON or as
// YAML, but for the lines.
func TestRoundTrip(t *testing.T) {
	e, err := Parse("web.yaml", "", "/", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	same := []cmp.Option{cmpopts.IgnoreFields(Step{}, "Line", "broken"), cmpopts.IgnoreUnexported(Wait{}, Property{}, Manifests{}), cmpopts.EquateEmpty()}
	for name, marshal := range map[string]func() ([]byte, error){
		"JSON": func() ([]byte, error) { return json.Marshal(e) },
		"YAML": func() ([]byte, error) { return yaml.Marshal(e) },
	} {
		text, err := marshal()
		if err != nil {
			t.Fatal(err)
		}
		var again Experiment
		if err := yaml.UnmarshalStrict(text, &again); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if err := again.Prepare(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(e, &again, same...); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if again.Steps[2].Wait.Condition() == nil || again.Steps[2].Wait.Limit() != e.Steps[2].Wait.Limit() || again.Properties[0].Condition() == nil {
			t.Errorf("%s: not prepared", name)
		}
	}
	spec, _ := e.Steps[1].Apply.Objects[0].At("spec").(map[string]any)
	if want := map[string]any{"n": int64(9007199254740993), "f": 1.5, "whole": int64(2), "none": nil, "list": []any{int64(1), "a", true}}; !cmp.Equal(spec, want) {
		t.Errorf("numbers: %s", cmp.Diff(want, spec))
	}
	if day := e.Steps[0].Apply.Objects[0].Text("data", "day"); day != "2026-01-01" {
		t.Errorf("a day is %q", day)
	}
}

// TestPrepare: what was changed by hand in a plan is looked at as in a file.
func TestPrepare(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(e *Experiment)
		want  string
	}{
		"good":       {func(*Experiment) {}, ""},
		"no steps":   {func(e *Experiment) { e.Steps = nil }, "experiment: there are no steps: nothing would happen"},
		"a file":     {func(e *Experiment) { e.Setup.Paths = []string{"crd.yaml"} }, "experiment: it names the file crd.yaml: a plan holds its objects itself"},
		"expression": {func(e *Experiment) { e.Steps[2].Wait.Until = "1 +" }, "experiment: column 4: Syntax error"},
	} {
		e, err := Parse("web.yaml", "", "/", []byte(everything))
		if err != nil {
			t.Fatal(err)
		}
		var kept Experiment
		if err := yaml.Unmarshal(written(t, e), &kept); err != nil {
			t.Fatal(err)
		}
		c.spoil(&kept)
		err = kept.Prepare()
		if got := fmt.Sprint(err); c.want == "" != (err == nil) || !strings.HasPrefix(got, c.want) && err != nil {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestLoad reads files, and names what cannot be read.
func TestLoad(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	e, err := Load(write("shop.yaml", []byte(head+"steps: [run: [\"true\"]]\n")))
	if err != nil || e.Metadata.Name != "shop" || e.Controller.Directory != folder {
		t.Errorf("%+v, %v", e, err)
	}
	for path, want := range map[string]string{
		filepath.Join(folder, "none.yaml"): ": no such file or directory",
		folder:                             ": read " + folder + ": is a directory",
		write("large.yaml", bytes.Repeat([]byte("# nothing\n"), fileMax/10+1)):                        ": the file has more than 8 MiB",
		write("binary.yaml", []byte{0, 1, 2}):                                                         ": control characters are not allowed",
		write("bomb.yaml", []byte("a: &a [x,x,x,x,x,x,x,x,x]\n"+bomb())):                              ":1: an experiment has no field \"a\"",
		write("itself.yaml", []byte(head+"steps: &s [*s]\n")):                                         ":3: anchor 's' value contains itself",
		write("deep.yaml", []byte(head+"ignore: "+strings.Repeat("[", 1e5)+"\n")):                     ":3: exceeded max depth of 10000",
		write("excess.yaml", []byte(head+"metadata: &a [x,x,x,x,x,x,x,x,x]\n"+bomb()+"ignore: *i\n")): ":12: document contains excessive aliasing",
	} {
		_, err := Load(path)
		if !strings.Contains(fmt.Sprint(err), path+want) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

// bomb is lists of lists, each nine times as large as the one before.
func bomb() string {
	var b strings.Builder
	for c := 'b'; c <= 'i'; c++ {
		fmt.Fprintf(&b, "%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ","))
	}
	return b.String()
}

// TestManifestsAreBounded: not more is read than an experiment may have.
func TestManifestsAreBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, bytes.Repeat([]byte("#\n"), 600), 0o600); err != nil {
		t.Fatal(err)
	}
	m := Manifests{Paths: []string{file, file}}
	budget := int64(2000)
	if err := m.resolve("/", &budget); err == nil || err.Error() != file+": the manifests have more than 64 MiB together" {
		t.Error(err)
	}
}

// TestExecutable finds the controller's program.
func TestExecutable(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"", "no command starts the controller: give one behind --, or as controller.command"},
		{"sh", ""},
		{"no-such-program", "the controller's program no-such-program: executable file not found in $PATH"},
		{"/no/such/program", "the controller's program /no/such/program: stat /no/such/program: no such file or directory"},
		{"/etc/passwd", "the controller's program /etc/passwd: permission denied"},
	} {
		controller := Controller{Command: strings.Fields(c.program)}
		path, err := controller.Executable()
		if c.want == "" && (err != nil || !filepath.IsAbs(path)) || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%q: %q, %v", c.program, path, err)
		}
	}
}

// TestReference: what names objects, and what does not.
func TestReference(t *testing.T) {
	for text, want := range map[string]history.Key{
		"pods default/web-0":                                 {Resource: "pods", Namespace: "default", Name: "web-0"},
		"  nodes   node-1 ":                                  {Resource: "nodes", Name: "node-1"},
		"statefulsets.apps shop/db":                          {Resource: "statefulsets.apps", Namespace: "shop", Name: "db"},
		"my-things.example.com a/b":                          {Resource: "my-things.example.com", Namespace: "a", Name: "b"},
		"clusterroles.rbac.authorization.k8s.io x":           {Resource: "clusterroles.rbac.authorization.k8s.io", Name: "x"},
		"clusterroles.rbac.authorization.k8s.io system:node": {Resource: "clusterroles.rbac.authorization.k8s.io", Name: "system:node"},
		"pods default/web-*":                                 {Resource: "pods", Namespace: "default", Name: "web-*"},
	} {
		got, err := ParseReference(text)
		if err != nil || got != Reference(want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "pods", "pods ", "Pods a/b", "pods a/b/c", "pods a/", "pods a b", "pods/status a/b", "pods\ta/b", ".apps a", "pods a\n/b"} {
		if r, err := ParseReference(text); err == nil {
			t.Errorf("%q is %v", text, r)
		}
	}
}
