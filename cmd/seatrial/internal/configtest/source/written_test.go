package source

import (
	"os"
	"path/filepath"
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
	m := Of(folder, "")
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
		if got := m.Written(".", c.test, []string{c.text}); got != c.want {
			t.Errorf("%s, %s: %v", c.test, c.text, got)
		}
	}
}

// TestBetween: a test has figures of its own between two values, or as much as the second one, if it or what it
// mentions writes such a number.
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
	m := Of(folder, "")
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
		if got := m.Between(".", c.test, c.old, c.now, deployed); got != c.want {
			t.Errorf("%s, %s and %s: %v", c.test, c.old, c.now, got)
		}
	}
}
