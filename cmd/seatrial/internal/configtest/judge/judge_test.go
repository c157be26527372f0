package judge

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// program is a test of a program that was not written: from values to whether it fails.
type program func(values map[string]string) bool

// changes are of keys a, b, c …, from 0 to 1.
func changes(n int) []choose.Change {
	var out []choose.Change
	for i := range n {
		name := string(rune('a' + i))
		id := parameter.New(parameter.Flag, "--"+name)
		before, after := "0", "1"
		out = append(out, choose.Change{
			Change: change.Change{Identity: change.Identity{Kind: change.Flag, Path: "--" + name}},
			Class:  &parameter.Class{ID: id}, IDs: []parameter.ID{id}, Old: &before, New: &after,
		})
	}
	return out
}

// of runs a program: it reads all values that it is given.
func of(all []choose.Change, fails program) Trial {
	return func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Passed}
		values := map[string]string{}
		for i, c := range all {
			name := strings.TrimPrefix(c.Path, "--")
			if values[name] = "own"; v[i] != nil {
				values[name] = *v[i]
			}
			out.Events = append(out.Events, record.Event{Verb: record.Read, Subject: c.IDs[0], Value: values[name], At: "main.go:1"})
		}
		if fails(values) {
			out.Ending = run.Failed
		}
		return out, nil
	}
}

func reading(n int) choose.Test {
	t := choose.Test{Package: ".", Name: "TestIt"}
	for i := range n {
		t.Reads = append(t.Reads, i)
	}
	return t
}

// one judges one test.
func one(t *testing.T, b *Bench, test choose.Test) (*Judged, error) {
	t.Helper()
	all, err := b.All(t.Context(), []choose.Test{test})
	if err != nil || all[0] == nil {
		return nil, cmp.Or(err, t.Context().Err())
	}
	return all[0], nil
}

func twoOrThree(choose.Test, int, []string) []string { return []string{"2", "3"} }

// told is what was judged, in one line.
func told(j *Judged) string {
	var out []string
	if j.Excluded != "" {
		out = append(out, j.Excluded)
	}
	for _, c := range j.Culprits {
		text := fmt.Sprint("culprit ", c.Changes)
		if c.HardCoded {
			text += " hard-coded"
		}
		if c.Foreign {
			text += " is another word"
		}
		var beside []string
		for _, b := range c.Beside {
			beside = append(beside, b.Path)
		}
		if len(beside) > 0 {
			text += fmt.Sprint(" beside ", beside)
		}
		out = append(out, text)
	}
	var proved []int
	for i := range j.Proofs {
		proved = append(proved, i)
	}
	if slices.Sort(proved); len(proved) > 0 {
		out = append(out, fmt.Sprint("proved ", proved))
	}
	if len(j.Unproved) > 0 {
		out = append(out, fmt.Sprint("unproved ", j.Unproved))
	}
	return strings.Join(out, "; ")
}

// TestOne: what is said of one test, by when it fails.
func TestOne(t *testing.T) {
	for name, c := range map[string]struct {
		fails program
		want  string
	}{
		"passes":                {func(map[string]string) bool { return false }, "proved [0 1 2]"},
		"one breaks it":         {func(v map[string]string) bool { return v["b"] == "1" }, "culprit [1]; proved [0 2]"},
		"two together":          {func(v map[string]string) bool { return v["a"] == "1" && v["c"] == "1" }, "culprit [0 2]; proved [1]"},
		"two, each by itself":   {func(v map[string]string) bool { return v["a"] == "1" || v["c"] == "1" }, "culprit [0]; culprit [2]; proved [1]"},
		"any other value":       {func(v map[string]string) bool { return v["b"] != "0" }, "culprit [1] hard-coded; proved [0 2]"},
		"fails before":          {func(map[string]string) bool { return true }, "it fails with the old values, too: it says nothing"},
		"all together":          {func(v map[string]string) bool { return v["a"] == "1" && v["b"] == "1" && v["c"] == "1" }, "culprit [0 1 2]"},
		"the first two":         {func(v map[string]string) bool { return v["a"] == "1" && v["b"] == "1" }, "culprit [0 1]; proved [2]"},
		"mended by one of them": {func(v map[string]string) bool { return v["a"] == "1" && v["b"] == "0" }, "proved [0 1 2]"},
	} {
		t.Run(name, func(t *testing.T) {
			all := changes(3)
			got, err := one(t, &Bench{Changes: all, Trial: of(all, c.fails), Others: twoOrThree}, reading(3))
			if err != nil {
				t.Fatal(err)
			}
			if told(got) != c.want {
				t.Errorf("got  %s\nwant %s", told(got), c.want)
			}
		})
	}
}

