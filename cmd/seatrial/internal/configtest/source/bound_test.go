package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// uses is what a program does with what it is told.
const uses = `package shop

import (
	"log"
	"log/slog"
	"net/http"
	"strings"
)

type Config struct {
	Retries, Hold, MaxMB, Size, Depth, Idle, Room int
	Level, Mode, Method, Verb, Kind               string
}

type client struct{ retries, room int }

func New(c Config, v settings) *client {
	return &client{
		retries: c.Retries,
		room:    v.GetInt("room"),
	}
}

func (l *client) do() {
	for n := 0; n <= l.retries; n++ {
		l.try()
	}
	if l.room < 0 {
		return
	}
}

const noEnd = -1

func (w *Writer) Write(b []byte) {
	if w.used > 0 && w.used+len(b) > int64(w.c.MaxMB)<<20 {
		w.rotate()
	}
	if n := w.c.Depth; n < 0 || w.c.Hold == noEnd {
		return
	}
	sized(w.c.Size)
	_ = &http.Transport{MaxIdleConns: w.c.Idle}
	var l slog.Level
	_ = l.UnmarshalText([]byte(w.c.Level))
	log.Print(strings.ToUpper(w.c.Mode))
	pick(w.c.Mode)
	_ = &http.Request{Method: w.c.Method}
	ask(w.c.Verb, "")
	if w.c.Kind == "a" || w.c.Kind == "b" {
		return
	}
}

var ask = http.NewRequest

func pick(mode string) bool { return mode == "fast" || mode == "safe" }
`

// TestUses: what only bounds something, and what goes on to other code.
func TestUses(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.go": uses, "shop_test.go": uses} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := Of(folder, "example.com/shop")
	for _, tc := range []struct {
		line, name   string
		bounds, away bool
	}{
		{"retries: c.Retries", "upstream.retries", true, false},
		{"v.GetInt", "room", false, false},
		{"w.c.MaxMB", "LOG_MAX_MB", true, false},
		{"w.c.Depth", "depth", false, false},
		{"w.c.Hold", "hold", false, false},
		{"w.c.Size", "size", false, true},
		{"w.c.Idle", "idle", false, true},
		{"w.c.Level", "level", false, true},
		{"strings.ToUpper", "mode", false, false},
		{"pick(w.c.Mode)", "mode", false, false},
		{"w.c.Method", "method", false, true},
		{"w.c.Verb", "verb", false, true},
		{"w.c.Kind", "kind", false, false},
	} {
		before, _, _ := strings.Cut(uses, tc.line)
		sites := []string{fmt.Sprintf("shop.go:%d", strings.Count(before, "\n")+1)}
		if bounds, away := m.Bounds(sites, tc.name), m.Away(sites, tc.name); bounds != tc.bounds || away != tc.away {
			t.Errorf("%s at %s: bounds %t, away %t", tc.name, tc.line, bounds, away)
		}
	}
}
