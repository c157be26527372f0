package configtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestLoggedKey: a key of viper, or a flag, that is only logged is not used, as with a field.
func TestLoggedKey(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, map[string]string{
		"store.go": `package store

import (
	"flag"
	"log"
	"log/slog"

	"github.com/spf13/viper"
)

var level = flag.Int("level", 3, "how much")

type Store struct{ size int }

func New() *Store {
	v := viper.New()
	v.SetDefault("owner", "me")
	v.SetDefault("place", "here")
	v.SetDefault("size", 3)
	log.Printf("%s owns it, %d", v.GetString("owner"), *level)
	slog.Info("begins", "place", v.GetString("place"), "size", v.GetInt("size"))
	return &Store{v.GetInt("size")}
}
`,
		"store_test.go": `package store

import "testing"

func TestNew(t *testing.T) {
	if s := New(); s.size > 100 {
		t.Error("it is too large")
	}
}
`,
	})
	const old = "owner: me\nplace: here\nsize: 4\n"
	cache := t.TempDir()
	for _, c := range []struct{ old, now, want string }{
		{"owner: me", "owner: you", "inconclusive owner"},
		{"place: here", "place: there", "inconclusive place"},
		{"size: 4", "size: 5", "holds size"},
		{"size: 4", "size: 101", "violated size"},
	} {
		if got := said(t, folder, cache, "store.yaml", old, strings.Replace(old, c.old, c.now, 1), false); got != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
	m, err := Map(t.Context(), options(t, folder, cache))
	if err != nil {
		t.Fatal(err)
	}
	if reads := m.Packages[0].Tests[0].Reads; fmt.Sprint(reads) != "[viper:size]" {
		t.Errorf("it reads %v", reads)
	}
}
