package judge

import "slices"

// smallest is a part of what fails from which nothing can be left out: delta debugging, by Zeller and Hildebrandt. Of
// single ones the first is taken, in the order that is given.
func smallest(all []int, fails func([]int) bool) []int {
	for _, i := range all {
		if fails([]int{i}) {
			return []int{i}
		}
	}
	parts := 2
	for len(all) >= 2 {
		size := (len(all) + parts - 1) / parts
		reduced := false
		for chunk := range slices.Chunk(all, size) {
			without := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return slices.Contains(chunk, i) })
			if len(without) > 0 && fails(without) {
				all, parts, reduced = without, max(parts-1, 2), true
				break
			}
		}
		switch {
		case reduced:
		case parts >= len(all):
			return all
		default:
			parts = min(2*parts, len(all))
		}
	}
	return all
}
