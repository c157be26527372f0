package configtest

import (
	"fmt"
	"testing"
)

// TestSetText: a test that sets a key to just the text that is deployed has an edit of it there, if it passes with another edit: it asserts nothing of what stands there. One that asserts what it has set is none.
func TestSetText(t *testing.T) {
	for _, s := range stores {
		files := map[string]string{"config.yaml": "names:\n  match: item-[0-9]+\n  format: no. %d!\n", "store.go": "package store\n\nimport (\n\t\"fmt\"\n\t\"regexp\"\n)\n" + s.code + `
func Names(s store, text string) bool { return regexp.MustCompile(s.` + s.text + `("names.match")).MatchString(text) }

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

func TestCalled(t *testing.T) {
	s := New()
	` + fmt.Sprintf(s.set, "names.format", `"no. %d!"`) + `
	if got := Called(s, 3); got != "no. 3!" {
		t.Errorf("it is called %s", got)
	}
}
`}
		compare(t, s.name, s.example, files, []comparison{
			{"item-[0-9]+", "item-[0-9]*", "violated passes names.match: TestNames: item- is one"},
			{"item-[0-9]+", "items-[0-9]+", "inconclusive passes names.match: overridden by the test: TestNames"},
			{"no. %d!", "no. %d?", "inconclusive passes names.format: overridden by the test: TestCalled"},
		})
	}
}

// TestSetTextOfVariables: a variable is as a key is.
func TestSetTextOfVariables(t *testing.T) {
	s, said := shop(t, "shop.env", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"os"
	"regexp"
)

// Names tells whether it is one.
func Names(text string) bool { return regexp.MustCompile(os.Getenv("SHOP_MATCH")).MatchString(text) }
`,
		"shop_test.go": `package shop

import "testing"

func TestNames(t *testing.T) {
	t.Setenv("SHOP_MATCH", "item-[0-9]+")
	if Names("item-") {
		t.Error("item- is one")
	}
}
`,
	})
	for now, want := range map[string]string{
		"item-[0-9]*":  "violated SHOP_MATCH: TestNames: item- is one (shop_test.go:8)",
		"items-[0-9]+": "inconclusive SHOP_MATCH: overridden by the test: TestNames",
	} {
		out, err := s.diff(t.Context(), said("SHOP_MATCH=item-[0-9]+\n"), said("SHOP_MATCH="+now+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// TestSetTextOfDocuments: a test with a document of its own that says most other things otherwise has what is deployed above that, and then an edit of it.
func TestSetTextOfDocuments(t *testing.T) {
	const old = "match: item-[0-9]+\nsize: 40\nunit: kg\nwhere: north\n"
	files := map[string]string{"config.yaml": old, "store.go": `package store

import (
	"os"
	"regexp"

	"go.yaml.in/yaml/v3"
)

type Config struct {
	Match string
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

// Names tells whether it is one.
func (c Config) Names(text string) bool { return regexp.MustCompile(c.Match).MatchString(text) }
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

func TestNames(t *testing.T) {
	path := t.TempDir() + "/own.yaml"
	if err := os.WriteFile(path, []byte("match: item-[0-9]+\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Names("item-") {
		t.Error("item- is one")
	}
}
`}
	compare(t, "yaml", "janitor", files, []comparison{
		{"item-[0-9]+", "item-[0-9]*", "violated passes match: TestNames: item- is one"},
		{"item-[0-9]+", "item-[0-8]+", "inconclusive passes match: no read of the new value was seen: TestFile"},
	})
}
