package judge

import (
	"context"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestSides: of 8 that becomes 6, where other values are 9, 16 and 4. A test that passes with 9 and fails with less and
// with more asserts what comes of 8, unless it passes with what is still less than 6.
func TestSides(t *testing.T) {
	for name, c := range map[string]struct {
		fails map[string]bool
		want  string
	}{
		"about as many":       {map[string]bool{"6": true, "4": true, "16": true}, "culprit [0] hard-coded"},
		"less is too few":     {map[string]bool{"6": true, "4": true}, "culprit [0]"},
		"not with all":        {map[string]bool{"6": true, "9": true}, "culprit [0], passes with 4 and not with 9"},
		"not with all others": {map[string]bool{"6": true, "16": true}, "culprit [0], passes with 4 and not with 16"},
		"8 only":              {map[string]bool{"6": true, "4": true, "9": true, "16": true}, "culprit [0] hard-coded"},
	} {
		t.Run(name, func(t *testing.T) {
			old, now := "8", "6"
			all := changes(1)
			all[0].Old, all[0].New = &old, &now
			trial := of(all, func(v map[string]string) bool { return c.fails[v["a"]] })
			got, err := one(t, &Bench{
				Changes: all,
				Others:  func(choose.Test, int, []string) []string { return []string{"9", "16", "4"} },
				Trial: func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
					o, err := trial(ctx, test, v)
					o.Output = "    a_test.go:1: not all of it is done\n"
					return o, err
				},
			}, reading(1))
			if err != nil {
				t.Fatal(err)
			}
			says := told(got)
			if c := got.Culprits[0]; c.Passes != "" {
				says += ", passes with " + c.Passes + " and not with " + c.FailsToo
			}
			if says != c.want {
				t.Errorf("got  %s\nwant %s", says, c.want)
			}
		})
	}
}
