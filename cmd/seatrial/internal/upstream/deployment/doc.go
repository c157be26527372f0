// Package deployment is the arithmetic of the Kubernetes 1.36 Deployment
// controller as pure functions on API objects: which ReplicaSet writes one
// reconcile makes, and what status it reports.
//
// What the controller exports (pkg/controller/deployment/util) is called; what
// it keeps on its unexported type (the order of the steps, the clean-up and the
// scale-down of old ReplicaSets, the proportional resize, Recreate) is written
// here and held to the real syncDeployment by the tests in
// ../conformance.
//
// Left out, because no replica count depends on it: revision annotations and
// revision history, annotations copied from the Deployment to its new
// ReplicaSet, the copy of minReadySeconds to it, deletion of old ReplicaSets
// beyond revisionHistoryLimit, and the Progressing condition, which is a matter
// of clocks.
package deployment
