package source

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNothing: a program that compares what it reads with 0 has a meaning for that.
func TestNothing(t *testing.T) {
	const source = `package shop

func f(c Config) int {
	if c.Idle <= 0 {
		return 1
	}
	ttl := c.TTL
	if 0 == ttl {
		return 2
	}
	for i := range c.Batch {
		if i == 0 {
			return c.Limit
		}
	}
	if c.Size < 0 || c.Wait <= 0 {
		return 4
	}
	if c.Most < 0 {
		return 5
	}
	for i := 0; i < c.Tries; i++ {
		if i > 0 {
			return 6
		}
	}
	if w.used > 0 && w.used+n > c.LogMost<<20 || w.left > 0 && c.Keep > 0 {
		return 7
	}
	return 3
}
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	m := Of(folder, "")
	for site, want := range map[string]bool{"shop.go:4": true, "shop.go:7": true, "shop.go:11": false, "shop.go:13": false, "shop.go:16": false, "shop.go:19": false, "shop.go:22": false, "gone.go:1": false} {
		if got := m.Nothing([]string{site}); got != want {
			t.Errorf("%s: %t", site, got)
		}
	}
	for name, want := range map[string]bool{"LOG_MOST": false, "keep": true, "other": true} {
		if got := m.Nothing([]string{"shop.go:27"}, name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
