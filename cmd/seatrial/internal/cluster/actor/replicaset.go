package actor

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/replicaset"
	"github.com/seatrial/seatrial/statespace"
)

// replicaSet is the ReplicaSet controller. It creates pods one by one; the
// pods it deletes in one reconcile are chosen from one view and go together,
// as the real one's concurrent deletes do.
type replicaSet struct{}

var _ = model.Register(replicaSet{})

var byReplicaSet = model.Component("replicaset-controller")

func (replicaSet) Name() string       { return "replicaset" }
func (replicaSet) Speed() model.Speed { return model.Fast }
func (replicaSet) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "create", Grain: model.ByWork, Fairness: statespace.Weak},
		{Name: "delete", Grain: model.ByWork, Fairness: statespace.Weak},
	}
}

func (replicaSet) Steps(x *model.Turn) {
	for i := range x.Workloads {
		work := x.State.Work[i]
		if x.Workloads[i].Kind == "Pod" {
			continue
		}
		// Those of a deleted Deployment too, until they are collected.
		for r := range work.Sets {
			if work.Sets[r].Exists {
				syncReplicaSet(x, i, uint8(r))
			}
		}
	}
}

func syncReplicaSet(x *model.Turn, i int, rev uint8) {
	switch surplus := x.Surplus(x.State, i, rev); {
	case surplus < 0 && !shrinksFirst(x, i):
		createPod(x, i, rev)
	case surplus > 0:
		deletePods(x, i, rev, surplus)
	}
}

// shrinksFirst tells whether some set of workload i was told to shrink before
// others were told to grow. The controller's queue keeps that order; its
// workers may still overtake each other, which a strict check has.
func shrinksFirst(x *model.Turn, i int) bool {
	for r, set := range x.State.Work[i].Sets {
		if set.First && x.Surplus(x.State, i, uint8(r)) > 0 {
			return true
		}
	}
	return false
}

func createPod(x *model.Turn, i int, rev uint8) {
	spec := &x.Workloads[i]
	revision := &spec.Revisions[rev]
	at := model.Unassigned
	if name := revision.Pod.Spec.NodeName; name != "" {
		at = x.PlaceOf(name)
	}
	pod := x.NewPod(x.State, model.Pod{Work: uint16(i), Rev: rev})
	to := x.State.Clone()
	to.SetBag(at, to.Bag(at).Add(pod, 1))
	x.Emit(model.Step{
		Verb: "create", A: i, Work: i, Kind: model.KindCreate, To: to,
		Explain: func() model.Explanation {
			e := model.Explanation{Action: fmt.Sprintf("creates a pod of %s", spec.Object()), Acts: []model.Act{byReplicaSet.Creates(at, pod)}}
			if revision.Pod.Spec.NodeName != "" {
				e.Action += ", bound to node " + revision.Pod.Spec.NodeName + " from the start"
				e.Refs = append(e.Refs, revision.Ref("spec.nodeName", "binds the pod without asking the scheduler"))
			}
			return e
		},
	})
}

// victims are some pods that are alike.
type victims struct {
	at  model.Place
	pod model.Pod
	n   int
}

// deletePods deletes n surplus pods of a revision; each set of victims that the
// real ranking may choose is a step.
func deletePods(x *model.Turn, i int, rev uint8, n int) {
	var room [256]byte
	key := binary.AppendUvarint(append(room[:0], rev, bit(x.Reduced.Merges())), uint64(i))
	key = binary.AppendUvarint(key, uint64(n))
	x.State.Each(func(at model.Place, c model.PodCount) {
		if int(c.Work) == i && c.Active() {
			key = append(binary.AppendVarint(key, int64(at.Node)), bit(at.Nominated))
			key = binary.AppendUvarint(binary.AppendUvarint(key, c.Bits()), uint64(c.N))
		}
	})
	alike := x.Alike()
	for _, k := range alike {
		key = binary.AppendUvarint(key, uint64(k))
	}
	choices := x.Kube.Remember(model.AskVictims, true, key, func() any { return askVictims(x, i, rev, n, alike) }).([][]victims)
	for _, chosen := range choices {
		to := x.State.Clone()
		if to.Work[i].Sets[rev].First {
			to.EditWork(i).Sets[rev].First = false
		}
		for _, v := range chosen {
			x.DeleteAll(to, v.at, v.pod, v.n, false)
		}
		x.Emit(model.Step{
			Verb: "delete", A: i, Work: i, Kind: model.KindDelete, To: to,
			Explain: func() model.Explanation {
				var gone []model.Named
				var acts []model.Act
				for _, v := range chosen {
					acts = append(acts, byReplicaSet.Deletes(x.World, "delete", v.at, v.pod, v.n, false))
					for range v.n {
						gone = append(gone, model.Named{At: v.at, Pod: v.pod})
					}
				}
				return model.Explanation{Action: fmt.Sprintf("deletes %s of %s", x.Sites(gone), x.Workloads[i].Object()), Acts: acts}
			},
		})
	}
}

