package configtest

import "testing"

// lesser has tests that make parts of a program by hand, and one that loads what is deployed.
var lesser = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import "encoding/json"

type Config struct {
	Retries int    ` + "`json:\"retries\"`" + `
	Mode    string ` + "`json:\"mode\"`" + `
	Site    string ` + "`json:\"site\"`" + `
	MaxMB   int    ` + "`json:\"max_mb\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// Send tries once, and again as often as there are retries. It says how often it has called, and whether it is done.
func (c Config) Send(works func(n int) bool) (calls int, done bool) {
	for n := 0; n <= c.Retries; n++ {
		calls++
		if works(n) {
			return calls, true
		}
		if n == c.Retries {
			return calls, false
		}
	}
	return calls, true
}

// Counts is how many of a second there are; of what is not known, as many as may be.
func (c Config) Counts() int {
	switch c.Mode {
	case "s":
		return 1
	case "ms":
		return 1e3
	case "us":
		return 1e6
	}
	return 1e9
}

func (c Config) Link(path string) string { return c.Site + "/" + path }

// Keeps is how many lines are left of some.
func (c Config) Keeps(lines int) int {
	size, left := 0, 0
	for range lines {
		if size > 0 && size+10 > c.MaxMB<<20 {
			size, left = 0, 0
		}
		size, left = size+10, left+1
	}
	return left
}
`,
	"shop_test.go": `package shop

import (
	"net/url"
	"os"
	"testing"
)

func TestDeployed(t *testing.T) {
	text, err := os.ReadFile("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(text)
	if err != nil {
		t.Fatal(err)
	}
	if day := 86400 * 1000 / c.Counts(); c.Mode != "" && day != 86400 {
		t.Error("what was recorded is of", day, "seconds")
	}
}

func TestSend(t *testing.T) {
	calls := 0
	_, done := Config{Retries: 3}.Send(func(n int) bool { calls++; return n > 0 })
	if !done {
		t.Fatal("it is not done")
	}
	if calls == 0 {
		t.Error("it says that it is done, and has not called")
	}
}

func TestLink(t *testing.T) {
	at, _ := url.Parse("https://here.example/a/b")
	to, err := at.Parse(Config{Site: "https://shop.example"}.Link("bill"))
	if err != nil || to.Path != "/bill" {
		t.Errorf("it leads to %s", to)
	}
}

func TestKeeps(t *testing.T) {
	if n := (Config{MaxMB: 1}).Keeps(60); n != 60 {
		t.Errorf("%d of 60 lines are left", n)
	}
}
`,
}

// TestLessByHand: less than nothing is found where it is neither nothing nor without a bound; nothing of what has a
// bound, whichever a test has, where the program does not compare that with nothing; a URL without its scheme; and a
// word of which nothing in the module says that there is such a one. One that a comment knows may be what the program
// does with any other, and a test that fails with each word is hard-coded.
func TestLessByHand(t *testing.T) {
	s, said := shop(t, "shop.json", lesser)
	of := func(retries, mode, site, most string) string {
		return `{"retries": ` + retries + `, "mode": "` + mode + `", "site": "` + site + `", "max_mb": ` + most + `}`
	}
	const site = "https://shop.example"
	for now, want := range map[string]string{
		of("-1", "ms", site, "64"):                 "violated retries: TestSend: it says that it is done, and has not called (shop_test.go:30)",
		of("0", "ms", site, "64"):                  "inconclusive retries: no read of the new value was seen: TestDeployed, TestSend",
		of("3", "millis", site, "64"):              "violated mode: TestDeployed: what was recorded is of 0 seconds (shop_test.go:19)",
		of("3", "us", site, "64"):                  "inconclusive mode: the tests that read it fail with every other value, too (hard-coded): TestDeployed",
		of("3", "ms", "shop.example", "64"):        "violated site: TestLink: it leads to https://here.example/a/shop.example/bill (shop_test.go:38)",
		of("3", "ms", "http://shop.example", "64"): "inconclusive site: no read of the new value was seen: TestDeployed, TestLink",
		of("3", "ms", site, "0"):                   "violated max_mb: TestKeeps: 1 of 60 lines are left (shop_test.go:44)",
	} {
		out, err := s.diff(t.Context(), said(of("3", "ms", site, "64")), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
