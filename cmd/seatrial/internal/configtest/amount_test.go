package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// amounts has tests that make what is configured by hand, with numbers as they are deployed.
var amounts = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{"batch": 50, "skew": 30, "keep": 7, "workers": 40, "days": 3}`,
	"shop.go": `package shop

import (
	"encoding/json"
	"time"
)

type Config struct {
	Batch   int    ` + "`json:\"batch\"`" + `
	Skew    int    ` + "`json:\"skew\"`" + `
	Keep    int    ` + "`json:\"keep\"`" + `
	Workers int    ` + "`json:\"workers\"`" + `
	Days    int    ` + "`json:\"days\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

type Options struct {
	Batch, Room int
	Skew        time.Duration
	Days        int
}

type Box struct {
	o    Options
	held int
}

func New(o Options) *Box { return &Box{o: o} }

// Push tells whether there is room; a full batch is sent.
func (b *Box) Push() bool {
	if b.held >= b.o.Room {
		return false
	}
	if b.held++; b.held >= b.o.Batch {
		b.held = 0
	}
	return true
}

func (b *Box) Early(by time.Duration) bool { return by > b.o.Skew }

func (b *Box) Old(days int) bool { return days > b.o.Days }

func Left(n, keep int) int { return min(n, keep) }

func Each(n, workers int) int { return n / workers }

func Start(c Config) *Box {
	skew := time.Duration(c.Skew) * time.Second
	b := New(Options{Batch: c.Batch, Room: 500, Days: c.Days, Skew: skew})
	Left(9, c.Keep)
	Each(9, c.Workers)
	return b
}
`,
	"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil || c.Batch < 0 || c.Keep < 0 || c.Workers < 0 || c.Days < 0 || c.Skew < 0 {
		t.Fatal(err)
	}
}

func TestBurst(t *testing.T) {
	b := New(Options{Batch: 50, Room: 500})
	for i := range 1200 {
		if !b.Push() {
			t.Fatalf("no room for %d", i)
		}
	}
}

func TestEarly(t *testing.T) {
	if !New(Options{Skew: 30 * time.Second}).Early(40 * time.Second) {
		t.Fatal("it is taken")
	}
}

func TestFull(t *testing.T) {
	b := New(Options{Batch: 50, Room: 49})
	for range 49 {
		b.Push()
	}
	if b.Push() {
		t.Fatal("there is room")
	}
}

func TestLeft(t *testing.T) {
	if n := Left(10, 7); n != 7 {
		t.Fatalf("%d are left", n)
	}
}

func TestEach(t *testing.T) {
	if n := Each(1000, 40); n < 1 {
		t.Fatalf("each has %d", n)
	}
}

func TestOld(t *testing.T) {
	if !New(Options{Days: 3}).Old(5) {
		t.Fatal("it is kept")
	}
}
`,
}

// TestAmountByHand: a test that makes what is configured by hand, with a number or a time as it is deployed, is run
// with one that is far from that. It is found if the test passes next to the old value and most of the way to the new
// one, or next to it where the new one looks like another unit, or where the program panics. A test that asserts the
// old value, or whose own figures only go with values near it, shows nothing.
func TestAmountByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", amounts)
	text := func(batch, skew, keep, workers, days string) string {
		return `{"batch": ` + batch + `, "skew": ` + skew + `, "keep": ` + keep + `, "workers": ` + workers + `, "days": ` + days + `}`
	}
	for _, tc := range []struct{ batch, skew, keep, workers, days, want string }{
		{"800", "30", "7", "40", "3", "violated batch: TestBurst: no room for 500 (shop_test.go:19)"},
		{"400", "30", "7", "40", "3", "holds batch: 1 test passes with it"}, // the test does with less than ten times as much
		{"50", "30000", "7", "40", "3", "violated skew: TestEarly: it is taken (shop_test.go:26)"},
		{"50", "3000", "7", "40", "3", "holds skew: 1 test passes with it"}, // most of the way the test's own 40 s go no more
		{"50", "30", "7", "0", "3", "violated workers: TestEach: panic: runtime error: integer divide by zero"},
		{"50", "30", "0", "40", "3", "holds keep: 1 test passes with it"},   // six are not seven either
		{"50", "30", "7", "40", "300", "holds days: 1 test passes with it"}, // with 95 what is five days old goes no more
	} {
		out, err := s.diff(t.Context(), said(text("50", "30", "7", "40", "3")), said(text(tc.batch, tc.skew, tc.keep, tc.workers, tc.days)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %+v it says %s %s: %s%s", tc, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
