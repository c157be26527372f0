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

// A test that is run with another value than that of its own file, an interval of a minute in the place of one of a
// millisecond, has so many times what it takes, and so much at least.
const (
	timesSame = 30
	leastSame = 10 * time.Second
)

// Same are the tests that write words, numbers or times into what changes by hand, or set a variable or a flag to them,
// one of which may be just what is deployed: the twenty quickest. That is not known before they run.
func Same(m *parameter.Map, changes []Change, of []int) []Test {
	var out []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			test := Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, Same: true}
			for _, i := range of {
				sets := changes[i].Class != nil && changes[i].Class.Among(t.Sets)
				switch hand := slices.ContainsFunc(changes[i].byHand(), func(f parameter.Feed) bool { return slices.Contains(t.Same, f.ID) }); {
				case hand || sets && (changes[i].amountSet() || changes[i].textSet()) && !changes[i].oversays():
					test.Reads = append(test.Reads, i)
					test.cross(i, changes[i].crossedIn(&t))
				case sets && changes[i].oversays():
					test.Reads, test.Sets = append(test.Reads, i), append(test.Sets, i)
					test.Limit = max(leastSame, timesSame*t.Took)
				}
			}
			if len(test.Reads) > 0 && t.Took <= longestSame {
				out = append(out, test)
			}
		}
	}
	return soonest(out, least)
}

// soonest are so many tests at most, those first that take least.
func soonest(all []Test, most int) []Test {
	slices.SortStableFunc(all, func(a, b Test) int { return cmp.Compare(a.Took, b.Took) })
	return all[:min(len(all), most)]
}

// byHand are the fields of which a change says another word than before, or counts something else, and those that the
// program puts it into; none if it is about anything else. Whether the program knows a word is only known where it is
// seen to read it.
func (c Change) byHand() []parameter.Feed {
	if c.Class == nil && len(c.Feeds) == 0 || !c.plainly() && !c.edited() {
		return nil
	}
	_, emptied := value.Emptied(*c.Old, *c.New)
	if _, _, counted := value.Amounts(*c.Old, c.Meant()); !counted && !emptied && !c.edited() && !value.Alike(*c.Old, *c.New) && (c.Class == nil || !value.Word(value.Bare(*c.Old))) {
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
	if strings.Contains(c.GoType, ".") { // who lets the type make its value of a text has written that by hand, too
		out = append(out, parameter.Feed{ID: parameter.TextOf(strings.TrimPrefix(c.GoType, "*")), Scale: 1})
	}
	return out
}

// edited tells whether it is an edit of a text that a test may be given in the place of its own, or one that is no
// expression or template any more.
func (c Change) edited() bool {
	return c.open() && value.HarmlessEdit(c.Path, *c.Old, *c.New) && (value.IsEdit(*c.Old, *c.New) || value.Unparsable(*c.Old, *c.New) != "")
}

// Meant is the new value, as the program understands it.
func (c Change) Meant() string {
	if c.Means != nil {
		return *c.Means
	}
	return *c.New
}

// oversays tells whether it is of a document, and says another word than before, an edit of a text, or far more or
// less: a test that has a file of its own for that may be run with what is deployed above what that says.
func (c Change) oversays() bool {
	if !c.documented() {
		return false
	}
	return c.edited() && !value.SchemeOnly(*c.Old, *c.New) || c.plainly() && (value.Far(*c.Old, c.Meant()) || value.Word(value.Bare(*c.Old)))
}

// Filed are the parameters of which a test is to have what is given also where a file of its own says it, or, of one
// that has any other number, where it sets a variable or a flag.
func Filed(changes []Change, of []int, other bool) (out []parameter.ID) {
	for _, i := range of {
		if changes[i].oversays() || other && changes[i].amountSet() {
			for _, id := range changes[i].Class.Identities() {
				out = append(out, record.FiledOf(id))
			}
		}
	}
	return out
}

// amountSet tells whether it is of what a test sets by its name, and counts something: a test that sets one to just
// what is deployed may have a copy of it.
func (c Change) amountSet() bool {
	if c.Class == nil || c.Class.Several || !c.plainly() || len(c.Copies()) == 0 {
		return false
	}
	_, _, counted := value.Amounts(*c.Old, *c.New)
	return counted
}

// textSet tells whether it is an edit of a text that a test sets by its name: one that sets it to just what is deployed
// may have a copy of it, too.
func (c Change) textSet() bool {
	return c.Class != nil && !c.Class.Several && c.edited() && len(c.Copies()) > 0
}

// ByHand are what a test has in the place of what it has written by hand, by the field and that, as the recorder asks
// for them. What two changes of one field say otherwise is left alone.
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
		if c.amountSet() || c.textSet() {
			for id, was := range c.Copies() {
				add(record.CopyOf(id), was)
			}
		}
		now := *values[i]
		if c.New != nil && now == *c.New {
			now = c.Meant()
		}
		was, is, counted := value.Amounts(*c.Old, now)
		amounts := map[parameter.ID]string{}
		_, emptied := value.Emptied(*c.Old, *c.New)
		for _, feed := range c.byHand() {
			if strings.HasPrefix(string(feed.ID), string(parameter.TextOf(""))) {
				add(record.SameAs(feed.ID, value.Bare(*c.Old)), value.Bare(*values[i]))
				continue
			}
			if order, is := value.Order(*c.Old, now); is {
				add(record.OrderOf(feed.ID), order)
				continue
			}
			if emptied {
				list, _ := value.Listing(*c.Old)
				left, _ := value.Listing(now)
				add(record.ListOf(feed.ID, list), left)
				continue
			}
			if old, new, are := value.Lists(*c.Old, now); are {
				add(record.ListOf(feed.ID, old), new)
			}
			if !counted {
				add(record.SameAs(feed.ID, value.Bare(*c.Old)), value.Bare(*values[i]))
				continue
			}
			for _, unit := range c.units(feed) {
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

// units are how much there is, where the program puts a parameter, for each one of its number: of what comes by way of
// the field that it is as much as is read there, but for what is made of it then.
func (c Change) units(at parameter.Feed) []float64 {
	if c.Unit != 0 && (at.ID.Kind() == parameter.Field && slices.Contains(c.Class.Identities(), at.ID) || slices.Contains(c.Through, at)) {
		return []float64{c.Unit}
	}
	return value.Units(*c.Old)
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
