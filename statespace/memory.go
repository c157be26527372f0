package statespace

import "unsafe"

// newArray returns memory for elements without pointers. Random access to a
// large array is slowed down by the translation of addresses as much as by
// memory itself: it asks for large pages, before any of it is touched.
func newArray[T any](n int) []T {
	a := make([]T, n)
	if b := bytesOf(a); len(b) >= largePage {
		adviseLargePages(aligned(b, largePage))
	}
	return a
}

const (
	largePage = 2 << 20
	smallPage = 4 << 10
)

// discard gives the pages of an array that is not used any more back at once,
// long before the garbage collector would.
func discard[T any](a []T) {
	if b := aligned(bytesOf(a), smallPage); len(b) > 0 {
		discardPages(b)
	}
}

func bytesOf[T any](a []T) []byte {
	if len(a) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), len(a)*int(unsafe.Sizeof(a[0])))
}

// aligned returns the whole pages within b.
func aligned(b []byte, page int) []byte {
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if len(b) < skip {
		return nil
	}
	b = b[skip:]
	return b[:len(b)&^(page-1)]
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
