package actor

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/hpa"
)

// reconciled is what one reconcile says, without the names of pods.
type reconciled struct {
	upstream.Output
	// reason is why the autoscaler cannot act, as model.Reasons counts.
	reason uint8
}

// reconcile asks the controller, or remembers what it said.
func reconcile(x *model.Turn, i int) reconciled {
	var room [16]group
	groups := grouped(x, x.Workloads[x.AutoscalerSpec(x.State, i).Work].Namespace, room[:0])
	var bytes [256]byte
	key := hpaKey(x, i, groups, bytes[:0])
	return x.Kube.Remember(model.AskAutoscaler, false, key, func() any { return askHPA(x, i, groups) }).(reconciled)
}

// group is a number of pods that an autoscaler cannot tell apart: which of the
// nodes they are on is no matter to it.
type group struct {
	model.PodCount
	// assigned to a node; metered: the kubelet there tells what they use.
	assigned, metered bool
	// at is where one of them is.
	at model.Place
}

// grouped appends the pods of a namespace in an order that says nothing of where
// they are.
func grouped(x *model.Turn, namespace string, out []group) []group {
	add := func(at model.Place, c model.PodCount) {
		if x.Workloads[c.Work].Namespace != namespace {
			return
		}
		g := group{PodCount: c, assigned: at.Node >= 0 && !at.Nominated, at: at}
		// Between the starts of a crash loop there is no container to measure: the
		// kubelet leaves those that do not run out of its resource metrics.
		g.metered = g.assigned && c.Phase == model.Running && !c.Crashing && x.State.Nodes[at.Node].Up
		if !x.Kube.Remembers() {
			out = append(out, g)
			return
		}
		k, found := slices.BinarySearchFunc(out, g, compareGroups)
		if found {
			out[k].N += c.N
			return
		}
		out = slices.Insert(out, k, g)
	}
	x.State.Each(add)
	return out
}

func compareGroups(a, b group) int {
	return cmp.Or(cmp.Compare(a.Bits(), b.Bits()), cmp.Compare(a.flags(), b.flags()))
}

func (g *group) flags() byte {
	switch {
	case g.metered:
		return 2
	case g.assigned:
		return 1
	}
	return 0
}