// TestFew: a test that fails with texts that are made up holds a default if it says the old one, and is right if the
// program takes few values.
func TestFew(t *testing.T) {
	fails := func(v map[string]string) bool { return v["a"]+v["member.name"] != "0" }
	madeUp := func(choose.Test, int, []string) []string { return []string{"0-other", "other"} }
	for name, c := range map[string]struct {
		bench Bench
		says  string
		want  string
	}{
		"a validation lists it": {Bench{Others: madeUp, Asserts: func(choose.Test, []string) bool { return false }}, "refused: is 10, not one of 0, 2", "culprit [0]"},
		"nobody looks":          {Bench{Others: madeUp}, "no such mode", "culprit [0] hard-coded"},
		"is in the test":        {Bench{Others: madeUp, Asserts: func(_ choose.Test, old []string) bool { return slices.Contains(old, "0") }}, "no such mode", "culprit [0] hard-coded"},
		"is what it says":       {Bench{Others: madeUp, Asserts: func(choose.Test, []string) bool { return false }}, "got 1, want 0", "culprit [0] hard-coded"},
		"is nowhere":            {Bench{Others: madeUp, Asserts: func(choose.Test, []string) bool { return false }}, "no mode 10", "culprit [0]"},
		"a name is nowhere":     {Bench{Others: madeUp, Asserts: func(choose.Test, []string) bool { return false }}, "no member 10", "culprit [0] hard-coded"},
		"a name is refused":     {Bench{Others: madeUp, Asserts: func(choose.Test, []string) bool { return false }, HandsOn: func(choose.Test, string) bool { return true }}, "no member 10", "culprit [0]"},
		"others are valid":      {Bench{Others: twoOrThree, Asserts: func(choose.Test, []string) bool { return false }}, "no mode 10", "culprit [0] hard-coded"},
		"the code knows it":     {Bench{Others: twoOrThree, Unknown: func(int, []string) (string, bool, bool) { return "", false, false }}, "no mode 10", "culprit [0] hard-coded"},
		"none that there are":   {Bench{Others: twoOrThree, Unknown: func(int, []string) (string, bool, bool) { return "", true, false }}, "no mode 10", "culprit [0] hard-coded"},
		"none, and refused":     {Bench{Others: twoOrThree, Unknown: func(int, []string) (string, bool, bool) { return "", true, false }}, "elsewhere", "culprit [0] is another word"},
		"none, others pass":     {Bench{Others: func(choose.Test, int, []string) []string { return []string{"0"} }, Unknown: func(int, []string) (string, bool, bool) { return "", true, false }}, "no mode 10", "culprit [0] is another word"},
		"none, and no others":   {Bench{Others: func(choose.Test, int, []string) []string { return nil }, Unknown: func(int, []string) (string, bool, bool) { return "", true, false }}, "no mode 10", "culprit [0] is another word"},
	} {
		t.Run(name, func(t *testing.T) {
			b := c.bench
			b.Changes = changes(1)
			if strings.HasPrefix(name, "a name") {
				b.Changes[0].Path = "member.name"
			}
			trial := of(b.Changes, fails)
			b.Trial = func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
				o, err := trial(ctx, test, v)
				o.Output = "    a_test.go:1: " + c.says + "\n"
				if c.says == "elsewhere" && *v[0] == "1" {
					o.Output = "    a_test.go:2: it is refused\n"
				}
				if _, checked, is := strings.Cut(c.says, "refused: "); is {
					o.Events = append(o.Events, record.Event{Verb: record.Checked, Value: checked})
				}
				return o, err
			}
			got, err := one(t, &b, reading(1))
			if err != nil {
				t.Fatal(err)
			}
			if told(got) != c.want {
				t.Errorf("got  %s\nwant %s", told(got), c.want)
			}
		})
	}
}

