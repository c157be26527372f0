package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// part is the check of some workloads without the others.
type part struct {
	run
	members []int
	result  statespace.Result[rule.IDs]
	// reductions are the names of what is left out of the states.
	reductions []string
	// like, if set, is the part whose result this one has.
	like *part
}

// newPart is the check of some workloads; those of the only part are all there are.
func (r *run) newPart(members []int, only, reduce bool) (*part, error) {
	w := r.w
	if !only {
		w = w.PartOf(members)
	}
	p := &part{run: run{in: r.in, w: w, o: r.o, asked: r.asked}, members: members}
	if reduce {
		var err error
		if p.w, p.reductions, err = reduced(w, r.asked); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// apart checks the parts one after the other, and those together that nodes have
// not room for. What holds of each holds of the whole (docs/adr/0008 has the
// argument); what is violated in one counts only once it is shown on the whole
// cluster. It returns nil where the parts do not settle it and the whole has to be
// searched.
func (r *run) apart(ctx context.Context, members [][]int, reduce bool) (*finding.Report, error) {
	searched, patterns := map[string]*part{}, map[string]*part{}
	for {
		a := &apart{run: r, out: r.frame(), patterns: patterns}
		settled, err := a.search(ctx, members, reduce, searched)
		if err != nil || !settled {
			return a.undecided, err
		}
		if ctx.Err() != nil && !a.violated {
			return a.cut(startReason(ctx, nil), len(members)), nil
		}
		scarce := crowded(ctx, r.w, a.parts)
		switch {
		case len(a.parts) == len(members) && !a.owing && len(scarce) == 0:
			return a.report(len(members)), nil
		case a.violated && !r.o.All:
			unsettle(a.out.Results, statespace.EndedAtViolation)
			return a.report(len(members)), nil
		case a.owing || len(scarce) == 1:
			return nil, nil
		}
		if members = joined(members, scarce); len(members) == 1 && !reduce {
			return nil, nil
		}
	}
}

// joined are the members of parts with some of the parts made one.
func joined(members [][]int, one []int) [][]int {
	var all []int
	var out [][]int
	for i, m := range members {
		if slices.Contains(one, i) {
			all = append(all, m...)
		} else {
			out = append(out, m)
		}
	}
	slices.Sort(all)
	return append(out, all)
}

// apart is a check of parts under way.
type apart struct {
	*run
	out   *finding.Report
	parts []*part
	// owing: a part does not meet its obligations. violated: something is.
	owing, violated bool
	// patterns are the parts that were searched, by what they have in common with
	// others.
	patterns map[string]*part
	// undecided is the report if a part has no placement to start from, or the time
	// was over before all were searched.
	undecided *finding.Report
}

// search searches the parts until one is violated. It returns false if they do
// not settle the check.
func (a *apart) search(ctx context.Context, members [][]int, reduce bool, searched map[string]*part) (bool, error) {
	for _, m := range members {
		if ctx.Err() != nil {
			a.undecided = a.cut(startReason(ctx, nil), len(members))
			return false, nil
		}
		p, err := a.newPart(m, len(members) == 1, reduce)
		if err != nil || len(members) == 1 && len(p.reductions) == 0 {
			return false, err
		}
		if before := searched[fmt.Sprint(m)]; before != nil {
			p = before
		} else if err := a.decide(ctx, p); errors.Is(err, errStart) {
			a.undecided = a.cut(startReason(ctx, err), len(members))
			return false, nil
		} else if err != nil {
			return false, err
		}
		searched[fmt.Sprint(m)] = p
		if settled, err := a.add(ctx, p); err != nil || !settled {
			return false, err
		}
		if a.violated && !a.o.All {
			return true, nil
		}
	}
	return true, nil
}

// decide searches a part, or takes over the result of one that is alike.
func (a *apart) decide(ctx context.Context, p *part) (err error) {
	p.obligations = p.obliged()
	pattern := ""
	if !a.o.Full {
		pattern = p.pattern()
	}
	if like := a.patterns[pattern]; like != nil {
		if followed, err := p.follow(like); followed || err != nil {
			return err
		}
	}
	if p.result, err = p.explore(ctx); err == nil && pattern != "" {
		a.patterns[pattern] = p
	}
	return err
}

// add takes over what a part's search has found. It returns false if a violation
// could not be shown on the whole.
func (a *apart) add(ctx context.Context, p *part) (bool, error) {
	names := p.reductions
	if p.like == nil {
		bound(&a.out.Bound, p.result.Stats)
	} else {
		names = append(slices.Clip(names), reducedParts)
	}
	a.oneStart = a.oneStart || p.oneStart
	results := p.judged(p.result)
	if err := p.failures(); err != nil {
		return false, err
	}
	if ok, err := a.shown(ctx, p, results); err != nil || !ok {
		return false, err
	}
	results = p.listed(results)
	merge(a.out, results)
	a.owing = a.owing || !p.owesNothing()
	a.violated = a.violated || slices.ContainsFunc(results, violated)
	a.parts = append(a.parts, p)
	for _, name := range names {
		if !slices.Contains(a.out.Bound.Reductions, name) {
			a.out.Bound.Reductions = append(a.out.Bound.Reductions, name)
		}
	}
	return true, nil
}

// report is that of the parts, which are so many.
func (a *apart) report(parts int) *finding.Report {
	if parts > 1 {
		a.out.Bound.Parts = parts
	}
	a.out.Results = claimed(a.out.Results)
	order(a.out.Results)
	a.conclude(a.out)
	return a.out
}

func violated(f finding.Result) bool { return f.Verdict == finding.Violated }

// unsettle takes back what holds of parts that do not settle what holds of the
// whole: what is violated was shown there, and the search ends with it.
func unsettle(results []finding.Result, reason string) {
	for i := range results {
		if f := &results[i]; f.Verdict == finding.Holds {
			f.Verdict, f.Reason, f.Vacuous = finding.Inconclusive, reason, ""
		}
	}
}

// cut is the report of a check that ended before all parts were searched. What was
// found stands; what holds of the parts that were searched settles nothing.
func (a *apart) cut(reason string, parts int) *finding.Report {
	unsettle(a.out.Results, reason)
	out := a.report(parts)
	if out.Bound.Complete = false; out.Bound.Reason == "" {
		out.Bound.Reason = reason
	}
	if out.Verdict != finding.Violated {
		out.Verdict, out.Reason = finding.Inconclusive, reason
	}
	return out
}

// startReason says why a search did not begin: err, unless the time was over.
func startReason(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "cancelled: " + context.Cause(ctx).Error()
	}
	return err.Error()
}

// claimed drops that a rule is about nothing in one part if it is about
// something in another.
func claimed(results []finding.Result) []finding.Result {
	return slices.DeleteFunc(results, func(p finding.Result) bool {
		return p.Subject == nothing && slices.ContainsFunc(results, func(q finding.Result) bool { return q.Rule == p.Rule && q.Subject != nothing })
	})
}

// obliged is what a part owes to the others, which wait for it: it comes to
// rest, and its pods leave a node that is drained.
func (p *part) obliged() []statespace.Property[rule.IDs] {
	out := []statespace.Property[rule.IDs]{
		statespace.EventuallyNever("the part comes to rest", func(rule.IDs, statespace.Action, rule.IDs) bool { return true }),
		statespace.Never("the part leaves drained nodes", statespace.Behaviour[rule.IDs]{Within: func(ids rule.IDs) bool {
			for i := range p.w.Nodes {
				if p.v.Node(ids, i).Drain == model.Draining {
					return true
				}
			}
			return false
		}}),
	}
	if len(p.reductions) > 0 {
		out = append(out, statespace.Most("pods are created", creates))
	}
	return out
}

// owesNothing tells whether the part meets its obligations, as far as its search
// went: one with reductions creates pods only so often.
func (p *part) owesNothing() bool {
	for k := range p.obligations {
		if p.result.Properties[len(p.claims)+k].Verdict == statespace.Violated {
			return false
		}
	}
	return p.created() != statespace.Unbounded
}

// created is how many pods one behaviour creates at most, measured if there are
// reductions, or else 0.
func (p *part) created() int {
	if len(p.reductions) == 0 {
		return 0
	}
	return p.result.Properties[len(p.claims)+len(p.obligations)-1].Count
}

// shown replaces each violation among the results of a part's claims by what
// happens in the whole cluster; false if one could not be shown there.
func (r *run) shown(ctx context.Context, p *part, results []finding.Result) (bool, error) {
	for i := range results {
		if results[i].Verdict != finding.Violated {
			continue
		}
		whole, ok, err := r.replay(ctx, p, p.result.Properties[i].Trace)
		if err != nil || !ok {
			return false, err
		}
		claim, err := r.wholeClaim(p.claims, i)
		if err != nil {
			return false, err
		}
		again := finding.Result{
			Rule: results[i].Rule, Name: results[i].Name, Subject: results[i].Subject,
			Verdict: finding.Violated, Witnesses: results[i].Witnesses,
		}
		if r.v.Start = []*model.State{r.v.Decode(whole.Init)}; statespace.JudgeVectors(r.v, r.w.Classes, claim.Property, whole) != nil {
			return false, nil // the others change what the property sees
		}
		r.explain(&again, claim, whole)
		results[i] = again
	}
	return true, nil
}

func ruleOf(c rule.Claim) string {
	if c.Rule == nil {
		return ""
	}
	return c.Rule.ID
}

// wholeClaim is the claim of the whole cluster that claim k of a part is about. A
// scenario may ask a rule several things of one subject: in either their order is its.
func (r *run) wholeClaim(part []rule.Claim, k int) (rule.Claim, error) {
	if r.claims == nil {
		if err := r.claim(r.asked); err != nil {
			return part[k], err
		}
	}
	same := func(c rule.Claim) bool { return ruleOf(c) == ruleOf(part[k]) && c.Subject == part[k].Subject }
	before := 0
	for _, c := range part[:k] {
		if same(c) {
			before++
		}
	}
	for _, w := range r.claims {
		if same(w) {
			if before == 0 {
				return w, nil
			}
			before--
		}
	}
	return part[k], errors.New("a part claims what the whole does not: " + part[k].Name() + " " + part[k].Subject)
}

// merge adds the results of one more part: what several claim of the nodes
// holds if it holds in each.
func merge(out *finding.Report, results []finding.Result) {
	c := combined{out: out}
	for _, result := range results {
		c.result(result)
	}
}
