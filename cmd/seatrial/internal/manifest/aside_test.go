package manifest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const webYAML = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`

// unprepared is a repository in which some files are manifests.
func unprepared() map[string]string {
	return map[string]string{
		"web.yaml":                   webYAML,
		"values.yaml":                "replicaCount: 2\nimage: {tag: v1}\n",
		"ci.yml":                     "stages: [build]\nbuild: {script: [make]}\n",
		"list.yaml":                  "- one\n- two\n",
		"package.json":               "{\"name\": \"x\", // a comment\n}\n",
		"garbage.yaml":               "a\xff{{b",
		"tabs.yaml":                  "a:\n\t- b\n",
		"chart/Chart.yaml":           "apiVersion: v1\nname: shop\nversion: 1.0.0\n",
		"chart/templates/web.yaml":   "{{- if .Values.on }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Release.Name }}\n{{- end }}\n",
		"chart/templates/ns.yaml":    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: \"{{ .Values.namespace }}\"\n",
		"envsubst.yaml":              "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec:\n  replicas: ${REPLICAS}\n",
		"jinja.yaml":                 "{% for n in names %}\napiVersion: v1\nkind: Pod\n{% endfor %}\n",
		"skaffold.yaml":              "apiVersion: skaffold/v4beta11\nkind: Config\nbuild: {}\n",
		"kubeconfig.yaml":            "apiVersion: v1\nkind: Config\nclusters: []\n",
		"overlay/kustomization.yaml": "resources: [../web.yaml]\npatches:\n- path: more.yaml\n",
		"overlay/more.yaml":          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n",
		"overlay/cpu-patch.yaml":     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {replicas: 3}\n",
	}
}

// TestFoldersNobodyPrepared: what is no manifest is set aside and said once each,
// and what is one is checked.
func TestFoldersNobodyPrepared(t *testing.T) {
	dir := tree(t, unprepared())
	in, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range in.Warnings {
		if why, is := strings.CutPrefix(w.Message, AsideMark); is {
			got = append(got, fmt.Sprintf("%s:%d: %s", strings.TrimPrefix(w.Location.File, dir+"/"), w.Location.Line, why))
		} else {
			t.Errorf("another warning: %s", w.Message)
		}
	}
	want := []string{
		"chart/Chart.yaml:1: kind is missing",
		"chart/templates/ns.yaml:4: metadata.name: Invalid value",
		"chart/templates/web.yaml:1: malformed YAML",
		"ci.yml:1: not a Kubernetes object: apiVersion and kind are missing",
		"envsubst.yaml:5: spec.replicas: expected a whole number",
		"garbage.yaml:1: not a text file",
		"jinja.yaml:1: malformed YAML",
		"kubeconfig.yaml:2: no kind Config in v1",
		"list.yaml:1: expected an object with apiVersion and kind, found a list",
		"overlay/cpu-patch.yaml:4: spec.selector: Required value",
		"overlay/kustomization.yaml:1: not a Kubernetes object",
		"overlay/more.yaml:1: a patch of DIR/overlay/kustomization.yaml",
		"package.json:1: malformed JSON",
		"skaffold.yaml:1: apiVersion: unknown group \"skaffold\"",
		"tabs.yaml:2: malformed YAML",
		"values.yaml:1: not a Kubernetes object: apiVersion and kind are missing",
	}
	for i, line := range want {
		line = strings.ReplaceAll(line, "DIR", dir)
		if i >= len(got) || !strings.HasPrefix(got[i], line) {
			t.Fatalf("line %d does not begin with %q:\n%s", i, line, strings.Join(got, "\n"))
		}
	}
	if i := slices.IndexFunc(got, func(line string) bool { return strings.HasPrefix(line, "garbage") }); strings.Contains(got[i], "template") {
		t.Errorf("what is no text is no template: %s", got[i])
	}
	if len(got) != len(want) || len(in.Deployments) != 1 || len(in.Namespaces) != 0 {
		t.Errorf("%d set aside, %d Deployments, %d Namespaces:\n%s", len(got), len(in.Deployments), len(in.Namespaces), strings.Join(got, "\n"))
	}
	// A file that is named, standard input and --strict-input are not lenient.
	for name := range maps.Keys(unprepared()) {
		if name == "web.yaml" || name == "overlay/kustomization.yaml" {
			continue
		}
		for _, first := range []string{"web.yaml", "."} { // also beside its folder
			if _, err := load(filepath.Join(dir, first), filepath.Join(dir, name)); err == nil {
				t.Errorf("%s is accepted when it is named beside %s", name, first)
			}
		}
	}
	_, err = Load(context.Background(), []string{dir}, nil, Options{StrictInput: true})
	if problems, _ := AsProblems(err); len(problems) < len(want) {
		t.Errorf("with strict input there are %d problems: %v", len(problems), err)
	}
	// Where nothing can be checked, everything is said.
	if err := os.Remove(filepath.Join(dir, "web.yaml")); err != nil {
		t.Fatal(err)
	}
	_, err = load(dir)
	if problems, _ := AsProblems(err); len(problems) != len(want) {
		t.Errorf("with no manifest at all there are %d problems, want %d: %v", len(problems), len(want), err)
	}
}

// TestBrokenManifestsInAFolderAreErrors: what is meant to be a manifest is judged
// as one, whatever lies beside it.
func TestBrokenManifestsInAFolderAreErrors(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: c, image: i%s}]}\n"
	for want, text := range map[string]string{
		"spec.replicas: expected a whole number":      strings.Replace(webYAML, "spec:\n", "spec:\n  replicas: two\n", 1),
		"replicas: two beside a script":               strings.NewReplacer("spec:\n", "spec:\n  replicas: two\n", "image: nginx", "image: nginx, args: [\"echo ${HOME}\"]").Replace(webYAML),
		"spec.replicaz: unknown field":                strings.Replace(webYAML, "spec:\n", "spec:\n  replicaz: 2\n", 1),
		"\"1Gx\" is not a quantity":                   fmt.Sprintf(pod, ", resources: {requests: {memory: 1Gx}}"),
		"no kind Deploymnet in apps/v1":               strings.Replace(webYAML, "Deployment", "Deploymnet", 1),
		"malformed YAML: did not find":                "apiVersion: v1\nkind: Pod\nmetadata: {name: x\n",
		"malformed JSON":                              "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",}\n",
		"apiVersion is missing":                       "kind: Pod\nmetadata: {name: x}\n",
		"metadata.name: duplicate field":              "apiVersion: v1\nkind: Namespace\nmetadata: {name: x, name: y}\n",
		"did you mean apps?":                          strings.Replace(webYAML, "apps/v1", "app/v1", 1),
		"not a Kubernetes object":                     namespaceYAML + "---\nname: x\n",
		"unknown field, did you mean":                 "apiVersion: seatrial.dev/v1alpha1\nkind: Scenario\nspec: {event: []}\n",
		"not a text file":                             "apiVersion: v1\nkind: Pod\nmetadata: {name: \"\x01\"}\n",
		"spec.template.spec.containers[0].resources.": strings.Replace(webYAML, "image: nginx", "image: nginx, resources: {requests: {cpu: -1}}", 1),
	} {
		name := "x.yaml"
		if strings.HasPrefix(text, "{") {
			name = "x.json"
		}
		other := strings.ReplaceAll(webYAML, "web", "other")
		_, err := load(tree(t, map[string]string{"other.yaml": other, "values.yaml": "a: b\n", name: text}))
		if want == "replicas: two beside a script" {
			want = "spec.replicas: expected a whole number"
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "values.yaml") {
			t.Errorf("want %s, got %v\n%s", want, err, text)
		}
	}
}

// TestSettingAsideLeavesNothingBehind: what stands in a document that is set aside
// does not count as there.
func TestSettingAsideLeavesNothingBehind(t *testing.T) {
	// The first document has the identity of the second and a template's value.
	text := strings.Replace(webYAML, "spec:\n", "spec:\n  replicas: ${N}\n", 1) + "---\n" + webYAML
	in, err := load(tree(t, map[string]string{"web.yaml": text}))
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Deployments) != 1 || len(in.Warnings) != 1 {
		t.Errorf("%d Deployments, warnings %v", len(in.Deployments), in.Warnings)
	}
}

// TestTwoThousandFiles: a repository of 2,000 files is read in about a second; the
// bound leaves room for a machine that is busy with other tests.
func TestTwoThousandFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 125 {
		for name, text := range unprepared() {
			if name == "web.yaml" {
				text = strings.ReplaceAll(text, "web", fmt.Sprintf("web-%d", i))
			}
			files[fmt.Sprintf("app-%d/%s", i, name)] = text
		}
	}
	if len(files) < 2000 {
		t.Fatalf("only %d files", len(files))
	}
	dir := tree(t, files)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	in, err := Load(ctx, []string{dir}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{125, 125 * 16}, []int{len(in.Deployments), len(in.Warnings)}); diff != "" {
		t.Errorf("Deployments and warnings (-want +got):\n%s", diff)
	}
}
