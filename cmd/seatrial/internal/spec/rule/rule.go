// Package rule has what there is to say of each kind of claim that specifications make: a file for each rule,
// which registers itself.
package rule

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/finding"
)

var rules []finding.Rule

// register adds a rule from the initialisation of the file that defines it. Its example is a folder of examples/spec,
// where one configuration of a module fails; the one that holds has the name of the module.
func register(fails, holds string, r finding.Rule) {
	r.Trial, r.Level = "spec", finding.LevelError
	r.Fails, r.Holds = "examples/spec/"+fails, "examples/spec/"+holds
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
	book     = finding.Link{Title: "Leslie Lamport: Specifying Systems", URL: "https://lamport.azurewebsites.net/tla/book.html"}
	pluscal  = finding.Link{Title: "Leslie Lamport: the PlusCal manual", URL: "https://lamport.azurewebsites.net/tla/c-manual.pdf"}
	examples = finding.Link{Title: "Examples of specifications in TLA+", URL: "https://github.com/tlaplus/Examples"}
	learn    = finding.Link{Title: "Learn TLA+", URL: "https://learntla.com/"}
)
