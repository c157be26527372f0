package scheduler

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// tie has the scheduler draw lots among the nodes that it thinks equally good. It
// finds no node better than another and none unfit; but only where an extender was
// asked does kube-scheduler 1.36 draw at all (prioritizeNodes): without one it
// takes the first that its goroutines came upon, which is nearly always the same,
// and a steering that waits for another would wait for ever.
type tie struct{}

var _ fwk.Extender = tie{}

// Name is the extender's.
func (tie) Name() string { return pluginName }

// Prioritize finds all nodes equal.
func (tie) Prioritize(_ *corev1.Pod, nodes []fwk.NodeInfo) (*extenderv1.HostPriorityList, int64, error) {
	scores := make(extenderv1.HostPriorityList, len(nodes))
	for i, n := range nodes {
		scores[i].Host = n.Node().Name
	}
	return &scores, 1, nil
}

// Filter finds all nodes fit.
func (tie) Filter(_ *corev1.Pod, nodes []fwk.NodeInfo) ([]fwk.NodeInfo, extenderv1.FailedNodesMap, extenderv1.FailedNodesMap, error) {
	return nodes, nil, nil, nil
}

// Bind is never called: see IsBinder.
func (tie) Bind(*corev1.Binding) error { return errors.ErrUnsupported }

// ProcessPreemption is never called: see SupportsPreemption.
func (tie) ProcessPreemption(_ *corev1.Pod, victims map[string]*extenderv1.Victims, _ fwk.NodeInfoLister) (map[string]*extenderv1.Victims, error) {
	return victims, nil
}

// IsBinder tells that the scheduler binds by itself.
func (tie) IsBinder() bool { return false }

// IsInterested tells that every pod is drawn for.
func (tie) IsInterested(*corev1.Pod) bool { return true }

// IsPrioritizer tells that Prioritize is to be called.
func (tie) IsPrioritizer() bool { return true }

// IsFilter tells that no node is left out.
func (tie) IsFilter() bool { return false }

// SupportsPreemption tells that preemption is the scheduler's own.
func (tie) SupportsPreemption() bool { return false }

// IsIgnorable tells that a failure would be the scheduler's.
func (tie) IsIgnorable() bool { return false }
