package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// setters has tests that set variables and flags to what is deployed.
var setters = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.env": "CACHE_MS=5000\n", "shop.go": `package shop

import (
	"flag"
	"os"
	"strconv"
	"time"
)

type Cache struct {
	Keep, Wait time.Duration
}

func Load(args []string) (*Cache, error) {
	fs := flag.NewFlagSet("shop", flag.ContinueOnError)
	wait := fs.Duration("wait", time.Minute, "")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	ms, _ := strconv.Atoi(os.Getenv("CACHE_MS"))
	return &Cache{Keep: time.Duration(ms) * time.Millisecond, Wait: *wait}, nil
}

func (c *Cache) Fresh(age time.Duration) bool { return age < c.Keep }

func (c *Cache) Waits(d time.Duration) bool { return d < c.Wait }
`,
	"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func load(t *testing.T, args ...string) *Cache {
	t.Setenv("CACHE_MS", "5000")
	c, err := Load(args)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoads(t *testing.T) {
	if c, err := Load(nil); err != nil || c.Keep < 0 || c.Wait < 0 {
		t.Fatal(c, err)
	}
}

func TestFresh(t *testing.T) {
	if !load(t).Fresh(300 * time.Millisecond) {
		t.Fatal("it is old")
	}
}

func TestKeeps(t *testing.T) {
	if load(t).Keep != 5*time.Second {
		t.Fatal("not 5 s")
	}
}

func TestWaits(t *testing.T) {
	if !load(t, "-wait", "90s").Waits(100 * time.Millisecond) {
		t.Fatal("it does not wait")
	}
}
`,
}

// TestSetByHand: a test that sets a variable or a flag to a number, or a time, just as it is deployed is run with one
// that is far from that. What asserts the old one shows nothing.
func TestSetByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.env", setters)
	for _, tc := range []struct{ old, now, want string }{
		{"CACHE_MS=5000", "CACHE_MS=30", "violated CACHE_MS: TestFresh: it is old (shop_test.go:25)"},
		{"CACHE_MS=5000", "CACHE_MS=1000", "holds CACHE_MS: 1 test passes with it"},                   // not ten times less
		{"CACHE_MS=6000", "CACHE_MS=30", "violated CACHE_MS: TestFresh: it is old (shop_test.go:25)"}, // as if it were seconds
		{"CACHE_MS=6000", "CACHE_MS=900", "holds CACHE_MS: 1 test passes with it"},                    // no test has a copy
	} {
		out, err := s.diff(t.Context(), said(tc.old), said(tc.now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %+v it says %s %s: %s%s", tc, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// TestFlagSetByHand: so is one that gives its program arguments with what is deployed, however a time is written.
func TestFlagSetByHand(t *testing.T) {
	s, said := shop(t, "shop.yaml", setters)
	pod := func(wait string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: shop}\nspec:\n  containers:\n  - name: shop\n    image: shop\n    args: [--wait=" + wait + "]\n"
	}
	for now, want := range map[string]string{
		"50ms": "violated --wait: TestWaits: it does not wait (shop_test.go:37)",
		"60s":  "holds --wait: 1 test passes with it",
	} {
		out, err := s.diff(t.Context(), said(pod("1m30s")), said(pod(now)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("with %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// sized has tests that write sizes by hand which are not those that are deployed.
var sized = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import "encoding/json"

type Config struct {
	Most  int ` + "`json:\"mostBytes\"`" + `
	Least int ` + "`json:\"least\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

type Options struct{ Most, Least int }

func (o Options) Keeps(n int) bool { return n <= o.Most && n >= o.Least }

func Start(c Config) Options { return Options{Most: c.Most, Least: c.Least} }
`,
	"shop_test.go": `package shop

import "testing"

func TestLoads(t *testing.T) {
	if c, err := Load([]byte("{}")); err != nil || c.Most < 0 || c.Least < 0 {
		t.Fatal(err)
	}
}

func TestLarge(t *testing.T) {
	if !(Options{Most: 4 << 20, Least: 5}).Keeps(3 << 20) {
		t.Error("3 MiB are not kept")
	}
}

func TestFull(t *testing.T) {
	if (Options{Most: 100, Least: 5}).Keeps(101) {
		t.Error("it is kept")
	}
}
`,
}

// TestOtherByHand: a test that writes another size than the one that is deployed is run with that, and with one that
// looks like it in another unit. It has to pass with what is deployed, and next to it.
func TestOtherByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", sized)
	const old = `{"mostBytes": 8388608, "least": 50}`
	for now, want := range map[string]string{
		`{"mostBytes": 8192, "least": 50}`:     "violated mostBytes: TestLarge: 3 MiB are not kept (shop_test.go:13)",
		`{"mostBytes": 2000000, "least": 50}`:  "holds mostBytes: 1 test passes with it", // it is no other unit
		`{"mostBytes": 8388608, "least": 900}`: "holds least: 1 test passes with it",     // nor is it
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
