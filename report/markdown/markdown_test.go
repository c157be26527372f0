package markdown

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestWrite(t *testing.T) {
	for _, name := range []string{"violated", "several", "ignored", "holds", "left-out", "unconfirmed", "hostile"} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(filepath.Join("..", "json", "testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := reportjson.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := Write(&b, r); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".md")
			if *update {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || b.String() != string(want) {
				t.Errorf("%s differs (rewrite with -update once you understand why): %v\n%s", path, err, &b)
			}
		})
	}
}

// TestWriteKeepsItsBounds: a summary holds one MiB.
func TestWriteKeepsItsBounds(t *testing.T) {
	r := &finding.Report{Verdict: finding.Violated}
	long := &trace.Trace{}
	for i := range 500 {
		long.Steps = append(long.Steps, trace.Step{Actor: "kubelet", Action: fmt.Sprintf("does %d to a pod with a long name of the Deployment shop/checkout", i)})
	}
	for i := range 1000 {
		for _, v := range []finding.Verdict{finding.Violated, finding.Holds, finding.Inconclusive} {
			r.Results = append(r.Results, finding.Result{Rule: "SEA1001", Name: "x", Subject: fmt.Sprint("Deployment shop/", i), Verdict: v, Reason: strings.Repeat("why ", 20), Trace: long})
		}
		r.Warnings = append(r.Warnings, finding.Warning{Message: strings.Repeat("careful ", 20)})
	}
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if n := b.Len(); n > 1<<20 || strings.Count(b.String(), "more") < 3 {
		t.Errorf("%d bytes", n)
	}
}

func TestSimulation(t *testing.T) {
	var b strings.Builder
	rest := 1
	s := &finding.Simulation{Seed: 7, Text: "1 node", End: "at rest", Command: "seatrial check --simulate a", Trace: &trace.Trace{Steps: []trace.Step{{Actor: "kubelet", Action: "starts"}}, Loop: &rest}}
	if err := WriteSimulation(&b, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## ▶ seatrial: 1 step from seed 7: at rest", "<summary>1 step; this state stays for ever</summary>", "1  kubelet  starts", "`seatrial check --simulate a`"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// TestTextIsText: user text neither renders nor notifies anyone.
func TestTextIsText(t *testing.T) {
	for s, want := range map[string]string{
		"a plain sentence: 2 of 3.": "a plain sentence: 2 of 3.",
		"<img src=x>":               "&lt;img src=x&gt;",
		"@team #12":                 "&#64;team &#35;12",
		"https://x.y www.z":         "https&#58;//x.y www&#46;z",
		"[a](b) *c* _d_ `e`":        "\\[a\\](b) \\*c\\* \\_d\\_ \\`e\\`",
		"- a":                       `\- a`, "12. a": `12\. a`, "3": "3", "": "", "  # a": "&#35; a", "a\n# b": "a\\\\n&#35; b", "&lt;": "&amp;lt;", "$x$": `\$x\$`,
	} {
		if got := text(s); got != want {
			t.Errorf("text(%q) = %s, want %s", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"a": "`a`", "`": "`` ` ``", "a``b": "```a``b```", "": "", " ": "`   `", "<b>|": "`<b>|`",
	} {
		if got := code(s); got != want {
			t.Errorf("code(%q) = %s, want %s", s, got, want)
		}
	}
	if got := cell(code("a|b") + text("c|d")); got != "`a\\|b`c\\|d" {
		t.Error(got)
	}
}

// TestHostileNames: nothing of a manifest reaches the page as markup.
func TestHostileNames(t *testing.T) {
	const bad = "x`</summary><script>@all|\n```\n# y"
	at := finding.Location{File: bad, Line: 1}
	r := &finding.Report{
		Verdict: finding.Violated, Command: bad, Tool: bad, Bound: finding.Bound{Text: bad}, Assumptions: []string{bad}, Reason: bad,
		Warnings: []finding.Warning{{Location: at, Message: bad}}, Omissions: []finding.Omission{{Name: bad, Location: at, Reason: bad}, {Name: bad, Reason: bad, Blocking: true}},
	}
	for _, v := range []finding.Verdict{finding.Violated, finding.Holds, finding.Inconclusive} {
		r.Results = append(r.Results, finding.Result{
			Name: bad, Subject: bad, Verdict: v, Message: bad, Reason: bad, Vacuous: bad, Causes: []finding.Cause{{Location: at, Message: bad}},
			Suggestions: []finding.Suggestion{{Title: bad, Cost: bad, Bound: bad, Patch: bad}, {Title: bad, Cost: bad, Bound: bad, Patch: bad}}, Unmended: bad,
			Trace: &trace.Trace{Initial: []string{bad}, Steps: []trace.Step{{Actor: bad, Action: bad, Note: bad}}},
		})
	}
	r.Results = append(r.Results, finding.Result{Name: bad, Subject: bad, Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByAnnotation, Reason: bad, Location: &at}})
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	// What is in code spans and fences is shown as it is.
	bare := regexp.MustCompile("(?s)\n(`{4,})(?:diff)?\n.*?\n`{4,}\n").ReplaceAllString(b.String(), "\n")
	bare = regexp.MustCompile("````.+?````").ReplaceAllString(bare, "")
	for _, mark := range []string{"<script", "@all", "\n# y", "\n```"} {
		if strings.Contains(bare, mark) {
			t.Errorf("%q in\n%s", mark, bare)
		}
	}
	if opened, closed := strings.Count(bare, "<details>"), strings.Count(bare, "</details>"); opened != closed || opened != 6 {
		t.Errorf("%d opened, %d closed\n%s", opened, closed, bare)
	}
}
