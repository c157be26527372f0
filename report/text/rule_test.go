package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

var told = finding.Rule{
	ID: "SEA9001", Name: "boats-float", Title: "a boat sinks", Trial: "check", Level: finding.LevelWarning, OnRequest: true,
	Means: "Every boat floats.\n\nSo does every raft.", Excuses: "Submarines do not count.", Why: "Water comes in faster than it goes out.",
	Mend:  []string{"Close the hole.", "Set pump.litresPerMinute above what the hole lets in, which for most holes of some size is more than one believes."},
	Links: []finding.Link{{Title: "Archimedes", URL: "https://example.org/a"}}, Parameters: []finding.Parameter{{Name: "boat", Doc: "`one` boat"}},
	Fails: "examples/rules/SEA9001/fails", Holds: "examples/rules/SEA9001/holds",
}

const toldText = `SEA9001 boats-float
a boat sinks

Every boat floats.

So does every raft.

What does not count
  Submarines do not count.

Why it happens
  Water comes in faster than it goes out.

What people change
  - Close the hole.
  - Set pump.litresPerMinute above what the hole
    lets in, which for most holes of some size is
    more than one believes.

How it is asked for
  seatrial check judges it only where a Scenario
  asks for it, or --property=boats-float. A
  violation is a warning. In a Scenario:

  properties:
  - rule: boats-float
    boat:        # one boat

Links
  Archimedes
    https://example.org/a
  this rule in the manual
    https://github.com/seatrial/seatrial/blob/main/docs/rules/SEA9001.md

An example that fails: examples/rules/SEA9001/fails
  # manifests.yaml
  kind: Boat
  hole: 1
  ---
  # scenario.yaml
  kind: Scenario

Try it: seatrial explain SEA9001 -o yaml | seatrial check -

It holds with this change: examples/rules/SEA9001/holds
  # manifests.yaml
  -hole: 1
  +hole: 0
`

func TestWriteRule(t *testing.T) {
	e := &finding.Example{
		Files:      []finding.ExampleFile{{Name: "manifests.yaml", Text: "kind: Boat\nhole: 1\n"}, {Name: "scenario.yaml", Text: "kind: Scenario\n"}},
		Difference: "# manifests.yaml\n-hole: 1\n+hole: 0\n",
	}
	var b bytes.Buffer
	if err := WriteRule(&b, told, e, Options{Width: 50}); err != nil {
		t.Fatal(err)
	}
	if b.String() != toldText {
		t.Errorf("got\n%s\nwant\n%s", &b, toldText)
	}
}

// TestWriteRuleOfControllers: nothing is said of a Scenario, and the examples are named.
func TestWriteRuleOfControllers(t *testing.T) {
	r := told
	r.Trial, r.Parameters, r.Fails, r.Holds = "perturb", nil, "examples/a/experiment.yaml", "examples/a/fixed.yaml"
	var b bytes.Buffer
	if err := WriteRule(&b, r, nil, Options{Width: 70}); err != nil {
		t.Fatal(err)
	}
	const asked = `How it is asked for
  seatrial perturb judges it always, and only it with
  --pattern=boats-float. A violation is a warning.

Links
`
	const end = `
A controller that fails, and one that does not
  In a clone of the repository, after make:

  seatrial perturb examples/a/experiment.yaml
  seatrial perturb examples/a/fixed.yaml
`
	if !strings.Contains(b.String(), asked) || !strings.HasSuffix(b.String(), end) || strings.Contains(b.String(), "Scenario") {
		t.Errorf("got\n%s", &b)
	}
}

