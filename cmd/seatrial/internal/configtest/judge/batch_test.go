package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestBatch: what fails by itself is repeated with others in one process, and by itself only where that does not say
// the same. A value 2 or 3 is another valid one.
func TestBatch(t *testing.T) {
	breaks := func(v string) run.Ending { return map[bool]run.Ending{true: run.Failed, false: run.Passed}[v == "1"] }
	always := func(v string) run.Ending { return map[bool]run.Ending{true: run.Failed, false: run.Passed}[v != "0"] }
	for name, c := range map[string]struct {
		alone, together func(test, value string) run.Ending
		want            string // of TestA
		alones, batches int    // processes for three tests
	}{
		"all fail": {
			alone: func(_, v string) run.Ending { return breaks(v) },
			want:  "culprit [0]",
			// Both versions of each, and 2 of each by itself: it passes with that.
			alones: 3*2 + 3*1, batches: 2*2 + 1,
		},
		"all fail with any value": {
			alone:  func(_, v string) run.Ending { return always(v) },
			want:   "culprit [0] hard-coded",
			alones: 3 * 2, batches: 2*2 + 2,
		},
		"nothing fails": {
			alone: func(_, v string) run.Ending { return run.Passed },
			want:  "proved [0]", alones: 3 * 2,
		},
		"one that is in the way of others": {
			alone:    func(_, v string) run.Ending { return breaks(v) },
			together: func(_, v string) run.Ending { return run.Failed },
			want:     "culprit [0]", alones: 3*3 + 3*4 + 3*1, batches: 1,
		},
		"one ends the process": {
			alone:    func(_, v string) run.Ending { return breaks(v) },
			together: func(test, v string) run.Ending { return map[string]run.Ending{"TestA": breaks(v)}[test] },
			want:     "culprit [0]", alones: 3*3 + 3*4 + 3*1, batches: 1,
		},
		"a panic needs a process": {
			alone: func(test, v string) run.Ending {
				if breaks(v) == run.Failed && test == "TestC" {
					return run.Panicked
				}
				return breaks(v)
			},
			want: "culprit [0]", alones: 3*2 + 1 + 4 + 3*1, batches: 2*2 + 1,
		},
		"another value passes only beside others": { // what fails with any value is not said to break
			alone:    func(_, v string) run.Ending { return always(v) },
			together: func(_, v string) run.Ending { return breaks(v) },
			want:     "culprit [0] hard-coded", alones: 3*2 + 3*2, batches: 2*2 + 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.together == nil {
				c.together = c.alone
			}
			got, alones, batches := threeTests(t, c.alone, c.together)
			for _, j := range got {
				if told(j) != c.want {
					t.Errorf("%s: %s, want %s", j.Name, told(j), c.want)
				}
			}
			if want := fmt.Sprint(c.alones, c.batches); fmt.Sprint(alones, batches) != want {
				t.Errorf("%d processes of one test and %d of several, want %s", alones, batches, want)
			}
		})
	}
}

// threeTests judges TestA, TestB and TestC, which read the only change, and counts processes. Together a test may have
// no ending.
func threeTests(t *testing.T, alone, together func(test, value string) run.Ending) (got []*Judged, alones, batches int) {
	t.Helper()
	all := changes(1)
	trial := of(all, func(map[string]string) bool { return false })
	b := &Bench{Changes: all, Others: twoOrThree, Workers: 1}
	b.Trial = func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		alones++
		o, err := trial(ctx, test, v)
		o.Ending = alone(test.Name, *v[0])
		return o, err
	}
	b.Batch = func(_ context.Context, tests []choose.Test, v choose.Values, _ time.Duration) (map[string]run.Ending, error) {
		batches++
		out := map[string]run.Ending{}
		for _, test := range tests {
			if ending := together(test.Name, *v[0]); ending != "" {
				out[test.Name] = ending
			}
		}
		return out, nil
	}
	var tests []choose.Test
	for _, name := range strings.Fields("TestA TestB TestC") {
		tests = append(tests, choose.Test{Package: ".", Name: name, Reads: []int{0}})
	}
	got, err := b.All(t.Context(), tests)
	if err != nil {
		t.Fatal(err)
	}
	return got, alones, batches
}

// TestBatchBeside: of tests that fail beside the same of all that does not change, the first one looks for it, and the
// others are asked in one process.
func TestBatchBeside(t *testing.T) {
	for name, c := range map[string]struct {
		shared  program // how tests fail in one process; nil for as they do by themselves
		alones  int
		batches int
	}{
		// Both versions of each, beside nothing and beside all. The first one: both with b and c, the new one with b,
		// both with c. For each another value, with which it passes.
		"all alike": {nil, 3*4 + 5 + 3*1, 2*2 + 1 + 2},
		// The new one alone, repeats, and what the first one does, by each.
		"not in one process": {func(v map[string]string) bool { return v["c"] != "own" }, 3*5 + 3*4 + 3*5 + 3*1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			all := changes(5)
			for i := range all[1:] {
				same := "same"
				all[1+i].Old, all[1+i].New, all[1+i].Unchanged = &same, &same, true
			}
			fails := func(v map[string]string) bool { return v["a"] == "1" && v["c"] == "same" }
			if c.shared == nil {
				c.shared = fails
			}
			alones, batches := 0, 0
			b := &Bench{Changes: all, Others: twoOrThree, Workers: 1}
			trial, together := of(all, fails), of(all, c.shared)
			b.Trial = func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
				alones++
				return trial(ctx, test, v)
			}
			b.Batch = func(ctx context.Context, tests []choose.Test, v choose.Values, _ time.Duration) (map[string]run.Ending, error) {
				batches++
				out := map[string]run.Ending{}
				for _, test := range tests {
					o, err := together(ctx, test, v)
					if err != nil {
						return nil, err
					}
					out[test.Name] = o.Ending
				}
				return out, nil
			}
			var tests []choose.Test
			for _, name := range strings.Fields("TestA TestB TestC") {
				tests = append(tests, choose.Test{Package: ".", Name: name, Reads: []int{0}})
			}
			got, err := b.All(t.Context(), tests)
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range got {
				if want := "culprit [0] beside [--c]; proved [0]"; told(j) != want {
					t.Errorf("%s: %s, want %s", j.Name, told(j), want)
				}
			}
			if alones != c.alones || batches != c.batches {
				t.Errorf("%d processes of one test and %d of several, want %d and %d", alones, batches, c.alones, c.batches)
			}
		})
	}
}

// TestElsewhere: where one test reads a value says what is valid for another one that reads it elsewhere.
func TestElsewhere(t *testing.T) {
	all := changes(1)
	trial := of(all, func(map[string]string) bool { return false })
	b := &Bench{Changes: all, Workers: 1}
	b.Trial = func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		o, err := trial(ctx, test, v)
		o.Events[0].At = test.Name + ".go:1"
		if test.Name == "TestA" && *v[0] == "1" {
			o.Ending = run.Failed
		}
		return o, err
	}
	var got string
	b.Others = func(_ choose.Test, _ int, sites []string) []string {
		got = strings.Join(slices.Compact(sites), " ")
		return nil
	}
	if _, err := b.All(t.Context(), []choose.Test{{Name: "TestA", Reads: []int{0}}, {Name: "TestB", Reads: []int{0}}}); err != nil {
		t.Fatal(err)
	}
	if want := "TestA.go:1 TestB.go:1 TestA.go:1"; got != want {
		t.Errorf("the places are %q, want %q", got, want)
	}
}
