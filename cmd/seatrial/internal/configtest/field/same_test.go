package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestSame: a word that a test writes by hand into a configuration, or into an item of one, is another one where it is
// just what is deployed, whatever its type is called where it is written. What is no word, or another one, stays.
func TestSame(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"conf/conf.go": `package conf

import "encoding/json"

type Mode string

const Strict Mode = "strict"

type Rule struct {
	Name string ` + "`json:\"name\"`" + `
	Mode Mode   ` + "`json:\"mode\"`" + `
	Most int    ` + "`json:\"most\"`" + `
	Like *Mode  ` + "`json:\"like\"`" + `
}

type kind string

type Config struct {
	Kind  kind   ` + "`json:\"kind\"`" + `
	Mode  Mode   ` + "`json:\"mode\"`" + `
	Rules []Rule ` + "`json:\"rules\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func (c Config) Says() string {
	out := string(c.Mode)
	for _, r := range c.Rules {
		out += " " + r.Name + ":" + string(r.Mode)
	}
	return out
}
`,
		"conf/conf_test.go": `package conf

import "testing"

func TestInside(t *testing.T) {
	t.Log("it says", Config{Mode: Strict, Rules: []Rule{{Name: "a", Mode: "strict", Most: 3}, {Name: "b", Mode: "lax"}}}.Says())
}
`,
		"shop_test.go": `package shop

import (
	"testing"

	c "example.com/shop/conf"
)

func TestOutside(t *testing.T) {
	mode := c.Strict
	t.Log("it says", c.Config{Kind: "strict", Mode: mode, Rules: []c.Rule{{Name: "strict", Mode: c.Mode("str" + "ict")}}}.Says())
}

func TestShadowed(t *testing.T) {
	made := c.Config{Mode: c.Strict}
	type config = c.Config
	c := made
	t.Log("it says", config{Mode: "strict"}.Says(), c.Says())
}

func TestAssigned(t *testing.T) {
	made := c.Config{Rules: make([]c.Rule, 1)}
	made.Mode, made.Rules[0].Mode = "strict", "strict"
	made.Rules[0].Name = "strict"
	t.Log("it says", made.Says())
}
`,
	}), "GOWORK=off")
	v := run.Values{Inject: map[parameter.ID]string{}}
	for _, id := range []parameter.ID{"field:conf.Config.mode", "field:conf.Config.kind", "item:example.com/shop/conf.Rule.Mode"} {
		v.Inject[record.SameAs(id, "strict")] = "strickt"
	}
	for test, want := range map[string][2]string{
		"conf.TestInside": {"it says strict a:strict b:lax", "it says strickt a:strickt b:lax"},
		"TestOutside":     {"it says strict strict:strict", "it says strict strict:strickt"}, // a variable is none that is written there, and nobody else can write kind
		"TestAssigned":    {"it says strict strict:strict", "it says strickt strict:strickt"},
		"TestShadowed":    {"it says strict strict", "it says strict strickt"}, // c is no package where the second one is written
	} {
		var said []string
		o := b.run(t, test, nil)
		for _, e := range o.Events {
			if e.Verb == record.Same {
				said = append(said, string(e.Subject)+"="+e.Value)
			}
		}
		if !strings.Contains(o.Output, want[0]+"\n") || len(said) == 0 {
			t.Errorf("%s says %s, and writes %q", test, o.Output, said)
		}
		if o := b.runBeside(t, test, v); !strings.Contains(o.Output, want[1]+"\n") {
			t.Errorf("%s, want %q; it writes %q: %s", test, want[1], said, o.Output)
		}
	}
}
