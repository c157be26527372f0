package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// seconds is a program whose defaults are in a function, above which it lays variables that only its own code knows how
// to read.
var seconds = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.env": "", "shop.go": `package shop

import (
	"os"
	"strconv"
	"strings"
	"time"
)

type Config struct {
	Keep  time.Duration
	Limit time.Duration
	Zones []string
}

func Default() Config { return Config{Keep: 2 * time.Minute, Limit: time.Minute, Zones: []string{"a", "b"}} }

func FromEnv() Config {
	c := Default()
	c.Keep = times("SHOP_KEEP", time.Second, c.Keep)
	c.Limit = times("SHOP_LIMIT", time.Millisecond, c.Limit)
	if text := os.Getenv("SHOP_ZONES"); text != "" {
		c.Zones = strings.Split(text, ";")
	}
	return c
}

func times(name string, unit, or time.Duration) time.Duration {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return or
	}
	return time.Duration(n) * unit
}

func (c Config) Valid() bool { return c.Keep > c.Limit }

type Cache struct{ keep time.Duration }

func NewCache(keep time.Duration) *Cache { return &Cache{keep} }

func (c *Cache) Fresh(age time.Duration) bool { return age < c.keep }

func Main() *Cache { return NewCache(FromEnv().Keep) }
`,
	"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestZones(t *testing.T) {
	for _, zone := range Default().Zones {
		if len(zone) != 1 {
			t.Errorf("there is no zone %q", zone)
		}
	}
}

func TestKeep(t *testing.T) {
	if c := Default(); c.Keep <= 0 {
		t.Error("nothing is kept")
	}
}

func TestLimit(t *testing.T) {
	if c := Default(); c.Limit <= 0 {
		t.Error("there is no time")
	}
}

func TestTooLong(t *testing.T) {
	c := Default()
	if !c.Valid() {
		t.Error("it is not valid")
	}
	c.Keep = c.Limit / 2
	if c.Valid() {
		t.Error("it is valid")
	}
}

func TestFresh(t *testing.T) {
	c := NewCache(90 * time.Second)
	if !c.Fresh(time.Second) {
		t.Error("what is new is stale")
	}
	if c.Fresh(time.Hour) {
		t.Error("what is an hour old is fresh")
	}
}
`,
}

// TestDefaults: a test that begins with the program's defaults has what the program makes of a variable, and so the
// unit is known in which it counts a bare number: a test that has written a time by hand is run with that. What is
// counted in another unit is no bound of it, however large its number is.
func TestDefaults(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.env", seconds)
	const old = "SHOP_KEEP=300\nSHOP_LIMIT=60000\nSHOP_ZONES=a;b\n"
	for now, want := range map[string]string{
		"SHOP_KEEP=300\nSHOP_LIMIT=60000\nSHOP_ZONES=a,b\n":    `violated SHOP_ZONES: TestZones: there is no zone "a,b" (shop_test.go:11)`,
		"SHOP_KEEP=300\nSHOP_LIMIT=60000\nSHOP_ZONES=b;a\n":    "holds SHOP_ZONES: 1 test passes with it",
		"SHOP_KEEP=300000\nSHOP_LIMIT=60000\nSHOP_ZONES=a;b\n": "violated SHOP_KEEP: TestFresh: what is an hour old is fresh (shop_test.go:45)",
		"SHOP_KEEP=600\nSHOP_LIMIT=60000\nSHOP_ZONES=a;b\n":    "holds SHOP_KEEP: 2 tests pass with it",
		"SHOP_KEEP=600\nSHOP_LIMIT=120000\nSHOP_ZONES=a;b\n":   "holds SHOP_KEEP: 2 tests pass with it", // of which one sets it to half of the other one
		"SHOP_KEEP=300\nSHOP_LIMIT=1000\nSHOP_ZONES=a;b\n":     "holds SHOP_LIMIT: 2 tests pass with it",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		r := out.Report("").Results[0]
		if got := string(r.Verdict) + " " + r.Subject + ": " + r.Message + r.Reason; got != want {
			t.Errorf("of %s it says %s, want %s", now, got, want)
		}
	}
}
