package replay

import (
	"encoding/json"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/trace"
)

// TestRemembers: windows take their time where what an autoscaler recommended in between
// decides, and only there.
func TestRemembers(t *testing.T) {
	act := func(verb string, seconds int64) trace.Act {
		return trace.Act{Verb: verb, By: autoscaler, Object: "HorizontalPodAutoscaler default/web", Seconds: seconds}
	}
	looks, passes, scales := act("wait", 0), act("wait", 300), act("scale", 0)
	other := looks
	other.Object = "HorizontalPodAutoscaler default/other"
	for _, c := range []struct {
		name string
		acts []trace.Act
		want bool
	}{
		{"one load", []trace.Act{looks, passes, scales}, false},
		{"a load that falls twice", []trace.Act{looks, looks, passes, scales}, true},
		{"and has been answered in between", []trace.Act{looks, passes, scales, looks, passes, scales}, false},
		{"loads of two", []trace.Act{looks, other, passes, scales}, false},
		{"no window", []trace.Act{looks, looks, scales}, false},
	} {
		var tr trace.Trace
		for _, a := range c.acts {
			tr.Steps = append(tr.Steps, trace.Step{Acts: []trace.Act{a}})
		}
		if got := remembers(&tr); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestOutlasts: what goes further than the trace, in the direction of a window, is no
// divergence; what goes elsewhere is.
func TestOutlasts(t *testing.T) {
	hpa := func(behavior string) json.RawMessage {
		return json.RawMessage(`{"kind":"HorizontalPodAutoscaler","metadata":{"namespace":"default","name":"web"},
			"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"}` + behavior + `}}`)
	}
	var from int32 = 5
	for _, c := range []struct {
		name     string
		behavior string
		to       int32
		wanted   string
		want     bool
	}{
		{"down, the controller's window", "", 3, "1", true},
		{"the same", "", 3, "3", false},
		{"less far", "", 3, "4", false},
		{"down, without a window", `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`, 3, "1", false},
		{"up, without a window", "", 7, "9", false},
		{"up, with one", `,"behavior":{"scaleUp":{"stabilizationWindowSeconds":60}}`, 7, "9", true},
		{"up, and it goes down", `,"behavior":{"scaleUp":{"stabilizationWindowSeconds":60}}`, 7, "1", false},
	} {
		r := &run{trace: &trace.Trace{Setup: &trace.Setup{Objects: []json.RawMessage{hpa(c.behavior)}}}}
		a := &trace.Act{Verb: "scale", By: autoscaler, Object: web, From: &from, To: &c.to}
		q := request{
			Parked: admin.Parked{Actor: autoscaler, Resource: "deployments.apps/scale", Namespace: "default", Name: "web"},
			body:   object(t, `{"spec":{"replicas":`+c.wanted+`}}`),
		}
		if got := r.outlasts(a, q); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