// TestWriteRules: a narrow screen wraps what a violation says, under its column.
func TestWriteRules(t *testing.T) {
	long := told
	long.ID, long.Name, long.OnRequest, long.Title = "SEA9002", "x", false, "a boat sinks for ever and ever"
	var b bytes.Buffer
	if err := WriteRules(&b, []finding.Rule{told, long}, "More.", Options{Width: 45}); err != nil {
		t.Fatal(err)
	}
	const want = `RULE     NAME           A VIOLATION SAYS
SEA9001  boats-float +  a boat sinks
SEA9002  x              a boat sinks for ever
                        and ever

More.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

// TestFindingWithoutPlaces: what there is to say and has no place is not said of one, and
// no line of it looks like one of ours.
func TestFindingWithoutPlaces(t *testing.T) {
	var b bytes.Buffer
	f := &finding.Found{Result: finding.Result{Name: "boats-float", Message: "it sinks", Causes: []finding.Cause{{Message: "repeat it with care\n\nWhere"}}}}
	if err := WriteFinding(&b, f, nil, Options{}); err != nil {
		t.Fatal(err)
	}
	if out := b.String(); !strings.Contains(out, "\nMore of it\n  repeat it with care") || strings.Contains(out, "\nWhere") {
		t.Errorf("got\n%s", out)
	}
}

// TestWriteFinding: a finding with everything, whose texts are a stranger's.
func TestWriteFinding(t *testing.T) {
	rest := 0
	at := finding.Location{File: "a\x1b[2J.yaml", Line: 3}
	f := &finding.Found{
		Run: "r.json", Number: 2, Of: 3, Fingerprint: "0123456789abcdef0123456789abcdef", Repeat: "seatrial check a\nb", Replay: "seatrial replay r.json",
		Result: finding.Result{
			Rule: "SEA9001", Name: "boats-float", Subject: "Boat sea/\u202emary", Verdict: finding.Violated, Message: "it\x1b[31m sinks",
			Ignored:     &finding.Ignored{By: finding.ByBaseline},
			Causes:      []finding.Cause{{Location: at, Message: "is the hole"}, {Location: finding.Location{Object: "Sea north"}, Message: "is wet"}},
			Suggestions: []finding.Suggestion{{Title: "close the hole", Cost: "a plug", Changes: []finding.Change{{File: "a.yaml", Line: 3, Old: []string{"hole: 1"}, New: []string{"hole: 0"}}}}},
			Trace:       &trace.Trace{Initial: []string{"a boat"}, Steps: []trace.Step{{Actor: "sea", Action: "comes in"}}, Loop: &rest},
		},
		Sources: []finding.Source{{File: at.File, Line: 2, Text: []string{"kind: Boat", "hole: \x1b[1m1", "pump: 0"}}},
	}
	var b bytes.Buffer
	if err := WriteFinding(&b, f, &told, Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `SEA9001 boats-float  Boat sea/\u202emary
finding 2 of 3 in r.json, fingerprint 0123456789ab

it\x1b[31m sinks
It is ignored: in the baseline

Where
a\x1b[2J.yaml:3  is the hole
       2 | kind: Boat
  >    3 | hole: \x1b[1m1
       4 | pump: 0
Sea north  is wet

What happens
     start  a boat
│ 1  sea    comes in
↻ step 1 repeats for ever

What the rule says
  Every boat floats.

  So does every raft.

Why it happens
  Water comes in faster than it goes out.

What people change
  - Close the hole.
  - Set pump.litresPerMinute above what the hole lets in, which for most holes
    of some size is more than one believes.

suggest   close the hole
          cost: a plug
          a.yaml:3
          - hole: 1
          + hole: 0
rule      seatrial explain SEA9001
repeat    seatrial check a\nb
replay    seatrial replay r.json
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	f.Fingerprint, f.Number, f.Result.Trace, f.Result.Causes, f.Result.Suggestions, f.Repeat, f.Replay = "0123456789abcdef-2", 0, nil, nil, nil, "", ""
	b.Reset()
	if err := WriteFinding(&b, f, nil, Options{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	if want := "SEA9001 boats-float  Boat sea/\\u202emary\nfinding in r.json, fingerprint 0123456789abcdef-2\n\nit\\x1b[31m sinks\nIt is ignored: in the baseline\n"; b.String() != want {
		t.Errorf("got %q, want %q", &b, want)
	}
}
