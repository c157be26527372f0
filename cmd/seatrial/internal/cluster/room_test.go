package cluster

import (
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
)

// crowdable tells, by trying, whether pods, whose requests of two resources are at
// most one, can stand so that none of the nodes has room for another that requests
// one.
func crowdable(nodes [][2]int64, one [2]int64, pods int64) bool {
	short := func(n [2]int64) bool { return n[0] < one[0] || n[1] < one[1] }
	var try func(i int, left int64, free [][2]int64) bool
	try = func(i int, left int64, free [][2]int64) bool {
		if i == len(free) {
			return true
		}
		if short(free[i]) {
			return try(i+1, left, free)
		}
		if left == 0 {
			return false
		}
		for a := int64(0); a <= one[0]; a++ {
			for b := int64(0); b <= one[1]; b++ {
				if a+b == 0 || a > free[i][0] || b > free[i][1] {
					continue
				}
				next := append([][2]int64(nil), free...)
				next[i][0], next[i][1] = next[i][0]-a, next[i][1]-b
				if try(i, left-1, next) {
					return true
				}
			}
		}
		return false
	}
	return try(0, pods, nodes)
}

// TestGroupHoldsIsNeverTooBold draws small groups, tries every way in which the pods
// may stand, and asks that no room is promised where there may be none.
func TestGroupHoldsIsNeverTooBold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	promised, crowded := 0, 0
	for range 4000 {
		w, g := &model.World{MaxEvents: r.IntN(2)}, model.Group{}
		var free [][2]int64
		for i := range 2 + r.IntN(2) {
			n := [2]int64{1 + r.Int64N(6), 1 + r.Int64N(6)}
			free = append(free, n)
			node := &corev1.Node{}
			node.Status.Allocatable = corev1.ResourceList{"cpu": *resource.NewQuantity(n[0], resource.DecimalSI), "memory": *resource.NewQuantity(n[1], resource.DecimalSI)}
			w.Nodes = append(w.Nodes, model.NodeSpec{Node: node})
			g.Members = append(g.Members, i)
		}
		out := r.IntN(2) // struck, any of them
		for i := range out {
			g.Slots = append(g.Slots, i)
		}
		one := [2]int64{1 + r.Int64N(3), 1 + r.Int64N(3)}
		parts := []demand{{calm: r.Int64N(3)}, {calm: r.Int64N(3)}}
		total, grown := int64(0), int64(0)
		for i := range parts {
			parts[i].one = amounts{"cpu": one[0] * 1000, "memory": one[1] * 1000}
			parts[i].pods = parts[i].calm + r.Int64N(3)
			total, grown = total+parts[i].calm, max(grown, parts[i].pods-parts[i].calm)
		}
		if w.MaxEvents > 0 {
			total += grown
		}
		full := false
		for k := range free {
			left := free
			if out > 0 {
				left = append(append([][2]int64(nil), free[:k]...), free[k+1:]...)
			}
			full = full || crowdable(left, one, total-1) // the last is the one that looks for room
		}
		switch holds := groupHolds(w, g, parts); {
		case holds && full && total > 0:
			t.Errorf("room is promised to %v of %v among %v, %d out of use", parts, one, free, out)
		case holds:
			promised++
		case full:
			crowded++
		}
	}
	if promised < 300 || crowded < 300 {
		t.Errorf("%d promised, %d crowded", promised, crowded)
	}
}
