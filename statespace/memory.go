package statespace

import "unsafe"

// array is memory for elements without pointers, all zero at first. A large one
// is asked of the system and not of Go's heap, where that is possible: in large
// pages, because random access to small ones is slowed down by their
// translation as much as by memory itself, and given back at once.
type array[T any] struct {
	v []T
	// mapped is the memory of v if it is not Go's.
	mapped []byte
}

// own returns memory for one goroutine: far enough from any other's that two
// processors do not write to the same line of their caches, which would make
// either wait for the other.
func own[T any](n int) []T {
	var zero T
	return make([]T, n, n+len(lines{})/int(unsafe.Sizeof(zero)))
}

// lines fills a struct that one goroutine owns, for the same reason.
type lines [128]byte

// largePage is the size of the system's large pages, and of a large array.
const largePage = 2 << 20

func newArray[T any](n int) array[T] {
	var zero T
	if bytes := n * int(unsafe.Sizeof(zero)); bytes >= largePage {
		if m := mapMemory(bytes); m != nil {
			return array[T]{unsafe.Slice((*T)(unsafe.Pointer(&m[0])), n), m}
		}
	}
	return array[T]{v: make([]T, n)}
}

// discard gives the memory of the elements from..to-1 back. They must not be
// used any more.
func (a *array[T]) discard(from, to int) {
	if a.mapped == nil {
		return
	}
	const small = 4096
	var zero T
	size := int(unsafe.Sizeof(zero))
	first, last := (from*size+small-1)/small*small, to*size/small*small
	if first < last {
		discardMemory(a.mapped[first:last])
	}
}

// free gives all of it back.
func (a *array[T]) free() {
	if a.mapped != nil {
		unmapMemory(a.mapped)
	}
	*a = array[T]{}
}
