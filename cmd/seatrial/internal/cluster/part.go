package cluster

import (
	"context"
	"errors"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	resourcehelper "k8s.io/component-helpers/resource"

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
}

// apart checks the parts one after the other. What holds of each holds of the
// whole (docs/adr/0008 has the argument); what is violated in one counts only
// once it is shown on the whole cluster. It returns nil where the parts do not
// settle it and the whole has to be searched.
func (r *run) apart(ctx context.Context, members [][]int) (*finding.Report, error) {
	out := r.frame()
	var parts []*part
	owing := false
	for _, m := range members {
		p := &part{run: run{in: r.in, w: r.w.PartOf(m), o: r.o, asked: r.asked}, members: m}
		p.obligations = p.obliged()
		var err error
		p.result, err = p.explore(ctx)
		if errors.Is(err, errStart) {
			return r.inconclusive(err.Error()), nil
		} else if err != nil {
			return nil, err
		}
		bound(&out.Bound, p.result.Stats)
		r.oneStart = r.oneStart || p.oneStart
		results := p.results(p.result)
		if err := p.failures(); err != nil {
			return nil, err
		}
		shown, err := r.shown(ctx, p, results)
		if err != nil || shown == nil {
			return nil, err
		}
		merge(out, shown)
		for k := range p.obligations {
			owing = owing || p.result.Properties[len(p.claims)+k].Verdict == statespace.Violated
		}
		parts = append(parts, p)
		if !r.o.All && slices.ContainsFunc(shown, func(f finding.Result) bool { return f.Verdict == finding.Violated }) {
			break
		}
	}
	violated := slices.ContainsFunc(out.Results, func(f finding.Result) bool { return f.Verdict == finding.Violated })
	if !violated && (owing || !roomForAll(r.w, parts)) {
		return nil, nil
	}
	out.Bound.Parts = len(members)
	out.Results = claimed(out.Results)
	order(out.Results)
	r.conclude(out)
	return out, nil
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
	return []statespace.Property[rule.IDs]{
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
}

// shown are a part's results with each violation as it happens in the whole
// cluster; nil if one could not be shown there.
func (r *run) shown(ctx context.Context, p *part, results []finding.Result) ([]finding.Result, error) {
	for i := range results {
		if results[i].Verdict != finding.Violated {
			continue
		}
		k := slices.IndexFunc(p.claims, func(c rule.Claim) bool { return ruleOf(c) == results[i].Rule && c.Subject == results[i].Subject })
		whole, ok, err := r.replay(ctx, p, p.result.Properties[k].Trace)
		if err != nil || !ok {
			return nil, err
		}
		claim, err := r.wholeClaim(p.claims[k])
		if err != nil {
			return nil, err
		}
		again := finding.Result{
			Rule: results[i].Rule, Name: results[i].Name, Subject: results[i].Subject,
			Verdict: finding.Violated, Witnesses: results[i].Witnesses,
		}
		if r.v.Start = []*model.State{r.v.Decode(whole.Init)}; statespace.JudgeVectors(r.v, r.w.Classes, claim.Property, whole) != nil {
			return nil, nil // the others change what the property sees
		}
		r.explain(&again, claim, whole)
		results[i] = again
	}
	if results == nil {
		results = []finding.Result{}
	}
	return results, nil
}

func ruleOf(c rule.Claim) string {
	if c.Rule == nil {
		return ""
	}
	return c.Rule.ID
}

// wholeClaim is the claim of the whole cluster that a part's is about.
func (r *run) wholeClaim(c rule.Claim) (rule.Claim, error) {
	if r.claims == nil {
		if err := r.claim(r.asked); err != nil {
			return c, err
		}
	}
	for _, w := range r.claims {
		if ruleOf(w) == ruleOf(c) && w.Subject == c.Subject {
			return w, nil
		}
	}
	return c, errors.New("a part claims what the whole does not: " + c.Name() + " " + c.Subject)
}

// merge adds the results of one more part: what several claim of the nodes
// holds if it holds in each.
func merge(out *finding.Report, results []finding.Result) {
	c := combined{out: out}
	for _, result := range results {
		c.result(result)
	}
}

// roomForAll tells whether every node has room for the most that each part ever
// puts on one, and a pod more of each: then no part ever keeps a pod of another
// from a node, and none preempts another's.
func roomForAll(w *model.World, parts []*part) bool {
	need := map[corev1.ResourceName]int64{}
	for _, p := range parts {
		most := map[corev1.ResourceName]int64{}
		one := map[corev1.ResourceName]int64{}
		requests := map[[2]int]corev1.ResourceList{}
		for _, i := range p.members {
			for k, rev := range w.Workloads[i].Revisions {
				r := maps.Clone(resourcehelper.PodRequests(rev.Pod, resourcehelper.PodResourcesOptions{}))
				if r == nil {
					r = corev1.ResourceList{}
				}
				r[corev1.ResourcePods] = resource.MustParse("1")
				requests[[2]int{i, k}] = r
				for name, q := range r {
					one[name] = max(one[name], q.MilliValue())
				}
			}
		}
		p.v.EachNode(func(n *model.Node) {
			sum := map[corev1.ResourceName]int64{}
			for _, bag := range []model.Bag{n.Pods, n.Nominated} {
				for _, c := range bag {
					for name, q := range requests[[2]int{int(c.Work), int(c.Rev)}] {
						if c.Holds() {
							sum[name] += int64(c.N) * q.MilliValue()
						}
					}
				}
			}
			for name, v := range sum {
				most[name] = max(most[name], v)
			}
		})
		for name := range one {
			need[name] += most[name] + one[name]
		}
	}
	for i := range w.Nodes {
		for name, v := range need {
			q := w.Nodes[i].Node.Status.Allocatable[name]
			if v > 0 && v > q.MilliValue() {
				return false
			}
		}
	}
	return true
}
