package configtest

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// texts has tests of parts that have written texts, lists and texts of a type of its own as they are deployed.
var texts = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

type Config struct {
	Node     string   ` + "`json:\"node\"`" + `
	Segment  string   ` + "`json:\"segment\"`" + `
	Mode     string   ` + "`json:\"mode\"`" + `
	Exempt   []string ` + "`json:\"exempt\"`" + `
	Close    string   ` + "`json:\"close\"`" + `
	Capacity int      ` + "`json:\"capacity\"`" + `
	Full     float64  ` + "`json:\"full\"`" + `
	Limit    Size     ` + "`json:\"limit\"`" + `
	Routes   []Route  ` + "`json:\"routes\"`" + `
	Bands    []Band   ` + "`json:\"bands\"`" + `
}

// Band is all of a length of Most at most, or any.
type Band struct {
	Name string ` + "`json:\"name\"`" + `
	Most int    ` + "`json:\"most\"`" + `
}

type Route struct {
	Match string ` + "`json:\"match\"`" + `
	To    string ` + "`json:\"to\"`" + `
}

// Size is a number of bytes; 0 is no limit.
type Size int64

func (s *Size) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), "KMGiB")
	n, err := strconv.ParseInt(digits, 10, 64)
	*s = Size(n * map[string]int64{"": 1, "KB": 1e3, "MB": 1e6}[strings.TrimPrefix(string(text), digits)])
	return err
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func (c Config) ID(n int) string { return fmt.Sprintf("%s-%d", c.Node, n) }

// Of is the node that has given an id.
func Of(id string) string { return id[:strings.Index(id, "-")] }

func (c Config) Log(at time.Time) string { return at.Format(c.Segment) }

func (c Config) Fast() bool { return c.Mode == "fast" }

func (c Config) Free(name string) bool {
	for _, p := range c.Exempt {
		if is, _ := path.Match(p, name); is {
			return true
		}
	}
	return false
}

func (c Config) Closed(at string) bool { return at >= c.Close }

// Keep is what is left of some.
func (c Config) Keep(all []string) []string {
	for len(all) > c.Capacity {
		all = all[1:]
	}
	return all
}

func (c Config) IsFull(taken, of int) bool { return float64(taken)/float64(of) >= c.Full }

func (c Config) Takes(n int64) bool { return c.Limit == 0 || n <= int64(c.Limit) }

func (c Config) Band(length int) string {
	for _, b := range c.Bands {
		if b.Most == 0 || length <= b.Most {
			return b.Name
		}
	}
	return ""
}

func (c Config) Way(name string) string {
	for _, r := range c.Routes {
		if is, _ := path.Match(r.Match, name); is {
			return r.To
		}
	}
	return ""
}
`,
	"shop_test.go": `package shop

import (
	"os"
	"testing"
	"time"
)

func config() Config {
	c := Config{Node: "mx1", Segment: "tide-2006010215.log", Mode: "fast", Exempt: []string{"alerts", "cron-*"}, Close: "06:00", Capacity: 40, Full: 0.9}
	if err := c.Limit.UnmarshalText([]byte("10MB")); err != nil {
		panic(err)
	}
	return c
}

func TestDeployed(t *testing.T) {
	text, err := os.ReadFile("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(text)
	if err != nil {
		t.Fatal(err)
	}
	if way := c.Way("a.example"); len(c.Routes) > 0 && way != "inside" {
		t.Error("it goes", way)
	}
}

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil || c.Node+c.Segment+c.Mode+c.Close != "" || len(c.Exempt) > 0 || c.Capacity != 0 || c.Full != 0 || c.Limit != 0 || len(c.Bands) > 0 {
		t.Fatal(err)
	}
}

func TestOf(t *testing.T) {
	c := config()
	if of := Of(c.ID(3)); of != c.Node {
		t.Error("it is of", of)
	}
}

func TestLogs(t *testing.T) {
	c, noon := config(), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	if c.Log(noon) == c.Log(noon.Add(time.Hour)) || c.Log(noon) == c.Log(noon.Add(12*time.Hour)) || c.Log(noon.Add(3*time.Hour)) == c.Log(noon.Add(-9*time.Hour)) {
		t.Error("two hours have one log")
	}
}

func TestFast(t *testing.T) {
	if !config().Fast() {
		t.Error("it is slow")
	}
}

func TestFree(t *testing.T) {
	if config().Free("ann") {
		t.Error("ann is free")
	}
}

func TestCron(t *testing.T) {
	if !config().Free("cron-1") {
		t.Error("cron-1 is not free")
	}
}

func TestClosed(t *testing.T) {
	if config().Closed("05:00") || !config().Closed("22:00") {
		t.Error("it is open by night")
	}
}

func TestKeep(t *testing.T) {
	if len(config().Keep([]string{"a"})) != 1 {
		t.Error("nothing is kept")
	}
}

func TestFull(t *testing.T) {
	if !config().IsFull(5, 5) {
		t.Error("it is never full")
	}
}

func TestBand(t *testing.T) {
	c := Config{Bands: []Band{{Name: "short", Most: 400}, {Name: "long", Most: 900}, {Name: "any"}}}
	if band := c.Band(300); band != "short" {
		t.Error("it is of", band)
	}
}

func TestTakes(t *testing.T) {
	c := config()
	if c.Takes(int64(c.Limit) + 1) {
		t.Error("it takes more")
	}
}
`,
}

