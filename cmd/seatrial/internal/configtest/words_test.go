package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestSpecialWords: code that treats two words otherwise takes any other one, too. A test that asserts the one that is
// deployed is hard-coded; a word that the program does not take is found.
func TestSpecialWords(t *testing.T) {
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{"zone": "development", "mode": "fast"}`,
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"os"
)

type Config struct {
	Zone string ` + "`json:\"zone\"`" + `
	Mode string ` + "`json:\"mode\"`" + `
}

func Load(path string) (*Config, error) {
	c := &Config{}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, c)
}

func (c *Config) Colours() bool {
	switch c.Zone {
	case "production":
		return false
	case "development":
		return true
	default:
		return false
	}
}

func (c *Config) Check() error {
	switch c.Mode {
	case "fast", "safe":
		return nil
	}
	return fmt.Errorf("no mode %s", c.Mode)
}
`,
		"shop_test.go": `package shop

import "testing"

func TestZone(t *testing.T) {
	c, err := Load("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	if c.Zone != "development" {
		t.Errorf("the zone is %s", c.Zone)
	}
	c.Colours()
}

func TestMode(t *testing.T) {
	c, err := Load("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	if c.Mode != "fast" {
		t.Errorf("the mode is %s", c.Mode)
	}
}
`,
	})
	for text, want := range map[string]finding.Verdict{
		`{"zone": "staging", "mode": "fast"}`:     finding.Inconclusive,
		`{"zone": "developmnet", "mode": "fast"}`: finding.Violated, // whatever the test asserts
		`{"zone": "development", "mode": "fsat"}`: finding.Violated,
	} {
		out, err := s.diff(t.Context(), said(`{"zone": "development", "mode": "fast"}`), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("."); r.Verdict != want {
			t.Errorf("%q is %s, want %s: %+v", text, r.Verdict, want, r.Results)
		}
	}
}
