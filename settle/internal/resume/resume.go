// Package resume is how a reconciler that can say where it is tells an exploration, which
// then goes on from there and not from the beginning.
package resume

import "context"

// Point is what a reconcile is run with.
type Point interface {
	// Resume is where the reconcile goes on; it is false if it begins.
	Resume() (state []byte, ok bool)
	// Save says where it is: what it does from here on depends on state, the request, and what it
	// hears after this, and on nothing else.
	Save(state []byte)
}

type key struct{}

// With is a context for a reconcile that is explored.
func With(ctx context.Context, p Point) context.Context { return context.WithValue(ctx, key{}, p) }

// From is the Point of a context, nil if nothing explores.
func From(ctx context.Context) Point {
	p, _ := ctx.Value(key{}).(Point)
	return p
}
