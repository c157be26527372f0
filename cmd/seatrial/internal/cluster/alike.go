package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// reducedParts names what pattern leaves out.
const reducedParts = "parts that are alike are searched once"

// pattern is all that a part's search reads, as text, with the name of its workload
// and the hashes of its templates written as placeholders: parts of one pattern are
// equal but for names, and so are their results. A name that anything else in the
// text has too makes it another text than that of a part with another name. It is
// empty for a part that is not compared.
func (p *part) pattern() string {
	w := p.w
	if len(p.members) != 1 || len(w.Appliers) > 0 || w.Workloads[p.members[0]].Kind != "Deployment" ||
		slices.ContainsFunc(w.Events, func(e model.EventSpec) bool { return e.Apply != nil || e.Rewrite != nil || e.Writer != nil }) {
		return ""
	}
	for _, a := range p.asked {
		if a.Property.Workload != nil || a.Property.Node != "" {
			return ""
		}
	}
	k := p.members[0]
	spec := &w.Workloads[k]
	text, err := json.Marshal(p.reads(k))
	if err != nil {
		panic(err) // API objects, decoded from JSON
	}
	out := string(text)
	for r, revision := range spec.Revisions {
		if hash := revision.Set.Labels[appsv1.DefaultDeploymentUniqueLabelKey]; hash != "" {
			out = strings.ReplaceAll(out, hash, fmt.Sprintf("\x00template%d\x00", r))
		}
	}
	return strings.ReplaceAll(out, spec.Name, "\x00name\x00")
}

// reads lists what the search of workload k reads.
func (p *part) reads(k int) []any {
	w := p.w
	spec := &w.Workloads[k]
	out := []any{
		spec.Namespace, bare(spec.Deployment), spec.New, spec.GivenSets, spec.GivenBefore, spec.Absent, spec.Loads, spec.Waits,
		w.Scenario.Bounds, w.Scenario.FromEmpty, w.Strict, w.MaxEvents, w.InFlight, w.Namespaces, w.PriorityClasses, w.Pools, w.Coarse, w.Reduced != nil,
	}
	for _, s := range spec.Settings {
		out = append(out, s.Deployment.Spec)
	}
	for _, r := range spec.Revisions {
		out = append(out, r.Of, r.Probed, r.ProbeDelay, r.Grace, bare(r.Set), bare(r.Pod))
	}
	for i := range w.HPAs {
		if scaled(w, i, k) {
			out = append(out, "autoscaler", w.HPAs[i].Absent, w.HPAs[i].Deleted)
			for _, r := range w.HPAs[i].Revisions {
				out = append(out, r.Work == k, bare(r.HPA))
			}
		}
	}
	for i := range w.PDBs {
		if budgeted(w, i, k) {
			out = append(out, "budget", w.PDBs[i].Absent, w.PDBs[i].Deleted, w.PDBs[i].Given)
			for _, r := range w.PDBs[i].Revisions {
				out = append(out, bare(r.PDB))
			}
		}
	}
	for _, s := range w.Services {
		if s.Namespace == spec.Namespace && len(s.Spec.Selector) > 0 && takes(labels.SelectorFromSet(s.Spec.Selector), spec) {
			out = append(out, bare(s))
		}
	}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		out = append(out, n.Node, n.Class, n.Pool, n.Slot)
	}
	for i := range w.Events {
		e := &w.Events[i]
		at := slices.Index(e.Works, k)
		if len(e.Works) > 0 && at < 0 {
			out = append(out, "an event of others")
			continue
		}
		out = append(out, e.Event, e.Budget, e.Nodes, e.Levels)
		if at >= 0 && at < len(e.Rev) {
			out = append(out, e.Rev[at])
		}
	}
	return append(out, placed(initial(w)))
}

// placed is where a part's pods are at first, without the number of their workload.
func placed(s *model.State) [][]model.PodCount {
	bags := []model.Bag{s.Free}
	for _, n := range s.Nodes {
		bags = append(bags, n.Pods)
	}
	var out [][]model.PodCount
	for _, bag := range bags {
		mine := slices.Clone([]model.PodCount(bag))
		for i := range mine {
			mine[i].Work = 0
		}
		out = append(out, mine)
	}
	return out
}

// bare is an object without what tells it from another by the server's book-keeping.
func bare(o metav1.Object) metav1.Object {
	var c metav1.Object
	switch o := o.(type) {
	case *appsv1.Deployment:
		c = o.DeepCopy()
	case *appsv1.ReplicaSet:
		c = o.DeepCopy()
	case *corev1.Pod:
		c = o.DeepCopy()
	default:
		return o
	}
	c.SetUID("")
	c.SetResourceVersion("")
	c.SetManagedFields(nil)
	c.SetGeneration(0)
	owners := slices.Clone(c.GetOwnerReferences())
	for i := range owners {
		owners[i].UID = ""
	}
	c.SetOwnerReferences(owners)
	return c
}

// follow takes over the result of a part of the same pattern in which nothing is
// violated. It returns false if there is no such result.
func (p *part) follow(like *part) (bool, error) {
	for i := range like.claims {
		if like.result.Properties[i].Verdict == statespace.Violated {
			return false, nil
		}
	}
	p.v = model.NewVector(p.w, nil)
	if err := p.claim(p.asked); err != nil {
		return false, err
	}
	mine := p.properties()
	if len(mine) != len(like.result.Properties) {
		return false, nil
	}
	p.result = like.result
	p.result.Properties = slices.Clone(like.result.Properties)
	for i := range mine {
		p.result.Properties[i].Name = mine[i].Name()
	}
	p.like, p.oneStart, p.faults = like, like.oneStart, like.faults
	return true, nil
}
