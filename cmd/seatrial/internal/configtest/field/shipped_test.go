package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestShipped: what a file of the module says is not set by the test that loads it, and stands below what is given. A file of testdata, a temporary one, and what is decoded behind
// the file are the test's own.
func TestShipped(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.json": `{"wait": 9}`, "testdata/config.json": `{"wait": 9}`,
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Config struct {
	Wait  int ` + "`json:\"wait\"`" + `
	Tries int ` + "`json:\"tries\"`" + `
}

func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

func Parse(text []byte) (*Config, error) {
	c := &Config{Wait: 1, Tries: 3}
	return c, json.Unmarshal(text, c)
}
`,
		"shop_test.go": `package shop

import (
	"os"
	"path/filepath"
	"testing"
)

func use(...any) {}

func load(t *testing.T, path string) {
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	use(c.Wait, c.Tries)
}

func TestFile(t *testing.T) { load(t, "config.json") }

func TestData(t *testing.T) { load(t, "testdata/config.json") }

func TestTemporary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, []byte("{\"wait\": 9}"), 0o600); err != nil {
		t.Fatal(err)
	}
	load(t, path)
}

func TestReads(t *testing.T) {
	text, err := os.ReadFile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := Parse(text)
	use(c.Wait)
}

func TestBehind(t *testing.T) {
	load(t, "config.json")
	c, _ := Parse([]byte("{\"wait\": 8}"))
	use(c.Wait)
}
`,
	}), "GOWORK=off")
	for test, want := range map[string]string{
		"TestFile":      "gave wait=5, read tries=3, read wait=5",
		"TestData":      "gave wait=5, read tries=3, read wait=9, set wait=9",
		"TestTemporary": "gave wait=5, read tries=3, read wait=9, set wait=9",
		"TestReads":     "gave wait=5, read wait=5",
		"TestBehind":    "gave wait=5, read tries=3, read wait=5, read wait=8, set wait=8",
	} {
		o := b.run(t, test, map[parameter.ID]string{"field:shop.Config": `{"wait": 5}`})
		if got := strings.Join(short(o, record.Read, record.Set, record.Gave), ", "); got != want || o.Ending != run.Passed {
			t.Errorf("%s %s with %s\nwant %s\n%s", test, o.Ending, got, want, o.Output)
		}
	}
}

// TestKong: fields of a command line of kong are called as its flags are, below their commands, and have their variables as other names.
func TestKong(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire github.com/alecthomas/kong v1.0.0\n\nreplace github.com/alecthomas/kong => ./kong\n",
		"kong/go.mod":  "module github.com/alecthomas/kong\n\ngo 1.24\n",
		"kong/kong.go": "package kong\n\ntype Kong struct{}\n\nfunc New(grammar any) (*Kong, error) { return &Kong{}, nil }\n",
		"shop.go": `package shop

import "github.com/alecthomas/kong"

type Log struct{ LogLevel string }

type cli struct {
	Log  Log ` + "`embed:\"\"`" + `
	Sell struct {
		MaxItems int
		TillURL  string ` + "`name:\"till\" env:\"SHOP_TILL\"`" + `
	} ` + "`cmd:\"\"`" + `
}

func parse() *cli {
	var c cli
	_, _ = kong.New(&c)
	return &c
}
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc use(...any) {}\n\nfunc TestItems(t *testing.T) {\n\tc := parse()\n\tuse(c.Sell.MaxItems, c.Sell.TillURL, c.Log.LogLevel)\n}\n",
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{{"env:SHOP_TILL", "field:shop.cli.sell.till"}}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases are others: %s", diff)
	}
	const want = "read log-level=, read sell.max-items=0, read sell.till="
	if got := strings.Join(short(b.run(t, "TestItems", nil), record.Read), ", "); strings.ReplaceAll(got, "field:shop.cli.", "") != want {
		t.Errorf("it has %s\nwant %s", got, want)
	}
}
