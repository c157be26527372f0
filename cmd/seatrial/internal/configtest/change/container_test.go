package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const pods = `apiVersion: v1
kind: ConfigMap
metadata: {name: shared}
data:
  LEVEL: info
  config.yaml: |
    a:
      b: 1
  plain: hello
---
apiVersion: v1
kind: Secret
metadata: {name: hidden}
stringData:
  key: hunter2
  url: http://x
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: app
        image: example.com/web:1
%s
      volumes:
      - name: files
        configMap: {name: shared}
      - name: one
        configMap:
          name: shared
          items: [{key: config.yaml, path: in/settings}]
      - name: both
        projected:
          sources:
          - configMap: {name: shared, items: [{key: plain, path: a.b}]}
          - secret: {name: hidden}
`

// TestTold: what a program is told is found wherever a manifest has it.
func TestTold(t *testing.T) {
	for name, c := range map[string]struct{ says, config, want string }{
		"arguments, with variables in them": {`
        command: [/web, serve]
        args: ["--level=$(LEVEL)", "--price=$$(LEVEL)", "--none=$(NONE)", -n, "$(N)"]
        env: [{name: LEVEL, value: high}, {name: N, value: "$(LEVEL)er"}]`, "", `
29 env, handed, LEVEL=high
29 env, handed, N=higher
27 flag [0]=/web
27 flag [1]=serve
28 flag --level=high
28 flag --price=$(LEVEL)
28 flag --none=$(NONE)
28 flag --n=higher`},
		"variables of objects": {`
        args: ["--key=$(KEY)"]
        envFrom: [{configMapRef: {name: shared}, prefix: X_}, {secretRef: {name: gone}}]
        env:
        - name: KEY
          valueFrom: {secretKeyRef: {name: hidden, key: key}}
        - name: LEVEL
          valueFrom: {configMapKeyRef: {name: shared, key: LEVEL}}
        - name: NONE
          valueFrom: {configMapKeyRef: {name: shared, key: none, optional: true}}
        - name: POD
          valueFrom: {fieldRef: {fieldPath: metadata.name}}`, "", `
28 envFrom Secret gone=secretRef.name=gone
5 env X_LEVEL=info
6 env X_config.yaml=a:\n  b: 1\n
9 env X_plain=hello
15 env, handed, KEY=(secret)
5 env LEVEL=info
37 env POD=fieldRef.fieldPath=metadata.name
27 flag --key=(secret)
missing Secret gone`},
		"a secret in one of several": {`
        args: ["--key=a", "--key=$(KEY)", "--key=b", --x, "$(KEY)", "$(KEY)", "--y=z"]
        env:
        - name: KEY
          valueFrom: {secretKeyRef: {name: hidden, key: key}}`, "", `
15 env, handed, KEY=(secret)
27 flag --key=(secret)
27 flag --x=(secret)
27 flag [0]=(secret)
27 flag --y=z`},
		"a file that the arguments name": {`
        args: [--config, /etc/web/config.yaml]
        volumeMounts: [{name: files, mountPath: /etc/web}]`, "--config", `
27 flag --config=/etc/web/config.yaml
5 key /etc/web/LEVEL=info
8 key --config a.b=1
9 key /etc/web/plain=hello`},
		"a file whose name says no format": {`
        env: [{name: FILE, value: /etc/web/settings}]
        volumeMounts: [{name: one, mountPath: /etc/web/settings, subPath: in/settings}]`, "FILE", `
27 env FILE=/etc/web/settings
8 key FILE a.b=1`},
		"several objects in one folder": {`
        volumeMounts: [{name: both, mountPath: /run/x/}]`, "", `
9 key ["/run/x/a.b"]=hello
15 key /run/x/key=(secret)
16 key /run/x/url=(secret)`},
		"a file that nobody mounts": {`
        args: [--config=/etc/none.yaml]`, "--config", `
27 flag --config=/etc/none.yaml
no file /etc/none.yaml`},
	} {
		t.Run(name, func(t *testing.T) {
			var o Objects
			if err := o.Add("a.yaml", []byte(fmt.Sprintf(pods, strings.TrimPrefix(c.says, "\n"))), ""); err != nil {
				t.Fatal(err)
			}
			all := o.Containers()
			if len(all) != 1 || all[0].Image != "example.com/web:1" || all[0].String() != "Deployment web, container app" {
				t.Fatalf("the containers are %v", all)
			}
			told, err := all[0].Told(c.config)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range told.Settings {
				if s.Value.Handed {
					s.Kind += ", handed,"
				}
				got = append(got, strings.ReplaceAll(fmt.Sprintf("%d %s %s=%s", s.Location.Line, s.Kind, strings.TrimSpace(s.In+" "+s.Path), s.Value), "\n", `\n`))
			}
			for _, m := range told.Missing {
				got = append(got, "missing "+m)
			}
			if told.NoFile != "" {
				got = append(got, "no file "+told.NoFile)
			}
			if want := strings.Split(strings.TrimPrefix(c.want, "\n"), "\n"); !slices.Equal(got, want) {
				t.Errorf("it is told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestHeld: which ConfigMaps and Secrets there are, and whether two are the same.
func TestHeld(t *testing.T) {
	held := func(text string) []Held {
		var o Objects
		if err := o.Add("a.yaml", []byte(text), "shop"); err != nil {
			t.Fatal(err)
		}
		all, err := o.Held()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	one := held("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1', y: '2'}\n")
	other := held("kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {namespace: shop, name: a}\n  stringData: {y: '2'}\n- {apiVersion: apps/v1, kind: ConfigMap, metadata: {name: b}, data: {x: '1'}}\n")
	if got, want := fmt.Sprint(one, other), "[{ConfigMap shop/a x a.yaml:4 1} {ConfigMap shop/a y a.yaml:4 2}] [{Secret shop/a y a.yaml:7 2}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
