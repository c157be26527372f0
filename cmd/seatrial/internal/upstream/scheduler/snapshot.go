package scheduler

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Cluster is what the scheduler knows at the moment of a decision. Its objects
// are only read.
type Cluster struct {
	// Nodes are all nodes, with distinct names, in any order.
	Nodes []*corev1.Node
	// Pods are the pods with a spec.nodeName, terminating ones included. Those
	// that are Succeeded or Failed, or whose node is not in Nodes, are passed
	// over, as the scheduler does not see them.
	Pods []*corev1.Pod
	// Nominated are the pending pods with a status.nominatedNodeName, with or
	// without the pod to decide on.
	Nominated []*corev1.Pod
	// PDBs matter to Preempt only, by their selector and status.
	PDBs []*policyv1.PodDisruptionBudget
	// ReplicaSets, if not nil, stand in for those of Static in this decision.
	ReplicaSets []*appsv1.ReplicaSet
	// MergeAlike lets Preempt list one outcome where several differ only in which
	// of some pods are taken that are alike in everything but their name: the
	// first by name. For models that count such pods.
	MergeAlike bool
	// Shared says that the nodes hold other pods too, any number that leaves
	// room for all: Decide then names every node that comes out on top with some
	// of them. Those pods matter to the scores of resources only.
	Shared bool
	// Ending says that the nodes may hold more terminating pods too, like those in
	// Pods. Beside resources they matter to the score of affinity to pods.
	Ending bool
	// Any makes Decide name every feasible node, whatever its score.
	Any bool
}

// snapshotLister is the framework's view of the cluster, exchanged for each
// decision. It lists nodes by name where the snapshot it wraps has map order.
type snapshotLister struct {
	*internalcache.Snapshot
	nodes        []fwk.NodeInfo
	affinity     []fwk.NodeInfo
	antiAffinity []fwk.NodeInfo
}

func (l *snapshotLister) NodeInfos() fwk.NodeInfoLister { return l }
func (l *snapshotLister) List() ([]fwk.NodeInfo, error) { return l.nodes, nil }
func (l *snapshotLister) HavePodsWithAffinityList() ([]fwk.NodeInfo, error) {
	return l.affinity, nil
}

func (l *snapshotLister) HavePodsWithRequiredAntiAffinityList() ([]fwk.NodeInfo, error) {
	return l.antiAffinity, nil
}

// load makes c what the framework sees.
func (s *Scheduler) load(c Cluster) error {
	if err := s.loadReplicaSets(c.ReplicaSets); err != nil {
		return err
	}
	known := make(map[string]bool, len(c.Nodes))
	for _, node := range c.Nodes {
		if known[node.Name] {
			return fmt.Errorf("node %q is given twice", node.Name)
		}
		known[node.Name] = true
	}
	pods := make([]*corev1.Pod, 0, len(c.Pods))
	for _, pod := range c.Pods {
		if known[pod.Spec.NodeName] && !terminal(pod) {
			pods = append(pods, identified(pod))
		}
	}
	snapshot := internalcache.NewSnapshot(pods, c.Nodes)
	s.snapshot.Snapshot = snapshot
	for _, list := range []struct {
		into *[]fwk.NodeInfo
		from func() ([]fwk.NodeInfo, error)
	}{
		{&s.snapshot.nodes, snapshot.List},
		{&s.snapshot.affinity, snapshot.HavePodsWithAffinityList},
		{&s.snapshot.antiAffinity, snapshot.HavePodsWithRequiredAntiAffinityList},
	} {
		nodes, err := list.from()
		if err != nil {
			return fmt.Errorf("list nodes: %w", err)
		}
		slices.SortFunc(nodes, byName)
		*list.into = nodes
	}
	return s.nominator.load(c.Nominated)
}

func (s *Scheduler) loadReplicaSets(list []*appsv1.ReplicaSet) error {
	if list == nil && s.replicaSetsStatic {
		return nil
	}
	replicaSets := s.staticReplicaSets
	if list != nil {
		replicaSets = objects(list)
	}
	if err := s.replicaSets.Replace(replicaSets, ""); err != nil {
		return fmt.Errorf("index ReplicaSets: %w", err)
	}
	s.replicaSetsStatic = list == nil
	return nil
}

func byName(a, b fwk.NodeInfo) int { return cmp.Compare(a.Node().Name, b.Node().Name) }

// terminal pods are not in the scheduler's informer, whose field selector
// leaves them out (scheduler.NewInformerFactory).
func terminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// identified is pod with a UID, by which the scheduler tells pods apart; one
// without gets its namespace and name for it, on a copy.
func identified(pod *corev1.Pod) *corev1.Pod {
	if pod.UID != "" {
		return pod
	}
	named := *pod
	named.UID = types.UID(podName(pod))
	return &named
}

func podName(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

// nominator knows the pods of one decision that wait for a node which
// preemption frees. The scheduler's own keeps them in its queue.
type nominator struct {
	byNode map[string][]fwk.PodInfo
}

func (n *nominator) load(pods []*corev1.Pod) error {
	clear(n.byNode)
	for _, pod := range pods {
		node := pod.Status.NominatedNodeName
		if node == "" || pod.Spec.NodeName != "" || terminal(pod) {
			continue
		}
		info, err := framework.NewPodInfo(identified(pod))
		if err != nil {
			return fmt.Errorf("nominated pod %s: %w", podName(pod), err)
		}
		if n.byNode == nil {
			n.byNode = map[string][]fwk.PodInfo{}
		}
		n.byNode[node] = append(n.byNode[node], info)
	}
	return nil
}

// NominatedPodsForNode gives the pods that wait for node.
func (n *nominator) NominatedPodsForNode(node string) []fwk.PodInfo { return n.byNode[node] }

// AddNominatedPod is for a scheduler's queue: a decision nominates nobody.
func (n *nominator) AddNominatedPod(klog.Logger, fwk.PodInfo, *fwk.NominatingInfo) {}

// DeleteNominatedPodIfExists is for a scheduler's queue.
func (n *nominator) DeleteNominatedPodIfExists(*corev1.Pod) {}

// UpdateNominatedPod is for a scheduler's queue.
func (n *nominator) UpdateNominatedPod(klog.Logger, *corev1.Pod, fwk.PodInfo) {}
