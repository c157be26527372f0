package choose

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// longestSame bounds how long a test takes that is run once more, by itself.
const longestSame = time.Second

// Same are the tests that write words, numbers or times into what changes by hand, one of which may be just what is deployed: the twenty quickest. That is not known before they run.
func Same(m *parameter.Map, changes []Change, of []int) []Test {
	var out []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			test := Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, Same: true}
			for _, i := range of {
				if slices.ContainsFunc(changes[i].byHand(), func(id parameter.ID) bool { return slices.Contains(t.Same, id) }) {
					test.Reads = append(test.Reads, i)
				}
			}
			if len(test.Reads) > 0 && t.Took <= longestSame {
				out = append(out, test)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Test) int { return cmp.Compare(a.Took, b.Took) })
	return out[:min(len(out), least)]
}

// byHand are the fields of which a change says another word than before, or far more or less of what is counted, and those that the program puts it into; none if it is about anything else.
func (c Change) byHand() []parameter.ID {
	if c.Class == nil && len(c.Feeds) == 0 || !c.plainly() {
		return nil
	}
	if _, _, far := value.Toward(*c.Old, *c.New); !far && !value.Word(value.Bare(*c.Old)) {
		return nil
	}
	ids := slices.Clone(c.Feeds)
	if c.Class != nil {
		ids = append(ids, c.Class.Identities()...)
	}
	for _, l := range c.Leaves {
		ids = append(ids, l.IDs...)
	}
	return slices.DeleteFunc(ids, func(id parameter.ID) bool {
		return id.Kind() != parameter.Field && !strings.HasPrefix(string(id), parameter.OfItem)
	})
}

// ByHand are what a test has in the place of what it has written by hand, by the field and that, as the recorder asks for them. What two changes of one field say otherwise is left alone.
func ByHand(changes []Change, values Values) map[parameter.ID]string {
	out, several := map[parameter.ID]string{}, map[parameter.ID]bool{}
	for i, c := range changes {
		if values[i] == nil || value.Bare(*values[i]) == value.Bare(*c.Old) {
			continue
		}
		for _, id := range c.byHand() {
			key, now := record.SameAs(id, value.Bare(*c.Old)), value.Bare(*values[i])
			if was, is, counted := value.Amounts(*c.Old, *values[i]); counted {
				key, now = record.AmountOf(id), number(was)+" "+number(is)
			}
			if other, is := out[key]; is && other != now {
				several[key] = true
			}
			out[key] = now
		}
	}
	for key := range several {
		delete(out, key)
	}
	return out
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
