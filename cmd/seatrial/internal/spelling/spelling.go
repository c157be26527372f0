// Package spelling finds the name that a misspelt one was meant to be.
package spelling

import "strings"

// Nearest is the candidate that name is most likely a misspelling of, or
// nothing when none is near. Ties go to the first.
func Nearest(name string, candidates []string) string {
	best, distanceMin := "", 1+min(3, (len(name)+1)/3)
	for _, c := range candidates {
		if d := editDistance(strings.ToLower(name), strings.ToLower(c), distanceMin); d < distanceMin {
			best, distanceMin = c, d
		}
	}
	return best
}

// Within tells whether two names differ by so many slips at most: letters that are missing, too many or others, and
// neighbours that have changed places. Small letters and capitals are the same.
func Within(a, b string, slips int) bool {
	return editDistance(strings.ToLower(a), strings.ToLower(b), slips+1) <= slips
}

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours; it gives up at limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || len(a) > 100 {
		return limit
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	next := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
