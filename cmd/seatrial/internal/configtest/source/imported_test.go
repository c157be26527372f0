package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestImported: words that another package of the module has names for, alone, in a list or as keys of a map. Where
// there is a name of a package outside of it, or a list is added to, it is compared with more.
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
	_ = config.Drivers[c.Driver]
	switch c.Speed {
	case config.Fast, config.Turbo, config.Normal:
	}
	_ = c.Mode == c.Other
}
`, "config/config.go": "package config\n\nimport \"example.com/a/zone\"\n\nconst (\n\tFast Mode = \"fast\"\n\tSlow Mode = \"slow\"\n\tHigh = \"high\"\n\tTurbo = Mode(\"turbo\")\n\tNormal = Slow\n)\n\nvar Drivers = map[string]int{\"mem\": 1, \"file\": 2}\n\nfunc Register(name string) { Drivers[name] = 3 }\n\nvar Kinds = []string{High, \"other\"}\n\nvar Codes = map[string]int{High: 1, \"none\": 2}\n\nvar Zones = []string{zone.North, \"south\"}\n",
		"zone/zone.go": "package zone\n\nconst North = \"north\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := Of(module, "example.com/a")
	for _, c := range []struct {
		site string
		want []string
		open bool
	}{
		{"a.go:11", []string{"fast", "slow"}, true},
		{"a.go:15", []string{"high"}, false},
		{"a.go:16", []string{"high", "other"}, false},
		{"a.go:17", []string{"high", "none"}, false},
		{"a.go:18", []string{"north", "south"}, false},
		{"a.go:19", nil, true},
		{"a.go:20", []string{"fast", "slow", "turbo"}, false},
		{"a.go:23", nil, false},
	} {
		if got := m.Constants([]string{c.site}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.site, got, c.want)
		}
		if m.Open([]string{c.site}) != c.open {
			t.Errorf("%s: that it is compared with more is %v", c.site, !c.open)
		}
	}
}
