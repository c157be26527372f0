package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// askingProgram has defaults in a function, and lays variables above these in many ways.
const askingProgram = `package shop

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

type Config struct {
	Wait   time.Duration
	Zones  []string
	Size   int
	Share  float64
	Level  Level
	Most   int
	Least  int
	Named  map[string]int
	Retry  Retry
	Other  string
	Added  []string
}

type Retry struct{ Every time.Duration }

type Level int

func (l *Level) UnmarshalText(text []byte) error {
	switch string(text) {
	case "quiet":
		*l = 1
	case "loud":
		*l = 2
	default:
		return fmt.Errorf("no level: %s", text)
	}
	return nil
}

func Default() Config {
	return Config{
		Wait: 5 * time.Second, Zones: []string{"a"}, Size: 1 << 10, Share: 0.5, Level: 1, Most: 3, Least: 1,
		Retry: Retry{Every: time.Minute}, Other: "o", Added: []string{"x"},
	}
}

func Load(lookup func(string) (string, bool)) (c Config, err error) {
	c = Default()
	c.Wait = seconds("SHOP_WAIT", c.Wait)
	split := func(text string) (all []string) {
		for _, one := range strings.Split(text, ";") {
			all = append(all, strings.TrimSpace(one)) // as people write them
		}
		return all
	}
	if text := os.Getenv("SHOP_ZONES"); text != "" {
		c.Zones = split(text)
	}
	if text, is := lookup("SHOP_SIZE"); is {
		size, err := bytes(text)
		if err != nil {
			return c, err
		}
		c.Size = size
	}
	r := &reader{lookup: lookup}
	c.Share = r.share("SHARE", c.Share)
	if err := c.Level.UnmarshalText([]byte(os.Getenv("SHOP_LEVEL"))); err != nil {
		return c, err
	}
	var errs []error
	number(&c.Most, "SHOP_MOST", &errs)
	c.Share = min(c.Share, float64(c.Most))
	if total := whole("SHOP_TOTAL"); total > 0 {
		c.Least = total / whole("SHOP_PARTS")
	}
	if n := whole("SHOP_NAMED"); n > 0 {
		c.Named = map[string]int{"all": n}
	}
	c.Retry.Every = seconds("SHOP_EVERY", c.Retry.Every)
	if text := os.Getenv("SHOP_ADDED"); text != "" {
		c.Added = append(c.Added, text)
	}
	return c, nil
}

func seconds(name string, or time.Duration) time.Duration {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return or
	}
	return time.Duration(n) * time.Second
}

func bytes(text string) (int, error) {
	number, is := strings.CutSuffix(text, "Ki")
	n, err := strconv.Atoi(number)
	if is {
		n <<= 10
	}
	return n, err
}

type reader struct{ lookup func(string) (string, bool) }

func (r *reader) share(name string, or float64) float64 {
	text, is := r.lookup("SHOP_" + name)
	if n, err := strconv.Atoi(strings.TrimSuffix(text, "%")); is && err == nil {
		return float64(n) / 100
	}
	return or
}

func number(to *int, name string, errs *[]error) {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		*to = n
	} else {
		*errs = append(*errs, err)
	}
}

func whole(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}
`