// TestDefault: that a test which asserts a default passes with another value that is the default does not show that it
// takes any other one.
func TestDefault(t *testing.T) {
	all := changes(1)
	all[0].Old = nil
	trial := of(all, func(v map[string]string) bool { return v["a"] != "2" })
	got, err := one(t, &Bench{Changes: all, Others: twoOrThree, Trial: func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		if two := "2"; v[0] == nil {
			v = choose.Values{&two}
		}
		return trial(ctx, test, v)
	}}, reading(1))
	if err != nil || told(got) != "culprit [0] hard-coded" {
		t.Errorf("got %s, %v", told(got), err)
	}
}

// TestUnlogged: what a test that passes logs, too, is not what it fails with.
func TestUnlogged(t *testing.T) {
	passed := &run.Outcome{Ending: run.Passed, Output: "=== RUN   TestA\n    a_test.go:5: as user:old\n--- PASS: TestA (0.00s)\n"}
	for output, want := range map[string]string{
		"    a_test.go:5: as user:new\n    a_test.go:7: too short\n": "too short (a_test.go:7)",
		"    a_test.go:5: as user:new\nFAIL\n":                       "as user:new (a_test.go:5)",
	} {
		if got := Says(unlogged(&run.Outcome{Ending: run.Failed, Output: output}, passed)); got != want {
			t.Errorf("%q says %q, want %q", output, got, want)
		}
	}
}

// TestAround: what does not change is tried beside what does. A value that is not given is the test's own, "own".
func TestAround(t *testing.T) {
	for name, c := range map[string]struct {
		fails program
		want  string
	}{
		"agrees with all":         {func(map[string]string) bool { return false }, "proved [0 1]"},
		"does not go with c":      {func(v map[string]string) bool { return v["b"] == "1" && v["c"] == "same" }, "culprit [1] beside [--c]; proved [0 1]"},
		"goes with none of both":  {func(v map[string]string) bool { return v["b"] == "1" && v["c"] == "same" && v["d"] == "same" }, "culprit [1] beside [--c --d]; proved [0 1]"},
		"only with what is own":   {func(v map[string]string) bool { return v["b"] == "1" && v["c"] == "own" }, "proved [0 1]"},
		"c alone is refused":      {func(v map[string]string) bool { return v["c"] == "same" }, "proved [0 1]"},
		"c is hard-coded":         {func(v map[string]string) bool { return v["c"] != "own" || v["b"] == "1" }, "culprit [1]; proved [0]"},
		"old only beside c":       {func(v map[string]string) bool { return v["b"] == "0" && v["c"] == "own" }, "proved [0 1]"},
		"new neither, beside c":   {func(v map[string]string) bool { return v["c"] == "own" || v["b"] == "1" }, "culprit [1] beside [--c]; proved [0]"},
		"any other value, with c": {func(v map[string]string) bool { return v["b"] != "0" && v["c"] == "same" }, "culprit [1] hard-coded beside [--c]; proved [0 1]"},
	} {
		t.Run(name, func(t *testing.T) {
			all := changes(4)
			for i := range all[2:] {
				same := "same"
				all[2+i].Old, all[2+i].New, all[2+i].Unchanged = &same, &same, true
			}
			got, err := one(t, &Bench{Changes: all, Trial: of(all, c.fails), Others: twoOrThree}, reading(2))
			if err != nil {
				t.Fatal(err)
			}
			if told(got) != c.want {
				t.Errorf("got  %s\nwant %s", told(got), c.want)
			}
		})
	}
}

