package value

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
