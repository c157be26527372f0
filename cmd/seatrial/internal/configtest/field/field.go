// Package field finds the configuration types of a module, and rewrites its sources so that they say which fields of
// them they read, with the values, and which they set. The module is not touched: new texts go into an overlay of the
// go command.
package field

import (
	"cmp"
	"context"
	"go/token"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Sources is what there is to know of a module, and how its sources become.
type Sources struct {
	// Replace has new texts by absolute paths; those of the recorder are of files that are not there.
	Replace map[string][]byte
	// Key says which types and variables are followed: equal keys, equal reads of equal code.
	Key   string
	Roots []Root
	// Declared are the program's flags, and the variables of the environment that it asks for, whoever reads their
	// values.
	Declared []parameter.ID
	// OfTests are flags that only tests have.
	OfTests []parameter.ID
	// Several are flags that several commands have, each with a variable of its own.
	Several []parameter.ID
	// Aliases are pairs that feed each other, as far as the source says so. Others are recorded while tests run.
	Aliases [][2]parameter.ID
	// Parts are flags that feed one of several fields of a parameter, with that: who reads the parameter may read them.
	Parts [][2]parameter.ID
	// Items are the fields of what collections of structs have.
	Items []parameter.Item
	// Strict are types of which the program refuses keys that they do not have.
	Strict []parameter.ID
	// Facts are what is known of the values of parameters, and Validations the places of functions that say what is
	// wrong with them.
	Facts map[parameter.ID]Fact
	// Feeds are fields and arguments of the program's own into which it, or a test, puts what it makes of one
	// parameter.
	Feeds       map[parameter.ID][]parameter.Feed
	Validations []string
	// Mentions are the packages of which the program mentions each field otherwise than to give it a value.
	Mentions map[parameter.ID][]string
	// Keepers are functions, as the runtime calls them, that may keep what they read in variables of packages.
	Keepers []string
	// Problems are packages that cannot be looked at, and what is not followed: a line each, with the place.
	Problems []string
}

// Root is a type of configuration.
type Root struct {
	// ID is that of the type: field:config.Config. Values are injected under it.
	ID parameter.ID
	// Package is its import path.
	Package string
	// Decoded: files are decoded into it, and not only flags bound to its fields.
	Decoded bool
	// Itself: it reads itself, and nobody knows what keys a file has for it.
	Itself bool
	Leaves []Leaf
}

// Leaf is a field that holds a value.
type Leaf struct {
	ID parameter.ID
	// Path leads to it by the names that files have.
	Path []string
	// Type is that of Go.
	Type string
	// Position is where it is declared.
	Position token.Position
}

// Analyze reads the packages of a module that match patterns.
func Analyze(ctx context.Context, m *run.Module, patterns []string) (*Sources, error) {
	a, err := load(ctx, m, patterns)
	if err != nil {
		return nil, err
	}
	a.summarize()
	a.findRoots()
	a.ownDocuments()
	if len(a.files) == 0 {
		return a.sources(), nil
	}
	a.bind()
	a.carry()
	a.feed()
	a.findMakers()
	for _, f := range a.files {
		if !f.generated {
			a.rewrite(f)
		}
	}
	if err := a.check(ctx, patterns); err != nil {
		return nil, err
	}
	return a.sources(), nil
}

// sources are in order.
func (a *analysis) sources() *Sources {
	out := &Sources{Replace: a.replaced(), Key: a.key(), Declared: a.declared(), Several: a.several(), Facts: a.facts(), Validations: a.validations(), Keepers: a.keepers(), Strict: a.strict(), Items: a.items, Mentions: a.mentions(), Feeds: a.fed}
	out.OfTests = a.ofTests(out.Declared)
	for _, r := range a.roots {
		root := Root{ID: r.id, Package: r.pkg, Decoded: r.decoder != nil, Itself: a.custom(r.typ)}
		for _, n := range r.node.leaves() {
			root.Leaves = append(root.Leaves, Leaf{n.id(), n.key, n.typ.String(), a.fset.Position(n.field.Pos())})
		}
		out.Roots = append(out.Roots, root)
	}
	out.Aliases, out.Parts = pairs(a.aliases), pairs(a.partial)
	slices.Sort(a.problems)
	out.Problems = slices.Compact(a.problems)
	return out
}

// pairs are in order.
func pairs(of map[[2]parameter.ID]bool) [][2]parameter.ID {
	return slices.SortedFunc(maps.Keys(of), func(x, y [2]parameter.ID) int {
		return cmp.Or(parameter.Compare(x[0], y[0]), parameter.Compare(x[1], y[1]))
	})
}