// TestAbsent: what names a path that is not here is left out where the test does not pass with it and the old values,
// or says that it is not there.
func TestAbsent(t *testing.T) {
	for name, c := range map[string]struct {
		fails program
		says  bool // a failure says that the path is not there
		want  string
	}{
		"the path is refused":              {func(v map[string]string) bool { return v["c"] == "/gone" || v["b"] == "1" && v["d"] == "same" }, false, "culprit [1] beside [--d]; proved [0 1]"},
		"the path is refused, and nothing": {func(v map[string]string) bool { return v["c"] == "/gone" }, false, "proved [0 1]"},
		"the path is needed":               {func(v map[string]string) bool { return v["b"] == "1" && v["c"] == "/gone" && v["d"] == "same" }, false, "culprit [1] beside [--c --d]; proved [0 1]"},
		"the path is opened with b":        {func(v map[string]string) bool { return v["b"] == "1" && v["c"] == "/gone" }, true, "proved [0 1]"},
		"it is, and does not go with d":    {func(v map[string]string) bool { return v["b"] == "1" && (v["c"] == "/gone" || v["d"] == "same") }, true, "culprit [1] beside [--d]; proved [0 1]"},
		"old only beside d":                {func(v map[string]string) bool { return v["c"] == "/gone" || (v["d"] == "own") != (v["b"] == "1") }, false, "culprit [1] beside [--d]; proved [0]"},
	} {
		t.Run(name, func(t *testing.T) {
			all := changes(4)
			for i := range all[2:] {
				same := "same"
				all[2+i].Old, all[2+i].New, all[2+i].Unchanged = &same, &same, true
			}
			gone := "/gone"
			all[2].Old, all[2].New, all[2].Absent = &gone, &gone, true
			trial := of(all, c.fails)
			says := func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
				o, err := trial(ctx, test, v)
				if c.says && o.Ending == run.Failed && v[2] != nil {
					o.Output = "open /gone: no such file or directory"
				}
				return o, err
			}
			got, err := one(t, &Bench{Changes: all, Trial: says, Others: twoOrThree}, reading(2))
			if err != nil {
				t.Fatal(err)
			}
			if told(got) != c.want {
				t.Errorf("got  %s\nwant %s", told(got), c.want)
			}
		})
	}
}

// TestFlaky: a test that does not always end the same way with the same values says nothing.
func TestFlaky(t *testing.T) {
	for name, c := range map[string]struct {
		endings []run.Ending // in the order of runs
		want    string
	}{
		"fails before, then passes": {[]run.Ending{run.Failed, run.Passed, run.Failed, run.Passed}, "it is flaky: with the old values it fails, and passes"},
		"fails after, then passes":  {[]run.Ending{run.Passed, run.Failed, run.Passed, run.Failed, run.Passed, run.Passed}, "it is flaky: with the new values it fails, and passes"},
		"passes before, then fails": {[]run.Ending{run.Passed, run.Failed, run.Failed}, "it is flaky: with the old values it passes, and fails"},
		"is skipped":                {[]run.Ending{run.Skipped}, "it is skipped, or its process ends before it"},
	} {
		t.Run(name, func(t *testing.T) {
			next := 0
			got, err := one(t, &Bench{Changes: changes(1), Trial: func(context.Context, choose.Test, choose.Values) (*run.Outcome, error) {
				next++
				return &run.Outcome{Ending: c.endings[min(next, len(c.endings))-1]}, nil
			}}, reading(1))
			if err != nil || got.Excluded != c.want || len(got.Culprits) > 0 {
				t.Errorf("%+v, %v, want %s", got, err, c.want)
			}
		})
	}
}

