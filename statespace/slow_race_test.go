//go:build race

package statespace

// slowdown divides the sizes of tests that the race detector slows down.
const slowdown = 20
