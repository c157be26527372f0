package settle

import (
	"slices"
	"sync/atomic"
)

// few is a map of few entries, which is read far more often than it grows, by many goroutines.
type few[K comparable, V any] struct{ all atomic.Pointer[[]entry[K, V]] }

type entry[K comparable, V any] struct {
	key   K
	value V
}

// get is what is there for a key.
func (f *few[K, V]) get(key K) (value V, ok bool) {
	if all := f.all.Load(); all != nil {
		for i := range *all {
			if e := &(*all)[i]; e.key == key {
				return e.value, true
			}
		}
	}
	return value, false
}

// add puts in what is not there.
func (f *few[K, V]) add(key K, value V) {
	for {
		before := f.all.Load()
		var all []entry[K, V]
		if before != nil {
			all = slices.Clone(*before)
		}
		all = append(all, entry[K, V]{key, value})
		if f.all.CompareAndSwap(before, &all) {
			return
		}
	}
}
