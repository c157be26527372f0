package environment

// Cluster is all that a cluster has, without faults: what becomes of workloads and their pods,
// of claims, of namespaces that are deleted and of what has no owner any more.
func Cluster() []Actor {
	return []Actor{
		GarbageCollector(), Namespaces(), Deployments(), ReplicaSets(), StatefulSets(), Jobs(), Binder(), Scheduler(), Kubelet(),
	}
}
