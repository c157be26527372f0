package input

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// head is before what the transcripts say of a file, whose first line is the third.
const head = "apiVersion: seatrial.dev/v1alpha1\nkind: Campaign\n"

// TestTranscripts runs the files in testdata:
//
//	file path=NAME         writes a file
//	load                   reads flags, one a line, with a file campaign.yaml if it was written
//	define                 is load, and then takes CRDs from the plane: the files named in from=
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcript", func(t *testing.T, path string) {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		t.Chdir(folder)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				var name string
				d.ScanArgs(t, "path", &name)
				if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
					t.Fatal(err)
				}
				text := d.Input
				if name == "campaign.yaml" {
					text = head + text
				}
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return ""
			case "load", "define":
				in, err := Load(flags(t, d.Input))
				if err == nil && d.Cmd == "define" {
					var from string
					d.ScanArgs(t, "from", &from)
					placed, problem := experiment.Read(".", strings.Fields(from)...)
					if problem != nil {
						t.Fatal(problem)
					}
					var crds []history.Object
					for _, p := range placed {
						crds = append(crds, p.Object)
					}
					err = in.Define(crds)
				}
				if err != nil {
					return strings.ReplaceAll(err.Error(), folder, "FOLDER") + "\n"
				}
				return strings.ReplaceAll(shown(in), folder, "FOLDER")
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

// flags reads flags, one a line.
func flags(t *testing.T, text string) (f Flags) {
	t.Helper()
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		list := map[string]*[]string{
			"--crd": &f.CRDs, "--setup": &f.Setup, "--example": &f.Examples, "--focus": &f.Focus, "--ignore": &f.Ignore, "--mask": &f.Mask,
			"--off": &f.Off, "--unmask": &f.Unmask, "masks": &f.Masks, "--env": &f.Env, "oracles": &f.Oracles,
		}
		one := map[string]*string{"--operator": &f.Operator, "--seed": &f.Seed, "--service-account": &f.ServiceAccount, "file": &f.File}
		switch {
		case list[name] != nil:
			*list[name] = append(*list[name], value)
		case one[name] != nil:
			*one[name] = value
		default:
			t.Fatalf("unknown flag %s", name)
		}
	}
	return f
}

// shown is an input in a few lines.
func shown(in *Input) string {
	var b strings.Builder
	line := func(what string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "[]" && text != "map[]" {
			fmt.Fprintf(&b, "%s: %s\n", what, text)
		}
	}
	line("name", in.Name)
	line("command", fmt.Sprintf("%q in %s, as %s says", in.Controller.Command, in.Controller.Directory, in.ControllerPlace))
	line("env", in.Controller.Env)
	line("service account", in.Controller.ServiceAccount)
	if in.Definition != nil {
		line("definition", in.Definition.Name)
	}
	line("seed", fmt.Sprintf("%s %s/%s at %s", in.Seed.Text("kind"), in.Seed.Text("metadata", "namespace"), in.Seed.Text("metadata", "name"), in.SeedPlace))
	for _, o := range in.Setup.Objects {
		line("setup", fmt.Sprintf("%s %s", o.Text("kind"), o.Text("metadata", "name")))
	}
	for _, o := range in.Examples {
		line("example", fmt.Sprintf("%s %s", o.Text("kind"), o.Text("metadata", "name")))
	}
	line("focus", in.Focus)
	line("ignore", in.Ignore)
	line("mask", in.Mask)
	line("values", in.Values)
	line("kinds", in.Kinds)
	line("unmask", in.Unmask)
	line("off", in.Off)
	for _, o := range in.Oracles {
		line("oracle", fmt.Sprintf("%s %s%v", o.Name, o.CEL, o.Command))
	}
	line("unreachable", in.Unreachable)
	if in.Namespaced() {
		line("slots", "by namespace")
	}
	return b.String()
}

