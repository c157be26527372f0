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
