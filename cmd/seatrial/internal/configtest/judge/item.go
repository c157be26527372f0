package judge

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// ofItems are the reads of the fields that a change is about: of those of items, and of those of a type that has a file
// as it is.
func ofItems(c choose.Change, o *run.Outcome) []record.Event {
	return slices.DeleteFunc(readItems(c, o), func(e record.Event) bool { return !usedIn(e, o) })
}

// readItems is ofItems with what is only copied.
func readItems(c choose.Change, o *run.Outcome) (out []record.Event) {
	for _, e := range o.Events {
		if (e.Verb == record.Item || e.Verb == record.Read && !strings.HasSuffix(e.At, record.Unsure)) && slices.ContainsFunc(c.Leaves, func(l choose.Leaf) bool { return slices.Contains(l.IDs, e.Subject) }) {
			e.At, _, _ = strings.Cut(e.At, record.Time)
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// proveLeaves looks for reads that show that all arrived that is new in a change of items. That another field of an
// item was read, or that of another one, shows nothing.
func proveLeaves(c choose.Change, before, after, again *run.Outcome, others []choose.Change) (Proof, bool) {
	var first Proof
	for _, l := range c.Leaves {
		of := c
		of.Leaves, of.Old, of.New = []choose.Leaf{l}, l.Old, l.New
		proof, is := proveLeaf(of, before, after, again, others)
		if !is {
			return Proof{}, false
		}
		if first.At == "" {
			first = proof
		}
	}
	return first, true
}

func proveLeaf(c choose.Change, before, after, again *run.Outcome, others []choose.Change) (Proof, bool) {
	if c.Leaves[0].Moved {
		return moved(c, before, after, again, others)
	}
	if c.Leaves[0].Known && c.Leaves[0].Added { // who comes by the new item has read that, too
		for _, e := range ofItems(c, after) {
			if means(c, e.Value) {
				return Proof{Value: e.Value, At: e.At}, true
			}
		}
		return Proof{}, false
	}
	if alike(c, others) {
		// What another item has got may be what is read, unless it is another value.
		proof, is := proveRead(c, before, after, nil, nil)
		if !is || slices.ContainsFunc(others, func(o choose.Change) bool { return gives(o, c, proof.Value) }) {
			return Proof{}, false
		}
		return proof, true
	}
	if proof, is := proveRead(c, before, after, again, nil); is {
		return proof, true
	}
	if c.New == nil {
		return moved(c, before, after, again, nil)
	}
	return instead(c, before, after, again)
}

// moved looks for a place at which what other items have, too, is read more often than before, or less, twice: that of
// which it is read is not what it was. Who reads items that are where they were reads the same. Others of that field
// may do it as well.
func moved(c choose.Change, before, after, again *run.Outcome, others []choose.Change) (Proof, bool) {
	if again == nil || alike(c, others) {
		return Proof{}, false
	}
	was, now, then := times(c, before), times(c, after), times(c, again)
	for _, of := range []map[read]int{was, now} {
		for _, in := range slices.SortedFunc(maps.Keys(of), read.compare) {
			if now[in] != was[in] && then[in] == now[in] {
				return Proof{Value: in.value, At: in.at}, true
			}
		}
	}
	return Proof{}, false
}

// alike tells whether some changes have fields in common with another one.
func alike(c choose.Change, others []choose.Change) bool {
	return slices.ContainsFunc(others, func(o choose.Change) bool {
		return slices.ContainsFunc(o.Leaves, func(l choose.Leaf) bool { return common(c, l.IDs) })
	})
}

// gives tells whether a change gives a field, which another one has, a value, too.
func gives(o, c choose.Change, value string) bool {
	return slices.ContainsFunc(o.Leaves, func(l choose.Leaf) bool {
		o.New = l.New
		return common(c, l.IDs) && means(o, value)
	})
}

func common(c choose.Change, ids []parameter.ID) bool {
	return slices.ContainsFunc(c.Leaves, func(l choose.Leaf) bool {
		return slices.ContainsFunc(l.IDs, func(id parameter.ID) bool { return slices.Contains(ids, id) })
	})
}

// instead looks for a place at which the new value, which other items have, too, is read once more than before, and
// another one once less; twice.
func instead(c choose.Change, before, after, again *run.Outcome) (Proof, bool) {
	if again == nil {
		return Proof{}, false
	}
	was, now, then := times(c, before), times(c, after), times(c, again)
	for _, e := range ofItems(c, after) {
		in := read{e.Value, e.At}
		if !means(c, e.Value) || now[in] <= was[in] || then[in] != now[in] {
			continue
		}
		for other, n := range was {
			if other.at == in.at && other.value != in.value && now[other] < n && then[other] == now[other] {
				return Proof{Value: e.Value, At: e.At}, true
			}
		}
	}
	return Proof{}, false
}

// read is a value at a place.
type read struct{ value, at string }

func (r read) compare(o read) int {
	return cmp.Or(cmp.Compare(r.at, o.at), cmp.Compare(r.value, o.value))
}

// times are how often each value was read at each place.
func times(c choose.Change, o *run.Outcome) map[read]int {
	out := map[read]int{}
	for _, e := range o.Events {
		if e.Verb != record.Item && e.Verb != record.Read || !slices.Contains(c.Leaves[0].IDs, e.Subject) {
			continue
		}
		if !usedIn(e, o) {
			continue
		}
		at, number, _ := strings.Cut(e.At, record.Time)
		n, err := strconv.Atoi(number)
		if err != nil {
			n = 1
		}
		out[read{e.Value, at}] = max(n, out[read{e.Value, at}])
	}
	return out
}
