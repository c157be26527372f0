package descheduler

import (
	"iter"
	"slices"
)

// permutations yields the distinct permutations of an ascending sequence in
// lexicographic order. The slice yielded is reused.
func permutations(ascending []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		order := slices.Clone(ascending)
		for {
			if !yield(order) {
				return
			}
			i := len(order) - 2
			for i >= 0 && order[i] >= order[i+1] {
				i--
			}
			if i < 0 {
				return
			}
			j := len(order) - 1
			for order[j] <= order[i] {
				j--
			}
			order[i], order[j] = order[j], order[i]
			slices.Reverse(order[i+1:])
		}
	}
}

func ascending(n int) []int {
	sequence := make([]int, n)
	for i := range sequence {
		sequence[i] = i
	}
	return sequence
}

// tiedOrders yields the orders of the concatenated groups in which each group
// may stand in any order within itself. The slice yielded is reused.
func tiedOrders[T any](groups [][]T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		var order []T
		var place func(i int) bool
		place = func(i int) bool {
			if i == len(groups) {
				return yield(order)
			}
			start := len(order)
			for indices := range permutations(ascending(len(groups[i]))) {
				order = order[:start]
				for _, index := range indices {
					order = append(order, groups[i][index])
				}
				if !place(i + 1) {
					return false
				}
			}
			order = order[:start]
			return true
		}
		place(0)
	}
}
