package descheduler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Cluster is what one cycle sees. Objects are read, never written.
type Cluster struct {
	Nodes []*corev1.Node
	// Pods are all pods of the cluster, pending and terminating ones too. A
	// pod without UID gets its namespace/name for one: the real evictor
	// refuses pods without.
	Pods       []*corev1.Pod
	Namespaces []*corev1.Namespace
	// PDBs are not read by a cycle whose requests all succeed: budgets act in
	// the eviction API. The one plugin argument about them, the protection
	// PodsWithoutPDB (ignorePodsWithoutPDB), reads an informer that
	// descheduler 0.36.0 registers only after it has started its informers;
	// its list is empty for ever and the protection covers every pod. The
	// package answers as that release does.
	PDBs []*policyv1.PodDisruptionBudget
	// PriorityClasses resolve priority thresholds given by name. The two
	// built-in classes need not be listed.
	PriorityClasses []*schedulingv1.PriorityClass
	// Usage is not read: New refuses policies that ask for actual usage.
	Usage map[string]corev1.ResourceList
}

// Watch says what the plugins of a single Cycle see of the evictions made earlier
// in it. The real descheduler reads informer caches that a watch updates while the
// cycle runs, so both happen, and all in between: see the package comment.
type Watch int

const (
	// WatchLate: no eviction of this cycle is seen before it ends.
	WatchLate Watch = iota
	// WatchPrompt: an evicted pod is seen terminating at once. (It is not seen
	// gone, nor its replacement created: both take longer than a cycle.)
	WatchPrompt
)

// Order is one order in which the lists of the real caches, which are maps,
// may come.
type Order struct {
	// Nodes and Pods (namespace/name) come first, in this order; those not
	// named follow by name. Unknown names are ignored.
	Nodes, Pods []string
	Watch       Watch
}

// Eviction is one request to the eviction API.
type Eviction struct {
	Pod             string // namespace/name
	Node            string
	Profile, Plugin string
	Reason          string // the annotation "reason" of the request
}

// snapshot is a cluster prepared for runs: pods with UID, sorted by name,
// each with its class.
type snapshot struct {
	nodes []*corev1.Node // in the policy's node selector and ready, by name
	pods  []*corev1.Pod  // by namespace and name
	byUID map[types.UID]*corev1.Pod
	class map[types.UID]int // equal for pods equal but for name and UID
}

func podName(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

func newSnapshot(c Cluster) (*snapshot, error) {
	s := &snapshot{
		nodes: slices.Clone(c.Nodes),
		pods:  make([]*corev1.Pod, 0, len(c.Pods)),
		byUID: make(map[types.UID]*corev1.Pod, len(c.Pods)),
	}
	slices.SortFunc(s.nodes, func(a, b *corev1.Node) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(s.nodes); i++ {
		if s.nodes[i].Name == s.nodes[i-1].Name {
			return nil, fmt.Errorf("run descheduler: node %s is given twice", s.nodes[i].Name)
		}
	}
	for _, pod := range c.Pods {
		if pod.UID == "" {
			named := *pod
			named.UID = types.UID(podName(pod))
			pod = &named
		}
		if twin, ok := s.byUID[pod.UID]; ok {
			return nil, fmt.Errorf("run descheduler: pods %s and %s have one UID", podName(twin), podName(pod))
		}
		s.byUID[pod.UID] = pod
		s.pods = append(s.pods, pod)
	}
	slices.SortFunc(s.pods, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for i := 1; i < len(s.pods); i++ {
		if podName(s.pods[i]) == podName(s.pods[i-1]) {
			return nil, fmt.Errorf("run descheduler: pod %s is given twice", podName(s.pods[i]))
		}
	}
	return s, nil
}

// classify numbers the classes of interchangeable pods: those with equal
// objects but for name, generate name, UID, resource version and managed
// fields.
func (s *snapshot) classify() error {
	if s.class != nil {
		return nil
	}
	s.class = make(map[types.UID]int, len(s.pods))
	numbers := map[string]int{}
	for _, pod := range s.pods {
		anonymous := *pod
		anonymous.Name, anonymous.GenerateName, anonymous.UID = "", "", ""
		anonymous.ResourceVersion, anonymous.ManagedFields = "", nil
		key, err := anonymous.Marshal()
		if err != nil {
			return fmt.Errorf("run descheduler: encode pod %s: %w", podName(pod), err)
		}
		number, ok := numbers[string(key)]
		if !ok {
			number = len(numbers)
			numbers[string(key)] = number
		}
		s.class[pod.UID] = number
	}
	return nil
}

// arrange returns the elements named in first, in that order, then the rest.
func arrange[T any](elements []T, name func(T) string, first []string) []T {
	rank := make(map[string]int, len(first))
	for i, n := range first {
		if _, ok := rank[n]; !ok {
			rank[n] = i - len(first)
		}
	}
	arranged := slices.Clone(elements)
	slices.SortStableFunc(arranged, func(a, b T) int { return cmp.Compare(rank[name(a)], rank[name(b)]) })
	return arranged
}

// lists are the pods bound to each node, in list order.
type lists map[string][]*corev1.Pod

func newLists(pods []*corev1.Pod) lists {
	l := make(lists)
	for _, pod := range pods {
		if pod.Spec.NodeName != "" {
			l[pod.Spec.NodeName] = append(l[pod.Spec.NodeName], pod)
		}
	}
	return l
}

// seen returns the lists with the given pods terminating.
func (l lists) seen(evicted map[types.UID]bool) lists {
	if len(evicted) == 0 {
		return l
	}
	view := make(lists, len(l))
	for node, pods := range l {
		view[node] = pods
		for i, pod := range pods {
			if evicted[pod.UID] {
				view.replace(node, i, terminating(pod))
			}
		}
	}
	return view
}

// replace sets one element without touching slices shared with other views.
func (l lists) replace(node string, i int, pod *corev1.Pod) {
	l[node] = slices.Clone(l[node])
	l[node][i] = pod
}

// terminating returns the pod as the API server stores it after an eviction.
// The time itself is read by no plugin.
func terminating(pod *corev1.Pod) *corev1.Pod {
	if pod.DeletionTimestamp != nil {
		return pod
	}
	deleted := *pod
	deleted.DeletionTimestamp = &metav1.Time{}
	return &deleted
}

// publish turns requests into the answer, leaving out requests for a pod
// already asked for in this cycle: the API server accepts them and nothing
// changes. They do count against the limits.
func publish(requests []request) []Eviction {
	evictions := make([]Eviction, 0, len(requests))
	asked := make(map[types.UID]bool, len(requests))
	for _, r := range requests {
		if asked[r.pod.UID] {
			continue
		}
		asked[r.pod.UID] = true
		evictions = append(evictions, Eviction{
			Pod: podName(r.pod), Node: r.pod.Spec.NodeName,
			Profile: r.profile, Plugin: r.plugin, Reason: r.reason,
		})
	}
	return evictions
}

func compareEvictions(a, b []Eviction) int {
	return slices.CompareFunc(a, b, func(a, b Eviction) int {
		return cmp.Or(strings.Compare(a.Pod, b.Pod), strings.Compare(a.Profile, b.Profile), strings.Compare(a.Plugin, b.Plugin))
	})
}
