package field_test

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestFeedsBesideItself: what is put into a field may be what the field has already, where nothing else is said.
func TestFeedsBesideItself(t *testing.T) {
	pace.Slow(t)
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import "strconv"

type Config struct {
	Parts Parts
	Allow []string
	Wait  int
}

type Parts struct{ Size int }

type store struct{ of map[string]string }

func (s *store) number(key string, instead int) int {
	if n, err := strconv.Atoi(s.of[key]); err == nil {
		return n
	}
	return instead
}

func (s *store) list(key string, instead []string) []string {
	if text, is := s.of[key]; is {
		return []string{text}
	}
	return instead
}

func Load(of map[string]string) Config {
	c := Config{Wait: 7}
	s := &store{of}
	c.Allow = s.list("shop.allow", c.Allow)
	p := &c.Parts
	p.Size = s.number("parts.size", p.Size)
	c.Wait = s.number("wait", c.Parts.Size)
	return c
}

func (c Config) All() (int, []string, int) { return c.Parts.Size, c.Allow, c.Wait }
`,
		"shop_test.go": `package shop

import "testing"

func TestAll(t *testing.T) { t.Log(Load(nil).All()) }
`,
	}), "GOWORK=off")
	for text, want := range map[string]string{"shop.allow": "field:shop.Config.Allow", "parts.size": "field:shop.Config.Parts.Size", "wait": ""} {
		got := slices.ContainsFunc(b.sources.Feeds[parameter.Asked(text)], func(to parameter.Feed) bool { return string(to.ID) == want })
		if got != (want != "") || want == "" && len(b.sources.Feeds[parameter.Asked(text)]) > 0 {
			t.Errorf("%s is put into %v, want %q", text, b.sources.Feeds[parameter.Asked(text)], want)
		}
	}
}