// TestSplit: words as a shell makes them, and what only a shell can do.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text  string
		words []string
		err   string
	}{
		{text: "./bin/op --flag", words: []string{"./bin/op", "--flag"}},
		{text: "  op\t'a b' \"c d\" e\\ f g'h'\"i\" ''\n", words: []string{"op", "a b", "c d", "e f", "ghi", ""}},
		{text: `op '$HOME; | "' "\"\$x\` + "`" + `\a"`, words: []string{"op", `$HOME; | "`, "\"$x`\\a"}},
		{text: "op --namespace=$(NAMESPACE) \"--port=:$(PORT_metrics)\" '$(KUBECONFIG)' --controllers=* a~b a#b cost$ 5$.", words: []string{"op", "--namespace=$(NAMESPACE)", "--port=:$(PORT_metrics)", "$(KUBECONFIG)", "--controllers=*", "a~b", "a#b", "cost$", "5$."}},
		{text: "op \\\n --a=\\\nb \"c\\\nd\" 'e\\\nf' \\\n", words: []string{"op", "--a=b", "cd", "e\\\nf"}},
		{text: "op größe", words: []string{"op", "größe"}},
		{text: " ", err: "there is no program in it"},
		{text: "op 'a", err: "a ' is not closed"},
		{text: "op \"a", err: "a \" is not closed"},
		{text: "op \"a\\", err: "a \" is not closed"},
		{text: "op \\", err: `it ends with a \`},
		{text: "op | tee log", err: "no shell runs the command, so | would not work: write a script that does it, and give that"},
		{text: "op >log 2>&1", err: "no shell runs the command, so > would not work: write a script that does it, and give that"},
		{text: "a; b", err: "no shell runs the command, so ; would not work: write a script that does it, and give that"},
		{text: "op `date`", err: "no shell runs the command, so ` would not work: write a script that does it, and give that"},
		{text: "~/bin/op", err: "no shell runs the command, so ~ would not work: write a script that does it, and give that"},
		{text: "op # later", err: "no shell runs the command, so # would not work: write a script that does it, and give that"},
		{text: "op $(date) x", err: "$(date) is no placeholder (there are $(NAMESPACE), $(KUBECONFIG) and $(PORT_name)), and no shell runs the command: put a literal $ in single quotes, and double it"},
		{text: "op --home=\"$HOME/x\"", err: "no shell runs the command, so $HOME would not be expanded: write its value, or give it with --env"},
		{text: "op ${HOME}", err: "no shell runs the command, so ${HOME} would not be expanded: write its value, or give it with --env"},
	} {
		words, err := Split(c.text)
		if c.err == "" && (err != nil || !slices.Equal(words, c.words)) || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%q: %q, %v", c.text, words, err)
		}
	}
}

// TestFill: placeholders become what they stand for, in the command and the environment, and what
// is given stays as it is.
func TestFill(t *testing.T) {
	c := experiment.Controller{
		Command: []string{"op", "--ns=$(NAMESPACE)", "--m=:$(PORT_metrics)", "--h=$(PORT_health)", "$$(NAMESPACE)", "$(POD)"},
		Env:     map[string]string{"M": "http://127.0.0.1:$(PORT_metrics)", "K": "$(KUBECONFIG)"},
	}
	before := slices.Clone(c.Command)
	next := 100
	got, metrics, err := Fill(c, Places{Namespace: "shop", Kubeconfig: "/k", Port: func(string) (int, error) { next++; return next, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"op", "--ns=shop", "--m=:101", "--h=102", "$(NAMESPACE)", "$(POD)"}; !slices.Equal(got.Command, want) {
		t.Errorf("%q", got.Command)
	}
	if metrics != "127.0.0.1:101" {
		t.Errorf("metrics are at %q", metrics)
	}
	if want := map[string]string{"M": "http://127.0.0.1:101", "K": "/k"}; !maps.Equal(got.Env, want) {
		t.Errorf("%q", got.Env)
	}
	if !slices.Equal(c.Command, before) || c.Env["K"] != "$(KUBECONFIG)" {
		t.Error("what was given has changed")
	}
	if _, _, err := Fill(c, Places{Port: func(string) (int, error) { return 0, os.ErrPermission }}); err == nil || err.Error() != "a free port for $(PORT_metrics): permission denied" {
		t.Error(err)
	}
	free, _, err := Fill(c, Places{})
	if err != nil || free.Command[2] == "--m=:$(PORT_metrics)" || free.Command[2] == "--m=:0" {
		t.Errorf("%q, %v", free.Command, err)
	}
}

// FuzzSplit: a command is split or refused, in one line, and words that are quoted come back.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"op", "op 'a b' \"$(PORT_x)\"", "a|b", "\\", "\"", "$", "$(", "${", "a\x00'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := Split(text)
		if err != nil {
			if !strings.ContainsAny(text, "\n") && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		if again, err := Split(strings.Join(quoted, " ")); err != nil || !slices.Equal(again, words) {
			t.Errorf("%q: %q, and then %q, %v", text, words, again, err)
		}
	})
}

