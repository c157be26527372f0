// Package rule has what there is to say of each property that settle.Check judges: a file for each
// rule, which registers itself.
package rule

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/finding"
)

var rules []finding.Rule

// register adds a rule from the initialisation of the file that defines it. Its example is a
// package of examples/settle.
func register(example string, r finding.Rule) {
	r.Trial, r.Level = "settle", finding.LevelError
	r.Fails, r.Holds = "examples/settle/"+example+"/buggy.go", "examples/settle/"+example+"/fixed.go"
	rules = append(rules, r)
	slices.SortFunc(rules, func(a, b finding.Rule) int { return cmp.Compare(a.ID, b.ID) })
}

// Told is what there is to say of every rule, by id.
func Told() []finding.Rule { return slices.Clone(rules) }

// Links that several rules have.
var (
	conventions = finding.Link{Title: "API conventions", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md"}
	questions   = finding.Link{Title: "controller-runtime: questions on caches, names and idempotence", URL: "https://github.com/kubernetes-sigs/controller-runtime/blob/main/FAQ.md"}
	controllers = finding.Link{Title: "Writing controllers", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/controllers.md"}
	concepts    = finding.Link{Title: "Kubernetes API: resource versions and watches", URL: "https://kubernetes.io/docs/reference/using-api/api-concepts/"}
	finalizers  = finding.Link{Title: "Finalizers", URL: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"}
	owners      = finding.Link{Title: "Owners and dependents", URL: "https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/"}
)
