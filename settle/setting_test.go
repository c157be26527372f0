package settle_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/settle"
)

// told is what a Check leaves for the command.
type told struct {
	Test, Directory, Error string
	Seconds                float64
	Report                 *finding.Report
}

// TestSettings: the command says in the environment where reports go and what the bounds are.
func TestSettings(t *testing.T) {
	for _, test := range []struct {
		name, set string
		change    func(*settle.Config)
		want      finding.Verdict
		says      string
	}{
		{"as it is", `{"folder": "DIR", "fresh": true}`, nil, finding.Violated, ""},
		{"fewer states", `{"folder": "DIR", "fresh": true, "maxStates": 5}`, nil, finding.Inconclusive, ""},
		{"no time", `{"folder": "DIR", "fresh": true, "until": "2026-01-01T00:00:00Z"}`, nil, finding.Inconclusive, ""},
		{"a configuration that is wrong", `{"folder": "DIR"}`, func(c *settle.Config) { c.Scheme = nil }, "", "settle: there is no Scheme: it has the types of the reconcilers and of what is desired"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			t.Setenv("SEATRIAL_SETTLE", strings.ReplaceAll(test.set, "DIR", folder))
			c := config(createThenRecord, settle.Faults{Crash: true})
			if test.change != nil {
				test.change(&c)
			}
			failed, said := watched(t, func(t testing.TB) { settle.Check(t, c) })
			files, err := filepath.Glob(filepath.Join(folder, "*.json"))
			if err != nil || len(files) != 1 || !failed {
				t.Fatalf("%v in %v, failed %t:\n%s", err, files, failed, said)
			}
			text, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			var m told
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			here, _ := os.Getwd()
			if m.Test != t.Name() || m.Directory != here || m.Error != test.says {
				t.Errorf("%+v", m)
			}
			if test.want != "" && (m.Report == nil || m.Report.Verdict != test.want) {
				t.Errorf("it is not %s:\n%s", test.want, text)
			}
		})
	}
	t.Setenv("SEATRIAL_SETTLE", "{")
	if failed, said := watched(t, func(t testing.TB) { settle.Check(t, settle.Config{}) }); !failed || !strings.Contains(said, "SEATRIAL_SETTLE in the environment is for") {
		t.Error(said)
	}
}
