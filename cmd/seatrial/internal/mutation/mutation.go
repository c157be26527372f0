// Package mutation holds the deliberate mistakes by which the tests measure
// whether a mistake in the model would be noticed. Each is a line of the form
//
//	if mutation.On("name") { … }
//
// at a decision of the model. On is constant false, so that the compiler drops
// the line, unless the build has the tag mutation; then a test switches one
// mistake on at a time with Set.
package mutation

import "slices"

// descriptions says what each mutation does wrong.
var descriptions = map[string]string{
	"apply-keeps-replicas":               "an apply without replicas never removes the field",
	"apply-keeps-settings":               "what an apply changes of strategy, minReadySeconds and paused has no effect",
	"apply-resets-replicas":              "an apply without replicas always sets the default",
	"cordon-ignored":                     "the scheduler and taints take no notice of a cordon",
	"crash-keeps-usage":                  "the pods of a node that is down go on using it, so that it never returns",
	"deployment-surge-rounds-down":       "a percentage of maxSurge rounds down",
	"deployment-unavailable-rounds-up":   "a percentage of maxUnavailable rounds up",
	"descheduler-ignores-budgets":        "the descheduler evicts without asking budgets",
	"descheduler-ignores-node-fit":       "nodeFit of the evictor is taken for false",
	"drain-gives-up":                     "a drain is done when the pods that are left were refused",
	"eviction-always-allows-unhealthy":   "unhealthy pods are evicted whatever the policy",
	"eviction-first-budget":              "of several budgets the first is asked",
	"eviction-ignores-budgets":           "the eviction API asks no budget",
	"eviction-not-counted":               "an eviction does not lower the allowance at once",
	"hpa-counts-unready":                 "samples of pods that are not Ready count",
	"hpa-ignores-ambiguity":              "an ambiguous selector disables nothing",
	"hpa-no-stabilisation":               "recommendations are not held back by the windows",
	"hpa-no-tolerance":                   "there is no dead band around the target",
	"hpa-starts-from-status":             "the present size is status.replicas",
	"kubelet-ignores-resources":          "the kubelet admits pods that its node has no room for",
	"kubelet-ignores-taints":             "the kubelet admits pods that do not tolerate a NoExecute taint",
	"load-not-shared":                    "every pod carries the whole of a total load",
	"never-ready-recovers":               "pods that crash-loop become Ready again",
	"node-loss-unnoticed":                "a lost node stays Ready",
	"node-taint-stays":                   "taints of a lost or cordoned node are never taken away",
	"pdb-counts-pods":                    "a budget counts the pods that are there, not the wanted replicas",
	"pdb-counts-unready":                 "pods that are not Ready count as healthy",
	"pdb-never-recounted":                "the status of a budget is not brought up to date",
	"pdb-percent-rounds-down":            "a percentage of a budget rounds down",
	"pod-deletion-at-once":               "deleted pods are gone at once",
	"pod-ready-without-probe":            "a pod with a readiness probe is Ready when it starts",
	"pod-start-up-never-ends":            "the start-up load goes on for ever",
	"reduction-ignores-room":             "a reduced search counts although there may be no room",
	"reduction-strikes-empty-nodes":      "a node of a group has no pods when an event strikes it",
	"replicaset-counts-failed":           "Failed pods count as replicas",
	"replicaset-victims-ignore-doubling": "how many pods share a node does not matter for which one goes",
	"replicaset-victims-reversed":        "the order in which pods are deleted is reversed",
	"scheduler-first-of-equals":          "of nodes with equal scores the first is taken",
	"scheduler-forgets-terminating":      "terminating pods take no room",
	"scheduler-never-preempts":           "no pod makes room for one of higher priority",
	"spread-counts-terminating":          "terminating pods count for topology spread",
	"taint-eviction-forgets-timer":       "tolerationSeconds are taken for an unlimited toleration",
	"taint-eviction-ignores-tolerations": "pods are evicted whether they tolerate a taint or not",
	"taint-eviction-off":                 "nobody evicts pods from tainted nodes",
	"uncordon-forgotten":                 "maintenance leaves its nodes cordoned",
}

// Names are the mutations there are, sorted.
func Names() []string {
	names := make([]string, 0, len(descriptions))
	for name := range descriptions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Description says what a mutation does wrong; it is empty for a name that is
// none.
func Description(name string) string { return descriptions[name] }
