package scheduler

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
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
	// few is the number of orders up to which all are tried.
	few int

	// rest are the pods that cannot be victims, ranks the others: from the most
	// important, each rank a tie, divided into sets of alike pods.
	rest  []fwk.PodInfo
	ranks [][][]fwk.PodInfo

	found  []*candidate
	seen   map[string]bool
	budget int // runs left
}

// all makes the runs, at most budget of them; ErrTooManyOutcomes says that they
// were not enough, and that more candidates are possible than those found.
func (d *dryRun) all(ctx context.Context, budget int) error {
	d.rank()
	d.seen, d.budget = map[string]bool{}, budget
	if d.budgeted() || d.orders() <= d.few {
		return d.permute(ctx, d.sizes(), nil)
	}
	return d.search(ctx, 0, nil)
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

// sizes counts the pods in each set of each rank.
func (d *dryRun) sizes() [][]int {
	sizes := make([][]int, len(d.ranks))
	for i, rank := range d.ranks {
		for _, set := range rank {
			sizes[i] = append(sizes[i], len(set))
		}
	}
	return sizes
}

// orders counts the orders that permute tries, up to the budget.
func (d *dryRun) orders() int {
	n := 1
	for _, rank := range d.sizes() {
		placed := 0
		for _, size := range rank {
			for i := 1; i <= size; i++ {
				// The binomial coefficient of placed+i over i grows step by step.
				placed++
				n = n * placed / i
				if n > d.budget {
					return n
				}
			}
		}
	}
	return n
}

// budgeted says whether a PDB covers a possible victim. Which pods violate it then
// depends on the order, and those that do are reprieved before all others.
func (d *dryRun) budgeted() bool {
	for _, pdb := range d.pdbs {
		selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
		if err != nil || selector.Empty() {
			continue // covers nothing, to the plugin
		}
		for _, rank := range d.ranks {
			for _, set := range rank {
				pod := set[0].GetPod()
				if pod.Namespace == pdb.Namespace && selector.Matches(labels.Set(pod.Labels)) {
					return true
				}
			}
		}
	}
	return false
}

// permute tries every order that goes on from the one given: ranks one after the
// other, the sets of a rank in any mixture, the pods of a set as they stand.
func (d *dryRun) permute(ctx context.Context, left [][]int, order []fwk.PodInfo) error {
	for i, rank := range left {
		done := true
		for j, n := range rank {
			if n == 0 {
				continue
			}
			done = false
			set := d.ranks[i][j]
			rank[j]--
			err := d.permute(ctx, left, append(order, set[len(set)-n]))
			rank[j]++
			if err != nil {
				return err
			}
		}
		if !done {
			return nil
		}
	}
	_, err := d.run(ctx, order)
	return err
}

// search finds what permute would, by fewer orders, where no PDB has a say. Pods
// are then reprieved one by one if the preemptor still fits, rank by rank. It
// relies on one property of the in-tree filters: on a node that the preemptor
// fits on without the victims, more pods never make it fit. So the reprieved of
// a rank are a largest possible set next to those of the ranks before (one to
// which no pod can be added), and each such set is had by the order that begins
// with it.
//
// All such sets of a rank are found thus: begin with some pods, the demand, and
// see which set comes out. Any other that contains the demand has more pods of
// some kind than this one; so demand, of each kind in turn, one more than came
// out. A demand that is not met has no set. Each set goes before all those of the
// next rank.
func (d *dryRun) search(ctx context.Context, at int, before []fwk.PodInfo) error {
	if at == len(d.ranks) {
		_, err := d.run(ctx, before)
		return err
	}
	asked, had := map[string]bool{}, map[string]bool{}
	demands := [][]int{make([]int, len(d.ranks[at]))}
	for len(demands) > 0 {
		demand := demands[len(demands)-1]
		demands = demands[:len(demands)-1]
		order := slices.Concat(before, d.beginWith(at, demand))
		for next := at + 1; next < len(d.ranks); next++ {
			order = append(order, slices.Concat(d.ranks[next]...)...)
		}
		victims, err := d.run(ctx, order)
		if err != nil || victims == nil {
			return err // no order helps on this node
		}
		kept := d.kept(at, victims)
		if !meets(kept, demand) {
			continue
		}
		if key := fmt.Sprint(kept); !had[key] {
			had[key] = true
			if err := d.search(ctx, at+1, slices.Concat(before, d.beginWith(at, kept))); err != nil {
				return err
			}
		}
		for kind, n := range kept {
			if n == len(d.ranks[at][kind]) {
				continue
			}
			more := slices.Clone(demand)
			more[kind] = n + 1
			if key := fmt.Sprint(more); !asked[key] {
				asked[key] = true
				demands = append(demands, more)
			}
		}
	}
	return nil
}

// beginWith orders a rank: first so many pods of each kind, then the others.
func (d *dryRun) beginWith(at int, counts []int) []fwk.PodInfo {
	var head, tail []fwk.PodInfo
	for kind, set := range d.ranks[at] {
		head = append(head, set[:counts[kind]]...)
		tail = append(tail, set[counts[kind]:]...)
	}
	return append(head, tail...)
}

// kept counts the pods of each kind of a rank that are no victims.
func (d *dryRun) kept(at int, victims []*corev1.Pod) []int {
	kept := make([]int, len(d.ranks[at]))
	for kind, set := range d.ranks[at] {
		for _, info := range set {
			if !slices.Contains(victims, info.GetPod()) {
				kept[kind]++
			}
		}
	}
	return kept
}

func meets(kept, demand []int) bool {
	for kind, n := range demand {
		if kept[kind] < n {
			return false
		}
	}
	return true
}

// run makes the real dry run with the pods in that order. The plugin sorts them
// by importance, and leaves pods alone that are sorted already. It gives the
// victims, nil if there is no candidate.
func (d *dryRun) run(ctx context.Context, order []fwk.PodInfo) ([]*corev1.Pod, error) {
	if d.budget--; d.budget < 0 {
		return nil, ErrTooManyOutcomes
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	node := d.node.Snapshot()
	if info, ok := node.(*framework.NodeInfo); ok {
		info.Pods = slices.Concat(order, d.rest)
	}
	victims, violations, status := d.plugin.SelectVictimsOnNode(ctx, d.cycle.state.Clone(), d.cycle.pod, node, d.pdbs)
	if !status.IsSuccess() || len(victims) == 0 {
		return nil, nil
	}
	found := &candidate{node: d.node.Node().Name, victims: victims, violations: int64(violations), groups: d.groups(victims)}
	if key := found.key(); !d.seen[key] {
		d.seen[key] = true
		d.found = append(d.found, found)
	}
	return victims, nil
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
