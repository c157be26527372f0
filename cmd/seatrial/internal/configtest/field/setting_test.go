package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestSetting: a variable that a program asks for to set a flag to what it says is that flag. To ask for it reads
// nothing.
func TestSetting(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"flag"
	"os"
	"strings"
)

type Options struct {
	Size int
	Name string
}

func Flags(o *Options) *flag.FlagSet {
	fs := flag.NewFlagSet("shop", flag.ContinueOnError)
	fs.IntVar(&o.Size, "size", 3, "how many")
	fs.StringVar(&o.Name, "name", "a", "who")
	return fs
}

func Each(fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		if text, is := os.LookupEnv("SHOP_" + strings.ToUpper(f.Name)); is {
			_ = fs.Set(f.Name, strings.TrimSpace(text))
		}
	})
}

func Values(fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		text := os.Getenv("SHOP_" + strings.ToUpper(f.Name))
		if text != "" {
			_ = f.Value.Set(text)
		}
	})
}

func one(fs *flag.FlagSet, variable, name string) {
	_ = fs.Set(name, os.Getenv(variable))
}

func Other(fs *flag.FlagSet) {
	for _, f := range []string{os.Getenv("SHOP_FLAG")} {
		_ = fs.Set(f, "1")
	}
	if text := os.Getenv("SHOP_ELSE"); text != "" {
		_ = fs.Set("size", "4")
	}
}
`,
		"shop_test.go": `package shop

import (
	"flag"
	"testing"
)

func size(f func(*flag.FlagSet)) int {
	var o Options
	f(Flags(&o))
	return o.Size
}

func TestEach(t *testing.T) { t.Log(size(Each)) }

func TestValues(t *testing.T) { t.Log(size(Values)) }

func TestOne(t *testing.T) { t.Log(size(func(fs *flag.FlagSet) { one(fs, "SIZE", "size") })) }

func TestOther(t *testing.T) { t.Log(size(Other)) }
`,
	}), "GOWORK=off")
	const each = "hand env:SHOP_NAME=flag:--name, hand env:SHOP_SIZE=flag:--size"
	for name, want := range map[string]string{
		"TestEach": each, "TestValues": each, "TestOne": "hand env:SIZE=flag:--size", "TestOther": "read env:SHOP_ELSE=, read env:SHOP_FLAG=",
	} {
		var all []string
		for _, e := range short(b.run(t, name, nil), record.Read, record.Hand) {
			if strings.Contains(e, "env:") {
				all = append(all, e)
			}
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