// TestTextsByHand: an edit of a text breaks a test that has written the old one where that passes with another text in
// that place; so does one that looks the same, a list in another order, nothing of what is needed, a share that is
// written in percent, and a text of which a type of the program makes something else. A test that asserts what it has
// written says nothing, nor does a word that the program knows.
func TestTextsByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", texts)
	const old = `{"node": "mx1", "segment": "tide-2006010215.log", "mode": "fast", "exempt": ["alerts", "cron-*"], "close": "06:00", "capacity": 40, "full": 0.9, "limit": "10MB",
"routes": [{"match": "a.*", "to": "inside"}, {"match": "b.*", "to": "partner"}, {"match": "*", "to": "outside"}],
"bands": [{"name": "short", "most": 400}, {"name": "long", "most": 900}, {"name": "any", "most": 0}]}`
	for _, tc := range []struct{ was, now, want string }{
		{`"mx1"`, `"mx-1"`, "violated node: TestOf: it is of mx (shop_test.go:41)"},
		{`"mx1"`, `"mx2"`, "inconclusive node: no read of the new value was seen: TestDeployed, TestOf"},
		{`0215.log`, `0203.log`, "violated segment: TestLogs: two hours have one log (shop_test.go:48)"},
		{`"fast"`, `"fasp"`, "inconclusive mode: no read of the new value was seen: TestDeployed, TestFast"},
		{`"cron-*"`, `"*"`, "violated exempt: TestFree: ann is free (shop_test.go:60)"},
		{`"cron-*"`, `"crom-*"`, "inconclusive exempt: no read of the new value was seen: TestCron, TestDeployed, TestFree"}, // TestCron asserts it
		{`06:00`, `6:00`, "violated close: TestClosed: it is open by night (shop_test.go:72)"},
		{`06:00`, `7:30`, "violated close: TestClosed: it is open by night (shop_test.go:72)"}, // and not with 07:30
		{`40`, `0`, "violated capacity: TestKeep: nothing is kept (shop_test.go:78)"},
		{`0.9`, `90`, "violated full: TestFull: it is never full (shop_test.go:84)"},
		{`10MB`, `10MiB`, "violated limit: TestTakes: it takes more (shop_test.go:98)"},
		{`10MB`, `12MB`, "inconclusive limit: no read of the new value was seen: TestDeployed, TestTakes"},
		{`{"name": "short", "most": 400}, {"name": "long", "most": 900}`, `{"name": "long", "most": 900}, {"name": "short", "most": 400}`, "violated bands[0].most: TestBand: it is of long (shop_test.go:91)"},
		{`{"match": "a.*", "to": "inside"}, {"match": "b.*", "to": "partner"}, {"match": "*", "to": "outside"}`, `{"match": "*", "to": "outside"}, {"match": "b.*", "to": "partner"}, {"match": "a.*", "to": "inside"}`, "violated routes[0].match: TestDeployed: it goes outside (shop_test.go:27)"},
	} {
		out, err := s.diff(t.Context(), said(old), said(strings.Replace(old, tc.was, tc.now, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %s it says %s %s: %s%s, want %s", tc.now, r.Verdict, r.Subject, r.Message, r.Reason, tc.want)
		}
	}
}
