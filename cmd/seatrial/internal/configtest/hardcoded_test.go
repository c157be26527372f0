package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestTruths: of a truth there is no other value. A test that alone reads it, and says what it expects, is hard-coded; one that goes by what the program does with it is not.
func TestTruths(t *testing.T) {
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Config struct {
	Debug  bool ` + "`json:\"debug\"`" + `
	Cached bool ` + "`json:\"cached\"`" + `
}

func Load(path string) (*Config, error) {
	c := &Config{Debug: true, Cached: true}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, nil
	}
	return c, json.Unmarshal(text, c)
}

func (c *Config) Size() int {
	if c.Cached {
		return 1
	}
	return 0
}
`,
		"shop_test.go": `package shop

import "testing"

func TestDebug(t *testing.T) {
	if c, err := Load("none"); err != nil || !c.Debug {
		t.Error(c, err)
	}
}

func TestSize(t *testing.T) {
	if c, err := Load("none"); err != nil || c.Size() != 1 {
		t.Error(c, err)
	}
}
`,
	})
	for text, want := range map[string]finding.Verdict{
		`{"debug": false, "cached": true}`: finding.Inconclusive,
		`{"debug": true, "cached": false}`: finding.Violated,
	} {
		out, err := s.diff(t.Context(), said(`{"debug": true, "cached": true}`), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("."); r.Verdict != want {
			t.Errorf("%q is %s, want %s: %+v", text, r.Verdict, want, r.Results)
		}
	}
}
