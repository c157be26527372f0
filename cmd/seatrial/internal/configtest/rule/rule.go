// Package rule has what there is to say of each way in which a configuration fails: a file for each rule,
// which registers itself.
package rule

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/finding"
)

var rules []finding.Rule

// register adds a rule from the initialisation of the file that defines it. Its examples are files of a folder of
// examples/configtest.
func register(fails, holds string, r finding.Rule) {
	r.Trial, r.Level = "configtest", cmp.Or(r.Level, finding.LevelError)
	r.Fails, r.Holds = "examples/configtest/"+fails, "examples/configtest/"+holds
	rules = append(rules, r)
	slices.SortFunc(rules, func(a, b finding.Rule) int { return cmp.Compare(a.ID, b.ID) })
}

// Told is what there is to say of every rule, by id.
func Told() []finding.Rule { return slices.Clone(rules) }

// Named is a rule by its name; it panics if there is none.
func Named(name string) finding.Rule {
	return rules[slices.IndexFunc(rules, func(r finding.Rule) bool { return r.Name == name })]
}

// Links that several rules have.
var (
	ctest    = finding.Link{Title: "Testing configuration changes in context to prevent production failures", URL: "https://www.usenix.org/conference/osdi20/presentation/sun"}
	maps     = finding.Link{Title: "ConfigMaps", URL: "https://kubernetes.io/docs/concepts/configuration/configmap/"}
	rollouts = finding.Link{Title: "Deployments: rolling back", URL: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-back-a-deployment"}
)
