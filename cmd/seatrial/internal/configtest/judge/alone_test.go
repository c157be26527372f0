package judge

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestAlone: what fails only beside other tests of its package, as where several take one port, does not fail.
func TestAlone(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(value string, alone bool) bool
		want  string
		runs  int
	}{
		"passes":                 {func(string, bool) bool { return false }, "proved [0]", 2},
		"fails":                  {func(v string, _ bool) bool { return v == "1" }, "culprit [0]", 8},
		"with the new beside":    {func(v string, alone bool) bool { return v == "1" && !alone }, "proved [0]", 5},
		"with the old beside":    {func(v string, alone bool) bool { return v == "0" && !alone }, "proved [0]", 5},
		"always beside others":   {func(_ string, alone bool) bool { return !alone }, "proved [0]", 5},
		"breaks, and the others": {func(v string, alone bool) bool { return v == "1" || !alone }, "culprit [0]", 10},
	} {
		all, runs := changes(1), 0
		trial := of(all, func(map[string]string) bool { return false })
		got, err := one(t, &Bench{Changes: all, Workers: 1, Others: twoOrThree, Trial: func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
			o, err := trial(ctx, test, v)
			if runs++; c.fails(*v[0], test.Alone) {
				o.Ending = run.Failed
			}
			return o, err
		}}, reading(1))
		if err != nil || told(got) != c.want || runs != c.runs {
			t.Errorf("%s: %s in %d runs, %v; want %s in %d", name, told(got), runs, err, c.want, c.runs)
		}
	}
}

// TestConfirmed: what a process of several confirms, which has the package for itself, is not run alone once more.
func TestConfirmed(t *testing.T) {
	all, runs := changes(1), map[string]int{}
	trial := of(all, func(map[string]string) bool { return false })
	b := &Bench{Changes: all, Workers: 1, Trial: func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		o, err := trial(ctx, test, v)
		if runs[test.Name]++; *v[0] == "1" && (test.Name != "TestC" || !test.Alone) {
			o.Ending = run.Failed
		}
		return o, err
	}, Batch: func(_ context.Context, tests []choose.Test, v choose.Values, _ time.Duration) (map[string]run.Ending, error) {
		out := map[string]run.Ending{}
		for _, test := range tests {
			if out[test.Name] = run.Passed; *v[0] == "1" && test.Name != "TestC" {
				out[test.Name] = run.Failed
			}
		}
		return out, nil
	}}
	tests := []choose.Test{{Name: "TestA", Reads: []int{0}}, {Name: "TestB", Reads: []int{0}}, {Name: "TestC", Reads: []int{0}}}
	judged, err := b.All(t.Context(), tests)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"culprit [0]", "culprit [0]", "proved [0]"} {
		if got := told(judged[i]); got != want {
			t.Errorf("%s: %s, want %s", tests[i].Name, got, want)
		}
	}
	if want := map[string]int{"TestA": 2, "TestB": 2, "TestC": 5}; !maps.Equal(runs, want) {
		t.Errorf("they were run %v times, want %v", runs, want)
	}
}
