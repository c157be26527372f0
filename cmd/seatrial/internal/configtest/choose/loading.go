package choose

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// atMostLoading is how many tests are run to see whether what loads a value takes it.
const atMostLoading = 3

// Loading adds tests for changes that no chosen test reads: a port that is no number is refused by whoever loads the
// configuration, and then by each test that does. They are those that read most of what is loaded together with it;
// those that give it a value themselves only where there are no others. That they pass shows nothing.
func Loading(m *parameter.Map, changes []Change, chosen []Test) []Test {
	for i, c := range changes {
		if c.Class == nil || c.Unknown != "" || slices.ContainsFunc(chosen, func(t Test) bool { return slices.Contains(t.Reads, i) }) {
			continue
		}
		chosen = load(chosen, i, loading(m, *c.Class, nil))
	}
	return chosen
}

// Further are tests that load changes of which those that were run showed nothing, beside these: what is read only
// where something else is configured as it is deployed, a test with other settings does not read.
func Further(m *parameter.Map, changes []Change, open []int, run []Test) (out []Test) {
	for _, i := range open {
		c := changes[i]
		if c.Class == nil || c.Unknown != "" {
			continue
		}
		out = load(out, i, loading(m, *c.Class, run))
	}
	return out
}

// load adds tests that load a change to others, each once.
func load(tests []Test, change int, by []Test) []Test {
	for _, t := range by {
		at := slices.IndexFunc(tests, t.is)
		if at < 0 {
			at, tests = len(tests), append(tests, t)
		}
		tests[at].Loads = append(tests[at].Loads, change)
	}
	return tests
}

// is tells whether both are the same test.
func (t Test) is(o Test) bool { return t.Package == o.Package && t.Name == o.Name }

// loading are the tests that read most of what comes with a parameter, the first ones of those that read as much, and
// one at least of the package of its type. without are none of them.
func loading(m *parameter.Map, of parameter.Class, without []Test) []Test {
	together := map[parameter.ID]bool{}
	loaders := loadersOf(m, of)
	for _, c := range m.Parameters {
		together[c.ID] = slices.ContainsFunc(loadersOf(m, c), func(l parameter.ID) bool { return slices.Contains(loaders, l) })
	}
	type candidate struct {
		test  Test
		reads int
		sets  int
	}
	var all []candidate
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			c := candidate{test: Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts}}
			for _, id := range t.Reads {
				if together[id] {
					c.reads++
				}
			}
			if slices.Contains(t.Sets, of.ID) {
				c.sets = 1
			}
			loads := slices.ContainsFunc(t.Sets, func(id parameter.ID) bool { return together[id] })
			if (c.reads+c.sets > 0 || loads && declares(p.Path, loaders)) && t.Ends == "" && !slices.ContainsFunc(without, c.test.is) {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.sets, b.sets), cmp.Compare(b.reads, a.reads)) })
	all = slices.DeleteFunc(all, func(c candidate) bool { return c.sets > all[0].sets })
	own := slices.IndexFunc(all, func(c candidate) bool { return declares(c.test.Package, loaders) })
	if own >= atMostLoading { // where the type is, what it has to be is checked
		all[atMostLoading-1] = all[own]
	}
	var out []Test
	for _, c := range all[:min(len(all), atMostLoading)] {
		out = append(out, c.test)
	}
	return out
}

// declares tells whether a package has the name of one in which some types are.
func declares(folder string, of []parameter.ID) bool {
	return slices.ContainsFunc(of, func(id parameter.ID) bool {
		name, _, is := strings.Cut(id.Name(), ".")
		return is && id.Kind() == parameter.Field && path.Base(folder) == path.Base(name)
	})
}

// loadersOf are what loads a parameter: the type that a file is decoded into, the flags, a library of keys. Nobody
// loads a variable that is asked for by itself.
func loadersOf(m *parameter.Map, c parameter.Class) []parameter.ID {
	var out []parameter.ID
	for _, id := range c.Identities() {
		switch id.Kind() {
		case parameter.Field:
			if root, _ := m.Type(id); root != "" {
				out = append(out, root)
			}
		case parameter.Flag, parameter.Viper, parameter.Koanf:
			out = append(out, parameter.New(id.Kind(), ""))
		}
	}
	return out
}
