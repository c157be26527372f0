package apply

import (
	"encoding/json"
	"fmt"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Patched returns what the API server makes of current by a patch: a strategic
// merge patch, or with merge a JSON merge patch (RFC 7396), with the libraries
// that it uses (apiserver endpoints/handlers/patch.go), and the defaults filled
// in. The result is JSON, and is read into result, an empty object of current's
// type. Whether it is valid is not asked; the error says why there is no
// result.
func Patched(current runtime.Object, patch []byte, merge bool, result runtime.Object) (raw []byte, err error) {
	defer func() { // as in merge: a patch may hold anything
		if cause := recover(); cause != nil {
			raw, err = nil, fmt.Errorf("the patch does not have the shape of %T: %v", current, cause)
		}
	}()
	before, err := json.Marshal(current)
	if err != nil {
		return nil, err
	}
	var after []byte
	if merge {
		after, err = jsonpatch.MergePatch(before, patch)
	} else {
		after, err = strategicpatch.StrategicMergePatch(before, patch, reflect.New(reflect.TypeOf(current).Elem()).Interface())
	}
	if err != nil {
		return nil, err
	}
	if raw, err = defaulted(after, current); err != nil {
		return nil, err
	}
	return after, utiljson.Unmarshal(raw, result)
}

// PatchedReplicas is the spec.replicas that the patch sets in a Deployment,
// whatever it was, or nil if it leaves it.
func PatchedReplicas(current *appsv1.Deployment, patch []byte, merge bool) (*int32, error) {
	var got [2]int32
	for k, probe := range []int32{probeLow, probeHigh} {
		before, after := current.DeepCopy(), &appsv1.Deployment{}
		before.Spec.Replicas = &probe
		if _, err := Patched(before, patch, merge, after); err != nil {
			return nil, err
		}
		got[k] = *after.Spec.Replicas
	}
	if got[0] == probeLow && got[1] == probeHigh {
		return nil, nil
	}
	return &got[0], nil
}
