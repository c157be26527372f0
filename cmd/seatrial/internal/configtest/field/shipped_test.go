package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestShipped: what a file of the module says is not set by the test that loads it, and stands below what is given. A
// file of testdata, a temporary one, and what is decoded behind the file are the test's own.
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

// TestKong: fields of a command line of kong are called as its flags are, below their commands, and have their
// variables as other names.
func TestKong(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire github.com/alecthomas/kong v1.0.0\n\nreplace github.com/alecthomas/kong => ./kong\n",
		"kong/go.mod":  "module github.com/alecthomas/kong\n\ngo 1.24\n",
		"kong/kong.go": "package kong\n\ntype Kong struct{}\n\nfunc New(grammar any) (*Kong, error) { return &Kong{}, nil }\n",
		"shop.go": `package shop

import "github.com/alecthomas/kong"

type Log struct{ LogLevel string }

type Till struct{ Most, Least int }

type cli struct {
	Log  Log ` + "`embed:\"\"`" + `
	Till Till ` + "`embed:\"\" prefix:\"till-\"`" + `
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
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc use(...any) {}\n\nfunc TestItems(t *testing.T) {\n\tc := parse()\n\tuse(c.Sell.MaxItems, c.Sell.TillURL, c.Log.LogLevel, c.Till.Least)\n}\n",
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{
		{"flag:--log-level", "field:shop.cli.log-level"},
		{"flag:--max-items", "field:shop.cli.sell.max-items"},
		{"flag:--till", "field:shop.cli.sell.till"},
		{"flag:--till-least", "field:shop.cli.till-least"},
		{"flag:--till-most", "field:shop.cli.till-most"},
		{"env:SHOP_TILL", "field:shop.cli.sell.till"},
	}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases are others: %s", diff)
	}
	const want = "read log-level=, read sell.max-items=0, read sell.till=, read till-least=0"
	if got := strings.Join(short(b.run(t, "TestItems", nil), record.Read), ", "); strings.ReplaceAll(got, "field:shop.cli.", "") != want {
		t.Errorf("it has %s\nwant %s", got, want)
	}
}

// goFlags is a library with the functions of jessevdk/go-flags that are known, and little in them.
const goFlags = `package flags

import (
	"os"
	"reflect"
	"strconv"
	"strings"
)

type Option struct {
	LongName       string
	value          reflect.Value
	preventDefault bool
	tag            reflect.StructTag
}

func (option *Option) LongNameWithNamespace() string { return option.LongName }

func (option *Option) empty() { option.value.SetZero() }

func (option *Option) setDefault(value *string) error {
	if option.value.Kind() == reflect.Int {
		n, err := strconv.Atoi(*value)
		option.value.SetInt(int64(n))
		return err
	}
	option.value.SetString(*value)
	return nil
}

func (option *Option) clearDefault() error {
	if option.preventDefault {
		return nil
	}
	text := option.tag.Get("default")
	if value, is := os.LookupEnv(option.tag.Get("env")); is {
		text = value
	}
	return option.setDefault(&text)
}

func ParseArgs(data any, args []string) ([]string, error) {
	v := reflect.ValueOf(data).Elem()
	for i := range v.NumField() {
		o := &Option{LongName: v.Type().Field(i).Tag.Get("long"), value: v.Field(i), tag: v.Type().Field(i).Tag}
		for _, arg := range args {
			if text, is := strings.CutPrefix(arg, "--"+o.LongName+"="); is {
				_ = o.setDefault(&text)
				o.preventDefault = true
			}
		}
		if err := o.clearDefault(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
`

// TestGoFlags: flags of go-flags are the fields that their tags stand at, take values where arguments have none, and
// are set by those.
func TestGoFlags(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":         "module example.com/shop\n\ngo 1.24\n\nrequire github.com/jessevdk/go-flags v1.6.1\n\nreplace github.com/jessevdk/go-flags => ./flags\n",
		"flags/go.mod":   "module github.com/jessevdk/go-flags\n\ngo 1.24\n",
		"flags/flags.go": goFlags,
		"shop.go": `package shop

import "github.com/jessevdk/go-flags"

type options struct {
	Size int    ` + "`long:\"size\" default:\"3\" env:\"SHOP_SIZE\"`" + `
	Name string ` + "`long:\"name\" default:\"corner\"`" + `
}

func parse(args ...string) (*options, error) {
	var o options
	_, err := flags.ParseArgs(&o, args)
	return &o, err
}
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc checked(t *testing.T, args ...string) {\n\to, err := parse(args...)\n\tif err != nil || o.Size > 4 {\n\t\tt.Fatal(o.Name, err)\n\t}\n}\n\n" +
			"func TestSize(t *testing.T) { checked(t) }\n\nfunc TestOwn(t *testing.T) { checked(t, \"--size=4\") }\n",
	}), "GOWORK=off")
	want := [][2]parameter.ID{{"flag:--name", "field:shop.options.name"}, {"flag:--size", "field:shop.options.size"}, {"env:SHOP_SIZE", "field:shop.options.size"}}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases are others: %s", diff)
	}
	for _, c := range []struct {
		test   string
		inject map[parameter.ID]string
		want   string
		ends   run.Ending
	}{
		{"TestSize", nil, "read size=3", run.Passed},
		{"TestSize", map[parameter.ID]string{"flag:--size": "5"}, "gave flag:--size=5, read name=corner, read size=5", run.Failed},
		{"TestOwn", map[parameter.ID]string{"flag:--size": "5"}, "read size=4, set flag:--size=4", run.Passed},
		{"TestSize", map[parameter.ID]string{"flag:--size": "x"}, "gave flag:--size=x, read name=", run.Failed},
	} {
		o := b.run(t, c.test, c.inject)
		got := strings.ReplaceAll(strings.Join(short(o, record.Read, record.Set, record.Gave), ", "), "field:shop.options.", "")
		if got != c.want || o.Ending != c.ends {
			t.Errorf("%s with %v: %s with %s\nwant %s\n%s", c.test, c.inject, o.Ending, got, c.want, o.Output)
		}
	}
}

// TestJSONFile: a document of JSON is a configuration if the function that decodes it opens a file, whatever its type
// is called.
func TestJSONFile(t *testing.T) {
	pace.Slow(t)
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Till struct{ Opens int ` + "`json:\"opens\"`" + ` }

type Message struct{ Text string ` + "`json:\"text\"`" + ` }

func read(path string) (*Till, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &Till{}
	return t, json.NewDecoder(f).Decode(t)
}

func received(text []byte) (m Message, err error) { return m, json.Unmarshal(text, &m) }
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc use(...any) {}\n\nfunc TestTill(t *testing.T) {\n\ttill, _ := read(\"till.json\")\n\tm, _ := received([]byte(\"{}\"))\n\tuse(till.Opens, m.Text)\n}\n",
		"till.json":    `{"opens": 8}`,
	}), "GOWORK=off")
	if got := strings.Join(short(b.run(t, "TestTill", nil), record.Read, record.Set), ", "); got != "read field:shop.Till.opens=8" {
		t.Errorf("it has %s", got)
	}
}

// TestExpanded: a file that is shipped, and defaults that are embedded, are that also where the program has taken both
// before it decodes one, and has put variables into them. A document of the test's own is not.
func TestExpanded(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"default.json": "{\n\"wait\": 1,\n\"tries\": 2,\n\"most\": 3,\n\"name\": \"$SHOP_NAME\"\n}\n",
		"config.json":  "{\n\"wait\": 9,\n\"most\": 8,\n\"name\": \"$SHOP_NAME\"\n}\n",
		"shop.go": `package shop

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"
)

type Config struct {
	Wait, Tries, Most int
	Name              string
}

//go:embed default.json
var builtin []byte

func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseConfig(text)
}

func ParseConfig(text []byte) (*Config, error) {
	c := &Config{}
	for _, one := range [][]byte{builtin, text} {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(one), "$SHOP_NAME", "corner")), c); err != nil {
			return nil, err
		}
	}
	return c, nil
}
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc use(...any) {}\n\nfunc TestFile(t *testing.T) {\n\tc, err := Load(\"config.json\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tuse(c.Wait, c.Tries, c.Name)\n}\n\n" +
			"func TestOwn(t *testing.T) {\n\tc, _ := ParseConfig([]byte(`{\"wait\": 5}`))\n\tuse(c.Wait, c.Tries)\n}\n",
	}), "GOWORK=off")
	for test, want := range map[string]string{
		"TestFile": "read Name=corner, read Tries=4, read Wait=9",
		"TestOwn":  "read Tries=4, read Wait=5, set Wait=5",
	} {
		o := b.run(t, test, map[parameter.ID]string{"field:shop.Config": `{"Tries": 4}`})
		if got := strings.Join(short(o, record.Read, record.Set), ", "); got != want || o.Ending != run.Passed {
			t.Errorf("%s %s with %s, want %s\n%s", test, o.Ending, got, want, o.Output)
		}
	}
}
