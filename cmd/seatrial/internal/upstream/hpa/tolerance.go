package hpa

import (
	"fmt"
	"unsafe"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/features"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// errTolerances is set at program start if podautoscaler.Tolerances no longer
// has the layout that tolerances relies on.
var errTolerances = checkTolerances()

// checkTolerances builds one value and reads it back through the exported
// String, which prints the two parts with their names.
func checkTolerances() error {
	const wantSize = unsafe.Sizeof([2]float64{})
	if size := unsafe.Sizeof(podautoscaler.Tolerances{}); size != wantSize {
		return fmt.Errorf("hpa: podautoscaler.Tolerances has %d bytes, not %d: the linked Kubernetes is not the one this was written for", size, wantSize)
	}
	const want = "[down:25.0%, up:50.0%]"
	if got := tolerances(0.25, 0.5).String(); got != want {
		return fmt.Errorf("hpa: podautoscaler.Tolerances prints %s, not %s: the linked Kubernetes is not the one this was written for", got, want)
	}
	return nil
}

// tolerances makes the calculator's dead band. The type has two unexported
// float64 fields and no constructor, and its zero value means no dead band at
// all; so the value is laid out in memory, which checkTolerances guards.
func tolerances(down, up float64) podautoscaler.Tolerances {
	parts := [2]float64{down, up}
	return *(*podautoscaler.Tolerances)(unsafe.Pointer(&parts))
}

// tolerancesOf gives the dead band of an HPA, per direction where its behavior
// sets one (tolerancesForHpa, horizontal.go).
func tolerancesOf(hpa *autoscalingv2.HorizontalPodAutoscaler) podautoscaler.Tolerances {
	down, up := tolerance, tolerance
	behavior := hpa.Spec.Behavior
	if behavior != nil && utilfeature.DefaultFeatureGate.Enabled(features.HPAConfigurableTolerance) {
		if rules := behavior.ScaleDown; rules != nil && rules.Tolerance != nil {
			down = rules.Tolerance.AsApproximateFloat64()
		}
		if rules := behavior.ScaleUp; rules != nil && rules.Tolerance != nil {
			up = rules.Tolerance.AsApproximateFloat64()
		}
	}
	if mutation.On("hpa-no-tolerance") {
		down, up = 0, 0
	}
	return tolerances(down, up)
}
