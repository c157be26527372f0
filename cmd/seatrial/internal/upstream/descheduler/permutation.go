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

// tie is a group of elements whose order is open. Only the order of the last
// ones, tail in number, matters.
type tie[T any] struct {
	elements []T
	tail     int
}

// open makes ties in which the whole order matters.
func open[T any](groups [][]T) []tie[T] {
	ties := make([]tie[T], len(groups))
	for i, group := range groups {
		ties[i] = tie[T]{group, len(group)}
	}
	return ties
}

// tiedOrders yields the orders of the concatenated groups that differ in what
// matters. The slice yielded is reused.
func tiedOrders[T any](ties []tie[T]) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		order := make([]T, 0, len(ties))
		var place func(i int) bool
		place = func(i int) bool {
			if i == len(ties) {
				return yield(order)
			}
			start := len(order)
			for tail := range arrangements(len(ties[i].elements), ties[i].tail) {
				order = order[:start]
				for j, element := range ties[i].elements {
					if !slices.Contains(tail, j) {
						order = append(order, element)
					}
				}
				for _, j := range tail {
					order = append(order, ties[i].elements[j])
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

// arrangements yields the sequences of k distinct numbers below n in
// lexicographic order. The slice yielded is reused.
func arrangements(n, k int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		sequence := make([]int, 0, k)
		var extend func() bool
		extend = func() bool {
			if len(sequence) == k {
				return yield(sequence)
			}
			for i := range n {
				if slices.Contains(sequence, i) {
					continue
				}
				sequence = append(sequence, i)
				if !extend() {
					return false
				}
				sequence = sequence[:len(sequence)-1]
			}
			return true
		}
		extend()
	}
}
