package configtest

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// carriedBeside is a program with a configuration that is completed, a field of which holds another one.
var carriedBeside = map[string]string{
	"api/api.go": `package api

import (
	"encoding/json"
	"time"
)

type Duration struct{ time.Duration }

func (d *Duration) UnmarshalJSON(b []byte) (err error) {
	var s string
	if err = json.Unmarshal(b, &s); err == nil {
		d.Duration, err = time.ParseDuration(s)
	}
	return err
}

type Rule struct {
	Age Duration ` + "`json:\"age\"`" + `
}

type Settings struct {
	Every   Duration ` + "`json:\"every\"`" + `
	Lease   Duration ` + "`json:\"lease\"`" + `
	Timeout Duration ` + "`json:\"timeout\"`" + `
	Most    Duration ` + "`json:\"most\"`" + `
	Workers int      ` + "`json:\"workers\"`" + `
	Depth   int      ` + "`json:\"depth\"`" + `
	Bind    string   ` + "`json:\"bind\"`" + `
	Profile bool     ` + "`json:\"profile\"`" + `
	Rules   []Rule   ` + "`json:\"rules\"`" + `
}

func SetDefaults(c *Settings) {
	if c.Every.Duration == 0 {
		c.Every = Duration{time.Minute}
	}
	zero := Duration{}
	if c.Lease == zero {
		c.Lease = Duration{time.Minute}
	}
}
`,
	"work/work.go": `package work

import "time"

type Options struct {
	Workers     int
	Every       time.Duration
	Wait, Limit time.Duration
}

type Pool struct {
	workers      int
	every, lease time.Duration
	wait, limit  time.Duration
}

func WithLease(d time.Duration) func(*Pool) { return func(p *Pool) { p.lease = d } }

func New(o Options, more ...func(*Pool)) *Pool {
	p := &Pool{workers: o.Workers, every: o.Every, wait: o.Wait, limit: o.Limit}
	for _, with := range more {
		with(p)
	}
	return p
}

func (p *Pool) Workers() int { return p.workers }

func (p *Pool) Next(t time.Time) time.Time { return t.Add(p.every) }

func (p *Pool) Lost(t time.Time) time.Time { return t.Add(p.lease) }

func (p *Pool) Wait(t time.Time) time.Time { return t.Add(p.wait) }

func (p *Pool) Most(d time.Duration) bool { return d > p.limit }
`,
	"app.go": `package app

import (
	"encoding/json"
	"os"
	"strconv"

	"github.com/seatrial/seatrial/examples/configtest/thumbs/api"
	"github.com/seatrial/seatrial/examples/configtest/thumbs/work"
)

type Config struct {
	Name    string
	part    api.Settings
	bind    string
	profile bool
}

func NewConfig() *Config {
	text, _ := os.ReadFile("app.json")
	var c api.Settings
	_ = json.Unmarshal(text, &c)
	api.SetDefaults(&c)
	return &Config{Name: "app", part: c, bind: c.Bind, profile: c.Profile}
}

func (c *Config) Complete() {
	if c.Name == "" {
		c.Name = "app"
	}
}

type App struct {
	pool    *work.Pool
	bind    string
	profile bool
	rules   int
	depth   int
}

func New() *App {
	c := NewConfig()
	c.Complete()
	return &App{
		pool:    work.New(work.Options{Workers: c.part.Workers, Every: c.part.Every.Duration, Wait: c.part.Timeout.Duration, Limit: c.part.Most.Duration}, work.WithLease(c.part.Lease.Duration)),
		bind:    c.bind,
		profile: c.profile,
		rules:   len(c.part.Rules),
		depth:   depth(),
	}
}

func depth() int {
	n, err := strconv.Atoi(os.Getenv("APP_DEPTH"))
	if err != nil {
		return 3
	}
	return n
}

func (a *App) Old(age api.Rule) bool { return age.Age.Duration > 3 }

func (a *App) URL() string { return "http://" + a.bind }

func (a *App) Deep(n int) bool { return n > a.depth }

func (a *App) Profiles() bool { return a.profile }
`,
	"app_test.go": `package app

import (
	"strings"
	"testing"
	"time"
)

func TestWorkers(t *testing.T) {
	if New().pool.Workers() == 0 {
		t.Fatal("nobody works")
	}
}

func TestWaits(t *testing.T) {
	New().pool.Wait(time.Time{})
}

func TestURL(t *testing.T) {
	if !strings.HasSuffix(New().URL(), ":80") {
		t.Fatal("it has another port")
	}
}

func TestIsDeep(t *testing.T) {
	if !New().Deep(10) {
		t.Fatal("10 is not deep")
	}
}
`,
}

