package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// shared judges tests that share a process where it is sure of them, and counts processes of one test and of several.
func shared(t *testing.T, all []choose.Change, names string, trial Trial, sure func(test string, v choose.Values, o *run.Outcome) bool) (got []string, alones, several int) {
	t.Helper()
	b := &Bench{Changes: all, Others: twoOrThree, Workers: 1}
	b.Trial = func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		alones++
		return trial(ctx, test, v)
	}
	if sure != nil {
		b.Sharing = func(ctx context.Context, tests []choose.Test, v choose.Values, limit time.Duration) (map[string]*run.Outcome, error) {
			several++
			if least := time.Duration(len(tests)) * takenFor; limit < least {
				t.Errorf("%d tests have %s", len(tests), limit)
			}
			out := map[string]*run.Outcome{}
			for _, test := range tests {
				o, err := trial(ctx, test, v)
				if err != nil {
					return nil, err
				}
				if o.Ending == run.Passed && sure(test.Name, v, o) {
					out[test.Name] = o
				}
			}
			return out, nil
		}
	}
	var tests []choose.Test
	for _, name := range strings.Fields(names) {
		test := choose.Test{Package: ".", Name: name, Starts: strings.HasPrefix(name, "TestStarts")}
		if strings.HasPrefix(name, "TestLong") {
			test.Took = longest + 1
		}
		for i, c := range all {
			if !c.Unchanged {
				test.Reads = append(test.Reads, i)
			}
		}
		tests = append(tests, test)
	}
	judged, err := b.All(t.Context(), tests)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range judged {
		got = append(got, j.Name+": "+told(j))
	}
	return got, alones, several
}

// TestFirst: what breaks nothing needs two processes, however many tests read it; what breaks a test is looked at by
// itself.
func TestFirst(t *testing.T) {
	sure := func(string, choose.Values, *run.Outcome) bool { return true }
	for name, c := range map[string]struct {
		tests           string
		fails           func(test, value string) bool
		sure            func(test string, v choose.Values, o *run.Outcome) bool
		beside          bool // something is configured that does not change
		want            string
		alones, several int
	}{
		"nothing fails": {
			tests: "TestA TestB TestC", fails: func(_, _ string) bool { return false }, sure: sure,
			want: "TestA: proved [0], TestB: proved [0], TestC: proved [0]", several: 2,
		},
		"beside what does not change": {
			tests: "TestA TestB TestC", fails: func(_, _ string) bool { return false }, sure: sure, beside: true,
			want: "TestA: proved [0], TestB: proved [0], TestC: proved [0]", several: 3,
		},
		"one fails": { // with both versions three times, with the new one alone, and with another value
			tests: "TestA TestB TestC", fails: func(test, v string) bool { return test == "TestB" && v == "1" }, sure: sure,
			want: "TestA: proved [0], TestB: culprit [0], TestC: proved [0]", several: 2, alones: 8,
		},
		"one is not told apart": {
			tests: "TestA TestB TestC", fails: func(_, _ string) bool { return false }, sure: func(test string, _ choose.Values, _ *run.Outcome) bool { return test != "TestB" },
			want: "TestA: proved [0], TestB: proved [0], TestC: proved [0]", several: 2, alones: 2,
		},
		"another test has set it": { // what a test is not seen to read shows nothing: by itself it reads it
			tests: "TestA TestB TestC", fails: func(_, _ string) bool { return false }, sure: func(test string, _ choose.Values, o *run.Outcome) bool {
				if test == "TestB" {
					o.Events[0].Value = "set"
				}
				return true
			},
			want: "TestA: proved [0], TestB: proved [0], TestC: proved [0]", several: 2, alones: 2,
		},
		"the new value ends the process": {
			tests: "TestA TestB TestC", fails: func(_, _ string) bool { return false }, sure: func(_ string, v choose.Values, _ *run.Outcome) bool { return *v[0] == "0" },
			want: "TestA: proved [0], TestB: proved [0], TestC: proved [0]", several: 2, alones: 6,
		},
		"what is long runs by itself": {
			tests: "TestA TestB TestLong", fails: func(_, _ string) bool { return false }, sure: sure,
			want: "TestA: proved [0], TestB: proved [0], TestLong: proved [0]", several: 2, alones: 2,
		},
		"what starts programs runs by itself": {
			tests: "TestA TestStarts TestStartsToo", fails: func(_, _ string) bool { return false }, sure: sure,
			want: "TestA: proved [0], TestStarts: proved [0], TestStartsToo: proved [0]", alones: 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := changes(1)
			if c.beside {
				all = changes(2)
				all[1].Unchanged = true
			}
			trial := of(all, func(map[string]string) bool { return false })
			got, alones, several := shared(t, all, c.tests, func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
				o, err := trial(ctx, test, v)
				if v[0] != nil && c.fails(test.Name, *v[0]) {
					o.Ending = run.Failed
				}
				return o, err
			}, c.sure)
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("%s\nwant %s", text, c.want)
			}
			if alones != c.alones || several != c.several {
				t.Errorf("%d processes of one test and %d of several, want %d and %d", alones, several, c.alones, c.several)
			}
		})
	}
}

