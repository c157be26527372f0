package value

import (
	"cmp"
	"math"
	"strings"
)

// Strings and model values are ordered by where their text was first seen in a specification, as TLC does: the order
// decides which member CHOOSE takes. What comes up only while values are found is after all of those, and in the order
// of its text, so that it does not matter which goroutine comes upon it first.

// late is the rank of a name that was compared before it had another one: it keeps it, since two names must not change
// their order.
const late = math.MaxUint32

// Rank has strings and model values with these texts ordered as they stand here, after all that were ranked before.
// Those that have been compared already stay where they are. Ranks are of the process: in one that reads several
// specifications what an earlier one names comes first.
func Rank(texts ...string) {
	names.Lock()
	defer names.Unlock()
	if names.ranks == nil {
		names.ranks = map[string]uint32{}
	}
	for _, text := range texts {
		if names.ranks[text] != 0 {
			continue
		}
		rank := uint32(len(names.ranks)) + 1
		names.ranks[text] = rank
		for _, table := range []map[string]*object{names.strings, names.models} {
			if o := table[text]; o != nil {
				o.rank.CompareAndSwap(0, rank)
			}
		}
	}
}

// compareNames orders two strings, or two model values.
func compareNames(a, b *object) int {
	if c := cmp.Compare(a.standing(), b.standing()); c != 0 {
		return c
	}
	return strings.Compare(a.text, b.text)
}

// standing returns the rank of a name, which does not change any more.
func (o *object) standing() uint32 {
	if rank := o.rank.Load(); rank != 0 {
		return rank
	}
	o.rank.CompareAndSwap(0, late)
	return o.rank.Load()
}