// TestCarriedBeside: what is only put into a struct of the program is told apart where several tests share a process,
// several values are on one line, a configuration is in a field of another one, and defaults are put in the place of
// what says nothing.
func TestCarriedBeside(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, maps.Clone(carriedBeside))
	const old = `{"every": "2m", "lease": "3m", "timeout": "4m", "most": "5m", "workers": 6, "bind": "here:80", "profile": false}`
	cache := t.TempDir()
	for _, c := range []struct{ file, old, now, want string }{
		{"app.json", `"workers": 6`, `"workers": 7`, "holds workers"},
		{"app.json", `"every": "2m"`, `"every": "9m"`, "inconclusive every: it is only put into work.Pool.every at app.go:45, and was not seen to be used"},
		{"app.json", `"lease": "3m"`, `"lease": "9m"`, "inconclusive lease: it is only put into work.Pool.lease at app.go:45, and was not seen to be used"},
		{"app.json", `"timeout": "4m"`, `"timeout": "5m"`, "holds timeout"}, // what another one on that line has been
		{"app.json", `"most": "5m"`, `"most": "9m"`, "inconclusive most: it is only put into work.Pool.limit at app.go:45, and was not seen to be used"},
		{"app.json", `"profile": false`, `"profile": true`, "inconclusive profile: it is only put into app.App.profile at app.go:24, and was not seen to be used"},
		{"app.json", `here:80`, `there:80`, "holds bind"},
		{"app.json", `here:80`, `here:81`, "inconclusive bind: the tests that read it fail with every other value, too (hard-coded)"},
		{"app.env", `APP_DEPTH=4`, `APP_DEPTH=5`, "holds APP_DEPTH"},
		{"app.env", `APP_DEPTH=4`, `APP_DEPTH=4Ki`, "inconclusive APP_DEPTH: it has another form than before, and nothing refused it"},
	} {
		text := old
		if c.file == "app.env" {
			text = c.old
		}
		o, err := Diff(t.Context(), options(t, folder, cache), version(t, c.file, text), version(t, c.file, strings.Replace(text, c.old, c.now, 1)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range o.Report(folder).Results {
			reason, _, _ := strings.Cut(r.Reason, ": Test")
			reason, _, _ = strings.Cut(reason, ": something else")
			got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %s: %s", r.Verdict, r.Subject, reason), ": "))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
}

// carriedWhole is a program with a field for each way in which something else than a selector reads one.
var carriedWhole = map[string]string{
	"app.go": `package app

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

type Config struct {
	Equal   int    ` + "`json:\"equal\"`" + `
	Deep    string ` + "`json:\"deep\"`" + `
	Words   string ` + "`json:\"words\"`" + `
	Key     int    ` + "`json:\"key\"`" + `
	In      int    ` + "`json:\"in\"`" + `
	Other   string ` + "`json:\"other\"`" + `
	Nested  string ` + "`json:\"nested\"`" + `
	Any     string ` + "`json:\"any\"`" + `
	Says    string ` + "`json:\"says\"`" + `
	Back    string ` + "`json:\"back\"`" + `
	Kept    string ` + "`json:\"kept\"`" + `
	Dropped string ` + "`json:\"dropped\"`" + `
}

type (
	equal   struct{ v int }
	deep    struct{ v string }
	words   struct{ v string }
	key     struct{ v int }
	in      struct{ v int }
	other   struct{ v string }
	another struct{ v string }
	nested  struct{ V string }
	status  struct{ Nested nested }
	open    struct{ V string }
	says    struct{ v string }
	back    struct{ V string }
	kept    struct{ v string }
	dropped struct{ v string }
)

func (s says) String() string { return s.v }

type App struct {
	equal   equal
	deep    deep
	words   words
	key     key
	in      in
	other   other
	status  status
	open    open
	says    says
	back    back
	kept    sync.Map
	dropped dropped
}

func New() *App {
	text, _ := os.ReadFile("app.json")
	var c Config
	_ = json.Unmarshal(text, &c)
	a := &App{equal: equal{c.Equal}, deep: deep{c.Deep}, words: words{c.Words}, key: key{c.Key}, in: in{c.In}, other: other{c.Other}}
	a.status.Nested.V, a.open.V = c.Nested, c.Any
	a.says, a.back = says{c.Says}, back{c.Back}
	a.kept.Store("", kept{c.Kept})
	a.dropped.v = c.Dropped
	return a
}

// All is what no test asks for.
func (a *App) All() []any {
	return []any{a.equal.v, a.deep.v, a.words.v, a.key.v, a.in.v, a.other.v, a.status.Nested.V, a.open.V, a.says.v == "", a.back.V, a.dropped.v}
}

func (a *App) Words() string { return fmt.Sprintf("%v", a.words) }

func (a *App) Of(m map[key]int) int { return m[a.key] }

func (a *App) In(l ...in) bool { return slices.Contains(l, a.in) }

func (a *App) Other() string { return another(a.other).v }

func (a *App) Show(to io.Writer) { _ = json.NewEncoder(to).Encode(a.status) }

func (a *App) Open(to io.Writer) { encode(to, map[string]any{"open": a.open}) }

func encode(to io.Writer, v map[string]any) { _ = json.NewEncoder(to).Encode(v) }

func (a *App) Back() any { return a.back }

func (a *App) Kept() string { v, _ := a.kept.Load(""); return v.(kept).v }
`,
	"app_test.go": `package app

import (
	"io"
	"reflect"
	"testing"
)

func TestUses(t *testing.T) {
	a := New()
	_ = a.equal == equal{}
	_ = reflect.DeepEqual(a.deep, deep{})
	_ = a.Words()
	_ = a.Of(nil)
	_ = a.In(in{})
	_ = a.Other()
	a.Show(io.Discard)
	a.Open(io.Discard)
	_ = a.says.String()
	_ = a.Back()
	if a.Kept() == "" {
		t.Fatalf("%v", a.dropped)
	}
}
`,
}

// TestCarriedWhole: a field that something else than a selector reads is none in which a value is only kept.
func TestCarriedWhole(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, maps.Clone(carriedWhole))
	const old = `{"equal": 1, "deep": "a", "words": "b", "key": 2, "in": 3, "other": "c", "nested": "d", "any": "e", "says": "f", "back": "g", "kept": "h", "dropped": "i"}`
	const now = `{"equal": 4, "deep": "k", "words": "l", "key": 5, "in": 6, "other": "m", "nested": "n", "any": "o", "says": "p", "back": "q", "kept": "r", "dropped": "s"}`
	o, err := Diff(t.Context(), options(t, folder, t.TempDir()), version(t, "app.json", old), version(t, "app.json", now))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range o.Report(folder).Results {
		if want := map[bool]finding.Verdict{true: finding.Inconclusive, false: finding.Holds}[r.Subject == "dropped"]; r.Verdict != want {
			t.Errorf("%s: it says %s (%s), want %s", r.Subject, r.Verdict, r.Reason, want)
		}
	}
}
