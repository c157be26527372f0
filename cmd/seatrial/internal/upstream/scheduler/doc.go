// Package scheduler is the kube-scheduler of Kubernetes 1.36 as a pure
// function: given the nodes, the pods on them and one pending pod, it answers
// which nodes the scheduler may pick, and which pods it may preempt.
//
// Every filter, score and preemption rule is Kubernetes' own code, called
// through its scheduler framework with all in-tree plugins, the profiles, the
// weights and the plugin arguments of a KubeSchedulerConfiguration. Written here
// is only the order of the calls, which upstream keeps in unexported functions
// (pkg/scheduler/schedule_one.go and pkg/scheduler/framework/preemption); the
// tests hold it to a real scheduler object.
//
// # Sets, not picks
//
// A scheduler's answer also depends on things that are not state of the API:
// the order in which it learnt of nodes and pods, races between its workers,
// random numbers, the iteration order of maps. The functions here return the set
// of all answers that these can lead to.
//
//   - Equal scores. Kubernetes 1.36.3 pops the best node from a heap. Its random
//     tie-break field is written only when extenders are configured, so that
//     without extenders the order of the list of feasible nodes decides. That is
//     the order in which nodes arrived (interleaved by zone), reordered by
//     workers. A node that arrived first is first in that list and keeps the root
//     of the heap against equals, hence every node with the top score is a
//     possible answer, and no other is.
//   - percentageOfNodesToScore. From 100 nodes on, the scheduler stops at the
//     first so many feasible nodes of that same order, beginning at a rotating
//     index. Which subset this is follows from the arrival order, so that a union
//     over the start indices of one order would miss answers. If there are more
//     feasible nodes than the limit, Decide returns all of them and sets
//     Decision.Sampled: a superset of the truth, exact otherwise.
//   - Preemption: see [Scheduler.Preempt].
//
// Not part of the function: opportunistic batching (on by default since 1.35),
// which lets the scheduler reuse the score order of the pod before for an equal
// pod within 500 ms when the node just used cannot take another; extenders; the
// contents of volumes and of resource claims (a pod that names a claim is
// rejected, as the claim does not exist).
package scheduler
