package configtest

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestPanicByHand: where a number that is more, and not far from the old one, has the program panic in a test that has
// written the old one by hand, and reads nothing else, that is found. What else a test has it may have so that the new
// one does not go with it; what it hands to the program may be anything, and is the program's to look at.
func TestPanicByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import "encoding/json"

type Config struct {
	Hops     int ` + "`json:\"hops\"`" + `
	Shards   int ` + "`json:\"shards\"`" + `
	Replicas int ` + "`json:\"replicas\"`" + `
	Copies   int ` + "`json:\"copies\"`" + `
	Slots    int ` + "`json:\"slots\"`" + `
	Nodes    []string ` + "`json:\"nodes\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// Client is the address that so many proxies have seen.
func (c Config) Client(seen []string) string { return seen[len(seen)-c.Hops] }

func (c Config) Place() int { return make([]int, c.Shards)[c.Replicas] }

// Spread puts a copy on each of so many nodes.
func (c Config) Spread() (out []string) {
	for i := range c.Copies {
		out = append(out, c.Nodes[i])
	}
	return out
}

func (c Config) Ring() []int { return make([]int, c.Slots) }
`,
		"shop_test.go": `package shop

import "testing"

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Hops, c.Shards, c.Replicas, c.Copies, c.Slots, c.Nodes)
}

func TestClient(t *testing.T) {
	if got := (Config{Hops: 1}).Client([]string{"a"}); got != "a" {
		t.Errorf("it is %s", got)
	}
}

func TestPlace(t *testing.T) {
	if got := (Config{Shards: 2, Replicas: 1}).Place(); got != 0 {
		t.Errorf("it is %d", got)
	}
}

func TestSpread(t *testing.T) {
	if got := (Config{Nodes: []string{"a", "b"}, Copies: 2}).Spread(); len(got) != 2 {
		t.Errorf("it is %q", got)
	}
}

func TestRing(t *testing.T) {
	ring := Config{Slots: 8}.Ring()
	for i := range 8 {
		ring[i] = i
	}
}
`,
	})
	const rest = `, "slots": 8, "nodes": ["a", "b", "c"]}`
	for text, want := range map[string]string{
		`{"hops": 2, "shards": 4, "replicas": 1, "copies": 2` + rest:                                 "violated hops: TestClient: panic: runtime error: index out of range [-1]",
		`{"hops": 1, "shards": 4, "replicas": 2, "copies": 2` + rest:                                 "holds replicas: 1 test passes with it",
		`{"hops": 1, "shards": 4, "replicas": 1, "copies": 3` + rest:                                 "holds copies: 1 test passes with it",
		`{"hops": 1, "shards": 4, "replicas": 1, "copies": 2, "slots": 6, "nodes": ["a", "b", "c"]}`: "holds slots: 1 test passes with it",
	} {
		out, err := s.diff(t.Context(), said(`{"hops": 1, "shards": 4, "replicas": 1, "copies": 2`+rest), said(text))
		if err != nil {
			t.Fatal(err)
		}
		r := out.Report("").Results[0]
		if string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", text, r.Verdict, r.Subject, r.Message, r.Reason)
		}
		for _, c := range r.Causes {
			if strings.Contains(c.Message, "with  there") || strings.Contains(c.Message, "no other value") {
				t.Errorf("of %s it says %q", text, c.Message)
			}
		}
	}
}
