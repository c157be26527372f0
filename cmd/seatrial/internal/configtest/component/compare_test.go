package component

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// helm puts what stands for helm into PATH.
func helm(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(folder, "helm"), "../../render/testdata/helm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

var known = []Component{{Name: "web", Image: "example.com/web", Module: "web", Config: "--config"}, {Name: "back", Image: "example.com/back", Module: "back"}}

// lines are a comparison as the tests have it.
func lines(c *Comparison) string {
	var out []string
	for _, p := range c.Parts {
		out = append(out, fmt.Sprintf("%s in %s", p.Name, strings.Join(p.Where, "; ")))
		for _, x := range p.Changes {
			out = append(out, fmt.Sprintf("  %s: %s %s: %v -> %v", x.Location, x.Kind, x.Path, x.Old, x.New))
		}
	}
	for _, g := range c.Gaps {
		out = append(out, fmt.Sprintf("gap %s: %s: %s", g.Location, g.Subject, g.Reason))
	}
	for _, n := range c.Notes {
		out = append(out, "note "+n)
	}
	return strings.Join(out, "\n")
}

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  template:
    spec:
      containers:
      - name: app
        image: example.com/NAME:TAG
        args: [--config=/etc/web/config.yaml]
        volumeMounts: [{name: c, mountPath: /etc/web}]
      volumes: [{name: c, configMap: {name: shared}}]
`

func workload(name, tag string) string {
	return strings.NewReplacer("NAME", name, "TAG", tag).Replace(web)
}

// telling is a workload of web with another name and an argument more.
func telling(name, argument string) string {
	return strings.NewReplacer("name: web}", "name: "+name+"}", "args: [", "args: ["+argument+", ").Replace(workload("web", "1"))
}

// waiting is a workload with a variable of its own.
func waiting(name string) string {
	return strings.Replace(workload(name, "1"), "args: [", "env: [{name: WAIT, value: '{{ .Values.wait."+name+".wait }}'}]\n        args: [", 1)
}

const chart = `
-- OF/Chart.yaml --
{name: shop, version: 1.0.0, apiVersion: v2}
-- OF/templates/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: shared}
data:
  config.yaml: |
    timeout: {{ .Values.web.timeout }}s
    level: {{ .Values.level }}
    workers: {{ .Values.workers }}
    twice: {{ mul .Values.workers 2 }}
{{ .Values.extra | indent 4 }}
{{ .Files.Get "more.yaml" | indent 4 }}
---` + web

const values = `
-- OF/more.yaml --
more: 1
-- OF/values.yaml --
level: info
web:
  timeout: 5
  level: 5
extra: |
  a: 1
  b: 2
workers: 3
`

// sharedMap is a ConfigMap of which something differs.
const sharedMap = "-- OF/shared.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\ndata:\n  config.yaml: |\n    a: 1\n    b: %d\n"

// comparison is one of two versions, as folders.
type comparison struct{ before, after, want string }

func (c comparison) test(t *testing.T) {
	t.Chdir(t.TempDir())
	render := func(text, folder string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "NAME", "web"), "-- OF/", "-- "+folder+"/")
	}
	files(t, ".", render(strings.ReplaceAll(c.before, "---"+web, "---"), "old"))
	files(t, ".", render(strings.ReplaceAll(c.after, "---"+web, "---"), "new"))
	got, err := Compare(t.Context(), known, "c.yaml", Manifests{Name: "old"}, Manifests{Name: "new"})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimPrefix(c.want, "\n"); lines(got) != want {
		t.Errorf("got\n%s\nwant\n%s", lines(got), want)
	}
}

// TestCompare: what differs for whom, and where people have written it.
func TestCompare(t *testing.T) {
	helm(t)
	for name, c := range map[string]comparison{
		"a ConfigMap that two have": {
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1") + "-- OF/sub/back.yaml --" + workload("back", "1"),
			fmt.Sprintf(sharedMap, 2) + "-- OF/web.yaml --" + workload("web", "2") + "-- OF/sub/back.yaml --" + workload("back", "1"), `
back in Deployment back, container app
  new/shared.yaml:7: key b: 1 -> 2
web in Deployment web, container app
  new/shared.yaml:7: key b: 1 -> 2
note the image of Deployment web, container app is another one (example.com/web:2, was example.com/web:1): the module is tested as it is in web`,
		},
		"two workloads of one image": {
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1") + "---" + strings.Replace(workload("web", "1"), "name: web", "name: other", 1),
			fmt.Sprintf(sharedMap, 2) + "-- OF/web.yaml --" + workload("web", "1") + "---" + strings.Replace(workload("web", "1"), "name: web", "name: renamed", 1), `
web in Deployment web, container app; Deployment renamed, container app
  new/shared.yaml:7: key b: 1 -> 2`,
		},
		"an image of no component": {
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("front", "1"),
			fmt.Sprintf(sharedMap, 2) + "-- OF/web.yaml --" + workload("front", "1"), `
