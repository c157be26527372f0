package source

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMeant: what a program says of nothing, or less, of a parameter.
func TestMeant(t *testing.T) {
	folder := t.TempDir()
	const source = `package shop

type Config struct {
	Quota   int // 0: unlimited
	// Hold is how long it is kept; without end if it is negative.
	Hold    int
	Burst   int // at once, 20 to begin with, not 0
	Retries int // tries again
	Grace   int // off by default. Between 0 and 9
	// Rate must never be 0. With 0 all requests are refused.
	Rate int
	Depth int // it must not be negative
}

type Pool struct {
	Size int // 0: unlimited
}

// Zero-downtime deploys keep all workers.

// The number of workers; zero means that all do. With a size of 0 pages are unlimited.
var usage = "-1 disables the check of --depth"
`
	if err := os.WriteFile(filepath.Join(folder, "shop.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	m := Of(folder, "")
	for _, tc := range []struct {
		now, name string
		want      bool
	}{
		{"0", "mail.daily_quota", true}, {"-1", "mail.daily_quota", false}, {"5", "mail.daily_quota", false}, {`"0s"`, "quota", true},
		{"-1", "HOLD", true}, {"0", "HOLD", false},
		{"0", "limits.burst", false}, {"-1", "retries", false}, {"0", "grace", false}, {"0", "rate", false}, {"0", "deploys", false},
		{"0", "workers", true}, {"-1", "--depth", true}, {"0", "cache.size", false}, {"0", "pool.size", true}, {"0", "--size", true}, {"0", "pages.size", true}, {"lru", "quota", false},
	} {
		if got := m.Meant(tc.now, tc.name); got != tc.want {
			t.Errorf("%s of %s: %t", tc.now, tc.name, got)
		}
	}
}
