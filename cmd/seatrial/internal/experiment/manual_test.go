package experiment

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
)

const (
	manual    = "../../../../docs/perturb.md"
	operators = "../../../../docs/perturb/*.md"
)

// TestTheManualLoads: the experiments of the manual, and of its pages on operators, are
// read, beside the files that they name.
func TestTheManualLoads(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"config/crd/bases/webs.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: webs.example.com}\n",
		"config/samples/web.yaml":    "apiVersion: example.com/v1\nkind: Web\nmetadata: {name: web}\n",
		"crd.yaml":                   "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: rabbitmqclusters.rabbitmq.com}\n",
		"crds/rollout.yaml":          "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: rollouts.argoproj.io}\n",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob(operators)
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages on operators: %v", err)
	}
	count := 0
	for _, page := range append(pages, manual) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```yaml\n")[1:] {
			count++
			text, _, _ := strings.Cut(block, "\n```")
			if _, err := Parse("experiment.yaml", "experiment", folder, []byte(text)); err != nil {
				t.Errorf("%s, example %d:\n%s\n%v", page, i+1, text, err)
			}
		}
	}
	if count < 5 {
		t.Fatalf("only %d examples", count)
	}
}

// TestTheManualHasEveryField: each field that a file may have stands in the manual, as
// code. Those of the plane that a run sets itself need not.
func TestTheManualHasEveryField(t *testing.T) {
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{"Spec.name": true, "Spec.steering": true}
	seen := map[reflect.Type]bool{}
	fields := 0
	var look func(reflect.Type)
	look = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		known := of.PkgPath() == reflect.TypeFor[Experiment]().PkgPath() || of == reflect.TypeFor[admin.Spec]()
		if of.Kind() != reflect.Struct || !known || seen[of] || of == reflect.TypeFor[Reference]() { // which is a text
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			fields++
			if !own[of.Name()+"."+name] && !regexp.MustCompile("`([a-z]+\\.)?"+name+"[`:.]").Match(text) {
				t.Errorf("%s.%s is not in the manual", of.Name(), name)
			}
			look(of.Field(i).Type)
		}
	}
	look(reflect.TypeFor[Experiment]())
	if fields < 35 {
		t.Errorf("only %d fields were found", fields)
	}
}