// TestUnsteady: a value that is another one in each run, as a temporary folder is, or the port that a server was given,
// does not show that the new value arrived. One that is printed in another way than it is written does.
func TestUnsteady(t *testing.T) {
	for name, c := range map[string]struct {
		value           func(run int, given string) string
		want            string
		alones, several int
	}{
		"a folder":        {func(run int, _ string) string { return fmt.Sprintf("/tmp/%d/db", run) }, "TestA: unproved [0], TestB: unproved [0]", 6, 3},
		"another print":   {func(_ int, given string) string { return "about " + given }, "TestA: proved [0], TestB: proved [0]", 2, 3},
		"a duration":      {func(_ int, given string) string { return given + "ns" }, "TestA: proved [0], TestB: proved [0]", 0, 2},
		"the text itself": {func(_ int, given string) string { return given }, "TestA: proved [0], TestB: proved [0]", 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			all, runs := changes(1), 0
			got, alones, several := shared(t, all, "TestA TestB", func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
				runs++
				given := "none"
				if v[0] != nil {
					given = *v[0]
				}
				return of(all, func(map[string]string) bool { return false })(ctx, test, choose.Values{new(c.value(runs, given))})
			}, func(string, choose.Values, *run.Outcome) bool { return true })
			if text := strings.Join(got, ", "); text != c.want || alones != c.alones || several != c.several {
				t.Errorf("%s, in %d processes of one test and %d of several; want %s, %d and %d", text, alones, several, c.want, c.alones, c.several)
			}
		})
	}
}

// TestFirstIsTheSame: what is said of tests is what is said without a process that they share, whichever of them it
// tells apart.
func TestFirstIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		all := changes(4)
		all[2].Unchanged, all[3].Unchanged = true, true
		seeds := map[string]uint64{}
		for _, name := range strings.Fields("TestA TestB TestC TestD") {
			seeds[name] = r.Uint64()
		}
		one := r.IntN(3) > 0 // most changes break one test at most
		trial := func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
			return of(all, func(values map[string]string) bool {
				if one && test.Name != "TestB" {
					return false
				}
				at := rand.New(rand.NewPCG(seeds[test.Name], uint64(len(fmt.Sprint(values)))))
				key := 0
				for _, name := range strings.Split("abcd", "") {
					key = key*8 + map[string]int{"0": 0, "1": 1, "own": 2, "2": 3, "3": 4}[values[name]]
				}
				return key%4 != 0 && at.IntN(7)+key%5 > 7
			})(ctx, test, v)
		}
		tells := r.Uint64()
		sure := func(test string, v choose.Values, _ *run.Outcome) bool {
			return tells>>(uint(test[4]-'A')*2+uint(len(*v[0])%2))&1 == 0
		}
		want, _, _ := shared(t, all, "TestA TestB TestC TestD", trial, nil)
		got, _, _ := shared(t, all, "TestA TestB TestC TestD", trial, sure)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%d:\n%s\nwant\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
