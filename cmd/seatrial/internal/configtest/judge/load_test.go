package judge

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// documents are fields of one document: the first changes, and the others do not.
func documents(n int) []choose.Change {
	out := changes(n)
	for i := range out {
		id := parameter.ID(fmt.Sprintf("field:Config.%c", 'a'+i))
		out[i].Class, out[i].IDs, out[i].Type = &parameter.Class{ID: id}, []parameter.ID{id}, "field:Config"
		out[i].Unchanged = i > 0
	}
	return out
}

// loader is of tests that fail, whatever they are given: a decoder is given what there is before, and says why it
// refuses something.
func loader(all []choose.Change, refuses func(v choose.Values) string, runs *int) Trial {
	return func(_ context.Context, t choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Failed, Output: "it is not what the test expects"}
		*runs++
		for i, c := range all {
			if v[i] != nil {
				out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: c.IDs[0], Value: *v[i], At: refuses(v)})
			}
			out.Events = append(out.Events, record.Event{Verb: record.Read, Subject: c.IDs[0], Value: t.Name})
		}
		return out, nil
	}
}

// TestLoad: what loads a configuration refuses a change beside what does not change, in tests that fail with that in
// any case. Of many tests no more are run then.
func TestLoad(t *testing.T) {
	all := documents(4)
	tests := make([]choose.Test, 2*enough)
	for i := range tests {
		tests[i] = choose.Test{Package: ".", Name: fmt.Sprintf("Test%02d", i), Reads: []int{0}}
	}
	together := func(v choose.Values) string {
		if *v[0] == "1" && v[2] != nil {
			return "a is above c"
		}
		return ""
	}
	for name, c := range map[string]struct {
		tests   []choose.Test
		refuses func(choose.Values) string
		want    string
		most    int // runs
	}{
		"of many tests": {tests, together, "culprit [0] beside [--c]", 20},
		"of few":        {tests[:2], together, "culprit [0] beside [--c]", 60},
		"by itself": {tests, func(v choose.Values) string {
			if *v[0] == "1" {
				return "a is wrong"
			}
			return ""
		}, "culprit [0]", 20},
		"the old one, too": {tests[:1], func(choose.Values) string { return "there is no a" }, "it fails with the old values, too: it is not what the test expects", 60},
		"taken":            {tests[:1], func(choose.Values) string { return "" }, "it fails with the old values, too: it is not what the test expects", 60},
	} {
		runs := 0
		b := &Bench{Changes: all, Trial: loader(all, c.refuses, &runs)}
		judged, err := b.All(t.Context(), c.tests)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(judged, func(j *Judged) bool { return j != nil })
		if got := told(judged[at]); got != c.want || runs > c.most {
			t.Errorf("%s: %q, want %q; %d runs", name, got, c.want, runs)
		}
	}
}

// TestAsk: what several tests show to be refused is asked of one of them, and no test is repeated; what another one
// takes is repeated.
func TestAsk(t *testing.T) {
	all := documents(3)
	const many = 5
	for name, c := range map[string]struct {
		beside bool // what does not change
		taken  bool // once more in each run, by somebody else
		want   string
		runs   int
	}{
		"refused":        {false, false, "culprit [0]", 17},
		"refused beside": {true, false, "culprit [0] beside [--b]; unproved [0]", 29},
		"taken, too":     {false, true, "culprit [0]", 51},
	} {
		runs := 0
		trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			runs++
			out := &run.Outcome{Ending: run.Passed}
			why := ""
			if *v[0] == "1" && (v[1] != nil || !c.beside) {
				why = "a is wrong"
			}
			give := func(why string) {
				for i, of := range all {
					if v[i] != nil {
						out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: of.IDs[0], Value: *v[i], At: why})
					}
				}
			}
			give(why)
			if c.taken {
				give("")
			}
			out.Events = append(out.Events, record.Event{Verb: record.Read, Subject: all[1].IDs[0], Value: "same"})
			return out, nil
		}
		tests := make([]choose.Test, many)
		for i := range tests {
			tests[i] = choose.Test{Package: ".", Name: fmt.Sprint("Test", i), Reads: []int{0}}
		}
		judged, err := (&Bench{Changes: all, Trial: trial}).All(t.Context(), tests)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range judged {
			if got := told(j); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
		if runs != c.runs {
			t.Errorf("%s: %d runs, want %d", name, runs, c.runs)
		}
	}
}

// TestLoadStarts: of many tests that read a flag those are asked that start the program, since others may make what it
// feeds.
func TestLoadStarts(t *testing.T) {
	all, runs := changes(1), 0
	tests := make([]choose.Test, 2*enough)
	for i := range tests {
		tests[i] = choose.Test{Package: ".", Name: fmt.Sprintf("Test%02d", i), Reads: []int{0}, Took: time.Second, Starts: i == enough}
	}
	tests[enough].Took = time.Minute
	trial := func(_ context.Context, of choose.Test, v choose.Values) (*run.Outcome, error) {
		runs++
		out := &run.Outcome{Ending: run.Passed}
		if of.Starts {
			why := ""
			if *v[0] == "1" {
				why = "a is wrong"
			}
			out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: all[0].IDs[0], At: why})
		}
		return out, nil
	}
	judged, err := (&Bench{Changes: all, Trial: trial}).All(t.Context(), tests)
	if err != nil {
		t.Fatal(err)
	}
	if got := told(judged[enough]); got != "culprit [0]" || runs != 2*Repeats+1 {
		t.Errorf("%s, after %d runs", got, runs)
	}
}

