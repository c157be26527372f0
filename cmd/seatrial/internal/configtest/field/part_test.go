package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestParts: flags of fields of a struct of another module do not become one parameter by what they are parts of; a
// struct that wraps one value is that value.
func TestParts(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire example.com/tls v1.0.0\n\nreplace example.com/tls => ./tls\n",
		"tls/go.mod":   "module example.com/tls\n\ngo 1.24\n",
		"tls/tls.go":   "package tls\n\ntype Info struct{ Cert, Key string }\n\ntype Wait struct{ Seconds int }\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"main.go": `package shop

import (
	"flag"

	"example.com/tls"
)

type Config struct {
	TLS  tls.Info
	Wait tls.Wait
}

func NewConfig(f *flag.FlagSet) *Config {
	c := &Config{}
	f.StringVar(&c.TLS.Cert, "cert", "", "")
	f.StringVar(&c.TLS.Key, "key", "", "")
	f.IntVar(&c.Wait.Seconds, "wait", 1, "")
	return c
}
`,
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--wait", "field:shop.Config.Wait"}}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--cert", "field:shop.Config.TLS"}, {"flag:--key", "field:shop.Config.TLS"}}, b.sources.Parts); diff != "" {
		t.Errorf("the parts (-want +got):\n%s", diff)
	}
}

// TestInNoFile: a field that no file has is one of a configuration if a flag is bound to it.
func TestInNoFile(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"main.go": `package shop

import (
	"encoding/json"
	"flag"
	"time"
)

type Config struct {
	Name string        ` + "`json:\"name\"`" + `
	Wait time.Duration ` + "`json:\"-\"`" + `
	seen time.Duration
	Made time.Duration ` + "`json:\"-\"`" + `
}

func Load(text []byte, f *flag.FlagSet) (*Config, error) {
	c := &Config{}
	f.DurationVar(&c.Wait, "wait", 1, "")
	return c, json.Unmarshal(text, c)
}
`,
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--wait", "field:shop.Config.Wait"}}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got):\n%s", diff)
	}
	var names []string
	for _, l := range b.sources.Roots[0].Leaves {
		names = append(names, string(l.ID))
	}
	if diff := cmp.Diff([]string{"field:shop.Config.name", "field:shop.Config.Wait"}, names); diff != "" {
		t.Errorf("the fields (-want +got):\n%s", diff)
	}
}

