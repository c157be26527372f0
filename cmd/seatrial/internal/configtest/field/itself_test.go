package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestItself: a type that puts its defaults in place when it is decoded sets nothing by that, and takes what is given
// nevertheless, below what a document says.
func TestItself(t *testing.T) {
	const shop = `package shop

import (
	"encoding/json"
	"errors"
)

type Config struct {
	Wait  int   ` + "`json:\"wait\"`" + `
	Tries int   ` + "`json:\"tries\"`" + `
	Front *Part ` + "`json:\"front\"`" + `
}

type Part struct {
	Host string ` + "`json:\"host\"`" + `
	Port int    ` + "`json:\"port\"`" + `
}

func (c *Config) UnmarshalJSON(text []byte) error {
	*c = Config{Wait: 30, Tries: 3}
	type plain Config
	if err := json.Unmarshal(text, (*plain)(c)); err != nil {
		return err
	}
	if c.Tries > c.Wait {
		return errors.New("more tries than seconds")
	}
	return nil
}

func (p *Part) UnmarshalJSON(text []byte) error {
	*p = Part{Host: "here", Port: 80}
	type plain Part
	return json.Unmarshal(text, (*plain)(p))
}

func Load(text string) (*Config, error) {
	c := &Config{}
	return c, json.Unmarshal([]byte(text), c)
}
`
	cases := []struct{ name, document, given, want string }{
		{"Nothing", `{}`, ``, "read tries=3, read wait=30"},
		{"Said", `{"wait": 9}`, ``, "read tries=3, read wait=9, set wait=9"},
		{"Below", `{"front": {"port": 1}}`, ``, "read front.host=here, read front.port=1, read tries=3, read wait=30, set front.port=1"},
		{"Given", `{}`, `{"wait": 5}`, "gave wait=5, read tries=3, read wait=5"},
		{"GivenAndSaid", `{"wait": 9}`, `{"wait": 5, "tries": 4}`, "gave tries=4, gave wait=5, read tries=4, read wait=9, set wait=9"},
		{"GivenBelow", `{"front": {"port": 1}}`, `{"front": {"host": "there", "port": 2}}`, "gave front.host=there, gave front.port=2, read front.host=there, read front.port=1, read tries=3, read wait=30, set front.port=1"},
		{"GivenWithNothingThere", `{}`, `{"front": {"host": "there"}}`, "gave front.host=there, read front.host=there, read front.port=80, read tries=3, read wait=30"},
	}
	var tests strings.Builder
	tests.WriteString("package shop\n\nimport . \"testing\"\n\nfunc use(...any) {}\n")
	for _, c := range cases {
		tests.WriteString("\nfunc Test" + c.name + "(t *T) {\n\tc, err := Load(`" + c.document + "`)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tuse(c.Wait, c.Tries)\n\tif c.Front != nil {\n\t\tuse(c.Front.Host, c.Front.Port)\n\t}\n}\n")
	}
	b := build(t, module(t, map[string]string{"shop.go": shop, "shop_test.go": tests.String()}), "GOWORK=off")
	for _, c := range cases {
		var given map[parameter.ID]string
		if c.given != "" {
			given = map[parameter.ID]string{"field:shop.Config": c.given}
		}
		o := b.run(t, "Test"+c.name, given)
		if got := strings.Join(short(o, record.Read, record.Set, record.Gave), ", "); o.Ending != run.Passed || got != c.want {
			t.Errorf("%s %s with %s\nwant %s\n%s", c.name, o.Ending, got, c.want, o.Output)
		}
	}
	// What is refused together is so of each.
	o := b.run(t, "TestNothing", map[parameter.ID]string{"field:shop.Config": `{"wait": 2, "tries": 5}`})
	if !slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Gave && strings.Contains(e.At, "more tries") }) {
		t.Errorf("nothing is refused: %v", o.Events)
	}
}

// TestBeside: what is given for one key of a mapping that makes all of itself anew leaves the others as the program had
// them, and what was there before in lists and maps is nobody else's.
func TestBeside(t *testing.T) {
	const shop = `package shop

import "encoding/json"

type Config struct {
	Global Global ` + "`json:\"global\"`" + `
}

type Global struct {
	Wait   int               ` + "`json:\"wait\"`" + `
	Scheme string            ` + "`json:\"scheme\"`" + `
	Labels map[string]string ` + "`json:\"labels\"`" + `
	Hosts  []string          ` + "`json:\"hosts\"`" + `
	inner  string
}

var (
	labels = map[string]string{"a": "1"}
	hosts  = []string{"a", "b"}
)

// UnmarshalJSON has no defaults for what is not there, as if the mapping had been written whole.
func (g *Global) UnmarshalJSON(text []byte) error {
	type plain Global
	whole := plain{Labels: g.Labels, Hosts: g.Hosts}
	if err := json.Unmarshal(text, &whole); err != nil {
		return err
	}
	*g = Global(whole)
	return nil
}

func Default() *Config {
	return &Config{Global: Global{Wait: 15, Scheme: "utf8", Labels: labels, Hosts: hosts, inner: "known"}}
}

func Load(text string) (*Config, error) {
	c := Default()
	return c, json.Unmarshal([]byte(text), c)
}
`
	const tests = `package shop

import "testing"

func TestDefaults(t *testing.T) {
	c, err := Load("{}")
	if err != nil {
		t.Fatal(err)
	}
	if g := c.Global; g.Scheme != "utf8" || g.inner != "known" {
		t.Errorf("%+v", g)
	}
	if t.Log(c.Global.Wait, c.Global.Labels, c.Global.Hosts); len(labels) != 1 || hosts[0] != "a" {
		t.Error(labels, hosts)
	}
}
`
	b := build(t, module(t, map[string]string{"shop.go": shop, "shop_test.go": tests}), "GOWORK=off")
	o := b.run(t, "TestDefaults", map[parameter.ID]string{"field:shop.Config": `{"global": {"wait": 5, "labels": {"b": "2"}, "hosts": ["c"]}}`})
	const want = "read global.hosts=[c], read global.labels=map[b:2], read global.scheme=utf8, read global.wait=5"
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
		t.Errorf("%s with %s\nwant %s\n%s", o.Ending, got, want, o.Output)
	}
}
