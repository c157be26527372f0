package campaign

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// chosen is a key of a map whose keys users choose, and what is below it.
var chosen = regexp.MustCompile(`((?:^|\.)(?:annotations|labels|matchLabels|nodeSelector|data|stringData|binaryData))(?:\.|\[).*$`)

// drawn are the parts of a name that were drawn for an operation (value.Draw); the property that they are of stays.
var drawn = regexp.MustCompile(`(st[-_x]?p[0-9]+[-_x]?)o[0-9]+([-_x][0-9]+)?`)

// ordinal is the number of an object among those that are made alike, such as one for each shard.
var ordinal = regexp.MustCompile(`-[0-9]{1,3}(-|$)`)

// kindred is a name with a * for what tells it from others that are made by the same code.
func kindred(name string) string {
	return ordinal.ReplaceAllString(oracle.Kin(drawn.ReplaceAllString(name, "$1*")), "-*$1")
}

// position of an item in a list, or the key that it is known by.
var item = regexp.MustCompile(`\[[^\]]*\]`)

// cause is equal for what has one cause, as far as can be told without making it smaller: the
// same field of the same object is not what it should be, whichever property was changed and
// whatever came before. What is about no field has the place that its oracle gives it, and a user's oracles know
// best what is one.
func cause(g oracle.Group, key history.Key) string {
	d := g.Lead
	twin := needsTwin(d.Oracle) || d.Oracle == "consistency" && d.Path != "" && d.Property == ""
	if d.Object.Resource == "" || !twin && (d.Path == "" || d.Property != "" || d.Oracle == "custom") {
		return strings.Join(slices.DeleteFunc([]string{d.Oracle, d.Object.Resource, d.Place, g.Property}, func(s string) bool { return s == "" }), " ")
	}
	where := field(d, key)
	if !twin {
		return d.Oracle + " " + where
	}
	return parts(where, d)[0]
}

// field is what a deviation is about, however it was seen.
func field(d oracle.Deviation, key history.Key) string {
	place := place(d)
	if d.Path == "" {
		place = d.Place
	}
	name := d.Object.Name
	if d.Object == key {
		name = ""
	}
	return d.Object.Resource + " " + kindred(name) + " " + place
}

// shows is a group whose cause is one that is looked for, or what is in it: by another of the lines in which a text
// differs, if need be. False if it has another.
func shows(g oracle.Group, of string, key history.Key) (oracle.Group, bool) {
	is := func(c string) bool { return c == of || strings.HasPrefix(c, of+part) }
	if is(cause(g, key)) {
		return g, true
	}
	for _, line := range g.Lead.Lines {
		one := g
		one.Lead.Lines = []string{line}
		if is(cause(one, key)) {
			return one, true
		}
	}
	return g, false
}

// led is the group that is of a cause, led by what is; false if there is none. In a run that shows a finding again all
// stands together that is wrong by then, and it may stand behind what an operation before it has left. What comes of a
// crash is no cause.
func led(groups []oracle.Group, of string, key history.Key) (oracle.Group, bool) {
	for _, g := range groups {
		if one, is := shows(g, of, key); is {
			return one, true
		}
	}
	for _, g := range groups {
		for i, d := range g.Others {
			one := oracle.Group{Lead: d, Property: cmp.Or(d.Property, g.Property)}
			if g.Lead.Oracle == "crash" {
				continue
			}
			if one, is := shows(one, of, key); is {
				one.Others = append([]oracle.Deviation{g.Lead}, slices.Delete(slices.Clone(g.Others), i, i+1)...)
				return one, true
			}
		}
	}
	return oracle.Group{}, false
}

// place is the field that a deviation is about, whichever item of a list and key of a user's it is in.
func place(d oracle.Deviation) string {
	return item.ReplaceAllString(chosen.ReplaceAllString(d.Path, "$1.*"), "[]")
}

