package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestItems: one type is that of a field, and of the items of a list and a map. What is read of an item is nothing of
// the field.
func TestItems(t *testing.T) {
	cases := []struct{ name, code, want string }{
		{"Field", "use(c.Default.Hops)", "read default.hops=3"},
		{"Range", "for _, r := range c.Routes { use(r.Hops) }", "read routes=[{a 9}]"},
		{"Index", "use(c.Routes[0].Hops, c.By[`b`].Match)", "read by=map[b:{b 7}], read routes=[{a 9}]"}, // of a map what is asked for
		{"Every", "for _, r := range c.By { use(r.Hops) }", "read by=map[b:{b 7} c:{c 8}]"},
		{"Called", "key := func() string { return `b` }; _, is := c.By[key()]; use(is)", "read by=map[b:{b 7} c:{c 8}]"},
		{"Pointer", "r := &c.Routes[0]; use(r.Hops)", "read routes=[{a 9}]"},
		{"SetByPointer", "r := &c.Routes[0]; r.Hops = 4", "read routes=[{a 9}], set routes=[{a 4}]"},
		{"Variable", "all := c.Routes; for _, r := range all { use(r.Hops) }", "read routes=[{a 9}]"},
		{"Set", "c.Routes[0].Hops = 4", "set routes=[{a 4}]"},
		{"Either", "use(c.route(`x`).Hops)", "read default.hops=3?, read routes=[{a 9}]"},
		{"Kept", "var of struct{ c *Config }; of.c = c; of.c = DefaultConfig(); use(of.c.Default.Hops)", "read default.hops=3"}, // as a suite keeps it
		{"Method", "use(c.Default.far())", "read default.hops=3"},
	}
	const shop = `package shop

import "encoding/json"

type Route struct {
	Match string ` + "`json:\"match\"`" + `
	Hops  int    ` + "`json:\"hops\"`" + `
}

func (r *Route) far() bool { return r.Hops > 5 }

type Config struct {
	Default Route            ` + "`json:\"default\"`" + `
	Routes  []Route          ` + "`json:\"routes\"`" + `
	By      map[string]Route ` + "`json:\"by\"`" + `
}

func (c *Config) route(name string) Route {
	for _, r := range c.Routes {
		if r.Match == name {
			return r
		}
	}
	return c.Default
}

func DefaultConfig() *Config {
	c := &Config{Default: Route{"*", 3}, Routes: []Route{{"a", 9}}, By: map[string]Route{"b": {"b", 7}, "c": {"c", 8}}}
	return c
}

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}
`
	var tests strings.Builder
	tests.WriteString("package shop\n\nimport . \"testing\"\n\nfunc use(...any) {}\n")
	for _, c := range cases {
		tests.WriteString("\nfunc Test" + c.name + "(t *T) {\n\tc := DefaultConfig()\n\t" + strings.ReplaceAll(c.code, "; ", "\n\t") + "\n}\n")
	}
	b := build(t, module(t, map[string]string{"shop.go": shop, "shop_test.go": tests.String()}), "GOWORK=off")
	if len(b.sources.Problems) > 0 {
		t.Errorf("the problems are %q", b.sources.Problems)
	}
	for _, c := range cases {
		o := b.run(t, "Test"+c.name, nil)
		if got := strings.Join(short(o, record.Read, record.Set), ", "); o.Ending != run.Passed || got != c.want {
			t.Errorf("%s %s with %s\nwant %s\n%s", c.name, o.Ending, got, c.want, o.Output)
		}
	}
}

// TestItemsThatReadThemselves: what is decoded into an item that is no pointer is decoded there.
func TestItemsThatReadThemselves(t *testing.T) {
	b := build(t, module(t, map[string]string{"limit.go": `package limit

import "encoding/json"

type Limit struct{ most int }

func (l *Limit) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &l.most) }

func (l Limit) String() string { return "a limit" }

type Config struct {
	Limits []Limit ` + "`json:\"limits\"`" + `
}

func DefaultConfig() *Config { return &Config{} }

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}
`, "limit_test.go": `package limit

import "testing"

func TestLimit(t *testing.T) {
	var l Limit
	if err := l.UnmarshalJSON([]byte("3")); err != nil || l.most != 3 || l.String() == "" {
		t.Error(l, err)
	}
}
`}), "GOWORK=off")
	if len(b.sources.Problems) > 0 {
		t.Errorf("the problems are %q", b.sources.Problems)
	}
	if o := b.run(t, "TestLimit", nil); o.Ending != run.Passed || len(short(o, record.Item)) != 1 {
		t.Errorf("%s with %q\n%s", o.Ending, short(o, record.Item), o.Output)
	}
}
