// Package environment has what acts in a cluster beside the controllers that are checked:
// the garbage collector, the scheduler and the kubelet, the controllers of workloads. Each
// actor is in a file of its own, and says for a state what it would write next; whether and
// when it does is the search's business (package settle).
//
// An actor holds nothing: what it does depends on the objects that there are. So it reads
// what there is and not a cache that is behind, it has no memory of what it has asked for,
// and a write and what it was decided by are one step. Real controllers do several things at
// a time; here they are single steps, and users, faults and other actors come between. Times
// stand still: what waits for a time to pass (a progress deadline, ttlSecondsAfterFinished,
// back-off, minReadySeconds) does not come about, or is no wait.
//
// What each does is that of Kubernetes 1.34, written anew: kube-controller-manager is in no
// library that users of settle could import. A test makes the same requests of a control
// plane with the real ones and compares what both come to.
package environment
