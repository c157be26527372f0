package replay

import (
	"context"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// taints are those of a node, as acts write them.
func taints(node map[string]any, path ...string) map[string]bool {
	out := map[string]bool{}
	list, _ := history.Object(node).At(path...).([]any)
	for _, each := range list {
		taint, ok := each.(map[string]any)
		if !ok {
			continue
		}
		written := text(taint, "key")
		if value := text(taint, "value"); value != "" {
			written += "=" + value
		}
		out[written+":"+text(taint, "effect")] = true
	}
	return out
}

func tainted(r *run, a *trace.Act, s history.State) bool {
	return taints(r.objectNow(a, s), "spec", "taints")[a.Taint]
}

var _ = register("taint", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "nodes" && about(r, a, q) && taints(q.body, "spec", "taints")[a.Taint] &&
			!taints(q.now, "spec", "taints")[a.Taint]
	},
	happened: tainted,
})

var _ = register("untaint", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "nodes" && about(r, a, q) && removes(q, a.Taint)
	},
	happened: func(r *run, a *trace.Act, s history.State) bool { return !tainted(r, a, s) },
})

// removes tells whether a patch takes a taint away: by leaving it out of a list
// that replaces all, or by a directive about its key.
func removes(q request, taint string) bool {
	if !taints(q.now, "spec", "taints")[taint] || taints(q.body, "spec", "taints")[taint] {
		return false
	}
	return q.body.At("spec") != nil
}

var _ = register("node-unready", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "nodes/status" && about(r, a, q) && q.conditioned() && !ready(q.body)
	},
	happened: func(r *run, a *trace.Act, s history.State) bool { return !ready(r.objectNow(a, s)) },
})

var _ = register("node-ready", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return q.Resource == "nodes/status" && about(r, a, q) && ready(q.body)
	},
	happened: func(r *run, a *trace.Act, s history.State) bool { return ready(r.objectNow(a, s)) },
})

// machine is the name of the node of an act.
func machine(a *trace.Act) string {
	if a.Node != "" {
		return a.Node
	}
	return strings.TrimPrefix(a.Object, "Node ")
}

var _ = register("node-down", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		return r.admin.FailNode(ctx, r.plane, machine(a))
	},
})

var _ = register("node-up", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		return r.admin.HealNode(ctx, r.plane, machine(a))
	},
})
