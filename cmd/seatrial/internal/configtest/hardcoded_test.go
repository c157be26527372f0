package configtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestTruths: of a truth there is no other value. A test that alone reads it, and says what it expects, is hard-coded;
// one that goes by what the program does with it is not.
func TestTruths(t *testing.T) {
	pace.Slow(t)
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

// TestEmpty: an empty text is no default that a test asserts, where it only says that the program gives an error. Where
// it compares what comes of it, it may be.
func TestEmpty(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"errors"
	"time"
)

type Config struct {
	Zone   string ` + "`json:\"zone\"`" + `
	Prefix string ` + "`json:\"prefix\"`" + `
	Owner  string ` + "`json:\"owner\"`" + `
	Clock  string ` + "`json:\"clock\"`" + `
}

func DefaultConfig() *Config { return &Config{Owner: "me"} }

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}

func (c *Config) Hours() (*time.Location, error) {
	if c.Owner == "" {
		return nil, errors.New("there is no owner")
	}
	return time.LoadLocation(c.Zone)
}

func (c *Config) Noon() *time.Location {
	zone, err := time.LoadLocation(c.Clock)
	if err != nil {
		panic(err)
	}
	return zone
}

func (c *Config) Title() string { return c.Prefix + "today" }
`,
		"shop_test.go": `package shop

import "testing"

func TestHours(t *testing.T) {
	if _, err := DefaultConfig().Hours(); err != nil {
		t.Fatalf("there are no hours: %v", err)
	}
}

func TestNoon(t *testing.T) { DefaultConfig().Noon() }

func TestTitle(t *testing.T) {
	if title := DefaultConfig().Title(); title != "today" {
		t.Errorf("it is %q", title)
	}
}
`,
	})
	const old = `{"zone": "", "prefix": "", "owner": "me", "clock": ""}`
	for _, c := range []struct{ old, now, want string }{
		{`"zone": ""`, `"zone": "Mars/Base"`, "violated zone"},
		{`"zone": ""`, `"zone": "Europe/Berlin"`, "holds zone"},
		{`"clock": ""`, `"clock": "Mars/Base"`, "violated clock"},
		{`"prefix": ""`, `"prefix": "it is "`, "inconclusive prefix"},
		{`"owner": "me"`, `"owner": ""`, "violated owner"},
	} {
		out, err := s.diff(t.Context(), said(old), said(strings.Replace(old, c.old, c.now, 1)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Report(".").Results {
			got = append(got, fmt.Sprintf("%s %s", r.Verdict, r.Subject))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
}

// TestQuoted: other values of what a test finds in a file are written there as the old one is: a number in quotes is
// none, and any test would fail with it.
func TestQuoted(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod":    "module example.com/shop\n\ngo 1.25\n",
		"shop.json": `{"wait": 1500, "owner": "me"}`,
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

func Wait(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &all); err != nil {
		return 0, err
	}
	if owner := string(all["owner"]); len(owner) < 3 {
		return 0, fmt.Errorf("there is no owner")
	}
	return strconv.Atoi(string(all["wait"]))
}
`,
		"shop_test.go": `package shop

import "testing"

func TestWait(t *testing.T) {
	if n, err := Wait("shop.json"); err != nil || n > 10000 {
		t.Fatal(n, err)
	}
}
`,
	})
	for text, want := range map[string]finding.Verdict{
		`{"wait": "1500ms", "owner": "me"}`: finding.Violated,
		`{"wait": 1500, "owner": ""}`:       finding.Violated,
		`{"wait": 1600, "owner": "me"}`:     finding.Holds,
	} {
		out, err := s.diff(t.Context(), said(`{"wait": 1500, "owner": "me"}`), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("."); r.Verdict != want {
			t.Errorf("%q is %s, want %s: %+v, %+v", text, r.Verdict, want, r.Results, r.Warnings)
		}
	}
}

// TestBothSides: a test that asserts what comes of the default, as a number of batches, fails with twice as much as
// with half of it, and passes next to it. One that fails on one side only, or with what is far from the old value, is
// none of that.
func TestBothSides(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Config struct {
	Batch int ` + "`json:\"batch\"`" + `
	Page  int ` + "`json:\"page\"`" + `
}

func Load(path string) (*Config, error) {
	c := &Config{Batch: 100, Page: 50}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, nil
	}
	return c, json.Unmarshal(text, c)
}

func (c *Config) Batches(of int) int { return (of + c.Batch - 1) / c.Batch }

func (c *Config) All(of, most int) int { return min(of, c.Page*most) }
`,
		"shop_test.go": `package shop

import "testing"

func TestThreeBatches(t *testing.T) {
	c, err := Load("none")
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Batches(290); n != 3 {
		t.Errorf("%d batches, want 3", n)
	}
}

func TestSome(t *testing.T) {
	c, err := Load("none")
	if err != nil {
		t.Fatal(err)
	}
	if c.Batches(10) < 1 {
		t.Error("none")
	}
}

func TestAllPages(t *testing.T) {
	c, err := Load("none")
	if err != nil {
		t.Fatal(err)
	}
	if n := c.All(90, 2); n != 90 {
		t.Errorf("%d of 90", n)
	}
}
`,
	})
	for text, want := range map[string]finding.Verdict{
		`{"batch": 200, "page": 50}`: finding.Holds, // by TestSome
		`{"batch": 50, "page": 50}`:  finding.Holds,
		`{"batch": 10, "page": 50}`:  finding.Violated, // far
		`{"batch": 100, "page": 25}`: finding.Violated, // TestAllPages passes with more
		`{"batch": 100, "page": 99}`: finding.Holds,
	} {
		out, err := s.diff(t.Context(), said(`{"batch": 100, "page": 50}`), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("."); r.Verdict != want {
			t.Errorf("%q is %s, want %s: %+v", text, r.Verdict, want, r.Results)
		}
	}
}
