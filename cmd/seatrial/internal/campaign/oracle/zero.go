package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// A resource that says 0 is not one that says nothing: code that takes the one for the other, since both are the empty
// value of its language, puts its default there. No twin shows that, which does the same, and other values go where
// they belong. So it is told from where the value before went: the very line that had it has another number now, and
// not 0.

// numbers are what stands in lines of objects, each by the object, the field, and the line without it; empty where two
// lines are the same.
type numbers map[string]string

// figure is a whole number in a text.
var figure = regexp.MustCompile(`[0-9]+`)

// hole is what stands in a line for a number that is taken out.
const hole = "\x00"

// numbers are those of what belongs to the resource in a state; only those that are one of some, if there are any.
func (c *Case) numbers(s history.State, only []string) numbers {
	all := numbers{}
	given := c.given()
	for key, o := range s {
		if key == c.Key || key.Resource == pods || key.Resource == events || !c.own(key) || given[o.Text("kind")+"/"+key.Name] || c.Mask.IgnoresObject(key.Resource, o) {
			continue
		}
		place := key.Resource + " " + c.generalName(key.Generic(o).Name) + " "
		walk("", map[string]any(o), func(path string, v any) {
			if strings.HasPrefix(path, "metadata") || strings.HasPrefix(path, "status") {
				return
			}
			for _, line := range strings.Split(fmt.Sprint(v), "\n") {
				all.add(place+c.general(path)+hole, line, only)
			}
		})
	}
	return all
}

// add adds the numbers of a line.
func (n numbers) add(place, line string, only []string) {
	for _, at := range figure.FindAllStringIndex(line, -1) {
		found := line[at[0]:at[1]]
		if only != nil && !slices.Contains(only, found) {
			continue
		}
		key := place + line[:at[0]] + hole + line[at[1]:]
		if other, twice := n[key]; twice && other != found {
			found = ""
		}
		n[key] = found
	}
}

// numberLeast is how great a number has to be that is followed anywhere: less is in too many places, and is followed to
// fields of the property's name only.
const numberLeast = 10

// zeroed says of a last operation that sets a number to 0, where the number before stood in an object, that there is
// another one now, where the resource was never another, too.
func (c *Case) zeroed() (out []Deviation) {
	last := c.Last()
	if last.Operation == nil || !last.Operation.Zero || c.Twin == nil || len(last.Operation.Changes) != 1 {
		return nil
	}
	ch := last.Operation.Changes[0] // which may have been made smaller
	was, _ := ch.At(last.Start[c.Key])
	set, _ := ch.At(last.End[c.Key])
	n, is := was.(int64)
	if !is || n < 1 || ch.Remove || set != int64(0) {
		return nil
	}
	name, named := ch.Path[len(ch.Path)-1].(string)
	before := c.numbers(last.Start, []string{strconv.FormatInt(n, 10)})
	now, twin := c.numbers(last.End, nil), c.numbers(c.Twin.End, nil)
	for _, key := range sortedKeys(before) {
		if before[key] == "" || now[key] == "" || now[key] == "0" || now[key] == before[key] || now[key] != twin[key] {
			continue
		}
		place, line, _ := strings.Cut(key, hole)
		if n < numberLeast && (!named || line != hole || !strings.HasSuffix(place, "."+name)) {
			continue
		}
		out = append(out, Deviation{
			Property: last.Operation.Property, Path: place, Place: "zero", Expected: "0", Found: now[key],
			Text: fmt.Sprintf("%s is 0, and %s has %s for it, where it had %s before", last.Operation.Property, place, now[key], before[key]),
		})
	}
	return out
}

// whole100 is all of something, of which no rounding makes nothing.
const whole100 = "100%"

// nothingOfAll says of a last operation that sets a number that may be a percentage to all of it that the field of the
// same name of an object is 0 now, where the resource was never another, too: who only asks for the number gets none of
// it. A field that was 0 before has it from elsewhere, and where all of it stands in one of that name, it came to where
// it belongs.
func (c *Case) nothingOfAll() (out []Deviation) {
	last := c.Last()
	if len(last.Operation.Changes) != 1 {
		return nil
	}
	ch := last.Operation.Changes[0]
	name, _ := ch.Path[len(ch.Path)-1].(string)
	if set, _ := ch.At(last.End[c.Key]); set != whole100 || name == "" {
		return nil
	}
	arrived := false
	for _, key := range last.End.Keys() {
		o := last.End[key]
		if key == c.Key || !c.own(key) || slices.Contains(passing, key.Resource) || c.given()[o.Text("kind")+"/"+key.Name] {
			continue
		}
		before := fieldsOf(last.Start[key], name)
		for path, v := range fieldsOf(o, name) {
			arrived = arrived || v == whole100 && before[path] != v
			if v != int64(0) || before[path] == v {
				continue
			}
			out = append(out, Deviation{
				Object: key, Property: last.Operation.Property, Path: path, Place: "zero", Expected: whole100, Found: v,
				Text: fmt.Sprintf("%s is %s, and %s of %s is 0", last.Operation.Property, whole100, path, key),
			})
		}
	}
	if arrived {
		return nil
	}
	slices.SortStableFunc(out, func(a, b Deviation) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// fieldsOf are the values of the fields of a name in what an object is to be, by their paths.
func fieldsOf(o history.Object, name string) map[string]any {
	out := map[string]any{}
	walk("", map[string]any(o), func(path string, v any) {
		if strings.HasPrefix(path, "spec") && strings.HasSuffix(path, "."+name) {
			out[path] = v
		}
	})
	return out
}
