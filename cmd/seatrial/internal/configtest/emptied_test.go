package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// retrying has tests that write lists and sizes by hand, as they are deployed.
var retrying = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

type Config struct {
	On   []int  ` + "`json:\"on\"`" + `
	Line Size   ` + "`json:\"line\"`" + `
}

type Size int

func (s *Size) UnmarshalJSON(text []byte) error {
	bare, unit := strings.CutSuffix(strings.Trim(string(text), "\""), "KiB")
	n, err := strconv.Atoi(bare)
	if *s = Size(n); unit {
		*s *= 1 << 10
	}
	return err
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func (c Config) Again(code int) bool { return slices.Contains(c.On, code) }

func (c Config) Cut(line string) string { return line[:min(len(line), int(c.Line))] }
`,
	"shop_test.go": `package shop

import (
	"strings"
	"testing"
)

func TestLoads(t *testing.T) {
	if c, err := Load([]byte("{}")); err != nil || len(c.On) > 9 || c.Line < 0 {
		t.Fatal(err)
	}
}

func TestAgain(t *testing.T) {
	c := Config{On: []int{429, 502, 503}}
	if !c.Again(429) || c.Again(404) {
		t.Fatal("429 is tried again, and 404 is not")
	}
}

func TestCut(t *testing.T) {
	c := Config{Line: 64 << 10}
	if len(c.Cut(strings.Repeat("a", 20_000))) != 20_000 {
		t.Error("20 kB are cut")
	}
	if len(c.Cut(strings.Repeat("a", 90_000))) != 64<<10 {
		t.Error("64 KiB are left")
	}
}
`,
}

// TestEmptied: a test that has a list written by hand just as it is deployed is run with one that has nothing: it fails
// as nothing is left if it passes with an item less. A size that lost its unit is another one; that a test asserts the
// old one as well says nothing of what it says of the new one only.
func TestEmptied(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", retrying)
	const old = `{"on": [429, 502, 503], "line": "64KiB"}`
	for now, want := range map[string]string{
		`{"on": [], "line": "64KiB"}`:                 "violated on: TestAgain: 429 is tried again, and 404 is not (shop_test.go:17)",
		`{"on": [502, 503], "line": "64KiB"}`:         "inconclusive on: no read of the new value was seen: TestAgain, TestLoads",
		`{"on": [429, 502, 503], "line": 64}`:         "violated line: TestCut: 20 kB are cut (shop_test.go:24)",
		`{"on": [429, 502, 503], "line": "60KiB"}`:    "holds line: 1 test passes with it",
		`{"on": [429, 502, 503], "line": "64000KiB"}`: "holds line: 1 test passes with it",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