gap new/shared.yaml:7: Deployment front, container app: b is not what it was told, and the image example.com/front is of no component: add it to c.yaml`,
		},
		"a key that nobody has": {
			fmt.Sprintf(sharedMap, 1) + "  other: x\n-- OF/s.yaml --\n{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: hunter1}}\n-- OF/web.yaml --" + strings.Replace(workload("web", "1"), "name: shared}", "name: shared, items: [{key: config.yaml, path: config.yaml}]}", 1),
			fmt.Sprintf(sharedMap, 1) + "  other: y\n-- OF/s.yaml --\n{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: hunter2}}\n-- OF/web.yaml --" + strings.Replace(workload("web", "1"), "name: shared}", "name: shared, items: [{key: config.yaml, path: config.yaml}]}", 1), `
gap new/s.yaml:1: Secret s a: it differs, and no container of an image in c.yaml has it: nobody knows who reads it
gap new/shared.yaml:8: ConfigMap shared other: it differs, and no container of an image in c.yaml has it: nobody knows who reads it`,
		},
		"values of a chart": {
			chart + workload("web", "1") + values,
			chart + workload("web", "1") + strings.NewReplacer("timeout: 5", "timeout: 6", "level: 5", "level: 6", "b: 2", "b: 3", "more: 1", "more: 2").Replace(values), `
web in Deployment web, container app
  new/more.yaml:1: key more: 1 -> 2
  new/values.yaml:3: key timeout: 5s -> 6s
  new/values.yaml:7: key b: 2 -> 3`,
		},
		"one value for each of two": {
			chart + waiting("web") + "---" + waiting("back") + values + "wait:\n  back: {wait: 1}\n  web: {wait: 1}\n",
			chart + waiting("web") + "---" + waiting("back") + values + "wait:\n  back: {wait: 2}\n  web: {wait: 2}\n", `
web in Deployment web, container app
  new/values.yaml:11: env WAIT: 1 -> 2
back in Deployment back, container app
  new/values.yaml:10: env WAIT: 1 -> 2`,
		},
		"values that are reckoned with": {
			chart + workload("web", "1") + values,
			chart + workload("web", "1") + strings.NewReplacer("workers: 3", "workers: 4").Replace(values), `
web in Deployment web, container app
  new/values.yaml:8: key workers: 3 -> 4
  new/values.yaml:8: key twice: 6 -> 8`,
		},
		"a template, and a value that it does not have": {
			chart + workload("web", "1") + values,
			strings.Replace(chart, "{{ mul .Values.workers 2 }}", "{{ mul .Values.workers 3 }}", 1) + workload("web", "1") + values + "none: 9\n", `
web in Deployment web, container app
  new/templates/a.yaml:9: key twice: 6 -> 9`,
		},
		"a template": {
			chart + workload("web", "1") + values,
			strings.Replace(chart, "{{ .Values.level }}", "debug", 1) + workload("web", "1") + values, `
web in Deployment web, container app
  new/templates/a.yaml:7: key level: info -> debug`,
		},
	} {
		t.Run(name, c.test)
	}
}

// TestPairs: a container that has no other one of its name is compared with what it was, and is a gap where that is not
// known.
func TestPairs(t *testing.T) {
	for name, c := range map[string]comparison{
		"a workload that is split": {
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1"),
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + telling("a", "--level=1") + "---" + telling("b", "--level=2"), `
web in Deployment a, container app
  new/web.yaml:10: flag --level: <nil> -> 1
web in Deployment b, container app
  new/web.yaml:23: flag --level: <nil> -> 2`,
		},
		"one more of an image": {
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1"),
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1") + "---" + telling("b", "--level=2"), `
web in Deployment b, container app
  new/web.yaml:23: flag --level: <nil> -> 2`,
		},
		"one more of an image that several have": {
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1") + "---" + telling("b", "--level=2"),
			fmt.Sprintf(sharedMap, 1) + "-- OF/web.yaml --" + workload("web", "1") + "---" + telling("b", "--level=2") + "---" + telling("c", "--level=3"), `
gap new/web.yaml:34: Deployment c, container app: it is new, of web, and several containers have had its image: which of them it was is not known`,
		},
		"the first of its image": {
			fmt.Sprintf(sharedMap, 1),
			fmt.Sprintf(sharedMap, 2) + "-- OF/web.yaml --" + workload("web", "1"), `
