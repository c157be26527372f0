package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestTabled: a variable that a table names, with what fills a field, is that field, and who goes through the table
// only hands it on. An entry that fills two fields, or a text that is no name of a variable, joins nothing.
func TestTabled(t *testing.T) {
	pace.Slow(t)
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"os"
	"strconv"
	"strings"
)

type Config struct {
	Size, Least, Most, Depth, Width, Height int
	Zones                           []string
}

type overlay struct {
	name  string
	apply func(*Config, string) error
}

var overlays = []overlay{
	{"SIZE", func(c *Config, text string) (err error) { c.Size, err = strconv.Atoi(text); return err }},
	{"LEAST", number(func(c *Config) *int { return &c.Least })},
	{name: "ZONES", apply: func(c *Config, text string) error { c.Zones = strings.Split(text, ";"); return nil }},
	{"BOTH", func(c *Config, text string) error { c.Width, c.Height = 1, len(text); return nil }},
	{"less", func(c *Config, text string) error { c.Width = len(text); return nil }},
}

func number(of func(*Config) *int) func(*Config, string) error {
	return func(c *Config, text string) (err error) {
		*of(c), err = strconv.Atoi(text)
		return err
	}
}

func Default() Config { return Config{Size: 4, Least: 1, Most: 9, Zones: []string{"a"}} }

func Load() (Config, error) {
	c := Default()
	for _, o := range overlays {
		if text, is := os.LookupEnv("SHOP_" + o.name); is {
			if err := o.apply(&c, text); err != nil {
				return c, err
			}
		}
	}
	for name, to := range map[string]*int{"MOST": &c.Most} {
		if n, err := strconv.Atoi(os.Getenv("SHOP_" + name)); err == nil {
			*to = n
		}
	}
	for _, name := range []string{"DEPTH"} {
		c.set(name, os.Getenv("SHOP_"+name))
	}
	return c, nil
}

func (c *Config) set(name, text string) {
	switch name {
	case "DEPTH":
		c.Depth = len(text)
	}
}
`,
		"shop_test.go": `package shop

import "testing"

func TestDefault(t *testing.T) { c := Default(); t.Log("it says", c.Size, c.Least, c.Most, c.Depth, c.Zones) }

func TestLoad(t *testing.T) { c, err := Load(); t.Log("it says", c.Zones, err) }
`,
	}), "GOWORK=off")
	for variable, want := range map[parameter.ID]parameter.ID{
		"env:SHOP_SIZE": "field:shop.Config.Size", "env:SHOP_LEAST": "field:shop.Config.Least", "env:SHOP_ZONES": "field:shop.Config.Zones", "env:SHOP_MOST": "field:shop.Config.Most",
		"env:SHOP_DEPTH": "field:shop.Config.Depth", "env:SHOP_BOTH": "", "env:SHOP_less": "", "env:SIZE": "",
	} {
		if got := b.aliasOf(variable); got != want {
			t.Errorf("%s is %q, want %q", variable, got, want)
		}
	}
	v := run.Values{Environment: map[string]string{"SHOP_SIZE": "7", "SHOP_LEAST": "2", "SHOP_MOST": "8", "SHOP_DEPTH": "four", "SHOP_ZONES": "b;c"}}
	if o := b.runBeside(t, "TestDefault", v); !strings.Contains(o.Output, "it says 7 2 8 4 [b c]\n") {
		t.Error(o.Output)
	}
	o := b.runBeside(t, "TestLoad", v)
	if read := short(o, record.Read); !slices.Equal(read, []string{"read Zones=[b c]", "read env:SHOP_BOTH=", "read env:SHOP_less="}) {
		t.Errorf("%q", read)
	}
}
