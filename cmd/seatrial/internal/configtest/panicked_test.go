package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestPanicked: a test that panics has not passed, also where it shares its process with one that does: what it has
// deferred ran before.
func TestPanicked(t *testing.T) {
	s, said := shop(t, "config.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import "encoding/json"

type Config struct {
	Sizes string ` + "`json:\"sizes\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }
`,
		"shop_test.go": `package shop

import "testing"

func TestFirst(t *testing.T) {
	if c, _ := Load([]byte("{}")); len(c.Sizes) > 2 {
		panic("three are too many")
	}
}

func TestSecond(t *testing.T) {
	if c, _ := Load([]byte("{}")); len(c.Sizes) > 9 {
		t.Fatal(c)
	}
}
`,
	})
	out, err := s.diff(t.Context(), said(`{"sizes": "S"}`), said(`{"sizes": "SML"}`))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report("."); r.Verdict != finding.Violated || len(r.Results) != 1 || r.Results[0].Name != "no-panic" {
		t.Errorf("it is %s: %+v", r.Verdict, r.Results)
	}
}
