package configtest

import "testing"

// sharing has tests that write numbers of their own where others are deployed.
var sharing = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import "encoding/json"

type Config struct {
	Shards   int ` + "`json:\"shards\"`" + `
	Points   int ` + "`json:\"points\"`" + `
	Retries  int ` + "`json:\"retries\"`" + `
	Capacity int ` + "`json:\"capacity\"`" + `
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
	if c, err := Load(text); err != nil || c.Shards+c.Points+c.Retries+c.Capacity < 0 {
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
	if !(Config{Retries: 4}).Send(func() bool { calls++; return calls > 4 }) {
		t.Error("it has not worked")
	}
}

func TestKeeps(t *testing.T) {
	if n := (Config{Capacity: 100}).Keeps(90); n != 90 {
		t.Errorf("%d of 90 are kept", n)
	}
}
`,
}

// TestOwnNumber: a test that has another number than the deployed one shows that the new one does not go if it passes with the deployed one, half
// of it and twice as much. It may be of a number between these; and of a tenth or less, if a quarter of its own is enough for it. One that needs what it has
// itself is about its own figures.
func TestOwnNumber(t *testing.T) {
	s, said := shop(t, "shop.json", sharing)
	of := func(shards, points, retries, capacity string) string {
		return `{"shards": ` + shards + `, "points": ` + points + `, "retries": ` + retries + `, "capacity": ` + capacity + `}`
	}
	for now, want := range map[string]string{
		of("12", "100", "20", "1000"): "violated shards: TestPlaces: shard 4 has nothing (shop_test.go:21)",
		of("32", "100", "20", "1000"): "holds shards: 1 test passes with it",
		of("16", "2", "20", "1000"):   "violated points: TestUneven: a share is 0.5 away (shop_test.go:28)",
		of("16", "60", "20", "1000"):  "holds points: 1 test passes with it",
		of("16", "100", "2", "1000"):  "holds retries: 1 test passes with it",
		of("16", "100", "20", "80"):   "holds capacity: 1 test passes with it",
	} {
		out, err := s.diff(t.Context(), said(of("16", "100", "20", "1000")), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
