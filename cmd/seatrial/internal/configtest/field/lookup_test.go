package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestLookup: a flag that is looked up is read where its value is asked what it says, and neither where it is set nor
// where somebody goes through all flags.
func TestLookup(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"flag"
	"log"
)

func Flags() *flag.FlagSet {
	fs := flag.NewFlagSet("shop", flag.ContinueOnError)
	fs.Int("size", 3, "how many")
	fs.String("name", "a", "who")
	fs.Bool("on", false, "whether")
	return fs
}

func Name(fs *flag.FlagSet) string { return fs.Lookup("name").Value.String() }

func Size(fs *flag.FlagSet) int { return fs.Lookup("size").Value.(flag.Getter).Get().(int) }

func TurnOn(fs *flag.FlagSet) error {
	f := fs.Lookup("on")
	log.Print(f.Value.String())
	return f.Value.Set("true")
}

func All(fs *flag.FlagSet) map[string]string {
	out := map[string]string{}
	fs.VisitAll(func(f *flag.Flag) { out[f.Name] = f.Value.String() })
	return out
}
`,
		"shop_test.go": `package shop

import "testing"

func TestName(t *testing.T) { t.Log(Name(Flags()) + "!") }

func TestSize(t *testing.T) { t.Log(Size(Flags()) + 1) }

func TestOn(t *testing.T) { t.Log(TurnOn(Flags()) == nil) }

func TestAll(t *testing.T) { t.Log(len(All(Flags()))) }
`,
	}), "GOWORK=off")
	for name, want := range map[string]string{"TestName": "read flag:--name=a", "TestSize": "read flag:--size=3", "TestOn": "", "TestAll": ""} {
		if got := strings.Join(short(b.run(t, name, nil), record.Read), ", "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
