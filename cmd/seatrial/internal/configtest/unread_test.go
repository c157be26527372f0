package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/internal/pace"
)

// twoPrograms is a module with two programs that share the type of their file.
var twoPrograms = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n",
	"conf/conf.go": `package conf

import (
	"encoding/json"
	"errors"
	"os"
)

type Config struct {
	Bake  Bake   ` + "`json:\"bake\"`" + `
	Sell  Sell   ` + "`json:\"sell\"`" + `
	Owner string ` + "`json:\"owner\"`" + `
}

type Bake struct {
	Ovens int ` + "`json:\"ovens\"`" + `
	Heat  int ` + "`json:\"heat\"`" + `
}

type Sell struct {
	Tills int ` + "`json:\"tills\"`" + `
}

func Default() *Config { return &Config{Bake: Bake{Ovens: 2, Heat: 200}, Sell: Sell{Tills: 1}} }

func Load(path string) (*Config, error) {
	c := Default()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if c.Bake.Ovens == 0 {
		return nil, errors.New("no oven")
	}
	return c, err
}
`,
	"conf/conf_test.go": `package conf

import "testing"

func TestDefault(t *testing.T) {
	if c := Default(); c.Bake.Heat != 200 || c.Sell.Tills != 1 {
		t.Errorf("%+v", c)
	}
}
`,
	"bake/bake.go": `package bake

import "example.com/shop/conf"

func Loaves(b conf.Bake) int { return b.Ovens * b.Heat / 10 }
`,
	"bake/bake_test.go": `package bake

import (
	"testing"

	"example.com/shop/conf"
)

func TestLoaves(t *testing.T) {
	if Loaves(conf.Default().Bake) < 20 {
		t.Error("too few loaves")
	}
}
`,
	"sell/sell.go": `package sell

import "example.com/shop/conf"

func Queue(c *conf.Config) int { return 10 / c.Sell.Tills }
`,
	"sell/sell_test.go": `package sell

import (
	"testing"

	"example.com/shop/conf"
)

func TestQueue(t *testing.T) {
	if Queue(conf.Default()) > 10 {
		t.Error("nobody waits so long")
	}
}
`,
	"cmd/bake/main.go": mainOf("bake", "bake.Loaves(c.Bake)"),
	"cmd/sell/main.go": mainOf("sell", "sell.Queue(c)"),
}

func mainOf(name, call string) string {
	return fmt.Sprintf(`package main

import (
	"os"

	"example.com/shop/conf"
	"example.com/shop/%s"
)

func main() {
	c, err := conf.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	println(%s)
}
`, name, call)
}

const deployed = `apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
      - name: NAME
        image: example.com/NAME:1
        args: [/etc/shop/shop.json]
        volumeMounts: [{name: shop, mountPath: /etc/shop}]
      volumes: [{name: shop, configMap: {name: shop}}]
---
`

// TestProgramsOfOneModule: what a file says for one program of a module is no question to another one that does not
// have the code which reads it, whatever tests of shared packages assert.
func TestProgramsOfOneModule(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	written(t, folder, twoPrograms)
	var all []component.Component
	for _, name := range []string{"bake", "sell"} {
		all = append(all, component.Component{Name: name, Image: "example.com/" + name, Module: folder, Main: "./cmd/" + name, Packages: []string{"./conf", "./" + name}})
	}
	manifests := func(text string) string {
		file := filepath.Join(t.TempDir(), "manifests.yaml")
		config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  shop.json: '" + text + "'\n"
		text = strings.ReplaceAll(deployed, "NAME", "bake") + strings.ReplaceAll(deployed, "NAME", "sell") + config
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const old = `{"bake": {"ovens": 2, "heat": 200}, "sell": {"tills": 1}, "owner": "me"}`
	before, cache := manifests(old), t.TempDir()
	for _, c := range []struct {
		old, now string
		want     []string
	}{
		{`"heat": 200`, `"heat": 250`, []string{"holds bake: bake.heat: "}},
		{`"tills": 1`, `"tills": 0`, []string{"violated sell: sell.tills: "}},
		{`"ovens": 2`, `"ovens": 3`, []string{"holds bake: bake.ovens: ", "inconclusive sell: bake.ovens: not exercised by any test"}}, // what loads the file looks at it
		{`"me"`, `"you"`, []string{"inconclusive bake: owner: not exercised by any test", "inconclusive sell: owner: not exercised by any test"}},
	} {
		compared, err := component.Compare(t.Context(), all, "components.yaml", component.Manifests{Name: before}, component.Manifests{Name: manifests(strings.Replace(old, c.old, c.now, 1))})
		if err != nil {
			t.Fatal(err)
		}
		out, err := DiffComponents(t.Context(), options(t, "", cache), compared)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Report().Results {
			got = append(got, fmt.Sprintf("%s %s: %s", r.Verdict, r.Subject, r.Reason))
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.now, diff)
		}
	}
}

// TestUnreadInWhatBuilds: who reads a field is not known while there is a package that does not build.
func TestUnreadInWhatBuilds(t *testing.T) {
	pace.Slow(t)
	files := map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.25\n",
		"shop.go":      "package shop\n\nimport \"encoding/json\"\n\ntype Config struct {\n\tName string `json:\"name\"`\n}\n\nfunc Load(text []byte) (c Config, err error) {\n\treturn c, json.Unmarshal(text, &c)\n}\n",
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestLoad(t *testing.T) {\n\tif _, err := Load([]byte(\"{}\")); err != nil {\n\t\tt.Error(err)\n\t}\n}\n",
	}
	for _, c := range []struct {
		main string
		want bool
	}{
		{"package main\n\nfunc main() {}\n", true},
		{"package main\n\nfunc main( {}\n", false},
	} {
		folder := t.TempDir()
		files["cmd/main.go"] = c.main
		written(t, folder, files)
		s, err := begin(t.Context(), options(t, folder, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		out, err := s.diff(t.Context(), versionOf(t, `{"name": "a"}`), versionOf(t, `{"name": "b"}`))
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Changes) != 1 || out.unread[0] != c.want {
			t.Errorf("of %d changes are unread %v, want %t", len(out.Changes), out.unread, c.want)
		}
	}
}

func versionOf(t *testing.T, text string) Version {
	t.Helper()
	settings, err := change.Parse("shop.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Version{Text: []byte(text), Settings: settings}
}

// written writes files into a folder.
func written(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
