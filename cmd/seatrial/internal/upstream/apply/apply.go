// Package apply is kubectl's client-side apply as a function on objects: the
// three-way strategic merge of Kubernetes 1.36 (apimachinery strategicpatch), and
// the defaulting by which the API server fills what the merge removed. Both are
// the real code.
package apply

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"        // defaults of apps
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install" // defaults of autoscaling
	_ "k8s.io/kubernetes/pkg/apis/core/install"        // defaults of the core group
	_ "k8s.io/kubernetes/pkg/apis/policy/install"      // defaults of policy
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"  // defaults of scheduling

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// ThreeWay returns the object that a client-side apply of manifest leaves, as
// JSON: fields of manifest are set, fields that lastApplied has and manifest has
// not are removed, all others of current stay; then the API server's defaults
// fill what is missing. The result carries manifest as its last-applied
// annotation, as kubectl writes it (GetModifiedConfiguration). metadata such as
// generation is not counted up.
//
// All are JSON objects of one kind; schemaOf is an object of its versioned Go
// type, such as &appsv1.Deployment{}, and is not changed. An empty current means
// that the object is created. An empty lastApplied, an object that was never
// applied, removes nothing. The error says which input is malformed, or that the
// merge is impossible, as with a list element without its merge key.
func ThreeWay(current, lastApplied, manifest []byte, schemaOf runtime.Object) (result []byte, err error) {
	modified, err := Annotated(manifest)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	merged := modified
	if len(bytes.TrimSpace(current)) > 0 {
		if len(bytes.TrimSpace(lastApplied)) == 0 {
			lastApplied = nil
		}
		merged, err = merge(current, lastApplied, modified, schemaOf)
		if err != nil {
			return nil, fmt.Errorf("three-way merge: %w", err)
		}
	}
	return defaulted(merged, schemaOf)
}

// Patch returns the strategic merge patch that kubectl apply sends for a manifest:
// between it, the present object, and what the object's annotation says was applied
// last. The arguments are those of [ThreeWay].
func Patch(current, manifest []byte, schemaOf runtime.Object) ([]byte, error) {
	modified, err := Annotated(manifest)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	present := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(current, &present.Object); err != nil {
		return nil, err
	}
	var lastApplied []byte
	if last := present.GetAnnotations()[corev1.LastAppliedConfigAnnotation]; last != "" {
		lastApplied = []byte(last)
	}
	return patchOf(current, lastApplied, modified, schemaOf)
}

// merge is the three-way merge alone.
func merge(current, lastApplied, modified []byte, schemaOf runtime.Object) (merged []byte, err error) {
	defer shapeless(schemaOf, &merged, &err)
	patch, err := patchOf(current, lastApplied, modified, schemaOf)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatch(current, patch, schemaOf)
}

// patchOf is the patch of a three-way merge.
func patchOf(current, lastApplied, modified []byte, schemaOf runtime.Object) (patch []byte, err error) {
	defer shapeless(schemaOf, &patch, &err)
	meta, err := strategicpatch.NewPatchMetaFromStruct(schemaOf)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(lastApplied, modified, current, meta, true)
}

// shapeless makes an error of a panic: strategicpatch panics on JSON that has not the
// shape of its type, and a last-applied annotation may hold anything.
func shapeless(schemaOf runtime.Object, result *[]byte, err *error) {
	if cause := recover(); cause != nil {
		*result, *err = nil, fmt.Errorf("an input does not have the shape of %T: %v", schemaOf, cause)
	}
}

// Annotated returns manifest with itself as its last-applied annotation, which is what
// kubectl apply creates where nothing is there. An annotation of that name in the manifest is dropped, as kubectl does.
func Annotated(manifest []byte) ([]byte, error) {
	content := map[string]any{}
	if err := utiljson.Unmarshal(manifest, &content); err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: content}
	if object.GetKind() == "" || object.GetAPIVersion() == "" {
		return nil, fmt.Errorf("apiVersion or kind is not set")
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = make(map[string]string, 1)
	}
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	object.SetAnnotations(annotations)
	plain, err := runtime.Encode(unstructured.UnstructuredJSONScheme, object)
	if err != nil {
		return nil, err
	}
	annotations[corev1.LastAppliedConfigAnnotation] = string(plain)
	object.SetAnnotations(annotations)
	return runtime.Encode(unstructured.UnstructuredJSONScheme, object)
}

// defaulted returns content, read as the type of schemaOf and defaulted.
func defaulted(content []byte, schemaOf runtime.Object) ([]byte, error) {
	object, ok := reflect.New(reflect.TypeOf(schemaOf).Elem()).Interface().(runtime.Object)
	if !ok {
		return nil, fmt.Errorf("%T is not an API type", schemaOf)
	}
	if err := utiljson.Unmarshal(content, object); err != nil {
		return nil, fmt.Errorf("read the result as %T: %w", schemaOf, err)
	}
	legacyscheme.Scheme.Default(object)
	return json.Marshal(object)
}

// probes are two replica counts that no manifest uses; what an apply leaves of
// both tells whether it looks at the present count.
const (
	probeLow  = int32(1<<31 - 3)
	probeHigh = int32(1<<31 - 2)
)

// Replicas returns what a client-side apply of manifest, a Deployment as JSON,
// does to the replicas of current: keep the present count, set the manifest's,
// or, if manifest no longer has the field that current's last-applied annotation
// has, fall back to the default of 1. It is [ThreeWay] on that field. The
// function returned takes the present spec.replicas to the next.
func Replicas(current *appsv1.Deployment, manifest []byte) (func(current int32) int32, error) {
	low, err := replicasAfter(current, manifest, probeLow)
	if err != nil {
		return nil, err
	}
	high, err := replicasAfter(current, manifest, probeHigh)
	if err != nil {
		return nil, err
	}
	if low == probeLow && mutation.On("apply-resets-replicas") {
		low = 1
	}
	if low == probeLow && high == probeHigh || mutation.On("apply-keeps-replicas") {
		return func(present int32) int32 { return present }, nil
	}
	return func(int32) int32 { return low }, nil
}

func replicasAfter(current *appsv1.Deployment, manifest []byte, replicas int32) (int32, error) {
	present := current.DeepCopy()
	present.APIVersion, present.Kind = appsv1.SchemeGroupVersion.String(), "Deployment"
	present.Spec.Replicas = &replicas
	content, err := json.Marshal(present)
	if err != nil {
		return 0, err
	}
	lastApplied := []byte(current.Annotations[corev1.LastAppliedConfigAnnotation])
	result, err := ThreeWay(content, lastApplied, manifest, &appsv1.Deployment{})
	if err != nil {
		return 0, err
	}
	next := &appsv1.Deployment{}
	if err := utiljson.Unmarshal(result, next); err != nil {
		return 0, err
	}
	return *next.Spec.Replicas, nil
}
