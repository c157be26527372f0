package field_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// shop is what the modules of the tests have in common: a configuration that is read as JSON, with one type in two
// places.
const shop = `package shop

import (
	"encoding/json"
	"fmt"
	"time"
)

type Config struct {
	Name  string        ` + "`json:\"name\"`" + `
	Limit               ` + "`json:\",inline\"`" + `
	Front Endpoint      ` + "`json:\"front\"`" + `
	Back  *Endpoint     ` + "`json:\"back\"`" + `
	Tags  []string      ` + "`json:\"tags\"`" + `
	By    map[string]int ` + "`json:\"by\"`" + `
	Wait  Pause         ` + "`json:\"wait\"`" + `
	Try   *int          ` + "`json:\"try\"`" + `
	Grid  [2]int        ` + "`json:\"grid\"`" + `
	Next  *Config       ` + "`json:\"next\"`" + `
	Debug bool          ` + "`json:\"debug\"`" + `
}

type Limit struct {
	Most  int ` + "`json:\"most\"`" + `
	Least int ` + "`json:\"least\"`" + `
}

type Endpoint struct {
	Host string ` + "`json:\"host\"`" + `
	Port int    ` + "`json:\"port\"`" + `
}

func (e *Endpoint) Address() string { return fmt.Sprint(e.Host, ":", e.Port) }

type Pause struct{ time.Duration }

func (p *Pause) UnmarshalJSON(text []byte) error {
	var err error
	p.Duration, err = time.ParseDuration(string(text[1 : len(text)-1]))
	return err
}

func (p *Pause) Half() time.Duration { return p.Duration / 2 }

func DefaultConfig() *Config {
	c := &Config{Name: "shop"}
	c.Most = 5
	c.Front = Endpoint{"front", 80}
	c.Back = &Endpoint{"back", 81}
	c.Wait = Pause{time.Second}
	c.By = map[string]int{"a": 1}
	return c
}

func Load(text string) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal([]byte(text), c)
}
`

