package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/statespace"
)

// randomPod is one of few, so that equal ones are frequent.
func randomPod(r *rand.Rand) Pod {
	return Pod{Work: uint16(r.IntN(2)), Rev: uint8(r.IntN(2)), Phase: Phase(r.IntN(3)), Ready: r.IntN(2) == 0, Terminating: r.IntN(3) == 0}
}

// A Bag is held to a map from pods to numbers.
func TestABagIsAMultiset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var bag Bag
		want := map[Pod]int{}
		for range 40 {
			before, kept := bag, slices.Clone(bag)
			p, n := randomPod(r), r.IntN(3)
			switch r.IntN(3) {
			case 0:
				bag = bag.Add(p, n)
				if want[p] += n; p.Saturates() {
					want[p] = min(want[p], SaturatedPods)
				}
			case 1:
				if want[p] == 0 {
					continue
				}
				bag = bag.Remove(p)
				want[p]--
			case 2:
				q := randomPod(r)
				if want[p] == 0 || p == q {
					continue
				}
				bag = bag.Replace(p, q)
				want[p]--
				if want[q]++; q.Saturates() {
					want[q] = min(want[q], SaturatedPods)
				}
			}
			if diff := cmp.Diff([]PodCount(kept), []PodCount(before)); diff != "" {
				t.Fatalf("a bag that others hold was changed:\n%s", diff)
			}
			sameAsMap(t, bag, want)
		}
	}
}

func sameAsMap(t *testing.T, bag Bag, want map[Pod]int) {
	t.Helper()
	got := map[Pod]int{}
	for i, c := range bag {
		if c.N <= 0 {
			t.Fatalf("an empty entry: %+v", c)
		}
		if i > 0 && bag[i-1].Bits() >= c.Bits() {
			t.Fatalf("not sorted at %d: %+v", i, bag)
		}
		got[c.Pod] = c.N
	}
	for p, n := range want {
		if n == 0 {
			delete(want, p)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-map +bag):\n%s", diff)
	}
}

// The order in which pods come into a bag leaves no trace.
func TestABagHasNoHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var pods []Pod
		for range 8 {
			pods = append(pods, randomPod(r))
		}
		var a, b Bag
		for _, p := range pods {
			a = a.Add(p, 1)
		}
		r.Shuffle(len(pods), func(i, j int) { pods[i], pods[j] = pods[j], pods[i] })
		for _, p := range pods {
			b = b.Add(p, 1)
		}
		if string(a.encode(nil)) != string(b.encode(nil)) {
			t.Fatalf("%v and %v are one bag", a, b)
		}
	}
}

func TestBagMapMergesAndCounts(t *testing.T) {
	bag := Bag{}.Add(Pod{Phase: Running, Ready: true}, 2).Add(Pod{Phase: Running}, 3).Add(Pod{Phase: Failed}, 5)
	if got := bag.Count(func(p Pod) bool { return p.Phase == Failed }); got != SaturatedPods {
		t.Errorf("%d Failed pods, they saturate at %d", got, SaturatedPods)
	}
	unready := bag.Map(func(p Pod) Pod { p.Ready = false; return p })
	if got := unready.Count(func(p Pod) bool { return p == Pod{Phase: Running} }); got != 5 {
		t.Errorf("%d pods after merging 2 and 3", got)
	}
	if got := (Bag{}).Add(Pod{}, 0); len(got) != 0 {
		t.Errorf("adding none gives %v", got)
	}
}

func TestWhatSaturates(t *testing.T) {
	for _, row := range []struct {
		pod  Pod
		want int
	}{
		{Pod{Phase: Pending}, 9},
		{Pod{Phase: Running}, 9},
		{Pod{Phase: Running, Terminating: true}, 9}, // it takes room on its node
		{Pod{Phase: Pending, Terminating: true}, SaturatedPods},
		{Pod{Phase: Failed}, SaturatedPods},
		{Pod{Phase: Failed, Terminating: true}, SaturatedPods},
	} {
		if got := (Bag{}).Add(row.pod, 9)[0].N; got != row.want {
			t.Errorf("9 of %+v are %d, want %d", row.pod, got, row.want)
		}
	}
}

// Nodes of one class in any order have one canonical vector; nodes of
// different classes stay where they are.
func TestInterchangeableNodesHaveOneCanonicalVector(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	w := &World{Nodes: make([]NodeSpec, 6)}
	for i, class := range []int{0, 0, 0, 1, 2, 2} {
		w.Nodes[i].Class = class
	}
	v := NewVector(w, nil)
	canonical := func(s *State) []statespace.ID {
		ids := v.Encode(s, nil, nil)
		v.Canonical(ids)
		return ids
	}
	for range 200 {
		s := &State{Env: &Env{}}
		for range w.Nodes {
			s.Nodes = append(s.Nodes, &Node{Up: r.IntN(2) == 0, Event: uint8(r.IntN(2)), Pods: Bag{}.Add(randomPod(r), 1)})
		}
		want := canonical(s)
		p := s.Clone()
		r.Shuffle(3, func(i, j int) { p.Nodes[i], p.Nodes[j] = p.Nodes[j], p.Nodes[i] })
		if r.IntN(2) == 0 {
			p.Nodes[4], p.Nodes[5] = p.Nodes[5], p.Nodes[4]
		}
		if got := canonical(p); !slices.Equal(got, want) {
			t.Fatalf("%v and %v should be one", got, want)
		}
		again := slices.Clone(want)
		if v.Canonical(again); !slices.Equal(again, want) {
			t.Fatal("the canonical form of a canonical form is another")
		}
		other := s.Clone()
		other.Nodes[2], other.Nodes[3] = other.Nodes[3], other.Nodes[2]
		if a, b := fmt.Sprintf("%v", s.Nodes[2].encode(nil)), fmt.Sprintf("%v", s.Nodes[3].encode(nil)); a != b && slices.Equal(canonical(other), want) {
			t.Fatal("nodes of two classes were exchanged")
		}
	}
}

func TestLabelsHoldWhatIsPutIn(t *testing.T) {
	for kind := KindOther; kind <= KindCycle+1; kind++ {
		for _, work := range []int{0, 1, 1022, NoWork} {
			for _, ordinal := range []int{0, 1, 1<<17 - 1} {
				l := Label(kind, work, ordinal)
				if LabelKind(l) != kind || LabelWork(l) != work || LabelOrdinal(l) != ordinal {
					t.Errorf("%d %d %d came back as %d %d %d", kind, work, ordinal, LabelKind(l), LabelWork(l), LabelOrdinal(l))
				}
			}
		}
	}
}
