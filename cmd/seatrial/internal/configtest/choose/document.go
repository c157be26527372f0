package choose

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// mostDocuments bounds how many tests are run with the whole document that is deployed.
const mostDocuments = 8

// OfDocument tells whether a change is of a document that the program decodes from its root into a type, which is that
// of the fields that it is known by.
func (c Change) OfDocument() bool {
	return c.documented() && c.Type.Kind() == parameter.Field && c.Moved == "" &&
		(strings.EqualFold(c.Path, c.Place) || c.Base != nil && len(c.Path) > len(c.Place) && strings.EqualFold(c.Path[:len(c.Place)], c.Place))
}

// Documents are the tests that have a document of their own for what some changes of one type are in, the quickest
// first: they may be run with all that is deployed in its place.
func Documents(m *parameter.Map, changes []Change, of []int) []Test {
	var out []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			if t.Took <= longestSame && slices.ContainsFunc(of, func(i int) bool { return changes[i].Class.Among(t.Sets) }) {
				out = append(out, Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, Same: true, Reads: of, Limit: max(leastSame, timesSame*t.Took)})
			}
		}
	}
	return soonest(out, mostDocuments)
}
