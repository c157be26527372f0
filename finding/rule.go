package finding

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Rule describes one kind of finding as data: everything that help, documents
// and reports say of it comes from here. How it is checked lives elsewhere.
type Rule struct {
	// ID is SEA, an area digit and three more: SEA1001. Never used twice.
	ID string
	// Name is the kebab-case alias: no-endless-eviction.
	Name string
	// Title says in one line, without a full stop, what is claimed.
	Title string
	// Doc explains the rule: what it means, why it matters, what to do.
	Doc string
	// Subject is what the rule is about: "Deployment", "Node", "cluster".
	Subject string
	// Parameters says which parameters it takes, if any.
	Parameters string
	// Failing and Holding are the folders of examples, from the repository's
	// root: one that the rule refuses and one that it accepts.
	Failing, Holding string
	// Since is the version that brought the rule.
	Since string
	_     struct{}
}

var (
	ruleID   = regexp.MustCompile(`^SEA[1-9][0-9]{3}$`)
	ruleName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
)

// Registry is a set of rules that can be looked up by id or name.
type Registry struct {
	rules []Rule // sorted by id
	keys  map[string]int
}

// NewRegistry makes a registry of rules given in any order. It is an error if
// an id or a name is malformed or used twice, or if a text that users are
// shown is missing.
func NewRegistry(rules ...Rule) (*Registry, error) {
	sorted := slices.Clone(rules)
	slices.SortStableFunc(sorted, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	g := &Registry{rules: sorted, keys: make(map[string]int, 2*len(sorted))}
	for i, r := range sorted {
		switch {
		case !ruleID.MatchString(r.ID):
			return nil, fmt.Errorf("rule %q: the id is not SEA and four digits", r.ID)
		case !ruleName.MatchString(r.Name):
			return nil, fmt.Errorf("rule %s: the name %q is not in kebab case", r.ID, r.Name)
		case r.Title == "" || r.Doc == "":
			return nil, fmt.Errorf("rule %s: title and doc must not be empty", r.ID)
		}
		for _, key := range []string{r.ID, r.Name} {
			if other, taken := g.keys[key]; taken {
				return nil, fmt.Errorf("rule %s: %q is already used by %s %s", r.ID, key, sorted[other].ID, sorted[other].Name)
			}
			g.keys[key] = i
		}
	}
	return g, nil
}

// Lookup finds a rule by its id or its name.
func (g *Registry) Lookup(key string) (Rule, bool) {
	i, found := g.keys[key]
	if !found {
		return Rule{}, false
	}
	return g.rules[i], true
}

// Rules returns all rules, by ascending id.
func (g *Registry) Rules() []Rule { return slices.Clone(g.rules) }

// Keys returns every id and every name, ids first, each group by ascending id.
func (g *Registry) Keys() []string {
	keys := make([]string, 0, 2*len(g.rules))
	for _, r := range g.rules {
		keys = append(keys, r.ID)
	}
	for _, r := range g.rules {
		keys = append(keys, r.Name)
	}
	return keys
}
