package configtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemembered: what became of a value is believed as long as the test that was run with it would be answered the
// same, and no longer.
func TestRemembered(t *testing.T) {
	folder, cache, builds, log := t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "log")
	for name, text := range map[string]string{
		"go.mod": "module example.com/level\n\ngo 1.24\n",
		"level.go": `package level

import (
	"os"
	"strconv"
)

func Level() (int, error) { return strconv.Atoi(os.Getenv("LEVEL")) }
`,
		"level_test.go": `package level

import (
	"os"
	"testing"
)

func TestLevel(t *testing.T) {
	if os.Getenv("TEST_DSN") == "" {
		t.Log("no database")
	}
	level, _ := Level()
	if f, err := os.OpenFile(os.Getenv("LEVEL_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); level != 0 && err == nil {
		defer f.Close()
		f.WriteString("run\n")
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := version(t, "a.env", "LEVEL=3\n")
	for _, c := range []struct {
		dsn  string
		runs bool
	}{{"", true}, {"", false}, {"x", true}, {"x", false}} {
		_ = os.Remove(log)
		o := options(t, folder, cache)
		o.Builds, o.Environment = builds, append(o.Environment, "LEVEL_LOG="+log, "TEST_DSN="+c.dsn)
		if _, err := Generate(t.Context(), o, Generating{File: &file, Most: 2}); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(log)
		if runs := strings.Contains(string(text), "run"); runs != c.runs {
			t.Errorf("with %q it is run: %v", c.dsn, runs)
		}
	}
}
