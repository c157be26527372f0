package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// chain is a library with the functions of kingpin that are known, and little in them.
const chain = `package kingpin

import (
	"os"
	"strings"
)

type Value interface {
	String() string
	Set(string) error
}

type Application struct{ flags []*FlagClause }

type FlagClause struct {
	parserMixin
	name, envar string
	defaults    []string
}

type parserMixin struct{ value Value }

type text struct{ to *string }

func (t text) String() string         { return *t.to }
func (t text) Set(value string) error { *t.to = value; return nil }

func New() *Application { return &Application{} }

func (a *Application) Flag(name, help string) *FlagClause {
	f := &FlagClause{name: name}
	a.flags = append(a.flags, f)
	return f
}

func (f *FlagClause) Default(values ...string) *FlagClause { f.defaults = values; return f }
func (f *FlagClause) Envar(name string) *FlagClause        { f.envar = name; return f }

func (p *parserMixin) StringVar(target *string) { p.value = text{target} }
func (p *parserMixin) String() (target *string) { target = new(string); p.StringVar(target); return }

type (
	ParseElement struct {
		Clause any
		Value  *string
	}
	ParseContext struct{ Elements []*ParseElement }
)

func (a *Application) Parse(args []string) (string, error) {
	c := &ParseContext{}
	given := map[string]bool{}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg[2:], "=")
		for _, f := range a.flags {
			if f.name == name {
				c.Elements = append(c.Elements, &ParseElement{f, &value})
				given[name] = true
			}
		}
	}
	for _, f := range a.flags {
		if !given[f.name] {
			if err := f.setDefault(); err != nil {
				return "", err
			}
		}
	}
	return "", a.setValues(c)
}

func (f *FlagClause) setDefault() error {
	if v := os.Getenv(f.envar); v != "" {
		return f.value.Set(v)
	}
	return f.value.Set(strings.Join(f.defaults, ","))
}

func (a *Application) setValues(context *ParseContext) error {
	for _, e := range context.Elements {
		if err := e.Clause.(*FlagClause).value.Set(*e.Value); err != nil {
			return err
		}
	}
	return nil
}
`

// TestKingpin: flags of chains are followed from their names, given and known by what arguments say.
func TestKingpin(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":            "module example.com/shop\n\ngo 1.24\n\nrequire github.com/alecthomas/kingpin/v2 v2.4.0\n\nreplace github.com/alecthomas/kingpin/v2 => ./kingpin\n",
		"kingpin/go.mod":    "module github.com/alecthomas/kingpin/v2\n\ngo 1.24\n",
		"kingpin/chains.go": chain,
		"main.go": `package shop

import "github.com/alecthomas/kingpin/v2"

type options struct{ size, place string }

func only(a *kingpin.Application, name, help string) *kingpin.FlagClause { return a.Flag(name, help+" here") }

func parse(args ...string) (*options, *string) {
	a, o := kingpin.New(), &options{}
	only(a, "size", "").Default("3").Envar("SHOP_SIZE").StringVar(&o.size)
	a.Flag("place", "").StringVar(&o.place)
	level := a.Flag("level", "").Default("info").String()
	_, _ = a.Parse(args)
	if *level == "" {
		panic(level)
	}
	return o, level
}
`,
		"main_test.go": `package shop

import "testing"

func TestSize(t *testing.T) {
	if o, _ := parse(); o.size != "3" {
		t.Error(o.size)
	}
}

func TestOwn(t *testing.T) {
	if o, _ := parse("--size=4"); o.size != "4" {
		t.Error(o.size)
	}
}
`,
	}), "GOWORK=off")
	want := [][2]parameter.ID{{"flag:--place", "field:shop.options.place"}, {"flag:--size", "env:SHOP_SIZE"}, {"flag:--size", "field:shop.options.size"}}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" || len(b.sources.Problems) > 0 {
		t.Errorf("the aliases are others: %s, with %q", diff, b.sources.Problems)
	}
	if want := []parameter.ID{"flag:--level", "flag:--place", "flag:--size"}; !slices.Equal(b.sources.Declared, want) {
		t.Errorf("declared are %v, want %v", b.sources.Declared, want)
	}
	for _, c := range []struct {
		test   string
		inject map[parameter.ID]string
		want   string
		ends   run.Ending
	}{
		{"TestSize", nil, "read field:shop.options.size=3, read flag:--level=info", run.Passed},
		{"TestSize", map[parameter.ID]string{"flag:--size": "5", "flag:--level": "debug"}, "gave flag:--level=debug, gave flag:--size=5, read field:shop.options.size=5, read flag:--level=debug", run.Failed},
		{"TestSize", map[parameter.ID]string{"flag:--level": "debug" + record.Again + "warn"}, "gave flag:--level=debug" + record.Again + "warn, read field:shop.options.size=3, read flag:--level=warn", run.Passed},
		{"TestOwn", map[parameter.ID]string{"flag:--size": "5"}, "read field:shop.options.size=4, read flag:--level=info, set flag:--size=4", run.Passed},
	} {
		o := b.run(t, c.test, c.inject)
		if got := strings.Join(short(o, record.Read, record.Set, record.Gave), ", "); got != c.want || o.Ending != c.ends {
			t.Errorf("%s with %v: %s with %s\nwant %s\n%s", c.test, c.inject, o.Ending, got, c.want, o.Output)
		}
	}
}
