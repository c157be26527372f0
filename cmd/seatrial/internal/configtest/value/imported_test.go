package value

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestImported: words that another package of the module has names for, alone, in a list or as keys of a map; what a package outside of it has names for is not known.
func TestImported(t *testing.T) {
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/a\n", "a.go": `package a

import (
	"net/http"
	"slices"

	"example.com/a/config"
)

func f(c config.Config) {
	switch c.Mode {
	case config.Fast:
	case config.Slow, http.MethodGet:
	}
	_ = c.Level == config.High
	_ = slices.Contains(config.Kinds, c.Kind)
	_ = config.Codes[c.Code]
	for _, zone := range config.Zones { if zone == c.Zone { return } }
}
`, "config/config.go": "package config\n\nimport \"example.com/a/zone\"\n\nconst (\n\tFast Mode = \"fast\"\n\tSlow Mode = \"slow\"\n\tHigh = \"high\"\n)\n\nvar Kinds = []string{High, \"other\"}\n\nvar Codes = map[string]int{High: 1, \"none\": 2}\n\nvar Zones = []string{zone.North, \"south\"}\n",
		"zone/zone.go": "package zone\n\nconst North = \"north\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for site, want := range map[string][]string{
		"a.go:11": {"fast", "slow"}, "a.go:15": {"high"}, "a.go:16": {"high", "other"}, "a.go:17": {"high", "none"}, "a.go:18": {"north", "south"},
	} {
		if got := Constants(module, []string{site}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", site, got, want)
		}
	}
}
