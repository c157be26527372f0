package replay

import (
	"context"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// verb says what replay makes of one verb of acts. Each is registered by the file
// that it is in.
type verb struct {
	// perform does it, for the environment; nil if the environment cannot.
	perform func(ctx context.Context, r *run, a *trace.Act) error
	// through is the component whose write shows what the environment did.
	through string
	// matches tells whether a parked request is what a component does by it; nil
	// for what no request shows.
	matches func(r *run, a *trace.Act, q request) bool
	// taken is called before a matching request is let through.
	taken func(r *run, a *trace.Act, q request)
	// happened tells whether it has, in the state of the plane.
	happened func(r *run, a *trace.Act, s history.State) bool
	// prepare is called before it is waited for.
	prepare func(ctx context.Context, r *run, a *trace.Act) error
}

var verbs = map[string]verb{}

// register adds a verb.
func register(name string, v verb) struct{} {
	verbs[name] = v
	return struct{}{}
}

// writer is the component whose request an act shows as.
func writer(a *trace.Act) string {
	if v := verbs[a.Verb]; a.Role == trace.RoleEnvironment && v.through != "" {
		return v.through
	}
	return a.By
}
