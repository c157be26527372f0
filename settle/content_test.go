package settle

import (
	"encoding/json"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestContent: what has the same content is sent as the same JSON, and what is sent as other
// JSON has another content.
func TestContent(t *testing.T) {
	one, when := int32(1), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	pod := func(change func(*corev1.Pod)) func() any {
		return func() any {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"x": "y", "z": ""}}}
			p.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("1")}}}}
			change(p)
			return p
		}
	}
	fields := func(key string, value any) func() any {
		return func() any { return &unstructured.Unstructured{Object: map[string]any{"kind": "Foo", key: value}} }
	}
	patch := func(change func(*corev1.Pod), of func(client.Object) client.Patch) func() any {
		return func() any {
			p, _ := pod(change)().(*corev1.Pod)
			return of(p)
		}
	}
	nothing := func(*corev1.Pod) {}
	all := map[string]func() any{
		"a pod":             pod(nothing),
		"another name":      pod(func(p *corev1.Pod) { p.Name = "b" }),
		"moved":             pod(func(p *corev1.Pod) { p.Name, p.Namespace = "", "a" }),
		"another label":     pod(func(p *corev1.Pod) { p.Labels["z"] = "y" }),
		"labels exchanged":  pod(func(p *corev1.Pod) { p.Labels = map[string]string{"x": "", "z": "y"} }),
		"one container":     pod(func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, corev1.Container{}) }),
		"an empty list":     pod(func(p *corev1.Pod) { p.Spec.Containers = []corev1.Container{} }),
		"none":              pod(func(p *corev1.Pod) { p.Spec.Containers = nil }),
		"another quantity":  pod(func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Limits["cpu"] = resource.MustParse("2") }),
		"a pointer":         pod(func(p *corev1.Pod) { p.Spec.Priority = &one }),
		"a time":            pod(func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: when} }),
		"a second later":    pod(func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: when.Add(time.Second)} }),
		"no time":           pod(func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }),
		"what a foo has":    fields("spec", map[string]any{"a": "b", "c": "d"}),
		"exchanged":         fields("spec", map[string]any{"a": "d", "c": "b"}),
		"keys exchanged":    fields("spec", map[string]any{"b": "a", "d": "c"}),
		"a list":            fields("spec", []any{"a", "b"}),
		"in another order":  fields("spec", []any{"b", "a"}),
		"in a list":         fields("spec", []any{[]any{"a"}, "b"}),
		"a number":          fields("spec", int64(1)),
		"a number as text":  fields("spec", json.Number("1")),
		"a text of it":      fields("spec", "1"),
		"with a fraction":   fields("spec", 1.5),
		"true":              fields("spec", true),
		"a text":            fields("spec", "true"),
		"null":              fields("spec", nil),
		"empty":             fields("spec", map[string]any{}),
		"an empty one":      fields("spec", []any{}),
		"a patch":           patch(nothing, client.MergeFrom),
		"a strategic one":   patch(nothing, func(o client.Object) client.Patch { return client.StrategicMergeFrom(o) }),
		"from another pod":  patch(func(p *corev1.Pod) { p.Labels["x"] = "" }, client.MergeFrom),
		"what is to be so":  patch(nothing, func(client.Object) client.Patch { return client.RawPatch("json", []byte("[]")) }),
		"what else is so":   patch(nothing, func(client.Object) client.Patch { return client.RawPatch("json", []byte("{}")) }),
		"a pod as a Secret": func() any { return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "a"}} },
	}
	for name, f := range all {
		a, known := content(f())
		if again, _ := content(f()); !known || again != a {
			t.Errorf("%s is not what it was: %v, %v, %v", name, known, a, again)
		}
		for other, g := range all {
			if b, _ := content(g()); other != name && a == b {
				text, _ := json.Marshal(f())
				t.Errorf("%s is taken to be %s: %s", name, other, text)
			}
		}
	}
}

// ownPatch is a patch that controller-runtime does not have.
type ownPatch struct{}

func (*ownPatch) Type() types.PatchType              { return types.MergePatchType }
func (*ownPatch) Data(client.Object) ([]byte, error) { return []byte("{}"), nil }

// TestContentUnknown: what cannot be looked into has no content to go by.
func TestContentUnknown(t *testing.T) {
	around := map[string]any{}
	around["itself"] = around
	for name, of := range map[string]any{
		"a function": struct{ F func() }{func() {}}, "a channel": make(chan int), "a patch of one's own": &ownPatch{}, "what has no end": &unstructured.Unstructured{Object: around},
	} {
		if _, known := content(of); known {
			t.Errorf("%s has a content", name)
		}
	}
}
