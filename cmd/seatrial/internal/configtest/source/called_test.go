package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCalled: a parameter is followed into functions of the module that are called with it, through some of them. Of
// two values of one line it is the one of its name.
func TestCalled(t *testing.T) {
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/a\n", "a.go": `package a

import (
	"strings"

	"example.com/a/level"
	other "example.com/b/level"
	"example.com/b/codec/v2"
)

func f(c config) {
	_ = policy{of: parse(1, c.Policy)}
	_ = level.Parse(c.Level)
	_ = other.Parse(c.Level)
	_ = codec.Parse(c.Codec)
	kind := c.Kind
	_ = parse(2, kind)
	_ = loop(c.Loop)
	_ = both(c.Region, c.Mode)
	_, _ = parse(1, c.Region), loop(c.Mode)
}

func both(region, mode string) bool { return mode == "eu" || mode == "us" }

func Parse(text string) bool { return text == "png" }

func parse(n int, name string) int {
	if name == "keep" {
		return n
	}
	return again(name)
}

func again(name string) int {
	switch strings.ToLower(name) {
	case "drop":
	}
	return 0
}

func loop(l string) bool { return l == "on" || loop(l) }
`, "level/level.go": "package level\n\nfunc Parse(text string) bool { return text == \"high\" || text == \"low\" }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := Of(module, "example.com/a")
	for site, want := range map[string][]string{
		"a.go:12": {"drop", "keep"}, "a.go:13": {"high", "low"}, "a.go:14": nil, "a.go:15": nil, "a.go:16": {"drop", "keep"}, "a.go:18": {"on"}, "a.go:19": nil, "a.go:20": nil,
	} {
		if got := m.Constants([]string{site}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", site, got, want)
		}
	}
	for name, want := range map[string][]string{"env:A_REGION": {"drop", "keep"}, "--mode": {"on"}, "store.mode": {"on"}, "model": nil} {
		if got := m.Constants([]string{"a.go:20"}, name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