// TestMakers: a test that begins with the program's defaults has what the program makes of the variables that are
// given, by its own code: with helpers, closures, a struct that reads for it, and a function in the place of the
// environment. Of what the program refuses nothing is given, nor of what is made of several variables; what the test
// sets, or whose variable it sets, is its own. What the program reads meanwhile, nobody reads; and who loads by himself
// has what is laid above the defaults once.
func TestMakers(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": askingProgram,
		"start.go": `package shop

import (
	"os"
	"time"
)

func Start() (Config, error) { return Load(os.LookupEnv) }

func Small(size int) Config { return Config{Wait: 1, Size: size, Retry: Retry{Every: time.Second}} }
`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestDefault(t *testing.T) {
	c := Default()
	t.Log("it says", c.Wait, c.Zones, c.Size, c.Share, c.Level, c.Most, c.Least, c.Named, c.Retry.Every, c.Other, c.Added)
}

func TestLoad(t *testing.T) {
	c, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Log("it says", c.Wait, c.Added)
}

func TestOther(t *testing.T) {
	c := Small(7)
	t.Log("it says", c.Wait, c.Size, c.Retry.Every)
}

func TestNothing(t *testing.T) {
	if c := (Config{Wait: 1}); c.Wait != 1 || Default().Other == "" {
		t.Error("it is another one")
	}
}

func TestOwn(t *testing.T) {
	t.Setenv("SHOP_ZONES", "own")
	c := Default()
	c.Wait = time.Hour
	t.Log("it says", c.Wait, c.Zones, c.Size)
}
`,
	}), "GOWORK=off")
	given := func(pairs ...string) run.Values {
		v := run.Values{Environment: map[string]string{}}
		for _, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			v.Environment[name] = value
		}
		return v
	}
	for _, at := range []struct {
		what, test string
		given      run.Values
		want       string
	}{
		{"nothing is given", "TestDefault", given(), "5s [a] 1024 0.5 1 3 1 map[] 1m0s o [x]"},
		{"all are taken as the program takes them", "TestDefault",
			given("SHOP_WAIT=90", "SHOP_ZONES=b; c", "SHOP_SIZE=4Ki", "SHOP_SHARE=25%", "SHOP_LEVEL=loud", "SHOP_MOST=7", "SHOP_EVERY=2"), "1m30s [b c] 4096 0.25 2 7 1 map[] 2s o [x]"},
		{"what is refused is so for all", "TestDefault", given("SHOP_WAIT=90", "SHOP_LEVEL=none", "SHOP_MOST=7"), "5s [a] 1024 0.5 1 3 1 map[] 1m0s o [x]"},
		{"what means nothing to it stays", "TestDefault", given("SHOP_WAIT=soon", "SHOP_LEVEL=quiet", "SHOP_MOST=x"), "5s [a] 1024 0.5 1 3 1 map[] 1m0s o [x]"},
		{"what would be there twice is not laid above others", "TestDefault", given("SHOP_LEVEL=quiet", "SHOP_ADDED=y", "SHOP_WAIT=7"), "7s [a] 1024 0.5 1 3 1 map[] 1m0s o [x]"},
		{"and is there once where the test loads", "TestLoad", given("SHOP_LEVEL=quiet", "SHOP_ADDED=y", "SHOP_WAIT=7"), "7s [x y]"},
		{"what goes with another one is as the program makes it", "TestDefault", given("SHOP_LEVEL=quiet", "SHOP_MOST=0"), "5s [a] 1024 0 1 0 1 map[] 1m0s o [x]"},
		{"what is made of two variables stays", "TestDefault", given("SHOP_LEVEL=quiet", "SHOP_TOTAL=10"), "5s [a] 1024 0.5 1 3 1 map[] 1m0s o [x]"},
		{"a part of something is made of it", "TestDefault", given("SHOP_LEVEL=quiet", "SHOP_NAMED=4"), "5s [a] 1024 0.5 1 3 1 map[all:4] 1m0s o [x]"},
		{"what the test sets is its own", "TestOwn", given("SHOP_LEVEL=quiet", "SHOP_WAIT=90", "SHOP_ZONES=b", "SHOP_SIZE=4Ki"), "1h0m0s [a] 4096"},
		{"another struct of the type has its own", "TestOther", given("SHOP_LEVEL=quiet", "SHOP_WAIT=90", "SHOP_SIZE=4Ki"), "1ns 7 1s"},
	} {
		if o := b.runBeside(t, at.test, at.given); !strings.Contains(o.Output, "it says "+at.want+"\n") {
			t.Errorf("%s: want %s\n%s", at.what, at.want, o.Output)
		}
	}
	o := b.runBeside(t, "TestDefault", given("SHOP_LEVEL=loud", "SHOP_WAIT=90"))
	for _, want := range []string{"read Wait=1m30s", "read Level=2", "gave env:SHOP_WAIT=90", "gave env:SHOP_LEVEL=loud"} {
		if all := short(o, record.Read, record.Gave); !slices.Contains(all, want) {
			t.Errorf("there is no %s in %q", want, all)
		}
	}
	if all := short(b.runBeside(t, "TestNothing", given("SHOP_LEVEL=loud", "SHOP_WAIT=90")), record.Read); !slices.Equal(all, []string{"read Other=o", "read Wait=1ns"}) {
		t.Errorf("a test that has a struct of its own reads %q", all)
	}
	for _, p := range b.sources.Problems {
		t.Error(p)
	}
}

// variablesLibrary stands for a library that fills a struct with variables of the environment.
const variablesLibrary = `package env

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
)