// module writes one of a package, its test and what else is in it.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if files["go.mod"] == "" {
		files["go.mod"] = "module example.com/shop\n\ngo 1.24\n"
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// short are the events of some verbs as verb name=value, without what all have in front.
func short(o *run.Outcome, verbs ...record.Verb) []string {
	out := []string{}
	for _, e := range o.Events {
		if slices.Contains(verbs, e.Verb) {
			text := string(e.Verb) + " " + strings.TrimPrefix(string(e.Subject), "field:shop.Config.") + "=" + e.Value
			if strings.HasSuffix(e.At, "?") {
				text += "?"
			}
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestConstructs: ways to read, set and hand on fields, each as a test of one module; what it reads and sets is behind
// it.
func TestConstructs(t *testing.T) {
	cases := []struct{ name, code, want string }{
		{"Promoted", "use(c.Most); use(c.Limit.Least)", "read least=0, read most=5"},
		{"PointerReceiver", "use(c.Wait.Half())", "read wait=1s"},
		{"MethodValue", "f := c.Wait.Half; use(f())", "read wait=1s"},
		{"Closure", "f := func() int { return c.Most }; use(f())", "read most=5"},
		{"ShortCircuit", "use(c.Debug && c.Most > 0)", "read debug=false"},
		{"Switch", "switch c.Name { case \"shop\": use(c.Most); case \"x\": use(c.Least) }", "read most=5, read name=shop"},
		{"TwoPlaces", "use(c.Front.Address())", "read front.host=front, read front.port=80"},
		{"TwoPlacesByPointer", "use(c.Back.Address())", "read back.host=back, read back.port=81"},
		{"ACopyOfOneOfTwo", "e := c.Front; use(e.Address())", "read back.host=front?, read back.port=80?, read front.host=front?, read front.port=80?"},
		{"ACopyThatIsKnown", "e := c.Front; f := &c.Back.Port; use(e.Port, f)", "read front.port=80"},
		{"AssignedWith", "c.Most++; c.Least += 2; c.Front.Port = 3", "set front.port=3, set least=2, set most=6"},
		{"Part", "c.Front = Endpoint{}", "set front.host=, set front.port=0"},
		{"InAMap", "c.By[\"b\"] = c.Most", "read most=5, set by=map[a:1 b:5]"},
		{"Several", "c.Most, c.Name = 7, \"x\"", "set most=7, set name=x"},
		{"Address", "p := &c.Most; use(p)", ""},
		{"AddressHandedOn", "use(list.Element{Value: &c.Most}); var e list.Element; e.Value = &c.Wait.Duration; use(e)", "read most=5, read wait=1s"},
		{"AddressInATable", "use([]struct{ to *int }{{to: &c.Most}})", ""},
		{"Constant", "const n = len(Config{}.Grid); use(n, len(c.Grid))", ""},
		{"Index", "use(c.Grid[1], c.By[c.Name])", "read by=map[], read grid=[0 0], read name=shop"},
		{"Range", "for range c.Most { use(1) }; for _, tag := range c.Tags { use(tag) }", "read most=5, read tags=[]"},
		{"Compared", "use(c.Front == Endpoint{}, c.Limit != (Limit{}))", "read front.host=front, read front.port=80, read least=0, read most=5"},
		{"Select", "ch := make(chan int, 1); select { case ch <- c.Most: default: use(c.Least) }", "read most=5"},
		{"NotAddressable", "use(func() Limit { return c.Limit }().Most)", "read most=5"},
		{"Generic", "use(most(c))", "read most=5"},
		{"Deferred", "defer use(c.Name)", "read name=shop"},
		{"Branch", "if n := c.Most; n > 1 { use(c.Least) }", "read least=0, read most=5"},
		{"Made", "m := &Config{Name: \"own\"}; use(m.Name, m.Most)", "made field:shop.Config={own {0 0} { 0} <nil> [] map[] 0s <nil> [0 0] <nil> false}"},
		{"MadeByValue", "m := Limit{Most: 1}; use(m.Most)", "made field:shop.Limit={1 0}"},
		{"Loaded", "l, _ := Load(`{\"most\": 9, \"front\": {\"port\": 1}}`); use(l.Most, l.Front.Port)", "read front.port=1, read most=9, set front.port=1, set most=9"},
		{"Loop", "n := 0; for range 20000 { n += c.Most }; use(n)", "read most=5"},
		{"DecodedByItself", "var d Config; _ = json.Unmarshal([]byte(`{\"least\": 4}`), &d); use(d.Most, d.Least)", "read least=4, read most=0, set least=4"},
		{"Shadowed", "use(c.Most); seatrialfield := 1; use(c.Least, seatrialfield)", "read most=5"},
	}
	var tests, names strings.Builder
	tests.WriteString("package shop\n\nimport (\n\t\"container/list\"\n\t\"encoding/json\"\n\t. \"testing\"\n)\n\nfunc use(...any) {}\n\nfunc most[T interface{ *Config }](c T) int { return (*Config)(c).Most }\n")
	for _, c := range cases {
		tests.WriteString("\nfunc Test" + c.name + "(t *T) {\n\tc := DefaultConfig()\n\tuse(c)\n\t" + strings.ReplaceAll(c.code, "; ", "\n\t") + "\n}\n")
		names.WriteString(c.name + " ")
	}
	b := build(t, module(t, map[string]string{
		"shop.go": shop, "shop_test.go": tests.String(),
		"broken/broken.go": "package broken\n\nfunc f() int { return \"x\" }\n",
		"other.go":         "//go:build other\n\npackage shop\n\nfunc f() int { return \"x\" }\n",
	}), "GOWORK=off")
	problems := []string{`broken/broken.go:3:23: cannot use "x"`, "shop_test.go:"}
	for i, p := range b.sources.Problems {
		if i >= len(problems) || !strings.HasPrefix(p, problems[i]) {
			t.Errorf("a problem is %q", p)
		}
	}
	if len(b.sources.Problems) != len(problems) {
		t.Errorf("the problems are %q", b.sources.Problems)
	}
	for _, c := range cases {
		o := b.run(t, "Test"+c.name, nil)
		got := strings.Join(short(o, record.Read, record.Set, record.Made), ", ")
		if o.Ending != run.Passed || got != c.want {
			t.Errorf("%s %s with %s\nwant %s\n%s", c.name, o.Ending, got, c.want, o.Output)
		}
	}
	if o := b.run(t, "TestPromoted", map[parameter.ID]string{"field:shop.Config": `{"most": 8, "wait": "x"}`}); !slices.Contains(short(o, record.Read), "read most=8") ||
		!slices.ContainsFunc(o.Events, func(e record.Event) bool {
			return e.Verb == record.Gave && e.Subject == "field:shop.Config.wait" && strings.Contains(e.At, "invalid duration")
		}) {
		t.Errorf("what is injected does not arrive: %v", o.Events)
	}
	if o := b.run(t, "TestDecodedByItself", map[parameter.ID]string{"field:shop.Config": `{"most": 8}`}); !slices.Contains(short(o, record.Read), "read most=0") {
		t.Errorf("a value is put where the test decodes by itself: %v", o.Events)
	}
	if o := b.run(t, "TestLoaded", map[parameter.ID]string{"field:shop.Config": `{"most": 8, "name": "other"}`}); !slices.Contains(short(o, record.Read), "read most=9") {
		t.Errorf("what is injected is above what the test says: %v", o.Events)
	}
}

// TestOld: a module whose language has no type parameters is left as it is, and listed.
func TestOld(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.17\n", "shop.go": shop,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestName(t *testing.T) {\n\tif DefaultConfig().Name == \"\" {\n\t\tt.Error()\n\t}\n}\n",
	}), "GOWORK=off")
	if len(b.sources.Replace) > 0 || len(b.sources.Problems) != 1 || !strings.HasPrefix(b.sources.Problems[0], "go.mod: go 1.17 has no type parameters") {
		t.Errorf("replaced are %d files, with %q", len(b.sources.Replace), b.sources.Problems)
	}
	if o := b.run(t, "TestName", nil); o.Ending != run.Passed {
		t.Errorf("it %s\n%s", o.Ending, o.Output)
	}
}
