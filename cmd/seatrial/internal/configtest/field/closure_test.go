package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestTextFlags: a flag is bound to what reads a text itself, and to what a function puts its value into.
func TestTextFlags(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"flag"
	"log/slog"
	"net/netip"
	"strconv"
)

type Options struct {
	Level   slog.Level
	Workers int
	Both    int
}

var at netip.Addr

func (o *Options) Bind(fs *flag.FlagSet) {
	fs.TextVar(&o.Level, "log-level", slog.LevelInfo, "")
	fs.TextVar(&at, "at", netip.Addr{}, "")
	fs.Func("workers", "", func(text string) error {
		n, err := strconv.Atoi(text)
		if err == nil {
			o.Workers = n
		}
		return err
	})
	fs.BoolFunc("both", "", func(string) error {
		o.Both, o.Workers = 1, 2
		return nil
	})
}
`,
		"shop_test.go": `package shop

import (
	"flag"
	"testing"
)

func TestIt(t *testing.T) {
	o, fs := &Options{}, flag.NewFlagSet("", flag.ContinueOnError)
	o.Bind(fs)
	if err := fs.Parse(nil); err != nil {
		t.Fatal(err)
	}
	_, _, _, _ = o.Level, o.Workers, at, o.Both
}
`,
	}), "GOWORK=off")
	got := map[[2]parameter.ID]bool{}
	for _, pair := range b.sources.Aliases {
		got[pair] = true
	}
	for _, want := range [][2]parameter.ID{{"flag:--log-level", "field:shop.Options.Level"}, {"flag:--workers", "field:shop.Options.Workers"}} {
		if !got[want] {
			t.Errorf("%v is none of %v", want, b.sources.Aliases)
		}
	}
	if len(got) != 2 {
		t.Errorf("aliases are %v", b.sources.Aliases)
	}
	o := b.run(t, "TestIt", map[parameter.ID]string{"flag:--log-level": "WARN", "flag:--workers": "3", "flag:--at": "10.0.0.1"})
	const want = "read field:shop.Options.Level=WARN, read field:shop.Options.Workers=3, read flag:--at=10.0.0.1"
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
		t.Errorf("%s with %s, want %s\n%s", o.Ending, got, want, o.Output)
	}
}

// TestAsksTesting: a file of the program that asks whether it is in a test is none of a test.
func TestAsksTesting(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import "testing"

type Config struct{ Port int }

func DefaultConfig() *Config {
	if testing.Testing() {
		return &Config{Port: 1}
	}
	return &Config{Port: 80}
}
`,
		"helper.go": `package shop

import "testing"

func set(t *testing.T, c *Config) { c.Port = 5 }
`,
		"shop_test.go": `package shop

import "testing"

func TestIt(t *testing.T) { _ = DefaultConfig().Port }

func TestSets(t *testing.T) { set(t, DefaultConfig()) }
`,
	}), "GOWORK=off")
	for name, want := range map[string]string{"TestIt": "read Port=7", "TestSets": "set Port=5"} {
		o := b.run(t, name, map[parameter.ID]string{"field:shop.Config": `{"Port": 7}`})
		if got := strings.Join(short(o, record.Read, record.Set), ", "); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
}
