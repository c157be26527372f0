package oracle

import (
	"slices"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "unsynced-budgets",
		Reason: "what the status of a disruption budget counts, where its controller cannot: it leaves there what was counted before (failSafe in Kubernetes' disruption controller)",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			counts := []string{"status.currentHealthy", "status.desiredHealthy", "status.expectedPods"}
			return d.Resource == budgets && slices.Contains(counts, ch.Path) && unsynced(v.want.state[d.Key]) && unsynced(v.got.state[d.Key])
		},
	})
}

// unsynced tells whether the disruption controller says of a budget that it cannot tell what it allows.
func unsynced(o history.Object) bool {
	return conditionOf(o, "DisruptionAllowed").reason == "SyncFailed"
}