// TestSkips: a test that passes with the old values, and is not run with the new ones, has not passed with them,
// whatever it has read.
func TestSkips(t *testing.T) {
	all := changes(1)
	got, err := one(t, &Bench{Changes: all, Trial: func(ctx context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		out, err := of(all, func(map[string]string) bool { return false })(ctx, test, v)
		if *v[0] == "1" {
			out.Ending = run.Skipped
		}
		return out, err
	}}, reading(1))
	if err != nil || !got.Skips || told(got) != "unproved [0]" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestProof: only a read that shows the new value is a proof.
func TestProof(t *testing.T) {
	c := changes(1)[0]
	variable := c
	variable.IDs = []parameter.ID{"env:A"}
	variable.Class = &parameter.Class{ID: "env:A"}
	gone, added := variable, c
	gone.New, added.Old = nil, nil
	several := c
	several.Class = &parameter.Class{ID: "flag:--a", Several: true}
	read := func(id parameter.ID, value string) record.Event {
		return record.Event{Verb: record.Read, Subject: id, Value: value}
	}
	unsure := func(value string) run.Outcome {
		return run.Outcome{Events: []record.Event{{Verb: record.Read, Subject: "flag:--a", Value: value, At: "a.go:1?"}}}
	}
	other := changes(2)[1]
	for name, c := range map[string]struct {
		change        choose.Change
		before, after run.Outcome
		want          bool
	}{
		"of one of several":                {c, unsure("0"), unsure("7"), false},
		"of one of several, with its text": {c, unsure("0"), unsure("1"), true},
		"the same, and it was read before": {c, unsure("1"), unsure("1"), false},
		"another value":                    {c, run.Outcome{Events: []record.Event{read("flag:--a", "0")}}, run.Outcome{Events: []record.Event{read("flag:--a", "1s")}}, true},
		"the same value":                   {c, run.Outcome{Events: []record.Event{read("flag:--a", "7")}}, run.Outcome{Events: []record.Event{read("flag:--a", "7")}}, false},
		"the text that was given":          {added, run.Outcome{Events: []record.Event{read("flag:--a", "1")}}, run.Outcome{Events: []record.Event{read("flag:--a", "1")}}, true},
		"a text of the test":               {c, run.Outcome{Events: []record.Event{read("flag:--a", "1")}}, run.Outcome{Events: []record.Event{read("flag:--a", "1")}}, false},
		"a text of the test, elsewhere":    {c, run.Outcome{Events: []record.Event{{Verb: record.Read, Subject: "flag:--a", Value: "1", At: "b.go:1"}}}, run.Outcome{Events: []record.Event{read("flag:--a", "1")}}, true},
		"a variable that is gone":          {gone, run.Outcome{Variables: []string{"A"}}, run.Outcome{Variables: []string{"A"}}, false},
		"of several commands":              {several, run.Outcome{}, run.Outcome{Events: []record.Event{read("flag:--a", "1")}}, false},
		"a value that was refused": {c, run.Outcome{Events: []record.Event{{Verb: record.Read, Subject: "flag:--a", Value: "1"}}}, run.Outcome{Events: []record.Event{
			{Verb: record.Gave, Subject: "flag:--a", At: "it is no number"}, {Verb: record.Read, Subject: "flag:--a", Value: "3"},
		}}, false},
		"no read":                      {c, run.Outcome{}, run.Outcome{Events: []record.Event{{Verb: record.Gave, Subject: "flag:--a"}}}, false},
		"a library asks for it":        {variable, run.Outcome{}, run.Outcome{Variables: []string{"A"}}, true},
		"the test sets it":             {variable, run.Outcome{}, run.Outcome{Variables: []string{"A"}, Events: []record.Event{{Verb: record.Set, Subject: "env:A", At: record.Test}}}, false},
		"the program asks and has not": {variable, run.Outcome{Events: []record.Event{read("env:A", "x")}}, run.Outcome{Variables: []string{"A"}, Events: []record.Event{read("env:A", "x")}}, false},
	} {
		if _, got := prove(c.change, &c.before, &c.after, &c.after); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	before, after := unsure("0"), unsure("1")
	if _, is := prove(c, &before, &after, &after, other); is {
		t.Error("what may be another change is a proof of this one")
	}
}

// TestSmallest: for random failures nothing can be left out of what is found, and it fails. Failures are those of sets:
// with all of one of some sets the test fails, so that more changes do not mend it.
func TestSmallest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + random.IntN(9)
		var sets [][]int
		for range 1 + random.IntN(3) {
			var set []int
			for i := range n {
				if random.IntN(3) == 0 {
					set = append(set, i)
				}
			}
			if len(set) == 0 {
				set = []int{0}
			}
			sets = append(sets, set)
		}
		fails := func(part []int) bool {
			return slices.ContainsFunc(sets, func(set []int) bool {
				return !slices.ContainsFunc(set, func(i int) bool { return !slices.Contains(part, i) })
			})
		}
		got := Smallest(reading(n).Reads, fails)
		if !fails(got) {
			t.Fatalf("%v does not fail, of %v", got, sets)
		}
		for _, i := range got {
			if without := slices.DeleteFunc(slices.Clone(got), func(x int) bool { return x == i }); fails(without) {
				t.Fatalf("%v fails without %d, too, of %v", got, i, sets)
			}
		}
	}
}

// TestSmallestRuns: of many, each test of which is a run of a program, a few are found with few runs.
func TestSmallestRuns(t *testing.T) {
	for _, c := range []struct {
		needed []int
		most   int
	}{{[]int{0}, 7}, {[]int{37}, 8}, {[]int{63}, 8}, {[]int{5, 40}, 18}} {
		runs := 0
		got := Smallest(reading(64).Reads, func(part []int) bool {
			runs++
			return !slices.ContainsFunc(c.needed, func(i int) bool { return !slices.Contains(part, i) })
		})
		if !slices.Equal(got, c.needed) || runs > c.most {
			t.Errorf("of 64, %v are needed: %v was found in %d runs, at most %d would do", c.needed, got, runs, c.most)
		}
	}
}