// TestOwnFlag: a struct of the module that is a flag itself is one value, and not what is in it. A struct with flags
// that two commands have is a part of both: the flag may feed either.
func TestOwnFlag(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n",
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestOpen(t *testing.T) {\n\tif o := parseSell([]string{}); !o.Hours.Open(9) || o.Wait == 0 {\n\t\tt.Fatal(o)\n\t}\n}\n",
		"shop.go": `package shop

import (
	"flag"
	"fmt"
)

type Hours struct{ From, To int }

func (h *Hours) String() string     { return fmt.Sprint(h.From, "-", h.To) }
func (h *Hours) Set(s string) error { _, err := fmt.Sscanf(s, "%d-%d", &h.From, &h.To); return err }
func (h Hours) Open(at int) bool    { return h.From <= at && at < h.To }

type Common struct{ Wait int }

func (c *Common) flags(f *flag.FlagSet) { f.IntVar(&c.Wait, "wait", 1, "") }

type Sell struct {
	Common
	Hours Hours
}

type Buy struct {
	Common
	Most int
}

func parseSell(args []string) *Sell {
	o := &Sell{Hours: Hours{8, 18}}
	f := flag.NewFlagSet("sell", flag.ContinueOnError)
	o.flags(f)
	f.Var(&o.Hours, "hours", "")
	_ = f.Parse(args)
	return o
}

func parseBuy(args []string) *Buy {
	o := &Buy{}
	f := flag.NewFlagSet("buy", flag.ContinueOnError)
	o.flags(f)
	f.IntVar(&o.Most, "most", 1, "")
	_ = f.Parse(args)
	return o
}
`,
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--hours", "field:shop.Sell.Hours"}, {"flag:--most", "field:shop.Buy.Most"}}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--wait", "field:shop.Buy.Wait"}, {"flag:--wait", "field:shop.Sell.Wait"}}, b.sources.Parts); diff != "" {
		t.Errorf("the parts (-want +got):\n%s", diff)
	}
	o := b.run(t, "TestOpen", map[parameter.ID]string{"flag:--hours": "6-12"})
	if got := strings.Join(short(o, record.Read), ", "); !strings.Contains(got, "Hours={6 12}") || !strings.Contains(got, "Wait=1") {
		t.Errorf("%s with %s", o.Ending, got)
	}
	// A typing error is refused as it is among arguments; what is called otherwise may be the flag of another set.
	for name, want := range map[parameter.ID]string{"flag:--huors": "flag provided but not defined: -huors", "flag:--pause": ""} {
		o := b.run(t, "TestOpen", map[parameter.ID]string{name: "6-12"})
		said := ""
		for _, e := range o.Events {
			if e.Verb == record.Gave && e.Subject == name {
				said += e.At
			}
		}
		if said != want {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// TestWords: the words of a type are those that its parser compares with, in a switch or as keys of a map.
func TestWords(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n",
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"errors"
	"os"
)

type Config struct {
	Full Full   ` + "`json:\"full\"`" + `
	Loud Loud   ` + "`json:\"loud\"`" + `
	Name string ` + "`json:\"name\"`" + `
}

type Full int

var fulls = map[string]Full{"wait": 0, "drop": 1}

func (f *Full) UnmarshalText(b []byte) error {
	v, is := fulls[string(b)]
	if !is {
		return errors.New("no")
	}
	*f = v
	return nil
}

type Loud bool

func (l *Loud) UnmarshalText(b []byte) error { return l.parse(string(b)) }

func (l *Loud) parse(s string) error {
	switch s {
	case "quiet", "":
	case "loud":
		*l = true
	default:
		return errors.New("no")
	}
	return nil
}

func Load(name string) (*Config, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := &Config{}
	return c, json.Unmarshal(text, c)
}
`,
	}), "GOWORK=off")
	for id, want := range map[parameter.ID][]string{"field:shop.Config.full": {"drop", "wait"}, "field:shop.Config.loud": {"loud", "quiet"}, "field:shop.Config.name": nil} {
		if diff := cmp.Diff(want, b.sources.Facts[id].Words); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// TestSetsItself: a field that reads a text itself is set by a test that calls that, and not read.
func TestSetsItself(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

type Level int

func (l *Level) Set(text string) error {
	*l = Level(len(text))
	return nil
}

func (l Level) Get() int { return int(l) }

type Config struct {
	Level Level
	Port  int
}

func DefaultConfig() *Config { return &Config{Level: 1, Port: 80} }
`,
		"config_test.go": `package shop

import "testing"

func TestSets(t *testing.T) {
	c := DefaultConfig()
	c.Level.Set("four")
	c.Level.Get()
}

func TestAsks(t *testing.T) {
	c := DefaultConfig()
	err := c.Level.Set("four")
	if err != nil {
		t.Fatal(err)
	}
}

func TestReads(t *testing.T) { DefaultConfig().Level.Get() }
`,
	}), "GOWORK=off")
	for name, want := range map[string]string{"TestSets": "read Level=4, set Level=4", "TestAsks": "set Level=4", "TestReads": "read Level=1"} {
		o := b.run(t, name, nil)
		if got := strings.Join(short(o, record.Read, record.Set), ", "); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
}

// TestTexts: who asks a struct for its text, and does not only log it, reads its fields.
func TestTexts(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

import (
	"fmt"
	"log"
)

type DB struct {
	Host string
	Port int
}

func (d *DB) String() string { return fmt.Sprintf("db://%s:%d", d.Host, d.Port) }

type Config struct{ DB DB }

func DefaultConfig() *Config { return &Config{DB: DB{"a", 1}} }

func Open(c *Config) string { return c.DB.String() + "/x" }

func Log(c *Config) { log.Println("with", c.DB.String()) }
`,
		"config_test.go": `package shop

import "testing"

func TestOpen(t *testing.T) {
	if got := Open(DefaultConfig()); got == "" {
		t.Error(got)
	}
}

func TestLog(t *testing.T) { Log(DefaultConfig()) }
`,
	}), "GOWORK=off")
	for name, want := range map[string]string{"TestOpen": "read DB.Host=b, read DB.Port=1", "TestLog": ""} {
		o := b.run(t, name, map[parameter.ID]string{"field:shop.Config": `{"DB": {"Host": "b"}}`})
		if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
}
