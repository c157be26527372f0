package judge

import (
	"slices"
	"sort"
)

// Smallest is a part of what fails from which nothing can be left out, in the order that is given. Each round looks for
// the shortest beginning that fails beside what has been found, by halves: its last one is needed. To find one of n
// takes about the logarithm of n; each question is a run of a test.
func Smallest(all []int, fails func([]int) bool) []int {
	var found []int // from the last to the first
	with := func(beginning []int) []int {
		out := slices.Clone(beginning)
		for _, i := range slices.Backward(found) {
			out = append(out, i)
		}
		return out
	}
	for left := all; len(left) > 0 && (len(found) == 0 || !fails(with(nil))); {
		end := 1 + sort.Search(len(left)-1, func(n int) bool { return fails(with(left[:n+1])) })
		found, left = append(found, left[end-1]), left[:end-1]
	}
	found = with(nil)
	for n := 0; n < len(found) && len(found) > 1; { // something that is added may have mended what fails without it
		if without := slices.Delete(slices.Clone(found), n, n+1); fails(without) {
			found = without
		} else {
			n++
		}
	}
	return found
}
