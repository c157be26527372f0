package configtest

import (
	"encoding/json"
	"maps"
	"testing"
)

// sharing has tests that write numbers of their own where others are deployed, but for one of a ring.
var sharing = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import "encoding/json"

type Config struct {
	Shards   int ` + "`json:\"shards\"`" + `
	Points   int ` + "`json:\"points\"`" + `
	Retries  int ` + "`json:\"retries\"`" + `
	Capacity int ` + "`json:\"capacity\"`" + `
	Batch    int ` + "`json:\"batch\"`" + `
	Rate     int ` + "`json:\"rate\"`" + `
	Ring     int ` + "`json:\"ring\"`" + `
	Take     int ` + "`json:\"take\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// Places is how many there are at each shard: which one a key has is taken from its last bits.
func (c Config) Places(keys int) []int {
	out := make([]int, c.Shards)
	for key := range keys {
		out[key&(c.Shards-1)]++
	}
	return out
}

// Uneven is how far from the half of all a share may be.
func (c Config) Uneven() float64 { return 1 / float64(c.Points) }

// Send tells whether it has worked, with so many retries.
func (c Config) Send(works func() bool) bool {
	for range c.Retries + 1 {
		if works() {
			return true
		}
	}
	return false
}

// Keeps is how many of some are kept.
func (c Config) Keeps(n int) int { return min(n, c.Capacity) }

// Batches is how many of some are sent: what is no whole batch is not.
func (c Config) Batches(n int) int { return n / c.Batch * c.Batch }

// Allows tells whether so many are allowed.
func (c Config) Allows(n int) bool { return n <= c.Rate }

// Turn puts as many into a ring as there are places, and takes them out, some at a time.
func (c Config) Turn() []int {
	ring := make([]int, c.Ring)
	for i := range c.Ring {
		ring[i&(c.Ring-1)] = i
	}
	var out []int
	for len(out) < c.Ring {
		for range min(c.Take, c.Ring-len(out)) {
			out = append(out, ring[len(out)&(c.Ring-1)])
		}
	}
	return out
}
`,
	"shop_test.go": `package shop

import (
	"os"
	"testing"
)

func TestDeployed(t *testing.T) {
	text, err := os.ReadFile("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Load(text); err != nil || c.Shards+c.Points+c.Retries+c.Capacity+c.Batch+c.Rate+c.Ring+c.Take < 0 {
		t.Error(c, err)
	}
}

func TestPlaces(t *testing.T) {
	for shard, n := range (Config{Shards: 8}).Places(1000) {
		if n == 0 {
			t.Fatalf("shard %d has nothing", shard)
		}
	}
}

func TestUneven(t *testing.T) {
	if far := (Config{Points: 64}).Uneven(); far > 0.25 {
		t.Errorf("a share is %g away", far)
	}
}

func TestSend(t *testing.T) {
	calls := 0
	if !(Config{Retries: 40}).Send(func() bool { calls++; return calls > 20 }) {
		t.Error("it has not worked")
	}
}

func TestKeeps(t *testing.T) {
	if n := (Config{Capacity: 100}).Keeps(90); n != 90 {
		t.Errorf("%d of 90 are kept", n)
	}
}

func TestBatches(t *testing.T) {
	if n := (Config{Batch: 4}).Batches(64); n != 64 {
		t.Errorf("%d of 64 are sent", n)
	}
}

func TestAllows(t *testing.T) {
	if !(Config{Rate: 1000}).Allows(100) {
		t.Error("100 are not allowed")
	}
}

func TestTurn(t *testing.T) {
	for i, got := range (Config{Ring: 256, Take: 16}).Turn() {
		if got != i {
			t.Fatalf("%d comes out where %d went in", got, i)
		}
	}
}
`,
}

// TestOwnNumber: a test that has another number than the deployed one shows that the new one does not go if it passes
// with the deployed one, half of it and twice as much. It may be of a number between these, if the test has none that
// goes with these alone, as a total; and of a tenth or less, if a quarter of its own is enough for it, and it has no
// figure below that. One that needs what it has itself is about its own figures. What it writes for other parameters,
// as they are deployed, is none.
func TestOwnNumber(t *testing.T) {
	s, said := shop(t, "shop.json", sharing)
	deployed := map[string]int{"shards": 16, "points": 100, "retries": 200, "capacity": 1000, "batch": 16, "rate": 500, "ring": 256, "take": 16}
	of := func(key string, now int) string {
		all := maps.Clone(deployed)
		all[key] = now
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const passes = "1 test passes with it"
	for _, c := range []struct {
		key     string
		now     int
		verdict string
	}{
		{"shards", 12, "violated shards: TestPlaces: shard 4 has nothing (shop_test.go:21)"},
		{"shards", 32, "holds shards: " + passes},
		{"points", 2, "violated points: TestUneven: a share is 0.5 away (shop_test.go:28)"},
		{"points", 60, "holds points: " + passes},
		{"retries", 8, "holds retries: " + passes}, // a quarter of its own is not enough
		{"capacity", 80, "holds capacity: " + passes},
		{"batch", 24, "holds batch: " + passes}, // 64 are no whole batches
		{"rate", 50, "holds rate: " + passes},   // it asks for 100
		{"ring", 1000, "violated ring: TestTurn: 24 comes out where 0 went in (shop_test.go:60)"},
		{"ring", 128, "holds ring: " + passes},
	} {
		out, err := s.diff(t.Context(), said(of(c.key, deployed[c.key])), said(of(c.key, c.now)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != c.verdict {
			t.Errorf("%s: %d: it says %s %s: %s%s", c.key, c.now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
