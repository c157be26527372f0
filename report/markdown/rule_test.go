package markdown

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

var told = finding.Rule{
	ID: "SEA9001", Name: "boats-float", Title: "a boat sinks", Trial: "check", Means: "Every boat floats.\n\nSo does every raft.", Excuses: "Submarines do not count.",
	Why: "Water comes in.", Mend: []string{"Close the hole.", "Pump."}, Links: []finding.Link{{Title: "Archimedes", URL: "https://example.org/a"}},
	Parameters: []finding.Parameter{{Name: "boat", Doc: "`one` boat"}}, Fails: "examples/a", Holds: "examples/b",
}

// TestRulePage: with what a check says, and, where nobody has run one, with the whole
// example instead.
func TestRulePage(t *testing.T) {
	e := &finding.Example{Files: []finding.ExampleFile{{Name: "manifests.yaml", Text: "kind: Boat\n"}}, Difference: "-hole: 1\n", Said: "it sinks"}
	page := RulePage(told, e, func(folder string) string { return "up/" + folder })
	const parts = "# SEA9001 boats-float\n\n*a boat sinks*\n\nEvery boat floats.\n\nSo does every raft.\n\n## What does not count\n\nSubmarines do not count.\n\n" +
		"## Why it happens\n\nWater comes in.\n\n## What people change\n\n- Close the hole.\n- Pump.\n\n## Links\n\n- [Archimedes](https://example.org/a)\n\n" +
		"## Parameters\n\nChecked unless a scenario lists other properties. It takes\n\n| parameter | meaning |\n|---|---|\n| `boat` | `one` boat |\n\n```yaml\nproperties:\n- rule: boats-float\n```\n\n## Examples\n\n"
	const end = "\n[`examples/b`](up/examples/b) holds. It differs in\n\n```diff\n-hole: 1\n```\n"
	if want := parts + "[`examples/a`](up/examples/a) fails:\n\n```\n$ seatrial check examples/a\nit sinks\n```\n" + end; page != want {
		t.Errorf("got\n%s\nwant\n%s", page, want)
	}
	e.Said = ""
	page = RulePage(told, e, func(folder string) string { return "up/" + folder })
	if want := parts + "[`examples/a`](up/examples/a) fails.\n\n```yaml\n# manifests.yaml\nkind: Boat\n```\n" + end; page != want {
		t.Errorf("got\n%s\nwant\n%s", page, want)
	}
}

// TestControllerPage: a rule about controllers has no parameters, and its example is a
// controller, which is shown where it is known.
func TestControllerPage(t *testing.T) {
	r := told
	r.Trial, r.Parameters, r.Fails, r.Holds = "perturb", nil, "examples/a/experiment.yaml", "examples/a/fixed.yaml"
	up := func(file string) string { return "up/" + file }
	page := RulePage(r, nil, up)
	const end = "\n## Examples\n\n`seatrial perturb` judges it always, and only it with `--pattern=boats-float`. In a clone of the repository, after `make`,\n\n" +
		"```\nseatrial perturb examples/a/experiment.yaml\n```\n\nfinds it in [a controller](up/examples/a/experiment.yaml) that is wrong, and nothing in the [same](up/examples/a/fixed.yaml) without the mistake.\n"
	if !strings.HasSuffix(page, end) || strings.Contains(page, "Parameters") {
		t.Errorf("got\n%s\nwant at its end\n%s", page, end)
	}
	e := &finding.Example{Files: []finding.ExampleFile{{Name: "experiment.yaml", Text: "kind: Boat\n"}, {Name: "buggy.go", Text: "func sink() {}\n"}}}
	if page, want := RulePage(r, e, up), end+"\n`experiment.yaml`:\n\n```yaml\nkind: Boat\n```\n\n`buggy.go`:\n\n```go\nfunc sink() {}\n```\n"; !strings.HasSuffix(page, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", page, want)
	}
	r.Trial, r.Fails, r.Holds = "campaign", "", ""
	if page, want := RulePage(r, nil, up), "\n## How it is judged\n\n`seatrial campaign` judges it always, unless its oracle `boats-float` is switched off.\n"; !strings.HasSuffix(page, want) || strings.Contains(page, "Examples") {
		t.Errorf("got\n%s\nwant at its end\n%s", page, want)
	}
	r.Trial = "perturb"
	list := Rules([]finding.Rule{told, r}, func(finding.Rule) string { return "p" }, "cel.md")
	if first, second, ok := strings.Cut(list, "## Of controllers"); !ok || strings.Count(first, "boats-float") != 1 || strings.Count(second, "boats-float") != 1 {
		t.Error(list)
	}
}

// TestWriteFinding: what is a stranger's reads as it is, what the rule says is ours.
func TestWriteFinding(t *testing.T) {
	f := &finding.Found{
		Result: finding.Result{
			Rule: told.ID, Name: told.Name, Subject: "Boat sea/`mary`", Verdict: finding.Violated, Message: "@all <b>sinks</b>",
			Ignored: &finding.Ignored{Reason: "*old*"},
			Causes:  []finding.Cause{{Location: finding.Location{File: "a.yaml", Line: 3}, Message: "is the [hole](x)"}},
		},
		Repeat: "seatrial check 'a`b'", Replay: "seatrial replay r.json",
	}
	var b bytes.Buffer
	if err := WriteFinding(&b, f, &told); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### `SEA9001 boats-float` — `` Boat sea/`mary` ``\n", "\n&#64;all &lt;b&gt;sinks&lt;/b&gt;\n", "\n- `a.yaml:3` is the \\[hole\\](x)\n", "\nIt is ignored: \\*old\\*\n",
		"\n**What people change**\n\n- Close the hole.\n- Pump.\n", "\nRepeat it with ``seatrial check 'a`b'``\n", "\nMake it happen with `seatrial replay r.json`\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
	b.Reset()
	f.Repeat, f.Replay = "", ""
	if err := WriteFinding(&b, f, nil); err != nil || strings.Contains(b.String(), "Why") || strings.Contains(b.String(), "Repeat") {
		t.Errorf("%v\n%s", err, &b)
	}
}
