// Package conformance holds the hand-written arithmetic of the packages beside
// it to Kubernetes' own unexported code, which its tests reach by linkname: the
// whole controllers on a fake clientset where that is possible. It has no code
// of its own; one test binary links all that is heavy.
//
// Each oracle draws 10,000 random inputs from a fixed seed:
//
//	go test ./internal/upstream/conformance
//	go test ./internal/upstream/conformance -args -inputs=100000
package conformance
