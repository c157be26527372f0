package model

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// Outcome is what one descheduling cycle may choose.
type Outcome struct {
	Pods    []Named
	Plugins []string
}

// readsPodDetail: of the plugins of descheduler 0.36.0 these alone look at the
// phase of a pod, beyond whether it has ended, or at its restarts.
func readsPodDetail(plugins []string) bool {
	return slices.ContainsFunc(plugins, func(p string) bool {
		return strings.HasSuffix(p, "/PodLifeTime") || strings.HasSuffix(p, "/RemovePodsHavingTooManyRestarts")
	})
}

// Deschedule says what one cycle of the descheduler may choose to evict. The
// plugins are asked about pods without the details they do not read; which of
// the pods that look alike to them is meant, is a choice.
func (k *Kube) Deschedule(w *World, s *State) []Outcome {
	plain := k.plain(s)
	key := plain.Free.encode(nil)
	for _, n := range plain.Nodes {
		key = n.encode(key)
	}
	for _, work := range s.Work {
		for _, set := range work.Sets {
			key = binary.AppendVarint(append(key, flags(set.Exists)), int64(set.Replicas))
		}
	}
	for _, b := range s.PDB {
		key = append(key, b.Rev) // a plugin may ask which pods have a budget
	}
	outcomes := k.remember(AskDeschedule, true, key, func(noted *doubt) any { return k.deschedule(w, plain, noted) }).([]Outcome)
	var out []Outcome
	for _, o := range outcomes {
		out = append(out, k.meant(w, s, o)...)
	}
	return out
}

// plain is s as the descheduler sees it.
func (k *Kube) plain(s *State) *State {
	t := s.Clone()
	t.Free = t.Free.Map(k.look)
	for i, n := range t.Nodes {
		m := t.EditNode(i)
		m.Pods, m.Nominated = n.Pods.Map(k.look), n.Nominated.Map(k.look)
		m.Drain, m.Maintained, m.Event, m.Crashed, m.Sick = DrainNone, false, 0, false, 0
	}
	return t
}

// look is a pod without what the plugins do not read.
func (k *Kube) look(p Pod) Pod {
	q := Pod{Work: p.Work, Rev: p.Rev, Phase: p.Phase, Terminating: p.Terminating}
	if k.detailed {
		q.Restarts, q.Crashing = p.Restarts, p.Crashing
	} else if q.Phase == Pending {
		q.Phase = Running
	}
	return q
}

// meant expands an outcome about pods that look alike into those about the
// pods there are.
func (k *Kube) meant(w *World, s *State, o Outcome) []Outcome {
	out := []Outcome{{Plugins: o.Plugins}}
	type site struct {
		at  Place
		pod Pod
	}
	var order []site
	wanted := map[site]int{}
	for _, p := range o.Pods {
		key := site{p.At, p.Pod}
		if wanted[key]++; wanted[key] == 1 {
			order = append(order, key)
		}
	}
	for _, key := range order {
		var longer []Outcome
		for _, choice := range k.choices(w, s, key.at, key.pod, wanted[key]) {
			for _, have := range out {
				have.Pods = append(slices.Clip(have.Pods), choice...)
				longer = append(longer, have)
			}
		}
		out = longer
	}
	return out
}

// choices are the ways to pick n pods at a place that look like p.
func (k *Kube) choices(w *World, s *State, at Place, p Pod, n int) [][]Named {
	var alike []PodCount
	for _, c := range s.Bag(at) {
		if k.look(c.Pod) == p {
			alike = append(alike, c)
		}
	}
	var out [][]Named
	var pick func(i, left int, have []Named)
	pick = func(i, left int, have []Named) {
		if left == 0 {
			out = append(out, slices.Clone(have))
			return
		}
		if i == len(alike) {
			return
		}
		for take := min(left, alike[i].N); take >= 0; take-- {
			more := slices.Clip(have)
			for j := range take {
				more = append(more, Named{at, alike[i].Pod, w.Pod(alike[i].Pod, at, j)})
			}
			pick(i+1, left-take, more)
		}
	}
	pick(0, n, nil)
	return out
}

// unstable tells whether a node has so many pods, of several sorts, that the
// plugins' sorting may put equal ones in an order that was not tried: the
// standard library sorts up to 12 elements stably.
func unstable(s *State) bool {
	const stable = 12
	for _, n := range s.Nodes {
		if len(n.Pods) > 1 && n.Pods.Count(func(Pod) bool { return true }) > stable {
			return true
		}
	}
	return false
}

// deschedule asks the real plugins about s, which is plain.
func (k *Kube) deschedule(w *World, s *State, noted *doubt) []Outcome {
	d := k.deschedulers.get()
	defer k.deschedulers.put(d)
	pods := w.Pods(s, func(Place, Pod) bool { return true })
	byName := map[string]Named{}
	for _, p := range pods {
		byName[p.Object.Namespace+"/"+p.Object.Name] = p
	}
	c := descheduler.Cluster{Pods: Objects(pods), Namespaces: w.Namespaces, PDBs: w.Budgets(s), PriorityClasses: w.PriorityClasses}
	for i, n := range s.Nodes {
		c.Nodes = append(c.Nodes, w.Node(i, n))
	}
	outcomes, err := d.Outcomes(context.Background(), c)
	chosen := slices.ContainsFunc(outcomes, func(o []descheduler.Eviction) bool { return len(o) > 0 })
	if errors.Is(err, descheduler.ErrPartial) || err == nil && chosen && unstable(s) {
		noted.partial = true
	} else {
		noted.err = err
	}
	var out []Outcome
	for _, evictions := range outcomes {
		o := Outcome{}
		for _, e := range evictions {
			o.Pods = append(o.Pods, byName[e.Pod])
			if !slices.Contains(o.Plugins, e.Plugin) {
				o.Plugins = append(o.Plugins, e.Plugin)
			}
		}
		out = append(out, o)
	}
	return out
}