// TestSays: one line of what a test printed.
func TestSays(t *testing.T) {
	for name, c := range map[string]struct {
		ending run.Ending
		output string
		want   string
	}{
		"an assertion": {run.Failed, "=== RUN   TestA\n    a_test.go:7: it is 1, want 2\n--- FAIL: TestA (0.00s)\nFAIL\n", "it is 1, want 2 (a_test.go:7)"},
		"a colon":      {run.Failed, "=== RUN   TestA\n    a_test.go:7: decoding failed:\n        \n        'a' has no unit\n        'b' neither\n--- FAIL: TestA (0.00s)\n", "decoding failed: 'a' has no unit (a_test.go:7)"},
		"a table":      {run.Failed, "=== RUN   TestA\n    a_test.go:7: \n        \tError Trace:\t/a/a_test.go:7\n        \t            \t\t\t\t/a/b.go:9\n        \tError:      \tNot equal: \n        \t            \texpected: 3\n        \t            \tactual  : 2\n        \t            \t\n        \t            \tDiff:\n        \t            \t--- Expected\n        \tTest:       \tTestA\n        \tMessages:   \ttwo failures\n--- FAIL: TestA (0.00s)\n", "two failures: Not equal: expected: 3 actual  : 2 (a_test.go:7)"},
		"an example":   {run.Failed, "=== RUN   ExampleA\n--- FAIL: ExampleA (0.00s)\ngot:\n1\n2\nwant:\n3\nFAIL\n", `it prints "1\n2", and not "3"`},
		"unordered":    {run.Failed, "=== RUN   ExampleA\n--- FAIL: ExampleA (0.00s)\ngot:\n\nwant (unordered):\n3\n=== RUN   ExampleB\n", `it prints "", and not "3"`},
		"a log":        {run.Exited, "=== RUN   TestA\n2026/01/01 no such thing\n", "2026/01/01 no such thing"},
		"nothing":      {run.Exited, "=== RUN   TestA\n", "it says nothing"},
		"a panic":      {run.Panicked, "=== RUN   TestA\n--- FAIL: TestA (0.00s)\npanic: runtime error: integer divide by zero [recovered]\n\ngoroutine 7 [running]:\n", "panic: runtime error: integer divide by zero"},
		"a stack":      {run.Exited, "INFO\tsetup\tstarting\nERROR\tsetup\tit cannot run\t{\"error\": \"too short\"}\nmain.main\n\t/src/main.go:227\nruntime.main\n\t/usr/lib/go/src/runtime/proc.go:290", "ERROR\tsetup\tit cannot run\t{\"error\": \"too short\"}"},
	} {
		if got := Says(&run.Outcome{Ending: c.ending, Output: c.output}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestHangs: a test that does not end has all of its time once, and less when that is repeated.
func TestHangs(t *testing.T) {
	all := changes(1)
	var limits []string
	trial := func(_ context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Passed, Took: 400 * time.Millisecond}
		if *v[0] == "1" {
			out.Ending, out.Took = run.TimedOut, time.Minute
		}
		limits = append(limits, *v[0]+" "+test.Limit.String())
		return out, nil
	}
	b := &Bench{Changes: all, Trial: trial, Others: twoOrThree, Workers: 1}
	judged, err := one(t, b, reading(1))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(judged), "culprit [0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := []string{"0 0s", "1 0s", "0 12s", "1 12s", "0 12s", "1 12s", "2 12s"}; !slices.Equal(limits, want) {
		t.Errorf("it has %q, want %q", limits, want)
	}
}

// TestLongIsGiven: a long value that was read is the new one, or one that begins like it.
func TestLongIsGiven(t *testing.T) {
	long := strings.Repeat("0123456789 ", 30)
	c := changes(1)[0]
	quoted, list := `"`+long+`"`, `["`+strings.Repeat("a", 300)+`"]`
	for _, text := range []string{long, quoted} {
		if c.New = &text; !means(c, record.Cut(long)) || means(c, record.Cut(long+"x")) {
			t.Errorf("it is not told from others: %q", text)
		}
	}
	if c.New = &list; !means(c, record.Cut("["+strings.Repeat("a", 300)+"]")) {
		t.Error("it is not the list")
	}
}
