package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestListed: the words that a test lists are tried where the code compares with one of them only, as with a special
// case.
func TestListed(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/listed\n\ngo 1.24\n",
		"listed.go": `package listed

import "encoding/json"

type Config struct {
	TLS string ` + "`json:\"tls\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := &Config{TLS: "required"}
	return c, json.Unmarshal(text, c)
}

func (c *Config) Secure() bool { return c.TLS == "required" }
`,
		"listed_test.go": `package listed

import (
	"slices"
	"testing"
)

func isOne(t *testing.T, of []string, word string) {
	t.Helper()
	if !slices.Contains(of, word) {
		t.Error("nobody knows", word)
	}
}

func TestIsKnown(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Secure())
	isOne(t, []string{"none", "required"}, c.TLS)
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var versions [2]Version
	for i, text := range []string{`{"tls": "required"}`, `{"tls": "require"}`} {
		versions[i] = version(t, "c.json", text)
	}
	o, err := Diff(t.Context(), options(t, folder, t.TempDir()), versions[0], versions[1])
	if err != nil {
		t.Fatal(err)
	}
	r := o.Report(folder).Results[0]
	if got, want := fmt.Sprintf("%s %s: %s%s", r.Verdict, r.Name, r.Message, r.Reason), "violated passes: TestIsKnown: nobody knows require (listed_test.go:21)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
