package choose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Same are the tests that write words into what changes by hand, one of which may be just what is deployed: of each change in the twenty that are the quickest.
// That is not known before they run.
func Same(m *parameter.Map, changes []Change, of []int) []Test {
	var out []Test
	for _, i := range of {
		ids := changes[i].words()
		if len(ids) == 0 {
			continue
		}
		var found []Test
		for _, p := range m.Packages {
			for _, t := range p.Tests {
				if slices.ContainsFunc(ids, func(id parameter.ID) bool { return slices.Contains(t.Same, id) }) {
					found = append(found, Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, Same: true, Reads: []int{i}})
				}
			}
		}
		slices.SortStableFunc(found, func(a, b Test) int { return cmp.Compare(a.Took, b.Took) })
		for _, t := range found[:min(len(found), least)] {
			at := slices.IndexFunc(out, func(o Test) bool { return o.Package == t.Package && o.Name == t.Name })
			if at < 0 {
				out = append(out, t)
			} else {
				out[at].Reads = append(out[at].Reads, i)
			}
		}
	}
	return out
}

// words are the fields of which a change says another word than before; none if it is about anything else.
func (c Change) words() []parameter.ID {
	if c.Class == nil || c.Unchanged || c.Unknown != "" || c.Old == nil || c.New == nil || !value.Word(value.Bare(*c.Old)) || strings.ContainsAny(value.Bare(*c.Old)[:1], "[{") {
		return nil
	}
	ids := c.Class.Identities()
	for _, l := range c.Leaves {
		ids = append(ids, l.IDs...)
	}
	return slices.DeleteFunc(ids, func(id parameter.ID) bool {
		return id.Kind() != parameter.Field && !strings.HasPrefix(string(id), parameter.OfItem)
	})
}

// Words are what a test has instead of what is deployed where it has written just that by hand: old and new by what the recorder knows the fields by.
func Words(changes []Change, values Values) (old, now map[parameter.ID]string) {
	old, now = map[parameter.ID]string{}, map[parameter.ID]string{}
	for i, c := range changes {
		if values[i] == nil {
			continue
		}
		for _, id := range c.words() {
			old[record.OfSame+id], now[record.OfSame+id] = value.Bare(*c.Old), value.Bare(*values[i])
		}
	}
	return old, now
}