// askVictims asks the real ranking which n pods of a revision go. Of choices that
// differ only by which of some nodes that are alike lose their pods there is one.
func askVictims(x *model.Turn, i int, rev uint8, n int, alike []int) [][]victims {
	active := x.Pods(x.State, func(_ model.Place, p model.Pod) bool { return int(p.Work) == i && p.Active() })
	byName := map[string]model.Named{}
	var own []*corev1.Pod
	for _, p := range active {
		byName[p.Object.Name] = p
		if x.Set(p.Pod) == rev {
			own = append(own, p.Object)
		}
	}
	same := func(a, b *corev1.Pod) bool {
		p, q := byName[a.Name], byName[b.Name]
		return p.At == q.At && p.Pod == q.Pod
	}
	sorts := map[model.Place]int{}
	x.State.Each(func(at model.Place, c model.PodCount) {
		if int(c.Work) == i && c.Active() {
			sorts[at]++
		}
	})
	exchange := func(a, b *corev1.Pod) bool {
		p, q := byName[a.Name], byName[b.Name]
		return p.Pod == q.Pod && p.At.Node >= 0 && q.At.Node >= 0 && !p.At.Nominated && !q.At.Nominated &&
			alike[p.At.Node] == alike[q.At.Node] && sorts[p.At] == 1
	}
	var related []*corev1.Pod // none for a ReplicaSet without an owner
	if x.Workloads[i].Kind == "Deployment" {
		related = model.Objects(active)
	}
	if x.Reduced.Merges() {
		own, related = unplaced(own), nil
	}
	var out [][]victims
	seen := map[string]bool{}
	for _, names := range upstream.Victims(x.Workloads[i].Revisions[rev].Set, own, related, n, same, exchange) {
		var chosen []victims
		for _, name := range names {
			p := byName[name]
			k := slices.IndexFunc(chosen, func(v victims) bool { return v.at == p.At && v.pod == p.Pod })
			if k < 0 {
				k, chosen = len(chosen), append(chosen, victims{at: p.At, pod: p.Pod})
			}
			chosen[k].n++
		}
		if key := losses(chosen, alike); !seen[key] {
			seen[key] = true
			out = append(out, chosen)
		}
	}
	return out
}

// losses is equal for choices that take the same from nodes that are alike.
func losses(chosen []victims, alike []int) string {
	byPlace := map[model.Place][]string{}
	for _, v := range chosen {
		byPlace[v.at] = append(byPlace[v.at], fmt.Sprintf("%x*%d", v.pod.Bits(), v.n))
	}
	var out []string
	for at, lost := range byPlace {
		slices.Sort(lost)
		node := at.Node
		if node >= 0 {
			node = alike[node]
		}
		out = append(out, fmt.Sprint(node, at.Nominated, lost))
	}
	slices.Sort(out)
	return strings.Join(out, ";")
}

// unplaced are the pods without what the ranking of victims looks at after the
// number of pods on their node, which is not known: restarts do not decide then.
func unplaced(pods []*corev1.Pod) []*corev1.Pod {
	out := make([]*corev1.Pod, len(pods))
	for i, p := range pods {
		bare := *p
		bare.Status.ContainerStatuses, bare.Status.InitContainerStatuses = nil, nil
		out[i] = &bare
	}
	return out
}