// TestLoadPart: what refuses a part of what is given, of which the test has made the rest, refuses nothing that is
// deployed.
func TestLoadPart(t *testing.T) {
	all := documents(3)
	trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Failed}
		why := ""
		if *v[0] == "1" {
			why = "a is above the default of c"
		}
		for _, c := range all[:2] {
			out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: c.IDs[0], At: why})
		}
		return out, nil
	}
	b := &Bench{Changes: all, Trial: trial}
	if judged, err := one(t, b, reading(1)); err != nil || len(judged.Culprits) > 0 {
		t.Errorf("%s, %v", told(judged), err)
	}
}

// TestLoadElsewhere: what is refused at one place and taken at another one, with all that is deployed, is not refused.
func TestLoadElsewhere(t *testing.T) {
	all := documents(2)
	trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Failed}
		for _, why := range []string{"a is wrong for one of them", ""} {
			if *v[0] != "1" {
				why = ""
			}
			for _, c := range all {
				out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: c.IDs[0], At: why})
			}
		}
		return out, nil
	}
	if judged, err := one(t, &Bench{Changes: all, Trial: trial}, reading(1)); err != nil || len(judged.Culprits) > 0 {
		t.Errorf("%s, %v", told(judged), err)
	}
}

// TestLoadOnce: what is refused once, and taken when it is asked again, is not refused.
func TestLoadOnce(t *testing.T) {
	all := documents(1)
	refusals := 0
	trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		why := ""
		if *v[0] == "1" && refusals == 0 {
			refusals++
			why = "the network is down"
		}
		return &run.Outcome{Ending: run.Failed, Events: []record.Event{{Verb: record.Gave, Subject: all[0].IDs[0], At: why}}}, nil
	}
	if judged, err := one(t, &Bench{Changes: all, Trial: trial}, reading(1)); err != nil || len(judged.Culprits) > 0 {
		t.Errorf("%s, %v", told(judged), err)
	}
	if refusals != 1 {
		t.Error("it was not asked")
	}
}

// TestTaken: of a value that was not there before, and that is refused once and taken once in a run, what the test has
// made beside it is refused.
func TestTaken(t *testing.T) {
	all := documents(1)
	all[0].Old = nil
	for name, taken := range map[string]bool{"culprit [0]": false, "proved [0]": true} {
		trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			out := &run.Outcome{Ending: run.Passed}
			if v[0] != nil {
				out.Events = []record.Event{{Verb: record.Gave, Subject: all[0].IDs[0], Value: "1", At: "there is no scheme"}}
			}
			if v[0] != nil && taken {
				out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: all[0].IDs[0], Value: "1"}, record.Event{Verb: record.Read, Subject: all[0].IDs[0], Value: "1"})
			}
			return out, nil
		}
		judged, err := one(t, &Bench{Changes: all, Trial: trial}, reading(1))
		if err != nil || (len(judged.Culprits) > 0) == taken {
			t.Errorf("%s: %s, %v", name, told(judged), err)
		}
	}
}

// TestTakenHardCoded: a test that compares all that is loaded fails with any value, whatever was refused once and taken
// once.
func TestTakenHardCoded(t *testing.T) {
	all := documents(1)
	all[0].Old = nil
	trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Passed}
		if v[0] != nil {
			out.Ending = run.Failed
			for _, why := range []string{"there is no scheme", ""} {
				out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: all[0].IDs[0], Value: *v[0], At: why})
			}
		}
		return out, nil
	}
	judged, err := one(t, &Bench{Changes: all, Trial: trial, Others: twoOrThree}, reading(1))
	if got := told(judged); err != nil || got != "culprit [0] hard-coded" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestMapHardCoded: a map that was not there before is none of few words, however little a test that compares all has
// of it.
func TestMapHardCoded(t *testing.T) {
	all := documents(1)
	text := `{"region":"eu"}`
	all[0].Old, all[0].New = nil, &text
	trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Passed, Events: []record.Event{{Verb: record.Read, Subject: all[0].IDs[0], Value: "{}"}}}
		if v[0] != nil {
			out.Ending = run.Failed
		}
		return out, nil
	}
	b := &Bench{
		Changes: all, Trial: trial,
		Others:  func(choose.Test, int, []string) []string { return []string{`{"region":"other"}`} },
		Asserts: func(choose.Test, []string) bool { return false },
	}
	judged, err := one(t, b, reading(1))
	if got := told(judged); err != nil || got != "culprit [0] hard-coded" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestWithout: a key that nobody knows, and that is refused, is given to no test that is about something else.
func TestWithout(t *testing.T) {
	all := documents(2)
	all[0].Old, all[0].Strange, all[1].Unchanged = nil, true, false
	given := map[string]int{}
	trial := func(_ context.Context, test choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Passed}
		why := ""
		if v[0] != nil {
			given[test.Name]++
			why = "nobody knows it"
		}
		for i, c := range all {
			if v[i] != nil {
				out.Events = append(out.Events, record.Event{Verb: record.Gave, Subject: c.IDs[0], Value: *v[i], At: why})
			}
		}
		out.Events = append(out.Events, record.Event{Verb: record.Read, Subject: all[1].IDs[0], Value: *v[1]})
		return out, nil
	}
	tests := []choose.Test{{Package: ".", Name: "TestLoad", Loads: []int{0}}, {Package: ".", Name: "TestOther", Reads: []int{1}}, {Package: ".", Name: "TestBoth", Reads: []int{0, 1}}}
	judged, err := (&Bench{Changes: all, Trial: trial}).All(t.Context(), tests)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"culprit [0]", "proved [1]", "proved [1]"} {
		if got := told(judged[i]); got != want {
			t.Errorf("%s: %q, want %q", tests[i].Name, got, want)
		}
	}
	if given["TestOther"]+given["TestBoth"] > 0 {
		t.Errorf("it is given %v", given)
	}
}
