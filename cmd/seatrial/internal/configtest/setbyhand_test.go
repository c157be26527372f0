package configtest

import "testing"

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

// TestSetByHand: a test that sets a variable or a flag to a number, or a time, just as it is deployed is run with one that is far from that. What asserts the old one shows nothing.
func TestSetByHand(t *testing.T) {
	s, said := shop(t, "shop.env", setters)
	for _, tc := range []struct{ old, now, want string }{
		{"CACHE_MS=5000", "CACHE_MS=30", "violated CACHE_MS: TestFresh: it is old (shop_test.go:25)"},
		{"CACHE_MS=5000", "CACHE_MS=1000", "holds CACHE_MS: 1 test passes with it"}, // not ten times less
		{"CACHE_MS=6000", "CACHE_MS=30", "holds CACHE_MS: 1 test passes with it"},   // no test has a copy
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
