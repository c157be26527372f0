// Package rule has what there is to say of each oracle of campaigns: a file for each rule, which
// registers itself. Its name is the oracle's.
package rule

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/finding"
)

var rules []finding.Rule

// register adds a rule from the initialisation of the file that defines it. Its example is an
// operator of examples/operators; empty if none shows it.
func register(example string, r finding.Rule) {
	r.Trial, r.Level = "campaign", cmp.Or(r.Level, finding.LevelError)
	if example != "" {
		r.Fails, r.Holds = "examples/operators/"+example+"/buggy.go", "examples/operators/"+example+"/fixed.go"
	}
	rules = append(rules, r)
	slices.SortFunc(rules, func(a, b finding.Rule) int { return cmp.Compare(a.ID, b.ID) })
}

// Told is what there is to say of every rule, by id.
func Told() []finding.Rule { return slices.Clone(rules) }

// Links that several rules have.
var (
	acto         = finding.Link{Title: "Acto: automatic end-to-end testing for operation correctness of cloud system management (SOSP 2023)", URL: "https://dl.acm.org/doi/10.1145/3600006.3613161"}
	cel          = finding.Link{Title: "Common Expression Language", URL: "https://cel.dev"}
	configmap    = finding.Link{Title: "ConfigMaps that are mounted are updated", URL: "https://kubernetes.io/docs/concepts/configuration/configmap/"}
	controllers  = finding.Link{Title: "Writing controllers", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/controllers.md"}
	conventions  = finding.Link{Title: "API conventions", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md"}
	defaults     = finding.Link{Title: "Defaults in CustomResourceDefinitions", URL: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting"}
	deployment   = finding.Link{Title: "Deployments: rolling updates", URL: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/"}
	finalizers   = finding.Link{Title: "Finalizers", URL: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"}
	forced       = finding.Link{Title: "StatefulSets: forced rollback", URL: "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback"}
	hash         = finding.Link{Title: "Helm: roll Deployments when a ConfigMap changes", URL: "https://helm.sh/docs/howto/charts_tips_and_tricks/#automatically-roll-deployments"}
	ingress      = finding.Link{Title: "Ingress", URL: "https://kubernetes.io/docs/concepts/services-networking/ingress/"}
	labels       = finding.Link{Title: "Labels and selectors", URL: "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"}
	owners       = finding.Link{Title: "Owners and dependents", URL: "https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/"}
	questions    = finding.Link{Title: "controller-runtime: questions on caches, names and idempotence", URL: "https://github.com/kubernetes-sigs/controller-runtime/blob/main/FAQ.md"}
	recoverpanic = finding.Link{Title: "controller-runtime: RecoverPanic", URL: "https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/config#Controller"}
	services     = finding.Link{Title: "Services", URL: "https://kubernetes.io/docs/concepts/services-networking/service/"}
	ssa          = finding.Link{Title: "Server-side apply", URL: "https://kubernetes.io/docs/reference/using-api/server-side-apply/"}
	statefulset  = finding.Link{Title: "StatefulSets", URL: "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/"}
	transition   = finding.Link{Title: "Transition rules", URL: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#transition-rules"}
	validation   = finding.Link{Title: "Validation in CustomResourceDefinitions", URL: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation"}
)
