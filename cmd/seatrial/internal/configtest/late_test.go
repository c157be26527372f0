package configtest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestLate: a test that has not ended in its time may have had a slow hour: it is seen once more, without the others,
// and then believed.
func TestLate(t *testing.T) {
	pace.Slow(t)
	folder, cache, log := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "log")
	for name, text := range map[string]string{
		"go.mod": "module example.com/late\n\ngo 1.24\n",
		"late_test.go": `package late

import (
	"os"
	"testing"
)

func log(what string) {
	if f, err := os.OpenFile(os.Getenv("LATE_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		defer f.Close()
		f.WriteString(what)
	}
}

func TestLate(t *testing.T) {
	log("l")
	select {}
}

func TestSoon(t *testing.T) { log("s") }
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"ls", "l", ""} {
		_ = os.Remove(log)
		o := options(t, folder, cache)
		o.Builds, o.Timeout, o.Environment = t.TempDir(), time.Second, append(o.Environment, "LATE_LOG="+log)
		m, err := Map(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if tests := m.Packages[0].Tests; len(tests) != 2 || tests[0].Ends != "timed out" || tests[1].Ends != "" {
			t.Errorf("the tests are %+v", tests)
		}
		text, err := os.ReadFile(log)
		ran := slices.Compact(slices.Sorted(slices.Values(strings.Split(string(text), ""))))
		if strings.Join(ran, "") != want || err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("run %d: %q ran, want %q, %v", i, ran, want, err)
		}
	}
}
