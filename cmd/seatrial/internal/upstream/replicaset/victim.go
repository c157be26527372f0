package replicaset

import (
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/controller"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Victims returns every set of n pods, by name, that the controller may choose
// to delete when no timestamp is known: every order of creation and readiness is
// taken to be possible. It explores the ties of the real ranking
// (getPodsToDelete, pkg/controller/replicaset/replica_set.go, and
// ActivePodsWithRanks, pkg/controller/controller_utils.go): unassigned first,
// then Pending, Unknown, Running, then not Ready, then the lower deletion cost,
// then the node with more pods of related, then, between pods that are not
// Ready, the one with more restarts. Between Ready pods the time of readiness
// comes before restarts, so restarts decide nothing.
//
// pods are those of the ReplicaSet; inactive ones are passed over, so that n at
// or above the number of active pods gives the one set of them all, and n at or
// below 0 none. related are the pods of all ReplicaSets of the same owner, its
// own included. For a ReplicaSet without an owner the real controller relates no
// pods: related must then be nil.
//
// same says which pods are interchangeable, an equivalence; of sets that differ
// only by interchangeable pods one is returned, with the first of them by name.
// It is asked only about pods of equal rank. With nil no two are, and the number
// of sets is a binomial coefficient. alike says which pods are on nodes that are
// interchangeable, nothing else of the ranking being there: of sets that take as much
// from each of such nodes, in another order, one is returned. nil stands for none.
// Names are sorted within a set; sets are in a fixed order, whatever the order of pods.
func Victims(_ *appsv1.ReplicaSet, pods, related []*corev1.Pod, n int, same, alike func(a, b *corev1.Pod) bool) [][]string {
	active := make([]*corev1.Pod, 0, len(pods))
	for _, pod := range pods {
		if controller.IsPodActive(pod) {
			active = append(active, pod)
		}
	}
	sort.Slice(active, func(i, j int) bool { return active[i].Name < active[j].Name })
	if n <= 0 || len(active) == 0 {
		return nil
	}
	if n >= len(active) {
		return [][]string{names(active)}
	}
	certain, tied := rank(active, related, n)
	chosen := names(certain)
	var sets [][]string
	choose(sorted(classes(tied, same), alike), n-len(certain), -1, alike, chosen, func(set []string) {
		set = append([]string(nil), set...)
		sort.Strings(set)
		sets = append(sets, set)
	})
	return sets
}

// rank returns the pods that are among the first n whatever the timestamps, and
// the tie out of which the rest are taken, both in the order of pods.
func rank(pods, related []*corev1.Pod, n int) (certain, tied []*corev1.Pod) {
	onNode := make(map[string]int)
	for _, pod := range related {
		if controller.IsPodActive(pod) {
			onNode[pod.Spec.NodeName]++
		}
	}
	// Sorting must not move pods themselves: origin goes along with the ranks.
	ranked := ranking{origin: make([]int, len(pods))}
	ranked.Pods = make([]*corev1.Pod, len(pods))
	ranked.Rank = make([]int, len(pods))
	for i, pod := range pods {
		ranked.Pods[i] = timeless(pod)
		if ranked.Rank[i] = onNode[pod.Spec.NodeName]; mutation.On("replicaset-victims-ignore-doubling") {
			ranked.Rank[i] = 0
		}
		ranked.origin[i] = i
	}
	sort.Stable(ranked)
	first, end := n, n
	for first > 0 && !ranked.Less(first-1, n) {
		first--
	}
	for end < len(pods) && !ranked.Less(n-1, end) {
		end++
	}
	for i, origin := range ranked.origin[:end] {
		if i < first {
			certain = append(certain, pods[origin])
		} else {
			tied = append(tied, pods[origin])
		}
	}
	return certain, tied
}

// ranking is the real order of deletion, on pods without timestamps.
type ranking struct {
	controller.ActivePodsWithRanks
	origin []int
}

// Less is the real one.
func (r ranking) Less(i, j int) bool {
	if mutation.On("replicaset-victims-reversed") {
		i, j = j, i
	}
	return r.ActivePodsWithRanks.Less(i, j)
}

func (r ranking) Swap(i, j int) {
	r.ActivePodsWithRanks.Swap(i, j)
	r.origin[i], r.origin[j] = r.origin[j], r.origin[i]
}

// timeless returns a copy of pod that the real order finds equal to another's
// exactly if timestamps decide between them. Of Ready pods the restarts go too,
// because the time of readiness comes before them.
func timeless(pod *corev1.Pod) *corev1.Pod {
	bare := &corev1.Pod{}
	bare.Annotations = pod.Annotations
	bare.Spec.NodeName = pod.Spec.NodeName
	bare.Spec.InitContainers = pod.Spec.InitContainers
	bare.Status.Phase = pod.Status.Phase
	bare.Status.ContainerStatuses = pod.Status.ContainerStatuses
	bare.Status.InitContainerStatuses = pod.Status.InitContainerStatuses
	for _, condition := range pod.Status.Conditions {
		if condition.Type != corev1.PodReady {
			continue
		}
		bare.Status.Conditions = []corev1.PodCondition{{Type: condition.Type, Status: condition.Status}}
		if condition.Status == corev1.ConditionTrue {
			bare.Status.ContainerStatuses = nil
			bare.Status.InitContainerStatuses = nil
		}
		break
	}
	return bare
}

// classes groups pods by same, in the order of their first members.
func classes(pods []*corev1.Pod, same func(a, b *corev1.Pod) bool) [][]*corev1.Pod {
	var groups [][]*corev1.Pod
next:
	for _, pod := range pods {
		if same != nil {
			for i, group := range groups {
				if same(group[0], pod) {
					groups[i] = append(group, pod)
					continue next
				}
			}
		}
		groups = append(groups, []*corev1.Pod{pod})
	}
	return groups
}

// sorted puts groups that are alike side by side, in the order of the first of them.
func sorted(groups [][]*corev1.Pod, alike func(a, b *corev1.Pod) bool) [][]*corev1.Pod {
	if alike == nil {
		return groups
	}
	out := make([][]*corev1.Pod, 0, len(groups))
	done := make([]bool, len(groups))
	for i, group := range groups {
		for k := i; k < len(groups); k++ {
			if !done[k] && (k == i || alike(group[0], groups[k][0])) {
				out, done[k] = append(out, groups[k]), true
			}
		}
	}
	return out
}

// choose calls yield with chosen and n pods more, once for every way to spread n
// over the groups, more of the earlier groups first, and of a group that is like the
// one before no more than before, if that is not negative. yield must not keep its
// argument.
func choose(groups [][]*corev1.Pod, n, before int, alike func(a, b *corev1.Pod) bool, chosen []string, yield func([]string)) {
	if len(groups) == 0 {
		if n == 0 {
			yield(chosen)
		}
		return
	}
	left := 0
	for _, group := range groups[1:] {
		left += len(group)
	}
	most := min(n, len(groups[0]))
	if before >= 0 {
		most = min(most, before)
	}
	for take := most; take >= 0 && n-take <= left; take-- {
		bound := -1
		if alike != nil && len(groups) > 1 && alike(groups[0][0], groups[1][0]) {
			bound = take
		}
		choose(groups[1:], n-take, bound, alike, append(chosen, names(groups[0][:take])...), yield)
	}
}

func names(pods []*corev1.Pod) []string {
	list := make([]string, len(pods))
	for i, pod := range pods {
		list[i] = pod.Name
	}
	return list
}
