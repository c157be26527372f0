package scheduler

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
)

// dryRun finds the victims on one node, for every order of its pods.
type dryRun struct {
	plugin *defaultpreemption.DefaultPreemption
	cycle  *cycle
	node   fwk.NodeInfo
	pdbs   []*policyv1.PodDisruptionBudget

	// rest are the pods that cannot be victims, ranks the others: from the most
	// important, each rank a tie, divided into sets of alike pods.
	rest  []fwk.PodInfo
	ranks [][][]fwk.PodInfo

	found  []*candidate
	seen   map[string]bool
	failed bool
}

// all makes the runs, at most budget of them, which it takes off.
func (d *dryRun) all(ctx context.Context, budget *int) error {
	d.rank()
	d.seen = map[string]bool{}
	return d.extend(ctx, d.rank0(), nil, budget)
}

// rank sorts out the node's pods.
func (d *dryRun) rank() {
	var victims []fwk.PodInfo
	priority := corev1helpers.PodPriority(d.cycle.pod)
	for _, info := range d.node.GetPods() {
		if corev1helpers.PodPriority(info.GetPod()) < priority && d.plugin.IsEligiblePod(d.node, info, d.cycle.pod) {
			victims = append(victims, info)
		} else {
			d.rest = append(d.rest, info)
		}
	}
	slices.SortFunc(victims, func(a, b fwk.PodInfo) int {
		switch {
		case d.plugin.MoreImportantPod(a.GetPod(), b.GetPod()):
			return -1
		case d.plugin.MoreImportantPod(b.GetPod(), a.GetPod()):
			return 1
		}
		return cmp.Compare(podName(a.GetPod()), podName(b.GetPod()))
	})
	var last fwk.PodInfo
	for _, info := range victims {
		if last == nil || d.plugin.MoreImportantPod(last.GetPod(), info.GetPod()) {
			d.ranks = append(d.ranks, nil)
		}
		last = info
		rank := &d.ranks[len(d.ranks)-1]
		at := slices.IndexFunc(*rank, func(set []fwk.PodInfo) bool { return d.alike(set[0].GetPod(), info.GetPod()) })
		if at < 0 {
			at = len(*rank)
			*rank = append(*rank, nil)
		}
		(*rank)[at] = append((*rank)[at], info)
	}
}

// alike says whether exchanging the two pods of the node changes names only. No
// plugin that runs in a dry run knows a pod by its name, but PDBs do list the
// names of pods they have disrupted.
func (d *dryRun) alike(a, b *corev1.Pod) bool {
	return d.disrupted(a) == d.disrupted(b) && equality.Semantic.DeepEqual(anonymous(a), anonymous(b))
}

func (d *dryRun) disrupted(pod *corev1.Pod) (mask string) {
	for _, pdb := range d.pdbs {
		if _, ok := pdb.Status.DisruptedPods[pod.Name]; ok && pdb.Namespace == pod.Namespace {
			mask += pdb.Name + "/"
		}
	}
	return mask
}

func anonymous(pod *corev1.Pod) *corev1.Pod {
	out := *pod
	out.Name, out.UID, out.ResourceVersion, out.ManagedFields = "", "", "", nil
	out.CreationTimestamp = metav1.Time{}
	out.Status.PodIP, out.Status.PodIPs = "", nil
	return &out
}

// rank0 counts the pods still to be placed in each set of each rank.
func (d *dryRun) rank0() [][]int {
	left := make([][]int, len(d.ranks))
	for i, rank := range d.ranks {
		for _, set := range rank {
			left[i] = append(left[i], len(set))
		}
	}
	return left
}

// extend tries every order that goes on from the one given: ranks one after the
// other, the sets of a rank in any mixture, the pods of a set as they stand.
func (d *dryRun) extend(ctx context.Context, left [][]int, order []fwk.PodInfo, budget *int) error {
	for i, rank := range left {
		done := true
		for j, n := range rank {
			if n == 0 {
				continue
			}
			done = false
			set := d.ranks[i][j]
			rank[j]--
			err := d.extend(ctx, left, append(order, set[len(set)-n]), budget)
			rank[j]++
			if err != nil {
				return err
			}
		}
		if !done {
			return nil
		}
	}
	if *budget--; *budget < 0 {
		return ErrTooManyOutcomes
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	d.run(ctx, order)
	return nil
}

// run makes the real dry run with the pods in that order. The plugin sorts them
// by importance, and leaves pods alone that are sorted already.
func (d *dryRun) run(ctx context.Context, order []fwk.PodInfo) {
	node := d.node.Snapshot()
	if info, ok := node.(*framework.NodeInfo); ok {
		info.Pods = slices.Concat(order, d.rest)
	}
	victims, violations, status := d.plugin.SelectVictimsOnNode(ctx, d.cycle.state.Clone(), d.cycle.pod, node, d.pdbs)
	if !status.IsSuccess() || len(victims) == 0 {
		d.failed = true
		return
	}
	found := &candidate{node: d.node.Node().Name, victims: victims, violations: int64(violations), groups: d.groups(victims)}
	key := found.key()
	if !d.seen[key] {
		d.seen[key] = true
		d.found = append(d.found, found)
	}
}

// groups counts the victims by the sets of alike pods they are from.
func (d *dryRun) groups(victims []*corev1.Pod) []group {
	var groups []group
	for _, rank := range d.ranks {
		for _, set := range rank {
			var g group
			for _, info := range set {
				g.pods = append(g.pods, info.GetPod())
				if slices.Contains(victims, info.GetPod()) {
					g.taken++
				}
			}
			if g.taken > 0 {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// key tells candidates of a node apart that differ in more than alike pods.
func (c *candidate) key() string {
	key := []byte{byte(c.violations >> 8), byte(c.violations)}
	for _, g := range c.groups {
		key = append(append(key, podName(g.pods[0])...), '\n', byte(g.taken>>8), byte(g.taken))
	}
	return string(key)
}

// first is the choice of the first pods, by name, of each group.
func first(groups []group) []string {
	var out []string
	for _, g := range groups {
		for _, pod := range g.pods[:g.taken] {
			out = append(out, podName(pod))
		}
	}
	slices.Sort(out)
	return out
}

// choices are all ways to take so many pods of each group, at most limit.
func choices(groups []group, limit int) [][]string {
	var out [][]string
	var walk func(at, from, taken int, chosen []string)
	walk = func(at, from, taken int, chosen []string) {
		if len(out) >= limit {
			return
		}
		if at == len(groups) {
			victims := slices.Clone(chosen)
			slices.Sort(victims)
			out = append(out, victims)
			return
		}
		g := groups[at]
		if taken == g.taken {
			walk(at+1, 0, 0, chosen)
			return
		}
		for i := from; i <= len(g.pods)-(g.taken-taken); i++ {
			walk(at, i+1, taken+1, append(chosen, podName(g.pods[i])))
		}
	}
	walk(0, 0, 0, nil)
	return out
}
