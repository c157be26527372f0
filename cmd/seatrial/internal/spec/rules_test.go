package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spec/rule"
	"github.com/seatrial/seatrial/finding"
)

// TestCommandsOfRules runs what the page of each rule says to run: the example that fails violates the rule, the other
// nothing.
func TestCommandsOfRules(t *testing.T) {
	for _, r := range rule.Told() {
		fails, holds := r.Commands()
		for command, want := range map[string]finding.Verdict{fails: finding.Violated, holds: finding.Holds} {
			o := Options{Observed: "Observed"}
			for _, word := range strings.Fields(strings.TrimPrefix(command, "seatrial spec ")) {
				file, history := strings.CutPrefix(word, "--history=")
				file = filepath.Join("..", "..", "..", "..", filepath.FromSlash(file))
				switch {
				case history:
					o.History = file
				case filepath.Ext(file) == ".tla":
					o.File = file
				default:
					o.Configuration = file
				}
			}
			report, err := Run(t.Context(), o)
			if err != nil {
				t.Errorf("%s: %s: %v", r.ID, command, err)
				continue
			}
			violated := map[string]bool{}
			for _, one := range report.Results {
				if one.Verdict == finding.Violated {
					violated[one.Rule] = true
				}
			}
			if report.Verdict != want || violated[r.ID] != (want == finding.Violated) {
				t.Errorf("%s: %s: %s, of %v", r.ID, command, report.Verdict, violated)
			}
		}
	}
}
