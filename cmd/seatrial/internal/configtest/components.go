package configtest

import (
	"context"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/finding"
)

// mainWord stands for the package of a component's program, in how it is started.
const mainWord = "{main}"

// Components is what a changed configuration shows of all that it is for.
type Components struct {
	*component.Comparison
	// Outcomes are those of the parts, in their order; nil is one that had no turn.
	Outcomes []*Outcome
}

// DiffComponents runs, for each component that is told something else, the tests of its module.
func DiffComponents(ctx context.Context, o Options, c *component.Comparison) (*Components, error) {
	out := &Components{Comparison: c, Outcomes: make([]*Outcome, len(c.Parts))}
	for i, p := range c.Parts {
		if out.Outcomes[i] != nil {
			continue // it was done with another one of its module
		}
		of := o
		of.Directory, of.Packages = p.Module, p.Packages
		s, err := begin(ctx, of)
		if err == nil {
			err = out.module(ctx, s, i)
			s.close()
		}
		if err != nil && ctx.Err() == nil {
			return nil, about(p.Name, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	out.shared()
	return out, nil
}

// shared finds what components have with others, in one file, and only the others read.
func (c *Components) shared() {
	for i, o := range c.Outcomes {
		if o == nil {
			continue
		}
		o.elsewhere = map[int]string{}
		for n, one := range o.Changes {
			if one.Class == nil || o.unread[n] {
				o.elsewhere[n] = c.readers(i, one)
			}
		}
	}
}

// readers are the components whose code reads a change, but for one of them.
func (c *Components) readers(but int, of choose.Change) string {
	var names []string
	for i, o := range c.Outcomes {
		if i == but || o == nil {
			continue
		}
		at := slices.IndexFunc(o.Changes, func(one choose.Change) bool {
			return one.Class != nil && one.Kind == of.Kind && one.Path == of.Path && change.Equal(one.Change.Old, of.Change.Old) && change.Equal(one.Change.New, of.Change.New)
		})
		if at >= 0 && !o.unread[at] {
			names = append(names, c.Parts[i].Name)
		}
	}
	return strings.Join(names, ", ")
}

// about is an error with the component that it is about.
func about(name string, err error) error {
	if IsInput(err) {
		return input("%s: %v", name, err)
	}
	return err
}

// module does all parts of the module of one, from that on.
func (c *Components) module(ctx context.Context, s *session, from int) error {
	for i, p := range c.Parts[from:] {
		if p.Module != c.Parts[from].Module || !slices.Equal(p.Packages, c.Parts[from].Packages) {
			continue
		}
		command := s.Start.Command
		if s.Start.Command = startOf(command, p.Component); len(command) > 0 && len(s.Start.Command) == 0 {
			c.Notes = append(c.Notes, p.Name+" was not started: the file of components does not say what its main is")
		}
		var err error
		c.Outcomes[from+i], err = s.diff(ctx, Version{Settings: p.Before.Settings, Mounted: p.Before.Files}, Version{Settings: p.After.Settings, Mounted: p.After.Files})
		if err == nil {
			err = s.unreadBy(ctx, p.Component, c.Outcomes[from+i])
		}
		if s.Start.Command = command; err != nil {
			return err
		}
	}
	return nil
}

// startOf is how a component is started; nil if that is not known.
func startOf(command []string, of component.Component) []string {
	if len(command) == 0 || command[0] == mainWord && of.Main == "" {
		return nil
	}
	out := slices.Clone(command)
	if out[0] == mainWord {
		out[0] = of.Main
	}
	return out
}

// Report is one report of all components: what is found is named by the component that it is found in.
func (c *Components) Report() *finding.Report {
	r := &finding.Report{Tool: "seatrial", Assumptions: []string{}, Omissions: []finding.Omission{}, Warnings: []finding.Warning{}, All: true}
	verdicts := []finding.Verdict{finding.Holds}
	var bounds []string
	for i, p := range c.Parts {
		o := c.Outcomes[i]
		if o == nil {
			o = &Outcome{Interrupted: true}
		}
		one := o.Report(p.Module)
		for _, result := range one.Results {
			result.Subject = p.Name + ": " + result.Subject
			r.Results = append(r.Results, result)
		}
		for _, w := range one.Warnings {
			w.Message = p.Name + ": " + w.Message
			r.Warnings = append(r.Warnings, w)
		}
		for _, a := range one.Assumptions {
			if a != assertionsOnly {
				a = p.Name + ": " + a
			}
			if !slices.Contains(r.Assumptions, a) {
				r.Assumptions = append(r.Assumptions, a)
			}
		}
		bounds = append(bounds, p.Name+" ("+strings.Join(p.Where, "; ")+"): "+one.Bound.Text)
		verdicts = append(verdicts, one.Verdict)
		r.Interrupted = r.Interrupted || one.Interrupted
	}
	for _, g := range c.Gaps {
		of := rule.Named("passes")
		r.Results = append(r.Results, finding.Result{
			Rule: of.ID, Name: of.Name, Subject: g.Subject, Verdict: finding.Inconclusive, Reason: g.Reason,
			Causes: []finding.Cause{{Location: g.Location, Message: g.Subject + " is changed here"}},
		})
		verdicts = append(verdicts, finding.Inconclusive)
	}
	r.Assumptions = append(r.Assumptions, c.Notes...)
	r.Verdict = finding.Combine(verdicts...)
	if r.Bound = (finding.Bound{Text: strings.Join(bounds, "; "), Complete: !r.Interrupted}); len(bounds) == 0 {
		r.Bound.Text = "nothing differs of what known programs are told"
	}
	switch {
	case r.Interrupted && r.Verdict == finding.Violated:
		r.Doubt = "interrupted: not all tests were run"
	case r.Interrupted:
		r.Verdict, r.Reason = finding.Inconclusive, "interrupted: not all tests were run"
	case r.Verdict == finding.Inconclusive:
		r.Reason = "not every change was seen to be read by a test that passes"
	}
	return r
}
