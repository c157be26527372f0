package explain

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/report"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/stored"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/report/markdown"
	"github.com/seatrial/seatrial/report/text"
	"github.com/seatrial/seatrial/trace"
)

const (
	// numberDigitsMax is the longest number of a finding: what is longer is the
	// beginning of a fingerprint.
	numberDigitsMax = 3
	// printDigitsMin is the least of a fingerprint.
	printDigitsMin = 4
)

// finding says what there is to say of one.
func (x *command) finding(w io.Writer, result stored.Result, which string) error {
	r := result.Document.Report
	i, err := pick(r.Results, which)
	if err != nil {
		return failure.Input(fmt.Errorf("%s: %w", result.Name, err))
	}
	numbered := finding.Numbered(r.Results)
	f := &finding.Found{
		Run: result.Name, Number: slices.Index(numbered, i) + 1, Of: len(numbered),
		Fingerprint: finding.Fingerprints(r.Results)[i], Result: r.Results[i], Sources: sources(r, r.Results[i]),
		Repeat: r.Command, Replay: replay(result, r.Results[i]),
	}
	rule := finding.FindRule(x.rules, f.Result.Rule)
	switch x.format {
	case asYAML:
		return failure.Input(errors.New("-o yaml is the example of a rule; a finding is explained as text, json or markdown"))
	case asJSON:
		err = reportjson.WriteExplanation(w, &finding.Explanation{Finding: f, Rule: rule})
	case asMarkdown:
		err = markdown.WriteFinding(w, f, rule)
	default:
		err = text.WriteFinding(w, f, rule, x.options())
	}
	if err != nil {
		return failure.Internal(err)
	}
	return nil
}

// pick is the result that is meant by a number, a rule or property, or the beginning
// of a fingerprint.
func pick(results []finding.Result, which string) (int, error) {
	numbered := finding.Numbered(results)
	if n, err := strconv.ParseUint(which, 10, 16); err == nil && len(which) <= numberDigitsMax {
		if n < 1 || int(n) > len(numbered) {
			return 0, fmt.Errorf("there is no finding %s: %s", which, among(len(numbered)))
		}
		return numbered[n-1], nil
	}
	prints := finding.Fingerprints(results)
	var found []int
	for i, r := range results {
		named := which != "" && (r.Name == which || strings.EqualFold(r.Rule, which))
		if named || len(which) >= printDigitsMin && strings.HasPrefix(prints[i], strings.ToLower(which)) {
			found = append(found, i)
		}
	}
	if violated := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return !slices.Contains(numbered, i) }); len(violated) > 0 {
		found = violated
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("there is no finding %q: it is a number, a rule or the beginning of a fingerprint; %s", which, among(len(numbered)))
	case 1:
		return found[0], nil
	}
	var all []string
	for _, i := range found {
		name := "#" + strconv.Itoa(slices.Index(numbered, i)+1)
		if name == "#0" {
			name = "#" + prints[i]
		}
		all = append(all, name)
	}
	return 0, fmt.Errorf("%s is said of several: %s", which, strings.Join(all, ", "))
}

func among(n int) string {
	switch n {
	case 0:
		return "nothing is violated in it"
	case 1:
		return "it has #1"
	}
	return fmt.Sprintf("it has #1 to #%d", n)
}

// sources are those of r that have the places of one result.
func sources(r *finding.Report, one finding.Result) []finding.Source {
	var out []finding.Source
	for _, s := range r.Sources {
		if slices.ContainsFunc(one.Causes, func(c finding.Cause) bool { return finding.Quoted([]finding.Source{s}, c.Location) != nil }) {
			out = append(out, s)
		}
	}
	return out
}

// replay is the command that makes the trace of a result happen on a control plane;
// empty if there is none that can.
func replay(from stored.Result, one finding.Result) string {
	if one.Trace == nil || one.Trace.Setup == nil || from.Name == "-" {
		return ""
	}
	return "seatrial replay --result=" + shell.Quote(cmp.Or(one.Rule, one.Name)) + " " + shell.Quote(from.Name)
}

// list names the findings of a run, a line each.
func (x *command) list(w io.Writer, result stored.Result, numbered []int) error {
	r := result.Document.Report
	if x.format != asText {
		return failure.Input(fmt.Errorf("%s: which finding? %s, as in %s#1", result.Name, among(len(numbered)), result.Name))
	}
	say := func(line string) { fmt.Fprintln(w, trace.Printable(line, x.c.ASCII())) }
	if len(numbered) == 0 {
		say(fmt.Sprintf("%s: nothing is violated; the verdict is %s", result.Name, r.Verdict))
		return nil
	}
	for n, i := range numbered {
		one := r.Results[i]
		line := fmt.Sprintf("#%d  %s  %s", n+1, strings.TrimSpace(one.Rule+" "+one.Name), one.Subject)
		if one.Ignored != nil {
			line += " (ignored)"
		}
		say(line)
	}
	if !x.c.Quiet {
		say(fmt.Sprintf("seatrial explain %s#1 explains the first", result.Name))
	}
	return nil
}

// complete lets shells complete rules, runs, and behind a # the findings of a run.
func (x *command) complete(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if at := strings.LastIndexByte(begun, '#'); at >= 0 {
		if begun[:at] == "-" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		result, err := stored.Open(x.c, x.store, begun[:at])
		if err != nil || result.Document.Report == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		for n, i := range finding.Numbered(result.Document.Report.Results) {
			one := result.Document.Report.Results[i]
			out = append(out, cobra.CompletionWithDesc(begun[:at+1]+strconv.Itoa(n+1), strings.TrimSpace(one.Rule+" "+one.Name)+" "+one.Subject))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, r := range x.rules {
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Name), cobra.CompletionWithDesc(r.Name, r.Title))
	}
	runs, directive := report.Complete(x.store)(cmd, args, begun)
	return append(out, runs...), directive
}
