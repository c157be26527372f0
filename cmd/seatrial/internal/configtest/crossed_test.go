package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// parts has tests that write by hand what is deployed, or other numbers, for parts of a program.
var parts = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

type Config struct {
	Batch    int    ` + "`json:\"batch\"`" + `
	Capacity int    ` + "`json:\"capacity\"`" + `
	Shards   int    ` + "`json:\"shards\"`" + `
	URL      string ` + "`json:\"url\"`" + `
	Hosts    string ` + "`json:\"hosts\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

type Options struct {
	Batch, Capacity, Shards int
	URL, Hosts              string
}

func Start(c Config) Options {
	return Options{Batch: c.Batch, Capacity: c.Capacity, Shards: c.Shards, URL: c.URL, Hosts: c.Hosts}
}

// Sends tells whether a batch is ever full.
func (o Options) Sends() bool { return o.Batch <= o.Capacity }

// Used is how many shards have anything.
func (o Options) Used() int {
	used := map[int]bool{}
	for i := range 1000 {
		used[i&(o.Shards-1)] = true
	}
	return len(used)
}

func (o Options) Place(name string) string {
	base, _ := url.Parse(o.URL)
	return base.ResolveReference(&url.URL{Path: name}).String()
}

func (o Options) Allows(host string) bool { return slices.Contains(strings.Split(o.Hosts, ","), host) }
`,
	"shop_test.go": `package shop

import (
	"strings"
	"testing"
)

func options() Options {
	return Options{Batch: 40, Capacity: 200, Shards: 16, URL: "http://files.example/bills/", Hosts: "a.example,b.example"}
}

func TestLoads(t *testing.T) {
	if c, err := Load([]byte("{}")); err != nil || c.Batch < 0 || c.Capacity < 0 || c.Shards < 0 || c.URL != "" || c.Hosts != "" {
		t.Fatal(err)
	}
}

func TestSends(t *testing.T) {
	if !options().Sends() {
		t.Error("it is never sent")
	}
}

func TestSmall(t *testing.T) {
	if (Options{Batch: 100, Capacity: 60}).Sends() {
		t.Error("it is sent")
	}
}

func TestUsed(t *testing.T) {
	if o := options(); o.Used() != o.Shards {
		t.Error("some have nothing")
	}
}

func TestPlace(t *testing.T) {
	if !strings.Contains(options().Place("x"), "bills") {
		t.Error("it is elsewhere")
	}
}

func TestAllows(t *testing.T) {
	if !options().Allows("b.example") {
		t.Error("b.example may not")
	}
}
`,
}

// TestPartsByHand: what tests of parts have written by hand is run as it is deployed, and as it is to be: a number that
// passes another one that is deployed, whatever the test has in its place; one that is near, where the test passes with
// half of it and with twice as much; and a text that looks the same.
func TestPartsByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", parts)
	const old = `{"batch": 50, "capacity": 200, "shards": 16, "url": "http://files.example/bills/", "hosts": "a.example,b.example"}`
	for now, want := range map[string]string{
		`{"batch": 300, "capacity": 200, "shards": 16, "url": "http://files.example/bills/", "hosts": "a.example,b.example"}`: "violated batch: TestSends: it is never sent (shop_test.go:20)",
		`{"batch": 90, "capacity": 200, "shards": 16, "url": "http://files.example/bills/", "hosts": "a.example,b.example"}`:  "holds batch: 1 test passes with it",
		`{"batch": 50, "capacity": 200, "shards": 12, "url": "http://files.example/bills/", "hosts": "a.example,b.example"}`:  "violated shards: TestUsed: some have nothing (shop_test.go:32)",
		`{"batch": 50, "capacity": 200, "shards": 32, "url": "http://files.example/bills/", "hosts": "a.example,b.example"}`:  "holds shards: 1 test passes with it",
		`{"batch": 50, "capacity": 200, "shards": 16, "url": "http://files.example/bills", "hosts": "a.example,b.example"}`:   "violated url: TestPlace: it is elsewhere (shop_test.go:38)",
		`{"batch": 50, "capacity": 200, "shards": 16, "url": "http://files.example/bills/", "hosts": "a.example, b.example"}`: "violated hosts: TestAllows: b.example may not (shop_test.go:44)",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// asked is a program that asks a function in the place of the environment.
var asked = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.env": "SHOP_REMIND=true\n", "shop.go": `package shop

import (
	"os"
	"strconv"
)

type Flags struct{ Remind bool }

func Load(getenv func(string) string) Flags { return Flags{Remind: truth(getenv, "SHOP_REMIND", false)} }

func truth(getenv func(string) string, name string, otherwise bool) bool {
	if v, err := strconv.ParseBool(getenv(name)); err == nil {
		return v
	}
	return otherwise
}

func Main() Flags { return Load(os.Getenv) }
`,
	"shop_test.go": `package shop

import "testing"

var env = map[string]string{"SHOP_REMIND": "true"}

func TestRemind(t *testing.T) {
	if !Load(func(name string) string { return env[name] }).Remind {
		t.Error("nobody is reminded")
	}
}

func TestNever(t *testing.T) {
	if Load(func(string) string { return "no" }).Remind {
		t.Error("somebody is reminded")
	}
}
`,
}

// TestAskedInPlace: what a test has in the place of the environment is as that: what it sets as it is deployed is a
// copy, and what it does not, its own.
func TestAskedInPlace(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.env", asked)
	for _, tc := range []struct{ now, want string }{
		{"SHOP_REMIND=on\n", "violated SHOP_REMIND: TestRemind: nobody is reminded (shop_test.go:9)"},
		{"SHOP_REMIND=1\n", "inconclusive SHOP_REMIND: overridden by the test: TestNever, TestRemind"}, // both are a truth,
	} {
		out, err := s.diff(t.Context(), said("SHOP_REMIND=true\n"), said(tc.now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %+v it says %s %s: %s%s", tc, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
