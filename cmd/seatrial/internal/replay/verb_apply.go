package replay

import (
	"context"
	"encoding/json"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/apply"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// applied are the kinds that can be applied, as types with merge keys.
var applied = map[string]runtime.Object{
	"Deployment": &appsv1.Deployment{}, "HorizontalPodAutoscaler": &autoscalingv2.HorizontalPodAutoscaler{},
	"PodDisruptionBudget": &policyv1.PodDisruptionBudget{},
}

// An apply is kubectl's: a patch between the manifest, the object as the API server has
// it now, and what was applied last, which the object's annotation says. It has to leave
// what the trace says that it leaves.
var _ = register("apply", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		kind, _, name := named(a.Object)
		schema, known := applied[kind]
		if !known || len(a.Manifest) == 0 {
			return patchObject(ctx, r, a)
		}
		resource, err := r.resource(a.Object)
		if err != nil {
			return err
		}
		present, err := resource.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		before, err := present.MarshalJSON()
		if err != nil {
			return err
		}
		patch, err := apply.Patch(before, a.Manifest, schema)
		if err != nil {
			return Unusable{"what " + sentence(a) + " applies: " + err.Error()}
		}
		result, err := resource.Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
		if err != nil {
			return err
		}
		if err := r.recorded(ctx, result); err != nil {
			return err
		}
		after, err := result.MarshalJSON()
		if err != nil {
			return err
		}
		return leaves(a, before, after)
	},
})

// leaves tells whether an apply left the spec that its act says, which is a divergence
// if not.
func leaves(a *trace.Act, before, after []byte) error {
	wanted := before
	if len(a.Patch) > 0 {
		var err error
		if wanted, err = jsonpatch.MergePatch(before, a.Patch); err != nil {
			return Unusable{"the patch of " + sentence(a) + ": " + err.Error()}
		}
	}
	var want, have history.Object
	if err := json.Unmarshal(wanted, &want); err != nil {
		return err
	}
	if err := json.Unmarshal(after, &have); err != nil {
		return err
	}
	if !reflect.DeepEqual(essence(want.At("spec")), essence(have.At("spec"))) {
		spec, _ := json.Marshal(have.At("spec")) // a part of JSON
		return &divergence{expected: sentence(a), seen: []string{"the apply leaves " + string(spec)}, why: "kubectl's patch of the object as it is now"}
	}
	return nil
}
