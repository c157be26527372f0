package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// dispatch loads a file, checks it as a whole, and has a test with a document of its own.
var dispatch = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"slices"
)

type Config struct {
	Batch  int    ` + "`json:\"batch\"`" + `
	Buffer int    ` + "`json:\"buffer\"`" + `
	Full   string ` + "`json:\"full\"`" + `
	Sinks  []Sink ` + "`json:\"sinks\"`" + `
}

type Sink struct {
	Name  string ` + "`json:\"name\"`" + `
	Level string ` + "`json:\"level\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := &Config{Batch: 1, Buffer: 1, Full: "drop"}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	if c.Batch > c.Buffer {
		return nil, fmt.Errorf("batch: %d is more than buffer %d", c.Batch, c.Buffer)
	}
	known := func(key, word string, words ...string) error {
		if !slices.Contains(words, word) {
			return fmt.Errorf("%s: %q is not one of %v", key, word, words)
		}
		return nil
	}
	for i, s := range c.Sinks {
		if err := known(fmt.Sprintf("sinks[%d].level", i), s.Level, "info", "warn", "error"); err != nil {
			return nil, err
		}
	}
	return c, known("full", c.Full, "drop", "block")
}
`,
	"shop_test.go": `package shop

import "testing"

const own = ` + "`" + `{"batch": 3, "buffer": 9, "full": "drop", "sinks": [{"name": "a", "level": "info"}]}` + "`" + `

func TestLoad(t *testing.T) {
	c, err := Load([]byte(own))
	if err != nil {
		t.Fatal(err)
	}
	if c.Batch != 3 || c.Buffer != 9 || c.Full != "drop" {
		t.Errorf("it is %+v", c)
	}
	if len(c.Sinks) != 1 || c.Sinks[0].Level != "info" {
		t.Errorf("sinks are %+v", c.Sinks)
	}
}
`,
}

// TestOwnDocument: a test with a document of its own is run with all that is deployed in its place. What it asserts of
// its own fails with both versions, and shows nothing; what the program refuses in the new one, beside all that is
// deployed with it, is found.
func TestOwnDocument(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", dispatch)
	const old = `{"batch": 500, "buffer": 600, "full": "block", "sinks": [{"name": "x", "level": "warn"}, {"name": "y", "level": "info"}]}`
	for now, want := range map[string]string{
		`{"batch": 5000, "buffer": 600, "full": "block", "sinks": [{"name": "x", "level": "warn"}, {"name": "y", "level": "info"}]}`:  "violated batch: TestLoad: batch: 5000 is more than buffer 600 (shop_test.go:10)",
		`{"batch": 550, "buffer": 650, "full": "drop", "sinks": [{"name": "x", "level": "error"}, {"name": "y", "level": "info"}]}`:   "", // it asserts other ones
		`{"batch": 550, "buffer": 650, "full": "block", "sinks": [{"name": "x", "level": "warn"}, {"name": "y", "level": "notice"}]}`: `violated sinks[1].level: TestLoad: sinks[1].level: "notice" is not one of [info warn error] (shop_test.go:10)`,
		`{"batch": 550, "buffer": 500, "full": "block", "sinks": [{"name": "x", "level": "warn"}, {"name": "y", "level": "info"}]}`:   "violated batch, buffer: TestLoad: batch: 550 is more than buffer 500 (shop_test.go:10)",
		`{"batch": 550, "buffer": 450, "full": "block", "sinks": [{"name": "x", "level": "warn"}, {"name": "y", "level": "info"}]}`:   "violated buffer: TestLoad: batch: 500 is more than buffer 450 (shop_test.go:10)",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range out.Report("").Results {
			if r.Verdict == "violated" {
				got += string(r.Verdict) + " " + r.Subject + ": " + r.Message
			}
		}
		if got != want {
			t.Errorf("of %s it says %q, want %q", now, got, want)
		}
	}
}
