package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// stores are programs with a store of settings, and how a test of them gives keys: one at a time, and as a map.
var stores = []struct{ name, example, text, code, set, load string }{
	{"viper", "thumbs", "GetString", `import (
	"time"

	"github.com/spf13/viper"
)

type store struct{ *viper.Viper }

func (s store) Number(key string) int         { return s.GetInt(key) }
func (s store) Time(key string) time.Duration { return s.GetDuration(key) }

func New() store {
	v := viper.New()
	v.SetDefault("cache.mode", "lru")
	return store{v}
}

func Load(path string) (store, error) {
	s := New()
	s.SetConfigFile(path)
	return s, s.ReadInConfig()
}
`, "s.Set(%q, %s)", `if err := s.MergeConfigMap(map[string]any{"cache": map[string]any{"size": 40}}); err != nil {`},
	{"koanf", "mailer", "String", `import (
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

type store struct{ *koanf.Koanf }

func (s store) Number(key string) int         { return s.Int(key) }
func (s store) Time(key string) time.Duration { return s.Duration(key) }

func (s store) LoadMap(all map[string]any) error { return s.Koanf.Load(confmap.Provider(all, "."), nil) }

func New() store {
	s := store{koanf.New(".")}
	if err := s.LoadMap(map[string]any{"cache.mode": "lru"}); err != nil {
		panic(err)
	}
	return s
}

func Load(path string) (store, error) {
	s := New()
	return s, s.Koanf.Load(file.Provider(path), yaml.Parser())
}
`, "if err := s.Set(%q, %s); err != nil {\n\t\tt.Fatal(err)\n\t}", `if err := s.Load(confmap.Provider(map[string]any{"cache.size": 40}, "."), nil); err != nil {`},
}

// TestSetKey: a test that sets a key, or loads a map of its own, with just what is deployed has the new value there if
// that is another form, a word that the program does not know, or a number that is near. Another word that the program
// knows is none that the test is about.
func TestSetKey(t *testing.T) {
	pace.Slow(t)
	for _, s := range stores {
		imports := "import \"testing\"\n"
		if s.name == "koanf" {
			imports = "import (\n\t\"testing\"\n\n\t\"github.com/knadh/koanf/providers/confmap\"\n)\n"
		}
		const old = "cache:\n  mode: lru\n  wait: 3s\n  size: 40\n"
		files := map[string]string{"config.yaml": old, "store.go": "package store\n\n" + s.code + `
func Picks(s store) int {
	switch s.` + s.text + `("cache.mode") {
	case "lru":
		return 1
	case "lfu":
		return 2
	}
	return 0
}

func Waits(s store) bool { return s.Time("cache.wait") > time.Millisecond }

func Fits(s store) bool { return s.Number("cache.size")%4 == 0 }
`, "store_test.go": "package store\n\n" + imports + `
func TestFile(t *testing.T) {
	s, err := Load("config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(s.` + s.text + `("cache.mode"), s.Time("cache.wait"), s.Number("cache.size"))
}

func TestPicks(t *testing.T) {
	s := New()
	` + fmt.Sprintf(s.set, "cache.mode", `"lru"`) + `
	if got := Picks(s); got != 1 {
		t.Errorf("it picks %d", got)
	}
}

func TestWaits(t *testing.T) {
	s := New()
	` + fmt.Sprintf(s.set, "cache.wait", `"3s"`) + `
	if !Waits(s) {
		t.Error("it does not wait")
	}
}

func TestFits(t *testing.T) {
	s := New()
	` + s.load + `
		t.Fatal(err)
	}
	if !Fits(s) {
		t.Error("it does not fit")
	}
}
`}
		compare(t, s.name, s.example, files, []comparison{
			{"mode: lru", "mode: l-r-u", "violated passes cache.mode: TestPicks: it picks 0"},
			{"mode: lru", "mode: lfu", "holds passes cache.mode: 1 test passes with it"},
			{"wait: 3s", "wait: 3", "violated passes cache.wait: TestWaits: it does not wait"},
			{"wait: 3s", "wait: 5s", "holds passes cache.wait: 1 test passes with it"},
			{"size: 40", "size: 33", "violated passes cache.size: TestFits: it does not fit"},
			{"size: 40", "size: 44", "holds passes cache.size: 1 test passes with it"},
		})
	}
}

// TestTypedGetter: what a method makes of a key is what is read where it makes nothing of it, or so many nanoseconds,
// and nobody says so.
func TestTypedGetter(t *testing.T) {
	pace.Slow(t)
	for _, s := range stores {
		const old = "cache:\n  mode: lru\n  wait: 3s\n  size: 40\n"
		files := map[string]string{"config.yaml": old, "store.go": "package store\n\n" + s.code, "store_test.go": `package store

import "testing"

func TestFile(t *testing.T) {
	s, err := Load("config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if s.Time("cache.wait") < 0 || s.Number("cache.size") < 0 {
		t.Error("it is less than nothing")
	}
}
`}
		compare(t, s.name, s.example, files, []comparison{
			{"wait: 3s", "wait: 5s", "holds passes cache.wait: 1 test passes with it"},
			{"wait: 3s", "wait: 3", "violated refuses cache.wait: it is read as 3ns, and nothing refuses it"},
			{"wait: 3s", "wait: 3 s", "violated refuses cache.wait: it is read as 0s, and nothing refuses it"},
			{"size: 40", "size: many", "violated refuses cache.size: it is read as 0, and nothing refuses it"},
			{"size: 40", "size: 41", "holds passes cache.size: 1 test passes with it"},
		})
	}
}

// comparison is a line of config.yaml that changes, and what is said of that.
type comparison struct{ from, to, want string }

// compare tries changes of a module that has the libraries of an example.
func compare(t *testing.T, name, example string, files map[string]string, all []comparison) {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(examples, example, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	folder, cache := t.TempDir(), t.TempDir()
	written(t, folder, files)
	for _, c := range all {
		old := files["config.yaml"]
		now := strings.Replace(old, c.from, c.to, 1)
		o, err := Diff(t.Context(), options(t, folder, cache), version(t, "config.yaml", old), version(t, "config.yaml", now))
		if err != nil {
			t.Fatal(err)
		}
		r := o.Report(folder).Results[0]
		if says, _, _ := strings.Cut(r.Message, " (store_test.go"); fmt.Sprintf("%s %s %s: %s%s", r.Verdict, r.Name, r.Subject, says, r.Reason) != c.want {
			t.Errorf("%s: %s: it says %s %s %s: %s%s, want %s", name, c.to, r.Verdict, r.Name, r.Subject, r.Message, r.Reason, c.want)
		}
	}
}
