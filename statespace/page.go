package statespace

const (
	pageBits = 19
	pageSize = 1 << pageBits
	pageMin  = 64
)

// pages is an array that grows without being copied, apart from its first
// page, so that growing never needs twice the memory. T holds no pointers.
type pages[T any] struct {
	list [][]T
	n    int
}

func (a *pages[T]) at(i int) T { return a.list[i>>pageBits][i&(pageSize-1)] }

func (a *pages[T]) set(i int, v T) { a.list[i>>pageBits][i&(pageSize-1)] = v }

// write sets the elements from i on.
func (a *pages[T]) write(i int, values []T) {
	for len(values) > 0 {
		n := copy(a.list[i>>pageBits][i&(pageSize-1):], values)
		i, values = i+n, values[n:]
	}
}

// extend makes the array at least n long; new elements are zero.
func (a *pages[T]) extend(n int) {
	if n <= a.n {
		return
	}
	a.n = n
	if len(a.list) == 0 {
		a.list = append(a.list, nil)
	}
	if first := a.list[0]; len(first) < min(n, pageSize) {
		grown := newArray[T](firstPage(n))
		copy(grown, first)
		a.list[0] = grown
	}
	for len(a.list)*pageSize < n {
		a.list = append(a.list, newArray[T](pageSize))
	}
}

// firstPage returns the size of the first page of an array of length n.
func firstPage(n int) int {
	size := pageMin
	for size < n && size < pageSize {
		size *= 2
	}
	return size
}

// pagesBytes returns the memory of an array of length n of elements of size
// bytes each.
func pagesBytes(n, size int) int64 {
	switch {
	case n == 0:
		return 0
	case n <= pageSize:
		return int64(firstPage(n)) * int64(size)
	}
	return int64((n+pageSize-1)>>pageBits) * pageSize * int64(size)
}

const (
	queueBits = 10
	queuePage = 1 << queueBits
)

// queue holds the records of the states that are not expanded yet, addressed
// by state id. Pages whose states are all expanded are used again.
type queue struct {
	words int
	list  [][]uint64
	free  [][]uint64
	first int // pages before it are released
	n     int // ids below it exist
}

// record returns the words of state id, which must be neither released nor new.
func (q *queue) record(id int) []uint64 {
	at := (id & (queuePage - 1)) * q.words
	return q.list[id>>queueBits][at : at+q.words : at+q.words]
}

// extend makes room for ids below n.
func (q *queue) extend(n int) {
	if n <= q.n {
		return
	}
	q.n = n
	for len(q.list)*queuePage < n {
		switch last := len(q.free) - 1; {
		case len(q.list) == 0:
			q.list = append(q.list, nil)
		case last >= 0:
			q.list, q.free = append(q.list, q.free[last]), q.free[:last]
		default:
			q.list = append(q.list, make([]uint64, queuePage*q.words))
		}
	}
	if need := min(n, queuePage); q.first == 0 && len(q.list[0]) < need*q.words {
		size := 16
		for size < need {
			size *= 2
		}
		grown := make([]uint64, size*q.words)
		copy(grown, q.list[0])
		q.list[0] = grown
	}
}

// release gives up the records of ids below n.
func (q *queue) release(n int) {
	for ; q.first < n>>queueBits; q.first++ {
		if page := q.list[q.first]; len(page) == queuePage*q.words {
			q.free = append(q.free, page)
		}
		q.list[q.first] = nil
	}
}

// bytesFor returns the memory with room for n more records.
func (q *queue) bytesFor(n int) int64 {
	size := int64(len(q.free))
	if missing := int64((q.n+n+queuePage-1)>>queueBits - len(q.list)); missing > size {
		size = missing
	}
	size *= int64(queuePage * q.words * 8)
	for _, page := range q.list[q.first:] {
		size += int64(len(page)) * 8
	}
	return size
}