type Options struct{ Environment map[string]string }

func ToMap(all []string) map[string]string {
	out := map[string]string{}
	for _, pair := range all {
		name, value, _ := strings.Cut(pair, "=")
		out[name] = value
	}
	return out
}

func Parse(into any) error { return ParseWithOptions(into, Options{ToMap(os.Environ())}) }

func ParseWithOptions(into any, o Options) error {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		text, is := o.Environment[tag.Get("env")]
		if !is {
			continue
		}
		var made any = text
		var err error
		switch v.Field(i).Interface().(type) {
		case time.Duration:
			made, err = time.ParseDuration(text)
		case int:
			made, err = strconv.Atoi(text)
		case []string:
			made = strings.Split(text, tag.Get("envSeparator"))
		}
		if err != nil {
			return err
		}
		v.Field(i).Set(reflect.ValueOf(made))
	}
	return nil
}
`

// TestMakersByLibrary: of a library of variables it is known what it makes of them by what the program makes with it,
// also where the defaults are in a variable of the package; not by a function that ends the program, or of what would
// be there twice.
func TestMakersByLibrary(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/caarlos0/env/v11"
)

var defaults = Config{Wait: time.Second, Zones: []string{"a"}, Most: 4}

var other = &Other{Size: 2}

type Config struct {
	Wait  time.Duration ` + "`env:\"SHOP_WAIT\"`" + `
	Zones []string      ` + "`env:\"SHOP_ZONES\" envSeparator:\":\"`" + `
	Most  int           ` + "`env:\"SHOP_MOST\"`" + `
	Path  string        ` + "`env:\"SHOP_PATH\"`" + `
}

type Other struct {
	Size int ` + "`env:\"SHOP_SIZE\"`" + `
}

func FromEnvironment() (*Config, error) {
	c := defaults
	if err := env.Parse(&c); err != nil {
		return nil, fmt.Errorf("variables: %w", err)
	}
	c.Most = min(c.Most, 100)
	c.Path = defaults.Path + c.Path + "/"
	return &c, nil
}

type Third struct {
	Hops int ` + "`env:\"SHOP_HOPS\"`" + `
}

func DefaultThird() Third { return Third{Hops: 1} }

func LoadThird() (Third, error) { return ThirdOf(env.ToMap(os.Environ())) }

func ThirdOf(environment map[string]string) (Third, error) {
	c := DefaultThird()
	return c, env.ParseWithOptions(&c, env.Options{Environment: environment})
}

func MustOther() Other {
	c := *other
	if err := env.Parse(&c); err != nil {
		log.Fatal(err)
	}
	return c
}
`,
		"shop_test.go": `package shop

import "testing"

func TestDefaults(t *testing.T) {
	c := defaults
	t.Log("it says", c.Wait, c.Zones, c.Most, c.Path, other.Size, DefaultThird().Hops)
}
`,
		"go.mod":     "module example.com/shop\n\ngo 1.24\n\nrequire github.com/caarlos0/env/v11 v11.0.0\n\nreplace github.com/caarlos0/env/v11 => ./env\n",
		"env/go.mod": "module github.com/caarlos0/env/v11\n\ngo 1.24\n",
		"env/env.go": variablesLibrary,
	}), "GOWORK=off")
	v := run.Values{Environment: map[string]string{"SHOP_WAIT": "3s", "SHOP_ZONES": "b:c", "SHOP_MOST": "1000", "SHOP_SIZE": "7", "SHOP_HOPS": "3"}}
	for path, want := range map[string]string{"": "3s [b c] 100  2 3", "a": "3s [b c] 100  2 3"} {
		if v.Environment["SHOP_PATH"] = path; path == "" {
			delete(v.Environment, "SHOP_PATH")
		}
		if o := b.runBeside(t, "TestDefaults", v); !strings.Contains(o.Output, "it says "+want+"\n") {
			t.Errorf("want %s\n%s", want, o.Output)
		}
	}
}

