package operation

import (
	"reflect"
	"slices"
)

// Related are those operations of a sequence that are about what its last one changes, and that one: what shows behind
// it mostly needs no more. An operation that the next one repairs stands or falls with it.
func Related(seq []*Operation) []*Operation {
	n := len(seq) - 1
	if n < 0 {
		return nil
	}
	kept := []*Operation{seq[n]}
	for i := n - 1; i >= 0; i-- {
		if next := seq[i+1]; next == kept[0] && next.Repairs || touches(seq[i], seq[n]) {
			kept = slices.Insert(kept, 0, seq[i])
		}
	}
	return kept
}

// touches tells whether two operations change the same, or one something in what the other changes.
func touches(a, b *Operation) bool {
	for _, c := range a.All() {
		for _, d := range b.All() {
			n := min(len(c.Path), len(d.Path))
			if reflect.DeepEqual(c.Path[:n], d.Path[:n]) {
				return true
			}
		}
	}
	return false
}
