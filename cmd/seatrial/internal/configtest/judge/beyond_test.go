package judge

import (
	"context"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestBeyond: a test that has 12 written by hand, and passes with 13, 24 and 6 there. What it fails with beyond these
// is found if it has no figure of its own between; else it may be about that. Nothing may be meant.
func TestBeyond(t *testing.T) {
	for name, c := range map[string]struct {
		now     string
		fails   []string
		between bool // it has a number between
		zero    bool // the program compares it with 0
		want    string
	}{
		"has figures of its own":    {"40", []string{"40"}, true, false, "likely"},
		"no figure of its own":      {"40", []string{"40"}, false, false, "far"},
		"less":                      {"3", []string{"3"}, false, false, "far"},
		"asserts what it wrote":     {"40", []string{"40", "13", "24", "6"}, false, false, "nothing"},
		"asserts what is more":      {"40", []string{"40", "24"}, false, false, "nothing"},
		"far more, and its figures": {"1200", []string{"1200", "379"}, true, false, "likely"},
		"none":                      {"0", []string{"0"}, true, false, "zero"},
		"none is known":             {"0", []string{"0"}, true, true, "nothing"},
		"none, nor a little":        {"0", []string{"0", "1"}, true, false, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			old := "12"
			all := changes(1)
			all[0].Old, all[0].New = &old, &c.now
			test := reading(1)
			test.Same = true
			trial := of(all, func(v map[string]string) bool { return slices.Contains(c.fails, v["a"]) })
			got, err := one(t, &Bench{
				Changes: all,
				Others:  func(choose.Test, int, []string) []string { return []string{"13", "24", "6"} },
				Between: func(choose.Test, int) bool { return c.between },
				Nothing: func(int, []string) bool { return c.zero },
				Trial: func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
					o, err := trial(ctx, test, v)
					o.Output = "    a_test.go:1: not all of it is done\n"
					return o, err
				},
			}, test)
			if err != nil {
				t.Fatal(err)
			}
			says := "nothing"
			switch c := got.Culprits[0]; {
			case c.Far:
				says = "far"
			case c.Likely:
				says = "likely"
			case c.Nothing:
				says = "zero"
			}
			if says != c.want {
				t.Errorf("it shows %s, want %s: %+v", says, c.want, got.Culprits[0])
			}
		})
	}
}
