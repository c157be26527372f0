package manager

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Source is what an informer is for: controller-runtime's cache has one for each kind and each
// form in which the kind is asked for (pkg/cache/internal/informers.go), and none knows how
// far the others are.
type Source struct {
	Kind schema.GroupVersionKind
	Form Form
}

// Form is the type in which objects are asked for.
type Form uint8

// The forms.
const (
	Typed Form = iota
	Unstructured
	Metadata
)

// FormOf is that of an object or a list.
func FormOf(o runtime.Object) Form {
	switch o.(type) {
	case runtime.Unstructured:
		return Unstructured
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		return Metadata
	}
	return Typed
}

// Compare orders sources by their kinds and forms.
func (s Source) Compare(o Source) int {
	return cmp.Or(cmp.Compare(s.Kind.String(), o.Kind.String()), cmp.Compare(s.Form, o.Form))
}