gap new/web.yaml:8: Deployment web, container app: it is new, of web, and there is nothing to compare it with`,
		},
	} {
		t.Run(name, c.test)
	}
}

// git runs git in the current folder.
func git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// TestRevisions: a chart as git has it, with values beside it, against the one that is there; nothing of the repository
// is changed, and nothing is left.
func TestRevisions(t *testing.T) {
	helm(t)
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	files(t, ".", strings.ReplaceAll(strings.ReplaceAll(chart, "---"+web, "---")+workload("web", "1")+values, "-- OF/", "-- deploy/chart/"))
	files(t, ".", "-- deploy/prod.yaml --\nlevel: warn\n-- back/main.go --\npackage main\n")
	git(t, "init", "-q")
	git(t, "add", ".")
	git(t, "commit", "-qm", "a")
	files(t, ".", "-- deploy/prod.yaml --\n# loud\nlevel: debug\n-- new --\n")
	t.Chdir("deploy")
	for _, from := range []string{"HEAD:deploy/chart", "HEAD:./chart"} {
		m := Manifests{Name: from, Values: []string{"prod.yaml"}}
		now := m
		now.Name = "chart"
		got, err := Compare(t.Context(), known, "c.yaml", m, now)
		if err != nil {
			t.Fatal(err)
		}
		if want := "web in Deployment web, container app\n  prod.yaml:2: key level: warn -> debug"; lines(got) != want {
			t.Errorf("got\n%s\nwant\n%s", lines(got), want)
		}
	}
	back, err := Compare(t.Context(), known, "c.yaml", Manifests{Name: "chart", Values: []string{"prod.yaml"}}, Manifests{Name: "HEAD:deploy/chart", Values: []string{"prod.yaml"}})
	if err != nil || !strings.Contains(lines(back), "\n  HEAD:deploy/prod.yaml:1: key level: debug -> warn") {
		t.Errorf("%v, %v", back, err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("there is left %v, %v", left, err)
	}
	status, err := exec.CommandContext(t.Context(), "git", "status", "--porcelain").Output()
	if want := " M deploy/prod.yaml\n?? new\n"; err != nil || string(status) != want {
		t.Errorf("the repository has %q, %v, want %q", status, err, want)
	}
}

// TestKustomized: what kustomize makes is traced to the files of the folder and of what it builds on.
func TestKustomized(t *testing.T) {
	t.Chdir(t.TempDir())
	files(t, "bin", "-- kustomize --\n#!/bin/sh\ncat \"$2/rendered\"\n")
	if err := os.Chmod("bin/kustomize", 0o700); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(here, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for i, folder := range []string{"old", "new"} {
		files(t, folder, "-- base/kustomization.yaml --\nresources: [web.yaml]\nconfigMapGenerator:\n- name: shared\n  files: [config.yaml]\n-- base/web.yaml --"+workload("web", "1"))
		files(t, folder, fmt.Sprintf("-- base/config.yaml --\na: 1\nb: %d\n", i+1))
		files(t, folder, fmt.Sprintf("-- prod/kustomization.yaml --\nresources: [../base]\npatches:\n- path: patch.yaml\n-- prod/patch.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        env: [{name: LEVEL, value: level%d}]\n", i))
		files(t, folder, "-- prod/rendered --"+strings.NewReplacer("name: shared}", fmt.Sprintf("name: shared-%d}", i), "        args:", fmt.Sprintf("        env: [{name: LEVEL, value: level%d}]\n        args:", i)).Replace(workload("web", "1"))+
			fmt.Sprintf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared-%d}\ndata: {config.yaml: \"a: 1\\nb: %d\\n\"}\n", i, i+1))
	}
	got, err := Compare(t.Context(), known, "c.yaml", Manifests{Name: "old/prod"}, Manifests{Name: "new/prod"})
	if err != nil {
		t.Fatal(err)
	}
	want := "web in Deployment web, container app\n  new/base/config.yaml:2: key b: 1 -> 2\n  new/prod/patch.yaml:9: env LEVEL: level0 -> level1"
	if lines(got) != want {
		t.Errorf("got\n%s\nwant\n%s", lines(got), want)
	}
}

// TestWrong: what cannot be compared is said.
func TestWrong(t *testing.T) {
	helm(t)
	t.Chdir(t.TempDir())
	files(t, ".", "-- ok/a.yaml --"+workload("web", "1")+"-- none/a.yaml --\na: 1\n-- bad/a.yaml --\na: [\n-- chart/Chart.yaml --\nname: a\n-- chart/values.yaml --\na: 1\n-- chart/templates/a.yaml --\n{{ if }}\n")
	files(t, ".", "-- held/a.yaml --"+workload("web", "1")+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\ndata:\n  config.yaml: |\n    a: [\n")
	for _, c := range []struct {
		name   string
		values []string
		want   string
	}{
		{"nowhere", nil, "nowhere: there is no such file or folder"},
		{"HEAD:deploy", nil, "HEAD:deploy: git does not have it: "},
		{"none", nil, "none: there are no objects of Kubernetes in it"},
		{"bad", nil, "bad/a.yaml:"},
		{"ok", []string{"v.yaml"}, "ok: values are for a chart"},
		{"chart", nil, "helm template release-name chart "},
		{"held", nil, "held/a.yaml:19: "},
	} {
		_, err := Compare(t.Context(), known, "c.yaml", Manifests{Name: "ok"}, Manifests{Name: c.name, Values: c.values})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %s", c.name, err, c.want)
		}
	}
	if !slices.Equal(words("--request-timeout"), words("requestTimeout")) {
		t.Errorf("%v, %v", words("--request-timeout"), words("requestTimeout"))
	}
}
