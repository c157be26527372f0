package value

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWritten: a text is in a test if it is in that, or in what it mentions of the tests' files.
func TestWritten(t *testing.T) {
	const source = `package shop

import "testing"

var table = []string{"tabled"}

type suite struct{}

func (s *suite) TestIt() { check("methodical") }

func helper() string { return "helped" }

func TestPlain(t *testing.T) { s := 1; check(s, "plain", helper(), 7) }

func TestTable(t *testing.T) { check(table) }

func TestSuite(t *testing.T) { run(t, new(suite)) }
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		test, text string
		want       bool
	}{
		{"TestPlain", "plain", true},
		{"TestPlain", "helped", true},
		{"TestPlain", "7", true},
		{"TestPlain", "tabled", false},
		{"TestPlain", "methodical", false},
		{"TestTable", "tabled", true},
		{"TestTable", "helped", false},
		{"TestSuite", "methodical", true},
		{"TestSuite", "plain", false},
		{"TestElsewhere", "nothing", true},
	} {
		if got := Written(folder, c.test, []string{c.text}); got != c.want {
			t.Errorf("%s, %s: %v", c.test, c.text, got)
		}
	}
}

// TestBetween: a test has figures of its own between two values, or as much as the second one, if it or what it mentions writes such a number.
func TestBetween(t *testing.T) {
	const source = `package shop

import "testing"

const burst = 1_000

func TestFlood(t *testing.T) { check(Config{Rate: 10}, burst) }

func TestRate(t *testing.T) { check(Config{Rate: 10}, 3, "100") }

func TestLease(t *testing.T) { check(Config{Lease: 30 * time.Second}, 10*time.Second, time.Hour, "3m") }
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		test, old, now string
		want           bool
	}{
		{"TestFlood", "10", "5000", true},
		{"TestFlood", "10", "1000", true},
		{"TestFlood", "10", "999", false},
		{"TestRate", "10", "5000", false},
		{"TestRate", "10", "2", true},
		{"TestLease", "30s", "8s", true},
		{"TestLease", "20s", "8s", false}, // what is deployed for something else is none of its own
		{"TestLease", "30s", "2m", false},
		{"TestLease", "30s", "4m", true},
		{"TestLease", "9", "20", true}, // a number may be one of seconds
		{"TestLease", "50", "40", false},
		{"TestLease", "4m", "2h", true},
		{"TestRate", "10Mi", "5000Mi", true}, // not known
	} {
		deployed := []string{"x"}
		if c.old == "20s" {
			deployed = append(deployed, "10s")
		}
		if got := Between(folder, c.test, c.old, c.now, deployed); got != c.want {
			t.Errorf("%s, %s and %s: %v", c.test, c.old, c.now, got)
		}
	}
}

// TestNothing: a program that compares what it reads with 0 has a meaning for that.
func TestNothing(t *testing.T) {
	const source = `package shop

func f(c Config) int {
	if c.Idle <= 0 {
		return 1
	}
	ttl := c.TTL
	if 0 == ttl {
		return 2
	}
	for i := range c.Batch {
		if i == 0 {
			return c.Limit
		}
	}
	if c.Size < 0 || c.Wait <= 0 {
		return 4
	}
	if c.Most < 0 {
		return 5
	}
	for i := 0; i < c.Tries; i++ {
		if i > 0 {
			return 6
		}
	}
	if w.used > 0 && w.used+n > c.LogMost<<20 || w.left > 0 && c.Keep > 0 {
		return 7
	}
	return 3
}
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string]bool{"shop.go:4": true, "shop.go:7": true, "shop.go:11": false, "shop.go:13": false, "shop.go:16": false, "shop.go:19": false, "shop.go:22": false, "gone.go:1": false} {
		if got := Nothing(folder, []string{site}); got != want {
			t.Errorf("%s: %t", site, got)
		}
	}
	for name, want := range map[string]bool{"LOG_MOST": false, "keep": true, "other": true} {
		if got := Nothing(folder, []string{"shop.go:27"}, name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestScalars: what is in a collection, and what is none.
func TestScalars(t *testing.T) {
	for text, want := range map[string]string{`[{"step": "1h", "keep": 3}, null]`: "3 1h", "2m": "2m", `"x"`: "x", "true": "true"} {
		if got := strings.Join(Scalars(text), " "); got != want {
			t.Errorf("%s has %s, want %s", text, got, want)
		}
	}
}
