package configtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestOutlived: a goroutine that panics when its test is over ends go test, and is found with the test that started it;
// one that does not shows nothing.
func TestOutlived(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"time"
)

type Config struct {
	Rooms int ` + "`json:\"rooms\"`" + `
	Doors int ` + "`json:\"doors\"`" + `
	Walls int ` + "`json:\"walls\"`" + `
}

func DefaultConfig() *Config { return &Config{Rooms: 2, Doors: 2, Walls: 2} }

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}

var cleaned []int

func Open(c *Config) {
	walls := make([]int, 8)
	n := c.Walls
	go func() {
		time.Sleep(50 * time.Millisecond)
		cleaned = make([]int, 8)
		cleaned[c.Rooms] = 1
		walls[n] = 1
	}()
}
`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestOpen(t *testing.T) { Open(DefaultConfig()) }

func TestDoors(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if DefaultConfig().Doors > 50 {
		t.Error("there are too many")
	}
}
`,
	})
	const old = `{"rooms": 3, "doors": 3, "walls": 3}`
	for _, c := range []struct{ now, want string }{
		{`{"rooms": 9, "doors": 3, "walls": 3}`, "violated SEA4002 rooms: TestOpen: panic: in a goroutine, when the test is over: runtime error: index out of range [9] with length 8"},
		{`{"rooms": 4, "doors": 3, "walls": 3}`, "inconclusive SEA4001 rooms: only goroutines read it whose test is over, which shows nothing: TestOpen"},
		{`{"rooms": 9, "doors": 4, "walls": 4}`, "violated SEA4002 rooms: TestOpen: panic: in a goroutine, when the test is over: runtime error: index out of range [9] with length 8; holds SEA4001 doors: 1 test passes with it; holds SEA4001 walls: 1 test passes with it"},
		{`{"rooms": 3, "doors": 4, "walls": 9}`, "violated SEA4002 walls: TestOpen: panic: in a goroutine, when the test is over: runtime error: index out of range [9] with length 8; holds SEA4001 doors: 1 test passes with it"},
	} {
		out, err := s.diff(t.Context(), said(old), said(c.now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Report(".").Results {
			got = append(got, fmt.Sprintf("%s %s %s: %s%s", r.Verdict, r.Rule, r.Subject, r.Message, r.Reason))
		}
		if says := strings.Join(got, "; "); !strings.HasPrefix(says, c.want) {
			t.Errorf("%s: it says\n%s, want\n%s", c.now, says, c.want)
		}
	}
}
