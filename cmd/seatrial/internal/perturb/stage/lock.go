package stage

import (
	"encoding/json"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// leaderAnnotation is where older locks are, on ConfigMaps and Endpoints.
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader"

// lapsed tells whether a lock that the controller holds was not renewed for half of the time that it is good for: a
// process that ends then has given up what it could not renew in time, since the machine has too much else to do.
// Nobody else wants it here. Those that can renew it do so several times in that time. mu is held.
func (s *Stage) lapsed() bool {
	seen := map[history.Key]bool{}
	for i := len(s.rec.Events) - 1; i >= 0; i-- {
		e := s.rec.Events[i]
		if e.Actor != plan.Controller || seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		if good := lockedFor(e); good > 0 && s.o.Now().Sub(s.started)-s.rec.Times[i] >= good/2 {
			return true
		}
	}
	return false
}

// lockedFor is how long the lock is good for that a write has taken or renewed; 0 if it is none, or nobody holds it.
func lockedFor(e history.Event) time.Duration {
	if e.Type == history.Delete {
		return 0
	}
	if e.Resource == "leases.coordination.k8s.io" {
		seconds, _ := e.Object.Number("spec", "leaseDurationSeconds")
		if e.Object.Text("spec", "holderIdentity") == "" {
			return 0
		}
		return time.Duration(seconds) * time.Second
	}
	var lock struct {
		HolderIdentity       string
		LeaseDurationSeconds int64
	}
	if json.Unmarshal([]byte(e.Object.Text("metadata", "annotations", leaderAnnotation)), &lock) != nil || lock.HolderIdentity == "" {
		return 0
	}
	return time.Duration(lock.LeaseDurationSeconds) * time.Second
}
