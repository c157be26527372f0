package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/statespace"
)

// Bisimilar explores up to limit states of the counted model of an input. In
// each it gives the pods identities and moves interchangeable nodes about, as
// random says, takes every step of the model of distinguishable pods and nodes,
// and forgets the identities again: that has to give the steps of the counted
// model, by fairness class, kind and workload. If it does so in every reachable
// state the two models have the same behaviours, and so the same verdicts. It
// returns the number of states visited.
func Bisimilar(ctx context.Context, in *manifest.Input, limit int, random *rand.Rand) (int, error) {
	counted, err := vectorOf(ctx, in, Options{})
	if err != nil {
		return 0, err
	}
	distinct, err := vectorOf(ctx, in, Options{distinct: true})
	if err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	var queue []*model.State
	visit := func(s *model.State) {
		if key := identity(counted, s); !seen[key] {
			seen[key] = true
			queue = append(queue, s)
		}
	}
	for _, s := range counted.Start {
		visit(s)
	}
	for visited := 0; len(queue) > 0 && visited < limit; visited++ {
		s := queue[0]
		queue = queue[1:]
		want, next := stepsOf(counted, counted, s, func(s *model.State) *model.State { return s })
		for _, n := range next {
			visit(n)
		}
		got, _ := stepsOf(distinct, counted, lifted(counted.World, s, random), forgotten)
		if !slices.Equal(want, got) {
			return visited, fmt.Errorf("in the state\n%s\nthe steps differ: %d counted, %d distinct\n%s",
				strings.Join(lines(view(counted.World, s)), "\n"), len(want), len(got), firstDifference(want, got))
		}
	}
	return min(len(seen), limit), nil
}

// vectorOf is the model of an input with all rules watching.
func vectorOf(ctx context.Context, in *manifest.Input, o Options) (*model.Vector, error) {
	w, err := build(ctx, in, o)
	if err != nil {
		return nil, err
	}
	for _, a := range rule.Select(w.Scenario) {
		if a.Watch != nil {
			a.Watch(w, &a.Property)
		}
	}
	w.Prepare()
	start, _, err := starts(ctx, w, statespace.Options{Classes: w.Classes})
	if err != nil {
		return nil, err
	}
	if len(start) == 0 {
		return nil, errors.New("no initial state")
	}
	return model.NewVector(w, start), nil
}

// identity is what tells a state from others in v, up to symmetry.
func identity(v *model.Vector, s *model.State) string {
	ids := v.Encode(s, nil, nil)
	v.Canonical(ids)
	return fmt.Sprint(ids)
}

// stepsOf are the steps of v from s, each as its class, kind, workload and the
// identity in counted of the state it leads to; sorted, without repetitions.
func stepsOf(v, counted *model.Vector, s *model.State, project func(*model.State) *model.State) ([]string, []*model.State) {
	var out []string
	var next []*model.State
	v.Next(v.Encode(s, nil, nil), func(a statespace.Action, ids []statespace.ID) bool {
		to := project(v.Decode(ids))
		next = append(next, to)
		class := v.World.Classes[a.Class]
		out = append(out, fmt.Sprint(class.Name, " ", class.Fairness, " ", model.LabelKind(a.Label), " ", model.LabelWork(a.Label), " to ", identity(counted, to)))
		return true
	})
	slices.Sort(out)
	return slices.Compact(out), next
}

// lifted is s with an identity for each pod, and with the nodes of each class
// in another order.
func lifted(w *model.World, s *model.State, random *rand.Rand) *model.State {
	to := s.Clone()
	for i := range to.Nodes {
		if j := i + random.IntN(len(to.Nodes)-i); w.Nodes[i].Class == w.Nodes[j].Class {
			to.Nodes[i], to.Nodes[j] = to.Nodes[j], to.Nodes[i]
		}
	}
	total := s.Count(func(model.Place, model.Pod) bool { return true })
	ids := random.Perm(total)
	name := func(b model.Bag) model.Bag {
		var named model.Bag
		for _, c := range b {
			for range c.N {
				p := c.Pod
				p.ID, ids = uint8(ids[0]+1), ids[1:]
				named = named.Add(p, 1)
			}
		}
		return named
	}
	to.Free = name(to.Free)
	for i, n := range to.Nodes {
		m := to.EditNode(i)
		m.Pods, m.Nominated = name(n.Pods), name(n.Nominated)
	}
	return to
}

// forgotten is s without the identities.
func forgotten(s *model.State) *model.State {
	forget := func(p model.Pod) model.Pod {
		p.ID = 0
		return p
	}
	to := s.Clone()
	to.Free = to.Free.Map(forget)
	for i, n := range to.Nodes {
		m := to.EditNode(i)
		m.Pods, m.Nominated = n.Pods.Map(forget), n.Nominated.Map(forget)
	}
	return to
}

func firstDifference(want, got []string) string {
	for _, s := range want {
		if !slices.Contains(got, s) {
			return "only counted: " + s
		}
	}
	for _, s := range got {
		if !slices.Contains(want, s) {
			return "only distinct: " + s
		}
	}
	return ""
}
