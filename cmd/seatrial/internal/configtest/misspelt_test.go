package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestMisspelt: a key that nobody knows is refused by viper where the program asks for that, as by other decoders.
func TestMisspelt(t *testing.T) {
	pace.Slow(t)
	for _, c := range []struct {
		name, decode string
		change       []string
		want         string
	}{
		{"exactly", "v.UnmarshalExact(c)", []string{"size", "sise"}, "violated cache.sise (4 → not set)"}, // what is missing is told with it
		{"exactly, beside another one", "v.UnmarshalExact(c)", []string{"size", "sise", "2s", "3s"}, "holds cache.ttl, violated cache.sise (4 → not set)"},
		{"exactly, a value", "v.UnmarshalExact(c)", []string{"4", "5"}, "holds cache.size"},
		{"unused", "v.Unmarshal(c, func(d *mapstructure.DecoderConfig) { d.ErrorUnused = true })", []string{"size", "sise"}, "violated cache.sise (4 → not set)"},
		{"whatever it is", "v.Unmarshal(c)", []string{"size", "sise"}, "holds cache.size, violated cache.sise (4 → not set)"},
	} {
		imports := `import "github.com/spf13/viper"`
		if strings.Contains(c.decode, "mapstructure") {
			imports = "import (\n\t\"github.com/go-viper/mapstructure/v2\"\n\t\"github.com/spf13/viper\"\n)"
		}
		folder := withViper(t, map[string]string{
			"store.go": "package store\n\n" + imports + `

type Config struct {
	Cache struct {
		Size int
		TTL  string
	}
}

func Load(file string) (*Config, error) {
	v := viper.New()
	v.SetDefault("cache.size", 3)
	v.SetDefault("cache.ttl", "1s")
	if file != "" {
		v.SetConfigFile(file)
		if err := v.ReadInConfig(); err != nil {
			return nil, err
		}
	}
	c := &Config{}
	return c, ` + c.decode + `
}
`,
			"store_test.go": `package store

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if c.Cache.Size > 100 || c.Cache.TTL == "" {
		t.Error("it is too large")
	}
}
`,
		})
		const old = "cache:\n  size: 4\n  ttl: 2s\n"
		o, err := Diff(t.Context(), options(t, folder, t.TempDir()), version(t, "config.yaml", old), version(t, "config.yaml", strings.NewReplacer(c.change...).Replace(old)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range o.Report(folder).Results {
			says := fmt.Sprintf("%s %s", r.Verdict, r.Subject)
			for _, cause := range r.Causes {
				if name, lost, _ := strings.Cut(cause.Message, ": "); name != r.Subject && strings.HasSuffix(lost, "not set") {
					says += " (" + lost + ")"
				}
			}
			got = append(got, says)
		}
		slices.Sort(got)
		if says := strings.Join(got, ", "); says != c.want {
			t.Errorf("%s: it says %s, want %s", c.name, says, c.want)
		}
	}
}

// withViper is a module of some files that can import viper.
func withViper(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(examples, "thumbs", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
