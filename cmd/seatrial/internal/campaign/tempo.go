package campaign

import (
	"fmt"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

const (
	// quietMin and quietMax bound how long nothing may move until a step is over.
	quietMin = 250 * time.Millisecond
	quietMax = 10 * time.Second
	// stepMax bounds a step.
	stepMax = 60 * time.Second
)

// remembered is how many steps say how fast an operator is: the machine under it may have more to do
// at one time than at another.
const remembered = 40

// tempo is how fast an operator is, as far as it was seen of late.
type tempo struct {
	mu sync.Mutex
	// gaps are the longest times between two writes of one step, of the last steps.
	gaps []time.Duration
}

// learn takes the longest time between two writes of a step.
func (t *tempo) learn(gap time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gaps = append(t.gaps, gap)
	t.gaps = t.gaps[max(0, len(t.gaps)-remembered):]
}

// quiet is how long nothing may move: half as long again as it took of late until something
// did.
func (t *tempo) quiet() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	gap := time.Duration(0)
	for _, g := range t.gaps {
		gap = max(gap, g)
	}
	return min(max(quietMin, gap+gap/2), quietMax)
}

// long is how long nothing may move as long as something is waited for.
func long(quiet time.Duration) time.Duration { return 2*quiet + time.Second }

// idleAtStart is how long an operator that was just started may write nothing: it fills its caches, and
// waits for them by looking now and then.
func idleAtStart(quiet time.Duration) time.Duration { return 2*quiet + time.Second }

// patience is how long a step is waited for.
func (t *tempo) patience(key history.Key) stage.Patience {
	quiet := t.quiet()
	return stage.Patience{Quiet: quiet, Idle: 2 * quiet, Long: long(quiet), Max: stepMax, Waits: func(s history.State) string { return waits(s, key) }}
}

// waits says what is not there yet, of what others than the operator bring about: workloads
// whose controllers have not seen them, or that are not ready.
func waits(s history.State, key history.Key) string {
	for _, k := range s.Keys() {
		o := s[k]
		if o == nil {
			continue
		}
		switch k.Resource {
		case "deployments.apps", "statefulsets.apps", "daemonsets.apps", "replicasets.apps":
			if why := unready(o); why != "" {
				return fmt.Sprintf("%s: %s", k, why)
			}
		}
		if k == key && o.At("metadata", "deletionTimestamp") != nil {
			return fmt.Sprintf("%s is being deleted", k)
		}
		if seen, ok := o.Number("status", "observedGeneration"); ok {
			if generation, _ := o.Number("metadata", "generation"); seen < generation {
				return fmt.Sprintf("%s: generation %d is not observed, %d is", k, generation, seen)
			}
		}
	}
	return ""
}

func unready(o history.Object) string {
	if generation, ok := o.Number("metadata", "generation"); ok {
		if seen, _ := o.Number("status", "observedGeneration"); seen < generation {
			return "its controller has not seen it"
		}
	}
	want, ok := o.Number("spec", "replicas")
	if scheduled, is := o.Number("status", "desiredNumberScheduled"); is {
		want, ok = scheduled, true
	}
	if !ok {
		return ""
	}
	ready, _ := o.Number("status", "readyReplicas")
	if n, is := o.Number("status", "numberReady"); is {
		ready = n
	}
	if ready != want {
		return fmt.Sprintf("%d of %d pods are ready", ready, want)
	}
	if updated, is := o.Number("status", "updatedReplicas"); is && updated != want && o.Text("spec", "updateStrategy", "type") != "OnDelete" {
		return fmt.Sprintf("%d of %d pods are updated", updated, want)
	}
	return ""
}
