package judge

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// TestGenerate: what becomes of values of --a, which is 0 and of which 1 and 2 are valid, x is invalid and 9 may be
// meant, by how a test ends with each.
func TestGenerate(t *testing.T) {
	all := changes(1)
	candidates := []value.Candidate{{Text: "1", Kind: value.Valid}, {Text: "2", Kind: value.Valid}, {Text: "x", Kind: value.Invalid}, {Text: "9", Kind: value.Unsure}}
	const failed, panicked = run.Failed, run.Panicked
	refused := []record.Event{{Verb: record.Checked, Subject: "validation:a.go:1", Value: "a is x", At: "a.go:1"}}
	for name, c := range map[string]struct {
		ends   map[string]run.Ending
		events map[string][]record.Event
		unread bool
		want   string
	}{
		"all pass":                   {want: "1 passes, 2 passes, x silent, 9 passes"},
		"one valid value":            {ends: map[string]run.Ending{"2": failed}, want: "1 passes, 2 dormant, x silent, 9 passes"},
		"hard-coded":                 {ends: map[string]run.Ending{"1": failed, "2": failed, "x": failed, "9": failed}, want: "1 unseen, 2 unseen, x unseen, 9 unseen, hard-coded"},
		"a test refuses":             {ends: map[string]run.Ending{"x": failed}, want: "1 passes, 2 passes, x refused, 9 passes"},
		"none may be meant":          {ends: map[string]run.Ending{"9": failed}, want: "1 passes, 2 passes, x silent, 9 doubtful"},
		"but does not panic":         {ends: map[string]run.Ending{"9": panicked}, want: "1 passes, 2 passes, x silent, 9 dormant"},
		"a validation":               {events: map[string][]record.Event{"x": refused}, want: "1 passes, 2 passes, x refused, 9 passes"},
		"that always says so":        {events: map[string][]record.Event{"0": refused, "1": refused, "x": refused}, want: "1 passes, 2 passes, x silent, 9 passes"},
		"refuses a valid value":      {ends: map[string]run.Ending{"2": failed}, events: map[string][]record.Event{"2": refused}, want: "1 passes, 2 refused, x silent, 9 passes"},
		"nothing is seen to be read": {unread: true, want: "1 unseen, 2 unseen, x unseen, 9 unseen"},
	} {
		trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			out := &run.Outcome{Ending: run.Passed, Events: c.events[*v[0]]}
			if end, is := c.ends[*v[0]]; is {
				out.Ending = end
			}
			if !c.unread {
				out.Events = append([]record.Event{{Verb: record.Read, Subject: all[0].IDs[0], Value: *v[0], At: "main.go:1"}}, out.Events...)
			}
			return out, nil
		}
		tests := []choose.Test{reading(1)}
		bases, err := Before(t.Context(), tests, all, trial, 1)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Generate(t.Context(), 0, tests, bases, all, trial, candidates, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range out.Tried {
			got = append(got, fmt.Sprintf("%s %s", one.Text, one.Fate))
		}
		if len(out.HardCoded) > 0 {
			got = append(got, "hard-coded")
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// TestGenerateMadeUp: a text that is made up, and of which a test only says that there is an error, is refused by the
// program. What it asserts of that is a finding, and so is an error of a value that is near the known one.
func TestGenerateMadeUp(t *testing.T) {
	all := changes(1)
	for name, c := range map[string]struct{ text, at, want string }{
		"an error":            {"a-other", "a_test.go:1", "refused"},
		"an assertion":        {"a-other", "a_test.go:2", "dormant"},
		"an error of a value": {"61s", "a_test.go:1", "dormant"},
	} {
		trial := func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			out := &run.Outcome{Ending: run.Passed, Events: []record.Event{{Verb: record.Read, Subject: all[0].IDs[0], Value: *v[0], At: "main.go:1"}}}
			if *v[0] == c.text {
				out.Ending, out.Output = run.Failed, "    "+c.at+": there is none\n"
			}
			return out, nil
		}
		tests := []choose.Test{reading(1)}
		bases, err := Before(t.Context(), tests, all, trial, 1)
		if err != nil {
			t.Fatal(err)
		}
		candidates := []value.Candidate{{Text: "b", Kind: value.Valid}, {Text: c.text, Kind: value.Valid}}
		out, err := Generate(t.Context(), 0, tests, bases, all, trial, candidates, func(_ choose.Test, at string) bool { return at == "a_test.go:1" })
		if err != nil {
			t.Fatal(err)
		}
		if got := string(out.Tried[1].Fate); got != c.want {
			t.Errorf("%s: it is %s, want %s", name, got, c.want)
		}
	}
}
