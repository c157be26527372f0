package campaign

import (
	"errors"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// A sequence that goes wrong once is run again, and one that does so twice is a trouble.
func TestTwice(t *testing.T) {
	for _, c := range []struct {
		name  string
		wrong int
		want  finding.Verdict
		tried int
	}{
		{"nothing goes wrong", 0, finding.Holds, 2},
		{"once", 1, finding.Holds, 2},
		{"twice, both of one", 2, finding.Inconclusive, 1},
	} {
		lab := &fake{operator: follows}
		one := made(lab, "spec.text=x", "spec.size=3")
		if err := one.learn(t.Context(), func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		lab.job = func(j job) error {
			if c.wrong > 0 && len(j.Operations) == 1 && j.Operations[0].Name == "spec.text=x" {
				c.wrong--
				return &OperatorError{errors.New("it is not ready within 30s")}
			}
			return nil
		}
		if err := errors.Join(one.runAll(t.Context()), one.findings(t.Context())); err != nil {
			t.Fatal(err)
		}
		if r := one.out.Report("x", nil); r.Verdict != c.want || len(one.out.Results) != c.tried+1 {
			t.Errorf("%s: %s, with %d results, want %s, %d: %v", c.name, r.Verdict, len(one.out.Results), c.want, c.tried+1, one.out.Troubles)
		}
	}
}
