package html

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// page is everything that the script shows. Its strings are printable.
type page struct {
	Title    string `json:"title"`
	Verdict  string `json:"verdict"`
	Badge    string `json:"badge"`
	Sentence string `json:"sentence"`
	// More says what the sentence leaves out.
	More  string `json:"more,omitempty"`
	Bound string `json:"bound"`
	// Tool says what made the report, and of which Kubernetes.
	Tool    string `json:"tool"`
	Command string `json:"command"`
	// Replay makes the traces happen on a real control plane; empty if there are none
	// that can.
	Replay string `json:"replay,omitempty"`
	// Explored are the figures of the search.
	Explored    []report.Fact `json:"explored"`
	Actions     []string      `json:"actions,omitempty"`
	Growth      []string      `json:"growth,omitempty"`
	Reductions  []string      `json:"reductions,omitempty"`
	Undecided   []string      `json:"undecided,omitempty"`
	Findings    []result      `json:"findings"`
	Traces      []film        `json:"traces"`
	Assumptions []string      `json:"assumptions"`
	Omissions   []omission    `json:"omissions"`
	Warnings    []note        `json:"warnings"`
	Coverage    *coverage     `json:"coverage,omitempty"`
}

// result is one property for one subject.
type result struct {
	Rule      string    `json:"rule,omitempty"`
	Name      string    `json:"name"`
	Subject   string    `json:"subject"`
	Verdict   string    `json:"verdict"`
	Message   string    `json:"message,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	Vacuous   string    `json:"vacuous,omitempty"`
	Witnesses []witness `json:"witnesses,omitempty"`
	Excerpts  []excerpt `json:"excerpts,omitempty"`
	// Causes are those that no excerpt shows.
	Causes []note `json:"causes,omitempty"`
	// Applied is what was done, and Compared what is not as expected.
	Applied      []difference `json:"applied,omitempty"`
	Compared     []difference `json:"compared,omitempty"`
	Consequences []string     `json:"consequences,omitempty"`
	// Suggestions are changes that mend it; Unmended says why there is none.
	Suggestions []suggestion `json:"suggestions,omitempty"`
	Unmended    string       `json:"unmended,omitempty"`
	// Traces are indexes.
	Traces []int `json:"traces,omitempty"`
}

// suggestion is a change with the lines of its patch.
type suggestion struct {
	Title string   `json:"title"`
	Cost  string   `json:"cost"`
	Bound string   `json:"bound"`
	Patch []string `json:"patch"`
}

type witness struct {
	Name    string `json:"name"`
	Reached bool   `json:"reached"`
	Steps   int    `json:"steps,omitempty"`
}

// note is a sentence about a place.
type note struct {
	Place  string `json:"place,omitempty"`
	Object string `json:"object,omitempty"`
	Field  string `json:"field,omitempty"`
	Text   string `json:"text"`
}

type omission struct {
	note
	Name     string `json:"name"`
	Blocking bool   `json:"blocking,omitempty"`
	Accepted bool   `json:"accepted,omitempty"`
}

// excerpt is lines of a file with what is to be said of some of them.
type excerpt struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Text  []string `json:"text"`
	Marks []mark   `json:"marks"`
}

// mark is about a line of an excerpt; Column counts the characters before it, in
// the text as it is shown.
type mark struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Object string `json:"object,omitempty"`
	Field  string `json:"field,omitempty"`
	Text   string `json:"text"`
}

func printable(s string) string { return trace.Printable(s, false) }

func printables(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = printable(s)
	}
	return out
}

func pageOf(r *finding.Report, o Options) (*page, error) {
	verdict := report.Overall(r)
	p := &page{
		Verdict: string(verdict), Badge: printable(string(verdict)), Command: printable(r.Command),
		Sentence: printable(sentence(r, verdict)), More: more(r, verdict), Bound: printable(report.Bound(r)),
		Tool:       printable(report.Versions(r)),
		Explored:   explored(r, o),
		Replay:     printable(replay(r)),
		Reductions: printables(r.Bound.Reductions), Undecided: printables(r.Bound.Inconclusive),
		Assumptions: printables(r.Assumptions),
		Findings:    []result{}, Traces: []film{}, Omissions: []omission{}, Warnings: []note{},
	}
	p.Title = p.Sentence + " · " + p.Badge
	for i := range r.Results {
		f := resultOf(r, &r.Results[i])
		for _, t := range r.Results[i].Traces() {
			reel, err := filmOf(t)
			if err != nil {
				return nil, fmt.Errorf("the trace of %s %s: %w", f.Name, f.Subject, err)
			}
			if r.Results[i].Reference != nil {
				reel.Label = "what was found"
				if t == r.Results[i].Reference {
					reel.Label = "to compare with"
				}
			}
			f.Traces = append(f.Traces, len(p.Traces))
			p.Traces = append(p.Traces, *reel)
		}
		p.Findings = append(p.Findings, f)
	}
	p.about(r.Omissions, r.Warnings)
	p.Coverage = coverageOf(r.Coverage)
	p.Actions, p.Growth = printables(report.Actions(r.Actions)), printables(report.Growth(r.Growth, coveredNames))
	return p, nil
}

// about adds what is left out and the warnings.
func (p *page) about(omissions []finding.Omission, warnings []finding.Warning) {
	for _, o := range omissions {
		p.Omissions = append(p.Omissions, omission{noteOf(o.Location, o.Reason), printable(o.Name), o.Blocking, o.Accepted})
	}
	for _, w := range warnings {
		p.Warnings = append(p.Warnings, noteOf(w.Location, w.Message))
	}
}

func pageOfSimulation(s *finding.Simulation) (*page, error) {
	p := &page{
		Verdict: "walk", Badge: "one random walk", Command: printable(s.Command), Bound: printable(s.Text),
		Sentence:    printable("One walk at random, seed " + fmt.Sprint(s.Seed) + ": " + s.End),
		Tool:        printable(report.Versions(&finding.Report{Tool: s.Tool, Version: s.Version, Kubernetes: s.Kubernetes})),
		Assumptions: printables(s.Assumptions),
		Explored:    []report.Fact{}, Findings: []result{}, Traces: []film{}, Omissions: []omission{}, Warnings: []note{},
	}
	p.Title = p.Sentence
	p.about(s.Omissions, s.Warnings)
	if s.Trace == nil {
		return p, nil
	}
	reel, err := filmOf(s.Trace)
	if err != nil {
		return nil, err
	}
	p.Traces = append(p.Traces, *reel)
	p.Findings = append(p.Findings, result{Name: "walk", Verdict: "walk", Traces: []int{0}})
	return p, nil
}

// namedMax is how many violations there may be for the first one to be the sentence;
// of more, their number says more.
const namedMax = 3

// more counts the violations that the sentence does not name.
func more(r *finding.Report, verdict finding.Verdict) string {
	n := len(report.With(r.Results, finding.Violated)) - 1
	if verdict != finding.Violated || n < 1 || n >= namedMax {
		return ""
	}
	return "and " + report.Count(n, "more property is violated", "more properties are violated")
}

// replay is the command that makes the traces of a check happen; a run whose input
// came from standard input cannot be repeated like this.
func replay(r *finding.Report) string {
	if !strings.HasPrefix(r.Command, "seatrial check ") || strings.HasSuffix(r.Command, " -") {
		return ""
	}
	for _, result := range r.Results {
		if result.Trace != nil && result.Trace.Setup != nil {
			return r.Command + " -o json=report.json; seatrial replay report.json"
		}
	}
	return ""
}

// sentence is the verdict in one.
func sentence(r *finding.Report, verdict finding.Verdict) string {
	of := report.With(r.Results, verdict)
	switch {
	case verdict == finding.Holds && len(of) == 0:
		return "nothing was checked"
	case verdict == finding.Holds:
		return report.Count(len(of), "property holds", "properties hold") + " up to this bound"
	case verdict == finding.Violated && len(of) > namedMax:
		return report.Count(len(of), "property is violated", "properties are violated")
	case verdict == finding.Violated && len(of) > 0 && of[0].Message != "":
		return of[0].Message
	case verdict == finding.Violated && len(of) > 0:
		return strings.TrimSpace(of[0].Name + " is violated for " + of[0].Subject)
	case verdict == finding.Violated:
		return "a property is violated"
	}
	return "no verdict: " + report.Reason(r)
}

// explored are the figures of the search, with what the run adds.
func explored(r *finding.Report, o Options) []report.Fact {
	b := r.Bound
	out := []report.Fact{}
	add := func(name string, n int) {
		if n > 0 {
			out = append(out, report.Fact{Name: name, Value: report.Thousands(n)})
		}
	}
	add("sizes of the cluster", b.Setups)
	add("parts, checked by themselves", b.Parts)
	add("nodes, at most", b.Nodes)
	add("pods, at most", b.Pods)
	add("states", b.States)
	add("transitions", b.Transitions)
	add("steps deep", b.Depth)
	if b.States > 0 && b.Complete {
		out = append(out, report.Fact{Name: "searched to the end", Value: "yes"})
	} else if b.States > 0 {
		out = append(out, report.Fact{Name: "searched to the end", Value: "no"})
	}
	if b.Reason != "" {
		out = append(out, report.Fact{Name: "why not", Value: printable(b.Reason)})
	}
	if len(b.Properties) > 0 {
		out = append(out, report.Fact{Name: "only these properties", Value: printable(strings.Join(b.Properties, ", "))})
	}
	if len(b.Events) > 0 {
		out = append(out, report.Fact{Name: "only these events", Value: printable(strings.Join(b.Events, ", "))})
	}
	for _, f := range o.Facts {
		out = append(out, report.Fact{Name: printable(f.Name), Value: printable(f.Value)})
	}
	return out
}

func noteOf(l finding.Location, text string) note {
	return note{Place: printable(l.FileLine()), Object: printable(l.Object), Field: printable(l.Field), Text: printable(text)}
}

func resultOf(r *finding.Report, from *finding.Result) result {
	f := result{
		Rule: printable(from.Rule), Name: printable(from.Name), Subject: printable(from.Subject), Verdict: string(from.Verdict),
		Message: printable(from.Message), Reason: printable(from.Reason), Vacuous: printable(from.Vacuous),
	}
	if from.Ignored != nil {
		f.Verdict, f.Reason = "ignored", printable(report.Excuse(from.Ignored))
	}
	for _, w := range from.Witnesses {
		f.Witnesses = append(f.Witnesses, witness{printable(w.Name), w.Reached, w.Steps})
	}
	f.Applied, f.Compared, f.Consequences = versions(from.Applied), versions(from.Compared), printables(from.Consequences)
	f.Unmended = printable(from.Unmended)
	for _, s := range from.Suggestions {
		f.Suggestions = append(f.Suggestions, suggestion{
			printable(s.Title), printable(s.Cost), printable(s.Bound),
			shown(strings.Split(strings.TrimSuffix(strings.ReplaceAll(s.Patch, "\r\n", "\n"), "\n"), "\n")),
		})
	}
	at := map[*finding.Source]int{}
	for _, c := range from.Causes {
		source := r.Quoted(c.Location)
		if source == nil {
			f.Causes = append(f.Causes, noteOf(c.Location, c.Message))
			continue
		}
		k, seen := at[source]
		if !seen {
			k = len(f.Excerpts)
			at[source] = k
			f.Excerpts = append(f.Excerpts, excerpt{File: printable(source.File), Line: source.Line, Text: shown(source.Text)})
		}
		line := source.Text[c.Location.Line-source.Line]
		f.Excerpts[k].Marks = append(f.Excerpts[k].Marks, mark{
			Line: c.Location.Line, Column: column(line, c.Location.Column),
			Object: printable(c.Location.Object), Field: printable(c.Location.Field), Text: printable(c.Message),
		})
	}
	return f
}

const tab = "    "

// shown are lines of a file as they are shown.
func shown(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = printable(strings.ReplaceAll(line, "\t", tab))
	}
	return out
}

// column is how many characters stand before a column of a line as it is shown; a
// column counts from 1, in bytes.
func column(line string, n int) int {
	before := line[:min(len(line), max(0, n-1))]
	return trace.Columns(printable(strings.ReplaceAll(before, "\t", tab)))
}