// sameField tells whether two deviations are of one field, or of one in the other, so that they have one cause
// though one was seen beside a twin, and the other when the operator was started again.
func sameField(a, b oracle.Deviation) bool {
	field := func(d oracle.Deviation) bool { return d.Path != "" && (needsTwin(d.Oracle) || d.Oracle == "restart") }
	if a.Object != b.Object || !field(a) || !field(b) || apart(a, b) {
		return false
	}
	short, long := place(a), place(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	rest, within := strings.CutPrefix(long, short)
	return within && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// alike tells whether two deviations from a twin are of the same field, be it of two objects of one resource.
func alike(a, b oracle.Deviation) bool {
	return needsTwin(a.Oracle) && a.Oracle == b.Oracle && a.Object.Resource == b.Object.Resource && a.Path != "" && place(a) == place(b) && !apart(a, b)
}

// sameDifference tells whether two deviations are the same thing that is wrong: the same field of objects of one
// resource, or the same of one object.
func sameDifference(a, b oracle.Deviation) bool {
	if a.Oracle != b.Oracle && !(needsTwin(a.Oracle) && needsTwin(b.Oracle)) || a.Object.Resource != b.Object.Resource {
		return false
	}
	if a.Path == "" || b.Path == "" {
		return a.Path == b.Path && a.Object.Namespace == b.Object.Namespace && kindred(a.Object.Name) == kindred(b.Object.Name) && a.Place == b.Place
	}
	return place(a) == place(b) && !apart(a, b)
}

// waysMost is how many ways to a root are kept, each of another property: where what was seen first was chance, the
// next may be none.
const waysMost = 3

// roots are what was seen, each root once: the shortest ways to it, and how many operations show it.
func roots(results []*Result) []*Finding {
	var all []*Finding
	known, updated := map[string]*Finding{}, map[string]bool{}
	for _, r := range results {
		for _, place := range r.updated {
			updated[place] = true
		}
	}
	for _, r := range results {
		for _, s := range r.seen {
			cause := wholeCause(s.cause, updated)
			f := known[cause]
			if f == nil {
				f = &Finding{cause: cause}
				known[cause] = f
				all = append(all, f)
			}
			f.Seen++
			f.ways = append(f.ways, s)
			if p := s.property(); p != "" && !slices.Contains(f.Properties, p) {
				f.Properties = append(f.Properties, p)
			}
		}
	}
	for _, f := range all {
		f.ways = shortest(f.ways)
		f.take(f.ways[0])
	}
	return all
}

// shortest are the ways to a root with the fewest changes that it mostly needs, each of another property: an operation
// that changes much at once is no short way. Of as many, a property that is less deep is the plainer one: what is in an
// override is meant for few.
func shortest(ways []*seen) []*seen {
	ways = slices.Clone(ways)
	slices.SortStableFunc(ways, func(a, b *seen) int {
		return cmp.Or(changes(operation.Related(a.path))-changes(operation.Related(b.path)), strings.Count(a.property(), ".")-strings.Count(b.property(), "."), changes(a.path)-changes(b.path))
	})
	var left []*seen
	for _, s := range ways {
		if len(left) < waysMost && !slices.ContainsFunc(left, func(l *seen) bool { return l.property() == s.property() }) {
			left = append(left, s)
		}
	}
	return left
}

func changes(path []*operation.Operation) (n int) {
	for _, o := range path {
		n += max(1, len(o.All()), 1+len(o.With))
	}
	return n
}

// take has a finding be what was seen on one way.
func (f *Finding) take(s *seen) {
	f.Deviations, f.Operations = s.deviations, s.path
	f.Restart, f.Delete = s.end == restarted, s.end == deleted
	f.Made = s.end == created
	f.property = changed(f.Operations, f)
}

// whole tells whether a deviation is of an object that should not be there at all.
func whole(d oracle.Deviation) bool { return needsTwin(d.Oracle) && d.Path == "" && d.Found != nil }

// fold leaves out the groups that are about an object which should not be there at all: what is in it
// follows.
func fold(groups []oracle.Group) []oracle.Group {
	var left []oracle.Group
	for _, g := range groups {
		if whole(g.Lead) || !slices.ContainsFunc(groups, func(o oracle.Group) bool { return whole(o.Lead) && o.Lead.Object == g.Lead.Object }) {
			left = append(left, g)
		}
	}
	return left
}
