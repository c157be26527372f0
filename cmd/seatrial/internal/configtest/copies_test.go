package configtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestCopies: what is deployed is kept in another place than the module, which is shipped with a copy of it, with other
// comments. Tests that open that find the new version there: a key that is misspelt has its default.
func TestCopies(t *testing.T) {
	pace.Slow(t)
	s, inside := shop(t, "shipped.yaml", map[string]string{
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
	// Where the module has the very file, another one that says the same is that of somebody else.
	if out, err = s.diff(t.Context(), inside("wait: 1\ntries: 4\n"), inside("wait: 1\ntries: 5\n")); err != nil {
		t.Fatal(err)
	}
	for _, test := range out.Tests {
		if test != nil && test.Name == "TestOther" {
			t.Errorf("TestOther opens another file: %+v", test)
		}
	}
}