// hpaKey holds what a reconcile reads: the autoscaler and what it remembers, its
// target, the loads and the pods of the namespace, and which other autoscalers
// there have looked for theirs.
func hpaKey(x *model.Turn, i int, groups []group, key []byte) []byte {
	s, spec := x.State, x.AutoscalerSpec(x.State, i)
	memory := s.HPA[i].Memory
	key = append(binary.AppendUvarint(key, uint64(i)), s.HPA[i].Rev, bit(memory.Known), bit(memory.Selecting))
	for _, text := range [...]string{memory.High, memory.Low, memory.Changes} {
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	target := s.Work[spec.Work]
	key = append(binary.AppendVarint(key, int64(target.Replicas)), target.Rev)
	for j := range s.Work {
		if x.Workloads[j].Namespace == x.Workloads[spec.Work].Namespace {
			key = binary.AppendUvarint(key, uint64(s.Work[j].Load))
		}
	}
	for j, other := range s.HPA {
		key = append(key, other.Rev, bit(j != i && other.Memory.Selecting))
	}
	for k := range groups {
		g := &groups[k]
		key = append(binary.AppendUvarint(key, g.Bits()), g.flags())
		key = binary.AppendUvarint(key, uint64(g.N))
	}
	return key
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func askHPA(x *model.Turn, i int, groups []group) reconciled {
	pods := members(x, groups)
	out, err := upstream.Reconcile(context.Background(), hpaInput(x, i, pods))
	if err != nil {
		panic(err) // the input was validated, so this is ours
	}
	r := reconciled{Output: out}
	if out.Active == metav1.ConditionFalse {
		r.reason = model.ReasonID(reasonOf(x, i, out))
	}
	r.Message = unnamed(x, pods, r.Message)
	for k := range r.Metrics {
		r.Metrics[k].Problem = unnamed(x, pods, r.Metrics[k].Problem)
	}
	return r
}

// member is one pod of a group, as an object.
type member struct {
	model.Named
	metered bool
}

// members are the pods of all groups: on the first node or on none, unless they are
// looked at as they are.
func members(x *model.Turn, groups []group) []member {
	var out []member
	for k := range groups {
		g := &groups[k]
		at, first := model.Unassigned, 0
		if g.assigned {
			at = model.Place{}
		}
		if !x.Kube.Remembers() {
			at = g.at
		} else if k > 0 && groups[k-1].Pod == g.Pod && groups[k-1].assigned == g.assigned {
			first = groups[k-1].N
		}
		for n := range g.N {
			named := model.Named{At: g.at, Pod: g.Pod, Object: x.Pod(g.Pod, at, first+n)}
			out = append(out, member{named, g.metered})
		}
	}
	return out
}

// unnamed takes the names of the model's pods, which nobody knows, out of a
// message of the controller.
func unnamed(x *model.Turn, pods []member, message string) string {
	if message == "" {
		return ""
	}
	for _, p := range pods {
		message = strings.ReplaceAll(message, p.Object.Name, x.Workloads[p.Pod.Work].Name+"-…")
	}
	return message
}

// hpaInput is what the controller would read.
func hpaInput(x *model.Turn, i int, pods []member) upstream.Input {
	spec := x.AutoscalerSpec(x.State, i)
	target := &x.Workloads[spec.Work]
	in := upstream.Input{
		HPA: spec.HPA, Variants: x.HPAs[i].Variants(), SpecReplicas: x.State.Work[spec.Work].Replicas,
		Selector: target.Selector, State: x.State.HPA[i].Memory,
		Usage: map[string]upstream.Usage{},
	}
	in.StatusReplicas = int32(x.State.Count(func(_ model.Place, p model.Pod) bool { return int(p.Work) == spec.Work && p.Active() }))
	if mutation.On("hpa-starts-from-status") {
		in.SpecReplicas = in.StatusReplicas
	}
	load := x.Load(x.State, spec.Work)
	in.External, in.Object = load.External, load.Object
	if len(load.Pods) > 0 {
		in.PodMetric = map[string]map[string]int64{}
	}
	for _, p := range pods {
		in.Pods = append(in.Pods, p.Object)
		if !p.metered {
			continue
		}
		in.Usage[p.Object.Name] = podUsage(x, p.Named)
		for _, name := range slices.Sorted(maps.Keys(x.Load(x.State, int(p.Pod.Work)).Pods)) {
			if in.PodMetric == nil {
				in.PodMetric = map[string]map[string]int64{}
			}
			if in.PodMetric[name] == nil {
				in.PodMetric[name] = map[string]int64{}
			}
			q := x.Load(x.State, int(p.Pod.Work)).Pods[name]
			in.PodMetric[name][p.Object.Name] = q.MilliValue()
		}
	}
	in.Ambiguous = upstream.Ambiguous(target.Selector, in.Pods, otherSelectors(x, i)) && !mutation.On("hpa-ignores-ambiguity")
	return in
}

func podUsage(x *model.Turn, p model.Named) upstream.Usage {
	last := x.Stages(x.State, int(p.Pod.Work)) - 1
	return upstream.Usage{
		Containers: model.Containers(p.Object, x.PodUse(x.State, p.Pod, p.At.Node)),
		Warming:    int(p.Pod.Stage) < last && !mutation.On("hpa-counts-unready"),
		NeverReady: !p.Pod.EverReady && !mutation.On("hpa-counts-unready"),
	}
}

// otherSelectors are those of the other autoscalers of the namespace that the
// controller knows of.
func otherSelectors(x *model.Turn, i int) []labels.Selector {
	var out []labels.Selector
	for j := range x.HPAs {
		other := x.AutoscalerSpec(x.State, j)
		if j != i && other != nil && other.Work >= 0 && other.HPA.Namespace == x.AutoscalerSpec(x.State, i).HPA.Namespace && x.State.HPA[j].Memory.Selecting {
			out = append(out, x.Workloads[other.Work].Selector)
		}
	}
	return out
}
