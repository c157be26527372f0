package model

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Use is an amount of resources in milli units (millicores, milli bytes).
type Use map[corev1.ResourceName]int64

// used are the resources that pods are modelled to use.
var used = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}

// Load returns the present load of workload i.
func (w *World) Load(s *State, i int) *Load { return &w.Workloads[i].Loads[s.Work[i].Load] }

// Stages is the number of phases of the start-up profile of workload i, at
// least one.
func (w *World) Stages(s *State, i int) int { return max(1, len(w.Load(s, i).StartUp)) }

// MayBeReady tells whether a readiness probe may have passed in the pod's phase
// of the start-up profile: the probe's initial delay and the phases' durations
// are constants of one object, so their order is known.
func (w *World) MayBeReady(s *State, p Pod) bool {
	startUp := w.Load(s, int(p.Work)).StartUp
	if int(p.Stage)+1 >= len(startUp) {
		return true
	}
	var end int32
	for i := range int(p.Stage) + 1 {
		end += startUp[i].Seconds
	}
	return end > w.Workloads[p.Work].Revisions[p.Rev].ProbeDelay
}

// PodUse is what pod p uses on a node: nothing before it runs or where the
// machine is down. Usage and requests are two things.
func (w *World) PodUse(s *State, p Pod, node int) Use {
	if p.Phase != Running || !s.Nodes[node].Up || p.Crashing {
		return Use{}
	}
	load := w.Load(s, int(p.Work))
	out := Use{}
	for _, r := range used {
		out[r] = w.podUse(s, load, p, r)
	}
	return out
}

// podUse is what a running pod uses of one resource, no more than its limit.
func (w *World) podUse(s *State, load *Load, p Pod, r corev1.ResourceName) int64 {
	pod := w.Workloads[p.Work].Revisions[p.Rev].Pod
	var use int64
	switch {
	case load.Requests:
		use = Requested(pod, r)
	case len(load.StartUp) > 0:
		use = milli(load.StartUp[min(int(p.Stage), len(load.StartUp)-1)].Use, r)
	case len(load.PerPod) > 0:
		use = milli(load.PerPod, r)
	case len(load.Total) > 0:
		if p.Ready && !p.Terminating {
			if ready := s.ready(int(p.Work)); ready > 0 {
				if mutation.On("load-not-shared") {
					ready = 1
				}
				use = milli(load.Total, r) / int64(ready)
			}
		}
		use += milli(load.Idle, r)
	default:
		use = milli(load.Idle, r)
	}
	if limit := limited(pod, r); limit > 0 {
		use = min(use, limit)
	}
	return use
}

// ready counts the Ready pods of a workload, which share its load.
func (s *State) ready(w int) int {
	return s.Count(func(_ Place, p Pod) bool { return int(p.Work) == w && p.Ready && !p.Terminating })
}

// milli is an amount in milli units, 0 if the list has none of the resource.
func milli(list corev1.ResourceList, r corev1.ResourceName) int64 {
	q, ok := list[r]
	if !ok {
		return 0
	}
	return q.MilliValue()
}

// Requested is what the containers of a pod request together, in milli units.
func Requested(pod *corev1.Pod, r corev1.ResourceName) int64 {
	var sum int64
	for _, c := range pod.Spec.Containers {
		sum += milli(c.Resources.Requests, r)
	}
	return sum
}

// limited is the pod's limit, 0 if a container has none.
func limited(pod *corev1.Pod, r corev1.ResourceName) int64 {
	var sum int64
	for _, c := range pod.Spec.Containers {
		l := milli(c.Resources.Limits, r)
		if l == 0 {
			return 0
		}
		sum += l
	}
	return sum
}

// Containers splits a pod's use over its containers as the metrics API would
// report it: in proportion to their requests, the rest to the first.
func Containers(pod *corev1.Pod, use Use) map[string]corev1.ResourceList {
	out := map[string]corev1.ResourceList{}
	for _, c := range pod.Spec.Containers {
		out[c.Name] = corev1.ResourceList{}
	}
	for _, r := range used {
		total, left := Requested(pod, r), use[r]
		for i := len(pod.Spec.Containers) - 1; i >= 0; i-- {
			c := pod.Spec.Containers[i]
			share := left
			if i > 0 {
				share = 0
				if total > 0 {
					share = use[r] * milli(c.Resources.Requests, r) / total
				}
				left -= share
			}
			out[c.Name][r] = *resource.NewMilliQuantity(share, resource.DecimalSI)
		}
	}
	return out
}

// NodeFree is what a node's pods leave unused of its allocatable resource, in
// milli units; total is 0 if the node has none of it.
func (w *World) NodeFree(s *State, node int, r corev1.ResourceName) (free, total int64) {
	total = milli(w.Nodes[node].Node.Status.Allocatable, r)
	free = total
	for _, c := range s.Nodes[node].Pods {
		free -= int64(c.N) * w.PodUse(s, c.Pod, node)[r]
	}
	return free, total
}
