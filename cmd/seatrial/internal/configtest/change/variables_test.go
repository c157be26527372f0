package change

import (
	"fmt"
	"testing"
)

// TestExpanded: what a variable of another object says is not known, and neither is what all variables of one may say.
// A variable that there is not stays as it is written, and a secret is one wherever it is said.
func TestExpanded(t *testing.T) {
	of := func(text string) map[string]Value {
		settings, err := Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]Value{}
		for _, s := range settings {
			out[s.Path] = s.Value
		}
		return out
	}
	const args = `--db=$(DB), --from=$(FROM), --from, x, --dsn=u:$(PASSWORD)@h, "$(DB)", $(PORT)`
	for name, c := range map[string]struct {
		text string
		from Type
	}{
		"with others": {fmt.Sprintf(containing, args, `8080"}, {name: PASSWORD, value: "hunter2`), Reference},
		"all there":   {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    args: [/app, " + args + "]\n    env: [{name: PORT, value: '8080'}, {name: PASSWORD, value: hunter2}, {name: DB, valueFrom: {secretKeyRef: {name: x, key: url}}}]\n", List},
	} {
		got := of(c.text)
		for path, want := range map[string]Type{"--db": Reference, "--from": c.from, "--dsn": Text, "[1]": Reference, "[2]": Text} {
			if got[path].Type != want {
				t.Errorf("%s: %s is a %s, want a %s", name, path, got[path].Type, want)
			}
		}
		if !got["--dsn"].Secret || got["[2]"].Reveal() != "8080" {
			t.Errorf("%s: %v, %v", name, got["--dsn"], got["[2]"])
		}
	}
}

// TestReferred: a key of an object that a container has as a variable of another name is that variable, on the line of
// the key, and a secret if the object is. One that is also mounted, or known by its own name, is a key as well.
func TestReferred(t *testing.T) {
	const text = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec:
      containers:
      - name: app
        args: ["--level=$(LOG_LEVEL)"]
        envFrom: [{prefix: APP_, configMapRef: {name: more}}, {secretRef: {name: all}}]
        env:
        - {name: LOG_LEVEL, valueFrom: {configMapKeyRef: {name: app, key: log-level}}}
        - {name: KEY, valueFrom: {secretKeyRef: {name: hidden, key: key}}}
        - {name: SAME, valueFrom: {configMapKeyRef: {name: app, key: SAME}}}
        - {name: OTHER, valueFrom: {configMapKeyRef: {name: mounted, key: x}}}
        - {name: GONE, valueFrom: {configMapKeyRef: {name: gone, key: x}}}
        - {name: APP_B, value: own}
      volumes: [{name: v, configMap: {name: mounted}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: app, namespace: shop}
data:
  log-level: %[1]s
  SAME: %[1]s
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: more, namespace: shop}, data: {A: %[1]s, B: %[1]s}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: mounted, namespace: shop}, data: {x: %[1]s}}
---
{apiVersion: v1, kind: Secret, metadata: {name: hidden, namespace: shop}, stringData: {key: %[1]s}}
---
{apiVersion: v1, kind: Secret, metadata: {name: all, namespace: shop}, stringData: {y: %[1]s}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: app, namespace: other}, data: {log-level: same}}
`
	parse := func(value string) []Setting {
		out, err := Parse("a.yaml", []byte(fmt.Sprintf(text, value)))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := `9 flag Deployment shop/web app --level: one -> two
24 env Deployment shop/web app LOG_LEVEL: one -> two
25 key ConfigMap shop/app SAME: one -> two
27 key ConfigMap shop/more B: one -> two
27 env Deployment shop/web app APP_A: one -> two
29 key ConfigMap shop/mounted x: one -> two
29 env Deployment shop/web app OTHER: one -> two
31 env Deployment shop/web app KEY: (secret) -> (secret)
33 key Secret shop/all y: (secret) -> (secret)`
	if got := lines(Between(parse("one"), parse("two"))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
