package value

import (
	"strings"
	"testing"
)

// TestChanges: what a trace says of a variable that changes.
func TestChanges(t *testing.T) {
	n := func(all ...int64) (out []Value) {
		for _, i := range all {
			out = append(out, OfInt(i))
		}
		return out
	}
	record := func(state string, count int64) Value {
		return NewShape([]string{"state", "count"}).record(OfString(state), OfInt(count))
	}
	p, q := OfModel("p"), OfModel("q")
	processes := func(a, b Value) Value { return OfPairs([]Value{p, q}, []Value{a, b}) }
	for _, c := range []struct {
		name     string
		from, to Value
		want     string
	}{
		{"the same", OfTuple(n(1, 2)), OfTuple(n(1, 2)), ""},
		{"a number", OfInt(1), OfInt(2), "1 -> 2"},
		{"another kind of value", OfModel("none"), OfTuple(n(1)), "none -> <<1>>"},
		{"one that cannot be compared", OfInt(1), OfString("x"), `1 -> "x"`},
		{"one argument of a function", processes(OfString("start"), OfString("start")), processes(OfString("done"), OfString("start")), `[p]: "start" -> "done"`},
		{"a field of a record below", processes(record("new", 10), record("new", 20)), processes(record("old", 10), record("new", 20)), `[p].state: "new" -> "old"`},
		{"a new argument", OfPairs([]Value{p}, n(1)), OfPairs([]Value{p, q}, n(1, 2)), "[q]: + 2"},
		{"all of it, where that is shorter", OfTuple(n(1, 2)), OfTuple(n(3, 4)), "<<1, 2>> -> <<3, 4>>"},
		{"members", OfSet([]Value{record("a", 1), record("b", 2)}), OfSet([]Value{record("b", 2), record("c", 3)}), `- [count |-> 1, state |-> "a"]; + [count |-> 3, state |-> "c"]`},
		{"the first member", Empty, OfSet(n(7)), "+ 7"},
		{"the first of a queue goes", OfTuple(n(1, 2, 3)), OfTuple(n(2, 3)), "[1]: - 1"},
		{"one more in a queue", OfTuple(n(1, 2)), OfTuple(n(1, 2, 9)), "[3]: + 9"},
		{"an interval", Interval(1, 3), Interval(1, 4), "+ 4"},
		{"a set without end", Nat, OfModel("all"), "Nat -> all"},
	} {
		var all []string
		for _, d := range Changes(c.from, c.to) {
			text := d.Path + ": "
			switch {
			case d.From.IsNone():
				text += "+ " + Format(d.To)
			case d.To.IsNone():
				text += "- " + Format(d.From)
			default:
				text += Format(d.From) + " -> " + Format(d.To)
			}
			all = append(all, strings.TrimPrefix(text, ": "))
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// record is the record of a shape with these values, in the order in which the fields were given.
func (s Shape) record(values ...Value) Value {
	items := make([]Value, len(values))
	for i, v := range values {
		items[s.Place(i)] = v
	}
	return s.Record(items)
}
