package configtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestSetWhole: of a test that has all that is deployed in a document of its own, a word with which it fails is found,
// also where nobody knows which words there are; a test that sets the key alone may be about another word, and has it,
// the new one as the old one, in a value of its own type.
func TestSetWhole(t *testing.T) {
	pace.Slow(t)
	const old = "cache:\n  mode: lru\n  wait: 3s\n  size: 40\n  name: a\n"
	folder := withViper(t, map[string]string{"config.yaml": old, "store.go": `package store

import "github.com/spf13/viper"

type Mode string

var picks, names = map[string]int{}, map[string]int{}

func init() {
	picks["lru"] = 1
	names["a"] = 1
}

func Load(path string) (*viper.Viper, error) {
	v := viper.New()
	v.SetConfigFile(path)
	return v, v.ReadInConfig()
}
`, "store_test.go": `package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/viper"
)

func TestFile(t *testing.T) {
	v, err := Load("config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(v.GetString("cache.mode"), v.GetString("cache.wait"), v.GetInt("cache.size"), v.GetString("cache.name"))
}

func TestWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(path, []byte("cache:\n  mode: lru\n  wait: 3s\n  size: 40\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if picks[v.GetString("cache.mode")] == 0 {
		t.Error("there is no such mode")
	}
}

func TestAlone(t *testing.T) {
	v := viper.New()
	v.Set("cache.name", Mode("a"))
	if name := v.Get("cache.name").(Mode); names[string(name)] == 0 {
		t.Error("there is no such name")
	}
}
`})
	cache := t.TempDir()
	for _, c := range []struct{ from, to, want string }{
		{"mode: lru", "mode: llru", "violated cache.mode: TestWhole: there is no such mode (store_test.go:29)"},
		{"name: a", "name: b", "inconclusive cache.name: it is written nowhere in the module, and in the place of the old value, which they have written by hand, it breaks TestAlone: something else may hold; 1 test passed"},
	} {
		now := strings.Replace(old, c.from, c.to, 1)
		o, err := Diff(t.Context(), options(t, folder, cache), version(t, "config.yaml", old), version(t, "config.yaml", now))
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range o.Tests {
			if test != nil && test.Excluded != "" {
				t.Errorf("%s is left out: %s", test.Name, test.Excluded)
			}
		}
		if r := o.Report(folder).Results[0]; fmt.Sprintf("%s %s: %s%s", r.Verdict, r.Subject, r.Message, r.Reason) != c.want {
			t.Errorf("%s: it says %s %s: %s%s, want %s", c.to, r.Verdict, r.Subject, r.Message, r.Reason, c.want)
		}
	}
}
