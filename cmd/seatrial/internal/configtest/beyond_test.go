package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// courier has tests of parts that make what is configured by hand, in a literal or field by field, and go on with other
// values that are near.
var courier = map[string]string{
	"go.mod": "module example.com/courier\n\ngo 1.25\n", "courier.json": `{"lease": 30, "batch": 25, "cache": 8}`,
	"courier.go": `package courier

import "encoding/json"

type Config struct {
	Lease int ` + "`json:\"lease\"`" + `
	Batch int ` + "`json:\"batch\"`" + `
	Cache int ` + "`json:\"cache\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// takes is how long a delivery may take.
const takes = 9

// Lost tells whether a delivery may be made twice.
func Lost(c Config) bool { return takes > c.Lease }

// Pass delivers what waits, a batch at a time, and gives up behind so many.
func Pass(c Config, waits, most int) (left int) {
	for range most {
		waits -= min(c.Batch, waits)
	}
	return waits
}

// Hits is how many of so many requests for one thing are answered from the cache.
func Hits(c Config, requests int) int {
	if c.Cache == 0 {
		return 0
	}
	return requests - 1
}
`,
	"courier_test.go": `package courier

import "testing"

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil || c.Lease < 0 || c.Batch < 0 || c.Cache < 0 {
		t.Fatal(err)
	}
}

func TestSlow(t *testing.T) {
	var c Config
	c.Lease = 30
	if Lost(c) {
		t.Error("it is delivered twice")
	}
}

func TestAll(t *testing.T) {
	if left := Pass(Config{Batch: 25}, 60, 100); left != 0 {
		t.Errorf("%d are left", left)
	}
}

func TestOne(t *testing.T) {
	if left := Pass(Config{Batch: 25}, 1, 3); left != 0 {
		t.Errorf("%d is left", left)
	}
}

func TestOnce(t *testing.T) {
	if left := Pass(Config{Batch: 25}, 200, 1); left == 0 {
		t.Error("all is delivered at once")
	}
}

func TestHits(t *testing.T) {
	if n := Hits(Config{Cache: 8}, 5); n != 4 {
		t.Errorf("%d hits", n)
	}
}

func TestHit(t *testing.T) {
	if n := Hits(Config{Cache: 8}, 2); n != 1 {
		t.Errorf("%d hits", n)
	}
}
`,
}

// TestBeyondByHand: a test that passes with half of what it has written by hand, and with twice as much, is about what
// goes beyond that. Nothing is found if most tests need something, and the program does not say what nothing means.
func TestBeyondByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "courier.json", courier)
	text := func(lease, batch, cache string) string {
		return `{"lease": ` + lease + `, "batch": ` + batch + `, "cache": ` + cache + `}`
	}
	for _, tc := range []struct{ lease, batch, cache, want string }{
		{"8", "25", "8", "violated lease: TestSlow: it is delivered twice (courier_test.go:16)"},
		{"12", "25", "8", "holds lease: 1 test passes with it"},
		{"30", "240", "8", "inconclusive batch: in the place of the old value, which they have written by hand, it breaks TestOnce, not so 26, 50, 13: that may be about their own values; 1 test passed"},
		{"30", "0", "8", "violated batch: TestAll: 60 are left (courier_test.go:22)"},
		{"30", "25", "0", "holds cache: 1 test passes with it"},
	} {
		out, err := s.diff(t.Context(), said(text("30", "25", "8")), said(text(tc.lease, tc.batch, tc.cache)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %+v it says %s %s: %s%s", tc, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
