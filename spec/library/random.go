package library

import (
	"hash/fnv"

	"github.com/seatrial/seatrial/spec/value"
)

// What is random in TLC is the same in every run here: a verdict that another run does not give again is of no
// use. What is drawn depends on what it is drawn from, and on how often that was asked.

var _ = enter("Randomization", nil,
	two("RandomSubset", func(k, s Value) Value { return draw(k.Int("the size of RandomSubset"), s, 0) }),
	several("RandomSetOfSubsets", 3, func(a []Value) Value {
		return drawSubsets(a[0].Int("the number of RandomSetOfSubsets"), a[1].Int("the size of RandomSetOfSubsets"), a[2])
	}),
	two("RandomSubsetSet", func(k, s Value) Value { return drawSubsets(k.Int("the number of RandomSubsetSet"), value.Size(s)/2, s) }),
)

// randomElement is RandomElement of TLC.
func randomElement(s Value) Value {
	n := value.Size(s)
	if n == 0 {
		value.Fail("RandomElement is asked of the empty set")
	}
	at, found, i := int64(next(s, 0)%uint64(n)), Value{}, int64(0)
	value.Each(s, func(m Value) bool {
		found = m
		i++
		return i <= at
	})
	return found
}

// next is a number that looks random, for something and a count.
func next(v Value, i uint64) uint64 {
	h := fnv.New64a()
	h.Write(value.Append(nil, v))
	z := h.Sum64() + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// draw returns k members of s.
func draw(k int64, s Value, salt uint64) Value {
	members := append([]Value{}, s.Members()...)
	if k < 0 || k > int64(len(members)) {
		value.Fail("a subset of %d members is asked of a set of %d", k, len(members))
	}
	for i := range int(k) {
		j := i + int(next(s, salt+uint64(i))%uint64(len(members)-i))
		members[i], members[j] = members[j], members[i]
	}
	return value.OfSet(members[:k])
}

// drawSubsets returns about n subsets of s with about k members each.
func drawSubsets(n, k int64, s Value) Value {
	var sets []Value
	size := value.Size(s)
	for i := range n {
		want := k
		if size > 0 {
			spread := int64(next(s, uint64(i)<<20)%uint64(2*k+1)) - k/2
			want = min(max(spread, 0), size)
		}
		sets = append(sets, draw(want, s, uint64(i)<<20|1<<19))
	}
	return value.OfSet(sets)
}
