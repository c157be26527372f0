package configtest

import (
	"fmt"
	"testing"
)

// TestSetText: a test that sets a key to just the text that is deployed has an edit of it there, if it passes with
// another edit: it asserts nothing of what stands there. One that asserts what it has set is none.
func TestSetText(t *testing.T) {
	for _, s := range stores {
		files := map[string]string{"config.yaml": "names:\n  node: mx1\n  match: item-[0-9]+\n  format: no. %d!\n", "store.go": "package store\n\nimport (\n\t\"fmt\"\n\t\"regexp\"\n\t\"strings\"\n)\n" + s.code + `
func Names(s store, text string) bool { return regexp.MustCompile(s.` + s.text + `("names.match")).MatchString(text) }

// Of is the node of what has its name, and a number.
func Of(s store) string {
	node, _, _ := strings.Cut(s.` + s.text + `("names.node")+"-7", "-")
	return node
}

func Called(s store, n int) string { return fmt.Sprintf(s.` + s.text + `("names.format"), n) }
`, "store_test.go": `package store

import "testing"

func TestNames(t *testing.T) {
	s := New()
	` + fmt.Sprintf(s.set, "names.match", `"item-[0-9]+"`) + `
	if Names(s, "item-") {
		t.Error("item- is one")
	}
}

func TestOf(t *testing.T) {
	s := New()
	` + fmt.Sprintf(s.set, "names.node", `"mx1"`) + `
	if of := Of(s); of != s.` + s.text + `("names.node") {
		t.Errorf("it is of %s", of)
	}
}

func TestCalled(t *testing.T) {
	s := New()
	` + fmt.Sprintf(s.set, "names.format", `"no. %d!"`) + `
	if got := Called(s, 3); got != "no. 3!" {
		t.Errorf("it is called %s", got)
	}
}
`}
		compare(t, s.name, s.example, files, []comparison{
			{"mx1", "mx-1", "violated passes names.node: TestOf: it is of mx"},
			{"item-[0-9]+", "\"([\"", "violated no-panic names.match: TestNames: panic: regexp: Compile(`([`): error parsing regexp: missing closing ]: `[`"},
			{"item-[0-9]+", "items-[0-9]+", "inconclusive passes names.match: overridden by the test: TestNames"},
			{"no. %d!", "no. %d?", "inconclusive passes names.format: overridden by the test: TestCalled"},
		})
	}
}

// TestSetTextOfVariables: a variable is as a key is. Of a list an item that is new, or gone, may well be meant, and so
// may an expression that takes less.
func TestSetTextOfVariables(t *testing.T) {
	s, said := shop(t, "shop.env", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"os"
	"regexp"
	"strings"
)

// Of is the node of what has its name, and a number.
func Of() string {
	node, _, _ := strings.Cut(os.Getenv("SHOP_NODE")+"-7", "-")
	return node
}

func Names(text string) bool { return regexp.MustCompile(os.Getenv("SHOP_MATCH")).MatchString(text) }

func Zones() []string { return strings.Split(os.Getenv("SHOP_ZONES"), ",") }
`,
		"shop_test.go": `package shop

import (
	"os"
	"testing"
)

func TestOf(t *testing.T) {
	t.Setenv("SHOP_NODE", "mx1")
	if of := Of(); of != os.Getenv("SHOP_NODE") {
		t.Errorf("it is of %s", of)
	}
}

func TestNames(t *testing.T) {
	t.Setenv("SHOP_MATCH", "^item-[0-9]+$")
	if !Names("item-17") {
		t.Error("item-17 is none")
	}
}

func TestZones(t *testing.T) {
	t.Setenv("SHOP_ZONES", "a,b,c")
	if n := len(Zones()); n != 3 {
		t.Errorf("there are %d", n)
	}
}
`,
	})
	of := func(node, match, zones string) string {
		return "SHOP_NODE=" + node + "\nSHOP_MATCH=" + match + "\nSHOP_ZONES=" + zones + "\n"
	}
	for now, want := range map[string]string{
		of("mx-1", "^item-[0-9]+$", "a,b,c"):  "violated SHOP_NODE: TestOf: it is of mx (shop_test.go:11)",
		of("mx1", "^item-[0-9]{3}$", "a,b,c"): "inconclusive SHOP_MATCH: overridden by the test: TestNames",
		of("mx1", "^item-[0-9]+$", "a,b,c,d"): "inconclusive SHOP_ZONES: overridden by the test: TestZones",
		of("mx1", "^item-[0-9]+$", "a,b"):     "inconclusive SHOP_ZONES: overridden by the test: TestZones",
		of("mx1", "^item-[0-9]+$", "a,b-1,c"): "inconclusive SHOP_ZONES: overridden by the test: TestZones",
	} {
		out, err := s.diff(t.Context(), said(of("mx1", "^item-[0-9]+$", "a,b,c")), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// TestSetTextOfDocuments: a test with a document of its own that says most other things otherwise has what is deployed
// above that, and then an edit of it.
func TestSetTextOfDocuments(t *testing.T) {
	const old = "node: mx1\nsize: 40\nunit: kg\nwhere: north\n"
	files := map[string]string{"config.yaml": old, "store.go": `package store

import (
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

type Config struct {
	Node  string
	Size  int
	Unit  string
	Where string
}

func Load(path string) (c Config, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, yaml.Unmarshal(text, &c)
}

// Of is the node of what has its name, and a number.
func (c Config) Of() string {
	node, _, _ := strings.Cut(c.Node+"-7", "-")
	return node
}
`, "store_test.go": `package store

import (
	"os"
	"testing"
)

func TestFile(t *testing.T) {
	c, err := Load("config.yaml")
	if err != nil || c.Size < 1 || c.Unit == "" || c.Where == "" {
		t.Fatal(err)
	}
}

func TestOf(t *testing.T) {
	path := t.TempDir() + "/own.yaml"
	if err := os.WriteFile(path, []byte("node: mx1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if of := c.Of(); of != c.Node {
		t.Errorf("it is of %s", of)
	}
}
`}
	compare(t, "yaml", "janitor", files, []comparison{
		{"mx1", "mx-1", "violated passes node: TestOf: it is of mx"},
		{"mx1", "mx2", "inconclusive passes node: no read of the new value was seen: TestFile"},
	})
}
