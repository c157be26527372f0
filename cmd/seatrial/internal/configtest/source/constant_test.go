package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestConstants: what the code compares a parameter with, where it was read.
func TestConstants(t *testing.T) {
	folder := t.TempDir()
	text := `package a

func f(c config) int {
	if c.Order == "oldest" || "newest" != c.Order {
		return 1
	}
	switch c.Get("tls") {
	case "off", "always":
		return 2
	}
	format := c.Format
	println(other == "no")
	switch format {
	case "jpeg":
	}
	_ = map[string]int{"Ki": 1}[c.Unit]
	return 0
}

var levels = []string{"low", "high"}

func g(c config) *writer {
	for _, l := range levels {
		if l == c.Level {
			println(slices.Contains(levels, c.Least))
		}
	}
	return &writer{codec: c.Codec}
}

func (w *writer) write() {
	switch w.codec {
	case "xz":
	}
}
`
	if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const test = "package a\n\nfunc TestF() {\n\tif c.Mode != \"safe\" {\n\t}\n\tif d := c.Kind; d != \"x\" && d != \"y\" {\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(folder, "a_test.go"), []byte(test), 0o600); err != nil {
		t.Fatal(err)
	}
	m := Of(folder, "")
	for site, want := range map[string][]string{
		"a_test.go:4": nil, "a_test.go:6": {"x", "y"}, // one is a default that is asserted
		"a.go:4": {"newest", "oldest"}, "a.go:7": {"always", "off"}, "a.go:11": {"jpeg"}, "a.go:16": {"Ki"}, "a.go:17": nil,
		"a.go:24": {"high", "low"}, "a.go:25": {"high", "low"}, "a.go:28": {"xz"},
		"no.go:1": nil, "../a.go:4": nil, "a.go": nil,
	} {
		if got := m.Constants([]string{site}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", site, got, want)
		}
	}
}

// TestFollow: a constant that has the value of another by its name, through however many.
func TestFollow(t *testing.T) {
	texts := map[string]string{"first": "x"}
	others := map[string]string{"second": "first", "third": "second", "fourth": "third", "this": "that", "that": "this", "lost": "gone"}
	for name, want := range map[string]string{"second": "x", "third": "x", "fourth": "x", "this": "", "lost": "", "none": ""} {
		if got, is := follow(name, others, texts); got != want || is != (want != "") {
			t.Errorf("%s: %q, %v", name, got, is)
		}
	}
}
