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
				if slices.ContainsFunc(changes[i].byHand(), func(f parameter.Feed) bool { return slices.Contains(t.Same, f.ID) }) {
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
// Whether the program knows a word is only known where it is seen to read it.
func (c Change) byHand() []parameter.Feed {
	if c.Class == nil && len(c.Feeds) == 0 || !c.plainly() {
		return nil
	}
	if _, _, far := value.Toward(*c.Old, *c.New); !far && (c.Class == nil || !value.Word(value.Bare(*c.Old))) {
		return nil
	}
	out := slices.Clone(c.Feeds)
	if c.Class == nil {
		return out
	}
	ids := c.Class.Identities()
	for _, l := range c.Leaves {
		ids = append(ids, l.IDs...)
	}
	for _, id := range ids {
		if id.Kind() == parameter.Field || strings.HasPrefix(string(id), parameter.OfItem) {
			out = append(out, parameter.Feed{ID: id, Scale: 1})
		}
	}
	return out
}

// ByHand are what a test has in the place of what it has written by hand, by the field and that, as the recorder asks for them. What two changes of one field say otherwise is left alone.
func ByHand(changes []Change, values Values) map[parameter.ID]string {
	out, several := map[parameter.ID]string{}, map[parameter.ID]bool{}
	add := func(key parameter.ID, now string) {
		if other, is := out[key]; is && other != now {
			several[key] = true
		}
		out[key] = now
	}
	for i, c := range changes {
		if values[i] == nil || c.Old == nil || value.Bare(*values[i]) == value.Bare(*c.Old) {
			continue
		}
		was, is, counted := value.Amounts(*c.Old, *values[i])
		amounts := map[parameter.ID]string{}
		for _, feed := range c.byHand() {
			if !counted {
				add(record.SameAs(feed.ID, value.Bare(*c.Old)), value.Bare(*values[i]))
				continue
			}
			for _, unit := range value.Units(*c.Old) {
				amounts[feed.ID] = strings.TrimSpace(amounts[feed.ID] + " " + number(was*unit*feed.Scale) + " " + number(is*unit*feed.Scale))
			}
		}
		for id, now := range amounts {
			add(record.AmountOf(id), now)
		}
	}
	for key := range several {
		delete(out, key)
	}
	return out
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
