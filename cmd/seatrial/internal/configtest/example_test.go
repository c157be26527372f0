package configtest

import (
	"maps"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// sawmill has no test, but an example and a fuzz test, which go test runs as well.
var sawmill = map[string]string{
	"go.mod": "module example.com/sawmill\n\ngo 1.25\n",
	"sawmill.go": `package sawmill

import "encoding/json"

type Config struct {
	Length int ` + "`json:\"length\"`" + `
	Blades int ` + "`json:\"blades\"`" + `
	Waste  int ` + "`json:\"waste\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func (c Config) Cut(log int) int { return log / c.Length }

func (c Config) Cuts(logs int) int { return logs / c.Blades }
`,
	"sawmill_test.go": `package sawmill

import (
	"fmt"
	"testing"
)

func config() Config {
	c, err := Load([]byte("{\"length\": 4, \"blades\": 4, \"waste\": 4}"))
	if err != nil {
		panic(err)
	}
	return c
}

func Example() {
	fmt.Println(config().Cut(5))
	// Output: 1
}

func ExampleConfig() {
	if config().Waste > 0 {
		fmt.Println("waste")
	}
	// Output: waste
}

func FuzzCuts(f *testing.F) {
	c := config()
	f.Add(9)
	f.Fuzz(func(t *testing.T, logs int) {
		if n := c.Cuts(logs); n > 3 {
			t.Errorf("%d cuts", n)
		}
	})
}
`,
}

// TestExamplesRun: what breaks an example, or a seed of a fuzz test, breaks go test; and what they read and withstand
// holds.
func TestExamplesRun(t *testing.T) {
	pace.Slow(t)
	const old = `{"length": 4, "blades": 4, "waste": 4}`
	s, said := shop(t, "config.json", sawmill)
	for text, want := range map[string]struct {
		verdict finding.Verdict
		name    string
		test    string
	}{
		`{"length": 5, "blades": 4, "waste": 4}`: {finding.Holds, "", ""},
		`{"length": 2, "blades": 4, "waste": 4}`: {finding.Violated, "passes", "Example"},
		`{"length": 0, "blades": 4, "waste": 4}`: {finding.Violated, "no-panic", "Example"},
		`{"length": 4, "blades": 3, "waste": 4}`: {finding.Holds, "", ""},
		`{"length": 4, "blades": 2, "waste": 4}`: {finding.Violated, "passes", "FuzzCuts"},
		`{"length": 4, "blades": 0, "waste": 4}`: {finding.Violated, "no-panic", "FuzzCuts"},
		`{"length": 4, "blades": 4, "waste": 0}`: {finding.Violated, "passes", "ExampleConfig"},
	} {
		out, err := s.diff(t.Context(), said(old), said(text))
		if err != nil {
			t.Fatal(err)
		}
		r := out.Report(".")
		if r.Verdict != want.verdict || len(r.Results) != 1 || want.name != "" && r.Results[0].Name != want.name {
			t.Errorf("%s is %s: %+v", text, r.Verdict, r.Results)
		}
		for _, of := range out.Tests {
			if len(of.Culprits) > 0 && of.Test.Name != want.test {
				t.Errorf("%s breaks %s", text, of.Test.Name)
			}
		}
	}
}

// TestExamplesTogether: examples and fuzz tests are told apart in one process, as tests are.
func TestExamplesTogether(t *testing.T) {
	s, _ := shop(t, "config.json", sawmill)
	if _, err := s.mapped(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := s.runner.Shared(t.Context(), s.programs["."], s.packages[0].Tests, run.Values{}, s.Timeout, func(e record.Event) bool { return matters(s.module, e) })
	if err != nil || len(got) != 3 {
		t.Fatalf("%v is known, %v", slices.Sorted(maps.Keys(got)), err)
	}
	for test, field := range map[string]string{"Example": "length", "ExampleConfig": "waste", "FuzzCuts": "blades"} {
		var reads []string
		for _, e := range got[test].Events {
			if e.Verb == record.Read {
				reads = append(reads, e.Subject.Name())
			}
		}
		if slices.Sort(reads); !slices.Equal(slices.Compact(reads), []string{"sawmill.Config." + field}) {
			t.Errorf("%s reads %q", test, reads)
		}
	}
}
