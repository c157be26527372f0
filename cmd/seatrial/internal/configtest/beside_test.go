package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestBeside: a new value that agrees with what tests have made is tried with what is deployed beside it and does not
// change.
func TestBeside(t *testing.T) {
	pace.Slow(t)
	cache := t.TempDir()
	for _, c := range []struct {
		example, file string
		deployed      []string // what differs from the example's file, as pairs
		changed       []string // what is proposed
		want          []string // the verdict, and what is said of the lines of the configuration
	}{
		{
			"courier", "config.json",
			[]string{`"load": 4`, `"load": 10`},
			[]string{`"couriers": 3`, `"couriers": 5`},
			[]string{"violated couriers: TestAllIsBrought: 100 of 120 parcels are brought (courier_test.go:16)", "couriers: 3 → 5", "load: 10 does not change; without it the test passes"},
		},
		{
			"courier", "config.json", nil,
			[]string{`"couriers": 3`, `"couriers": 10`},
			[]string{"holds couriers: 1 test passes with it", "couriers: 3 → 10"},
		},
		{ // with what is deployed the test passes in neither version: it says nothing of that
			"courier", "config.json",
			[]string{`"load": 4`, `"load": 7`},
			[]string{`"couriers": 3`, `"couriers": 10`},
			[]string{"holds couriers: 1 test passes with it", "couriers: 3 → 10"},
		},
		{
			"mailer", "config.yaml",
			[]string{"backoff: 1s", "backoff: 5s"},
			[]string{"max: 10m", "max: 3s"},
			[]string{"violated retry.max: TestPausesGrow: the pauses are [3s 3s 3s 3s]: they do not grow (mailer_test.go:34)", "retry.max: 10m → 3s", "retry.backoff: 5s does not change; without it the test passes"},
		},
		{
			"janitor", "config.yaml",
			[]string{"hardPercent: 95", "hardPercent: 70", "softPercent: 80", "softPercent: 60"},
			[]string{"softPercent: 60", "softPercent: 75"},
			[]string{"violated quota.softPercent: config.TestDefaultIsValid: quota.softPercent is above quota.hardPercent (config_test.go:12)", "quota.softPercent: 60 → 75", "quota.hardPercent: 70 does not change; without it the test passes"},
		},
	} {
		folder := filepath.Join(examples, c.example)
		text, err := os.ReadFile(filepath.Join(folder, c.file))
		if err != nil {
			t.Fatal(err)
		}
		before := strings.NewReplacer(c.deployed...).Replace(string(text))
		after := strings.NewReplacer(c.changed...).Replace(before)
		var versions [2]Version
		for i, text := range []string{before, after} {
			if versions[i].Settings, err = change.Parse(c.file, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		o, err := Diff(t.Context(), options(t, folder, cache), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		result := o.Report(folder).Results[0]
		got := []string{fmt.Sprintf("%s %s: %s", result.Verdict, result.Subject, result.Message+result.Reason)}
		for _, cause := range result.Causes {
			if cause.Location.File == c.file && cause.Location.Line > 0 {
				got = append(got, cause.Message)
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s with %q, %q: it says\n%s\nwant\n%s", c.example, c.deployed, c.changed, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
