package kubestate

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgo "k8s.io/client-go/kubernetes/scheme"
)

// Load is an object as another API server has it, as JSON, for a State that is read and not written:
// its UID and resourceVersion are that server's.
func (s *Server) Load(r Resource, text []byte) (*Object, error) {
	var of metav1.PartialObjectMetadata
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Resource.Resource, err)
	}
	q := Request{Resource: r.Resource, Namespace: of.Namespace}
	var like runtime.Object = &unstructured.Unstructured{}
	if !s.groups[r.Kind.Group] {
		typed, err := clientgo.Scheme.New(r.Kind)
		if err != nil {
			return nil, err
		}
		like = typed
	}
	value, err := decode(like, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.key(of.Name), err)
	}
	if _, custom := value.(*unstructured.Unstructured); !custom {
		value.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) // what is typed has none
	}
	return s.objects.intern(q.key(of.Name), value, nil)
}