// FuzzParse: errors are lines that say where, and what is read holds together.
func FuzzParse(f *testing.F) {
	folder := f.TempDir()
	for name, text := range map[string]string{"crd.yaml": crd, "cr.yaml": seed} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	for _, seed := range []string{
		"", head, everything, head + "seed: cr.yaml\ncrds: crd.yaml\ncontroller: {command: [op]}", head + "oracles: [{name: a, cel: 'cr.x =='}]", head + "values: {spec.a: 1}",
		head + "seed: [cr.yaml, cr.yaml]\ncontroller: {command: [op]}", head + "---\n", head + "oracles: &o [*o]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if strings.ContainsAny(string(data), "/~") && !strings.HasPrefix(string(data), head) || strings.Contains(string(data), "..") {
			return // files of the machine
		}
		in, err := Parse(Flags{}, "campaign.yaml", "web", folder, data)
		if err == nil {
			if in.Seed == nil || len(in.Controller.Command) == 0 {
				t.Errorf("%+v", in)
			}
			return
		}
		if strings.TrimSpace(err.Error()) == "" {
			t.Error("an error says nothing")
		}
	})
}

const (
	crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  names: {plural: webs, singular: web, kind: Web, listKind: WebList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer, minimum: 0}
              secretName: {type: string}
              extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
`
	seed = `apiVersion: example.com/v1
kind: Web
metadata: {name: web}
spec: {replicas: 1}
`
)

// everything has each field that a campaign may have.
const everything = head + `metadata: {name: shop}
controller:
  command: [op, --namespace=$(NAMESPACE)]
  env: {A: "1"}
  serviceAccount: shop/op
crds: [crd.yaml]
setup:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: other}}
seed: cr.yaml
examples:
- {apiVersion: example.com/v1, kind: Web, metadata: {name: large}, spec: {replicas: 9}}
focus: [spec.replicas]
ignore: [spec.extra]
mask: ["secrets:data"]
unmask: [times]
off: [twin]
values: {spec.replicas: [1, 2.5, null, {a: [1]}], spec.extra.deep: [x]}
kinds: {spec.secretName: io.k8s.api.core.v1.SecretReference}
oracles:
- {name: as-many, cel: "objects['pods'].size() == cr.spec.replicas && (previous == null || events.size() >= 0)"}
- {name: mine, command: [./judge.sh, --strict], timeout: 5s, misoperations: true}
unreachable: [exec, tcp]
plane: {mode: full, count: 1}
randomSeed: 7
`

// TestEverything: each field is taken.
func TestEverything(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"crd.yaml": crd, "cr.yaml": seed} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, err := Parse(Flags{Oracles: []string{"twin"}, Masks: []string{"times"}}, "campaign.yaml", "campaign", folder, []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	want := `name: shop
command: ["op" "--namespace=$(NAMESPACE)"] in FOLDER, as campaign.yaml:4 says
env: map[A:1]
service account: shop/op
definition: webs.example.com
seed: Web default/web at FOLDER/cr.yaml:1
setup: CustomResourceDefinition webs.example.com
setup: ConfigMap a
setup: Namespace other
setup: Namespace shop
setup: StorageClass standard
example: Web large
focus: [spec.replicas]
ignore: [spec.extra]
mask: [secrets:data]
values: map[spec.extra.deep:[x] spec.replicas:[1 2.5 <nil> map[a:[1]]]]
kinds: map[spec.secretName:io.k8s.api.core.v1.SecretReference]
unmask: [times]
off: [twin]
oracle: as-many objects['pods'].size() == cr.spec.replicas && (previous == null || events.size() >= 0)[]
oracle: mine [FOLDER/judge.sh --strict]
unreachable: [exec tcp]
slots: by namespace
`
	if d := cmp.Diff(want, strings.ReplaceAll(shown(in), folder, "FOLDER")); d != "" {
		t.Error(d)
	}
	if _, ok := in.Values["spec.replicas"][0].(int64); !ok {
		t.Errorf("a whole number is a %T", in.Values["spec.replicas"][0])
	}
	if in.RandomSeed != 7 || in.Plane.Count == nil || *in.Plane.Count != 1 {
		t.Errorf("%d, %+v", in.RandomSeed, in.Plane)
	}
	if _, err := yaml.Marshal(in.Seed); err != nil {
		t.Error(err)
	}
}

// TestBusy: an operator has nothing to do before the seed but with custom resources of the setup.
func TestBusy(t *testing.T) {
	t.Parallel()
	object := func(apiVersion, kind string) history.Object {
		return history.Object{"apiVersion": apiVersion, "kind": kind}
	}
	usual := []history.Object{object("v1", "Namespace"), object("apiextensions.k8s.io/v1", "CustomResourceDefinition"), object("apps/v1", "Deployment")}
	for _, c := range []struct {
		more []history.Object
		want bool
	}{{nil, false}, {[]history.Object{object("example.com/v1", "Pool")}, true}} {
		in := &Input{Setup: experiment.Manifests{Objects: slices.Concat(usual, c.more)}}
		if in.Busy() != c.want {
			t.Errorf("%v: %v", c.more, in.Busy())
		}
	}
}
