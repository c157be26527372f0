package value

import (
	"os"
	"path/filepath"
	"testing"
)

// uses is what a program does with what it is told.
const uses = `package shop

import (
	"log"
	"log/slog"
	"strings"
)

type Config struct {
	Retries int
	Hold    int // -1 is for ever
	MaxMB   int
	Size    int
	Level   string
	Mode    string
	Depth   int
}

func (w *Writer) Write(b []byte) {
	if w.used > 0 && w.used+len(b) > int64(w.c.MaxMB)<<20 {
		w.rotate(w.c.Size)
	}
	if n := w.c.Depth; n < 0 || len(w.all) < w.c.Size {
		return
	}
	for i := 0; i <= w.c.Retries; i++ {
		w.try()
	}
	var l slog.Level
	_ = l.UnmarshalText([]byte(w.c.Level))
	log.Print(strings.ToUpper(w.c.Mode))
	pick(w.c.Mode)
}

func pick(mode string) bool { return mode == "fast" || mode == "safe" }
`

// TestUses: what is asked for its sign, what bounds something, and what goes on to other code.
func TestUses(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.go": uses, "shop_test.go": uses} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		site, name           string
		signed, bounds, away bool
	}{
		{"shop.go:26", "upstream.retries", false, true, false},
		{"shop.go:1", "hold", true, false, false},
		{"shop.go:20", "LOG_MAX_MB", false, true, false},
		{"shop.go:21", "size", false, false, true},
		{"shop.go:23", "depth", true, false, false},
		{"shop.go:23", "size", true, true, false},
		{"shop.go:23", "page_size", true, true, false},
		{"shop.go:23", "ize", true, false, false},
		{"shop.go:30", "level", false, false, true},
		{"shop.go:31", "mode", false, false, false},
		{"shop.go:32", "mode", false, false, false},
		{"shop_test.go:26", "upstream.retries", false, false, false},
	} {
		sites := []string{tc.site}
		if signed, bounds, away := Signed(folder, sites, tc.name), Bounds(folder, sites, tc.name), Away(folder, sites, tc.name); signed != tc.signed || bounds != tc.bounds || away != tc.away {
			t.Errorf("%s at %s: signed %t, bounds %t, away %t", tc.name, tc.site, signed, bounds, away)
		}
	}
}
