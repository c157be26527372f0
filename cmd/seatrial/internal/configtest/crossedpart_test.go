package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// leased is a program of which one part has to do with a number of another part.
var leased = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{}`, "shop.go": `package shop

import "encoding/json"

type Config struct {
	Queue   Queue   ` + "`json:\"queue\"`" + `
	Deliver Deliver ` + "`json:\"deliver\"`" + `
}

type Queue struct {
	Lease int ` + "`json:\"lease\"`" + `
}

type Deliver struct {
	Timeout int ` + "`json:\"timeout\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// Twice tells whether somebody else gets what is under way.
func Twice(c Config) bool { return c.Deliver.Timeout > c.Queue.Lease }
`,
	"shop_test.go": `package shop

import "testing"

func TestLoads(t *testing.T) {
	if c, err := Load([]byte("{}")); err != nil || c.Queue.Lease < 0 || c.Deliver.Timeout < 0 {
		t.Fatal(err)
	}
}

func TestOnce(t *testing.T) {
	var c Config
	c.Deliver.Timeout = 25
	c.Queue = Queue{Lease: 60}
	if Twice(c) {
		t.Error("it is delivered twice")
	}
}
`,
}

// TestCrossedPart: a number that passes one of another part of the document breaks a test that has others of both
// written by hand, if it does so just where it passes that as it is deployed.
func TestCrossedPart(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", leased)
	const old = `{"queue": {"lease": 90}, "deliver": {"timeout": 20}}`
	for now, want := range map[string]string{
		`{"queue": {"lease": 15}, "deliver": {"timeout": 20}}`: "violated queue.lease: TestOnce: it is delivered twice (shop_test.go:16)",
		`{"queue": {"lease": 22}, "deliver": {"timeout": 20}}`: "holds queue.lease: 1 test passes with it", // the test's own 25 do not go with it
		`{"queue": {"lease": 40}, "deliver": {"timeout": 20}}`: "holds queue.lease: 1 test passes with it",
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