// carefulProgram has a type of configuration for each way in which a function that makes one does more than ask the
// environment, and some in which it does not.
const carefulProgram = `package shop

import (
	"log"
	"os"
	"strconv"
	"strings"
)

func number(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

type OpensConfig struct{ Size int }

func DefaultOpens() OpensConfig { return OpensConfig{Size: 4} }

func LoadOpens() (OpensConfig, error) {
	c := DefaultOpens()
	_, err := os.ReadFile("size")
	c.Size = number("SHOP_OPENS", c.Size)
	return c, err
}

type KeepsConfig struct{ Size int }

var kept *KeepsConfig

func DefaultKeeps() *KeepsConfig { return &KeepsConfig{Size: 4} }

func LoadKeeps() *KeepsConfig {
	c := DefaultKeeps()
	c.Size = number("SHOP_KEEPS", c.Size)
	kept = c
	return c
}

type NotesConfig struct{ Size int }

type names map[string]bool

func (n names) add(name string) { n[name] = true }

var known = names{}

func DefaultNotes() NotesConfig { return NotesConfig{Size: 4} }

func LoadNotes() NotesConfig {
	c := DefaultNotes()
	known.add("SHOP_NOTES")
	c.Size = number("SHOP_NOTES", c.Size)
	return c
}

type HookedConfig struct{ Size int }

var Hooks []func(*HookedConfig)

func DefaultHooked() HookedConfig { return HookedConfig{Size: 4} }

func LoadHooked() HookedConfig {
	c := DefaultHooked()
	c.Size = number("SHOP_HOOKED", c.Size)
	for _, hook := range Hooks {
		hook(&c)
	}
	return c
}

type EndsConfig struct{ Size int }

var fatal = log.Fatal

func DefaultEnds() EndsConfig { return EndsConfig{Size: 4} }

func LoadEnds() EndsConfig {
	c := DefaultEnds()
	if c.Size = number("SHOP_ENDS", c.Size); c.Size < 0 {
		fatal("too few")
	}
	return c
}

type BothConfig struct{ Size int }

func DefaultBoth() BothConfig { return BothConfig{Size: 4} }

func LoadOne() BothConfig { c := DefaultBoth(); c.Size = number("SHOP_ONE", c.Size); return c }

func LoadOther() BothConfig { c := DefaultBoth(); c.Size = number("SHOP_OTHER", c.Size); return c }

type DerivedConfig struct {
	Workers, Queue int
	Mode           string
}

func DefaultDerived() DerivedConfig {
	c := DerivedConfig{Workers: 4, Mode: "fast"}
	c.Queue = c.Workers * 10
	return c
}

func OwnDerived(workers int) DerivedConfig { return DerivedConfig{Workers: workers, Mode: "own"} }

func LoadDerived() DerivedConfig {
	get := func(name string) string { return strings.ToLower(os.Getenv("SHOP_" + name)) }
	c := DefaultDerived()
	c.Workers = number("SHOP_WORKERS", c.Workers)
	if mode := get("MODE"); mode != "" {
		c.Mode = mode
	}
	if c.Workers == 0 {
		return OwnDerived(1)
	}
	return c
}
`

// TestNoMakers: a function that opens a file, keeps or notes something, asks others, may end the program, or is one of
// two is not asked what the program makes of variables. Where one is, what its defaults work out is as it is there, and
// other structs of the type are left alone.
func TestNoMakers(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": carefulProgram,
		"shop_test.go": `package shop

import "testing"

func TestDefaults(t *testing.T) {
	t.Log("it says", DefaultOpens().Size, DefaultKeeps().Size, DefaultNotes().Size, DefaultHooked().Size, DefaultEnds().Size, DefaultBoth().Size, len(known), kept == nil)
}

func TestDerived(t *testing.T) {
	c, own := DefaultDerived(), OwnDerived(2)
	t.Log("it says", c.Workers, c.Queue, c.Mode, own.Workers, own.Mode)
}
`,
	}), "GOWORK=off")
	v := run.Values{Environment: map[string]string{"SHOP_OPENS": "9", "SHOP_KEEPS": "9", "SHOP_NOTES": "9", "SHOP_HOOKED": "9", "SHOP_ENDS": "9", "SHOP_ONE": "9", "SHOP_OTHER": "8"}}
	if o := b.runBeside(t, "TestDefaults", v); !strings.Contains(o.Output, "it says 4 4 4 4 4 4 0 true\n") {
		t.Error(o.Output)
	}
	v = run.Values{Environment: map[string]string{"SHOP_WORKERS": "8", "SHOP_MODE": "Safe"}}
	if o := b.runBeside(t, "TestDerived", v); !strings.Contains(o.Output, "it says 8 40 safe 2 own\n") {
		t.Error(o.Output)
	}
	for _, p := range b.sources.Problems {
		t.Error(p)
	}
}
