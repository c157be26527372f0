package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestFilling: a variable of whose text a field makes its own value, or with which a function of the program fills one,
// is that field.
func TestFilling(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"log/slog"
	"os"
	"strconv"
)

type Config struct {
	Level slog.Level ` + "`json:\"level\"`" + `
	Size  int        ` + "`json:\"size\"`" + `
	Least int        ` + "`json:\"least\"`" + `
}

func Load(text []byte) (c Config, err error) {
	err = json.Unmarshal(text, &c)
	_ = c.Level.UnmarshalText([]byte(env("SHOP_LEVEL")))
	number(&c.Size, "SHOP_SIZE")
	both(&c.Size, &c.Least, "SHOP_BOTH")
	return c, err
}

func env(name string) string { return os.Getenv(name) }

func number(to *int, name string) {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		*to = n
	}
}

func both(a, b *int, name string) {
	number(a, name)
	number(b, name)
}
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestLoad(t *testing.T) { t.Log(Load(nil)) }\n",
	}), "GOWORK=off")
	for variable, want := range map[parameter.ID]parameter.ID{
		"env:SHOP_LEVEL": "field:shop.Config.level", "env:SHOP_SIZE": "field:shop.Config.size", "env:SHOP_BOTH": "",
	} {
		if got := b.aliasOf(variable); got != want {
			t.Errorf("%s is %q, want %q", variable, got, want)
		}
	}
}

// TestFeedsOfGeneric: an argument of a generic function is told by hand as others are, but for one from which its type
// is inferred.
func TestFeedsOfGeneric(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
)

type Config struct {
	Size int ` + "`json:\"size\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

type List[V any] struct{ most int }

func New[V any](most int) *List[V] { return &List[V]{most: most} }

func Inferred[V any](most V) string { return fmt.Sprint(most) }

func Start(c Config) (*List[string], string) { return New[string](c.Size), Inferred(c.Size) }
`,
		"shop_test.go": `package shop

import "testing"

func TestNew(t *testing.T) { t.Log("it says", New[bool](64).most, Inferred(64)) }
`,
	}), "GOWORK=off")
	v := run.Values{Inject: map[parameter.ID]string{}}
	for _, at := range b.sources.Feeds["field:shop.Config.size"] {
		v.Inject[record.SameAs(at.ID, "64")] = "8"
		v.Inject[record.AmountOf(at.ID)] = "64 8"
	}
	if o := b.runBeside(t, "TestNew", v); !strings.Contains(o.Output, "it says 8 64\n") {
		t.Errorf("%s\n%v", o.Output, b.sources.Feeds)
	}
}

// aliasOf is what else a parameter is called; empty for nothing.
func (b *built) aliasOf(of parameter.ID) (other parameter.ID) {
	for _, pair := range b.sources.Aliases {
		if i := slices.Index(pair[:], of); i >= 0 {
			other = pair[1-i]
		}
	}
	return other
}
