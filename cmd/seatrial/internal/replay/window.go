package replay

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// An autoscaler remembers what it has recommended for the length of its window. Where all
// of that has passed when it acts, there may as well have been no window, and there is
// none in a replay. Where only a part has passed, as when a load falls twice within five
// minutes, what is left decides: then windows are as long as that part can be told from
// the rest.

const (
	autoscaler = "horizontal-pod-autoscaler-controller"
	// remembered is how long windows are then, in seconds: many times what the autoscaler
	// takes for a look. It looks twice a second.
	remembered = 6
	// looksWithin is how long a look is waited for that may find what the last one found.
	looksWithin = 2 * time.Second
)

// remembers tells whether an autoscaler of a trace has recommended several things since
// it last acted when a part of its window passes.
func remembers(t *trace.Trace) bool {
	looks := map[string]int{}
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			switch a := &t.Steps[i].Acts[k]; {
			case a.By != autoscaler:
			case looksOnly(a):
				looks[a.Object]++
			case a.Verb == "wait" && looks[a.Object] > 1:
				return true
			case a.Verb == "scale":
				clear(looks) // of whichever autoscaler that is: one more look is no harm
			}
		}
	}
	return false
}

// looksOnly tells whether an act is that an autoscaler remembers what it recommends.
func looksOnly(a *trace.Act) bool { return a.By == autoscaler && a.Verb == "wait" && a.Seconds == 0 }

var errLooked = errors.New("it has looked")

// looked waits until the autoscalers of a step have looked at what there is: their status
// says what they saw, if it is another than before.
func (r *run) looked(ctx context.Context, acts []trace.Act) error {
	for i := range acts {
		if !r.remembers || !looksOnly(&acts[i]) {
			continue
		}
		a := &acts[i]
		limited, cancel := context.WithTimeoutCause(ctx, looksWithin, errLooked)
		err := r.view.wait(limited, func(s history.State) bool { return r.metrics[a.Object] != measures(r.objectNow(a, s)) })
		cancel()
		if err != nil && !errors.Is(err, errLooked) {
			return err
		}
		r.metrics[a.Object] = measures(r.objectNow(a, r.view.state))
	}
	return nil
}

// glance notes what all autoscalers say of their metrics before these change.
func (r *run) glance() {
	for key, object := range r.view.state {
		if key.Resource == resources["HorizontalPodAutoscaler"] {
			r.metrics["HorizontalPodAutoscaler "+key.Namespace+"/"+key.Name] = measures(object)
		}
	}
}

// measures is what an autoscaler says of its metrics; empty for nothing.
func measures(hpa history.Object) string {
	if said := hpa.At("status", "currentMetrics"); said != nil {
		text, _ := json.Marshal(said) // a part of JSON
		return string(text)
	}
	return ""
}

// outlasts tells whether an autoscaler goes further than an act at once, in the direction
// of a window: then more of what it remembered has passed than in the trace.
func (r *run) outlasts(a *trace.Act, q request) bool {
	wanted, ok := whole(q.body, "spec", "replicas")
	if !ok || q.Actor != autoscaler || a.By != autoscaler || a.Verb != "scale" || a.From == nil || a.To == nil || !about(r, a, q) {
		return false
	}
	down := *a.To < *a.From
	if down != (wanted < *a.To) || wanted == *a.To {
		return false
	}
	for _, raw := range r.trace.Setup.Objects {
		var hpa autoscalingv2.HorizontalPodAutoscaler
		if kindOf(raw) != "HorizontalPodAutoscaler" || json.Unmarshal(raw, &hpa) != nil {
			continue
		}
		if to := hpa.Spec.ScaleTargetRef; a.Object == to.Kind+" "+hpa.Namespace+"/"+to.Name {
			return window(&hpa, down) > 0
		}
	}
	return down // one that comes in the trace, with the controller's window
}

// window is how long an autoscaler remembers what it recommended for one direction.
func window(hpa *autoscalingv2.HorizontalPodAutoscaler, down bool) int32 {
	var standard int32
	if down {
		standard = 300 // the controller's flag
	}
	if hpa.Spec.Behavior == nil {
		return standard
	}
	rules := hpa.Spec.Behavior.ScaleUp
	if down {
		rules = hpa.Spec.Behavior.ScaleDown
	}
	if rules == nil || rules.StabilizationWindowSeconds == nil {
		return standard
	}
	return *rules.StabilizationWindowSeconds
}
