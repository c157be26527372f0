package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestListed: the words that tests take are those of lists and of switches that have the known one among others.
func TestListed(t *testing.T) {
	const source = `package shop

import "testing"

func TestMode(t *testing.T) {
	if !has([]string{"full", "Fast", "none"}, mode()) {
		t.Error("no such mode")
	}
	switch mode() {
	case "fast", "slow":
	case "off":
	}
	if m := mode(); m != "fast" && m != "crawl" || m == "" {
		t.Error("no such mode")
	}
	_, _, _ = []string{"fast"}, []string{"a", "b"}, map[string]string{"fast": "x"}
}
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	m := Of(folder, "")
	for text, want := range map[string][]string{"fast": {"Fast", "crawl", "fast", "full", "none", "off", "slow"}, "other": nil} {
		if got := m.Listed(".", text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
