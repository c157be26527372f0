package manifest

// Nearest is the candidate that somebody who wrote name may have meant: the one
// with the fewest letters changed, the first of several. It is empty if none is
// near.
func Nearest(name string, candidates []string) string { return nearest(name, candidates) }
