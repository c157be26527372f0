package configtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
)

// TestCopies: what is deployed is kept in another place than the module, which is shipped with a copy of it, with other comments. Tests that open that find the
// new version there: a key that is misspelt has its default.
func TestCopies(t *testing.T) {
	s, _ := shop(t, "shop.yaml", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shipped.yaml": "# As it is shipped.\ntries: 3\nwait: 1\n", "other.yaml": "tries: 4\nwait: 1\n",
		"shop_test.go": `package shop

import (
	"os"
	"strings"
	"testing"
)

func tries(file string) int {
	text, _ := os.ReadFile(file)
	if strings.Contains(string(text), "tries: ") {
		return 3
	}
	return 1
}

func TestShipped(t *testing.T) {
	if n := tries("shipped.yaml"); n < 2 {
		t.Fatalf("%d tries", n)
	}
}

func TestOther(t *testing.T) { t.Log(tries("other.yaml")) }
`,
	})
	outside := t.TempDir()
	said := func(text string) Version {
		settings, err := change.Parse("deployed.yaml", []byte(text))
		if err == nil {
			err = os.WriteFile(filepath.Join(outside, "deployed.yaml"), []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return Version{File: filepath.Join(outside, "deployed.yaml"), Text: []byte(text), Settings: settings}
	}
	out, err := s.diff(t.Context(), said("wait: 1\ntries: 3\n"), said("wait: 1\ntry: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Tests) != 1 || out.Tests[0] == nil || out.Tests[0].Name != "TestShipped" || len(out.Tests[0].Culprits) != 1 {
		t.Errorf("it says %+v", out.Tests)
	}
}

// TestCopiedVariable: a test that sets a variable to just what is deployed has the new value in its place, if that has another form, and one that asserts what it has set
// is hard-coded. A test that sets another value overrides it.
func TestCopiedVariable(t *testing.T) {
	s, said := shop(t, "shop.env", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"os"
	"time"
)

// Wait falls back.
func Wait() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("SHOP_WAIT")); err == nil {
		return d
	}
	return 5 * time.Second
}
`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestSoon(t *testing.T) {
	t.Setenv("SHOP_WAIT", "500ms") // as in shop.env
	if d := 3 * Wait(); d > 10*time.Second {
		t.Fatalf("waited %s", d)
	}
}

func TestSays(t *testing.T) {
	t.Setenv("SHOP_WAIT", "500ms")
	if d := Wait(); d != 500*time.Millisecond {
		t.Fatalf("it is %s", d)
	}
}

func TestOwn(t *testing.T) {
	t.Setenv("SHOP_WAIT", "1m")
	if d := Wait(); d != time.Minute {
		t.Fatalf("it is %s", d)
	}
}
`,
	})
	for text, want := range map[string]string{
		"500": "violated SHOP_WAIT: TestSoon: waited 15s (shop_test.go:11)",
		"1s":  "inconclusive SHOP_WAIT: overridden by the test: TestOwn, TestSays, TestSoon",
	} {
		out, err := s.diff(t.Context(), said("SHOP_WAIT=500ms\n"), said("SHOP_WAIT="+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", text, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
