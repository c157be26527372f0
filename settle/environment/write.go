package environment

import (
	"cmp"
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// sorted has objects in the order of their keys, as a State has them.
func sorted(objects []*kubestate.Object) []*kubestate.Object {
	slices.SortFunc(objects, func(a, b *kubestate.Object) int { return cmp.Compare(a.Key(), b.Key()) })
	return objects
}

// Path is an object as traces name it: resource, namespace and name.
func Path(r kubestate.Resource, o metav1.Object) string {
	namespace := o.GetNamespace()
	if namespace != "" {
		namespace += "/"
	}
	return r.Resource.Resource + " " + namespace + o.GetName()
}

// encode is the JSON of what is sent: maps, or types of Kubernetes.
func encode(body any) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		return nil // it has no such things; the API server would say so
	}
	return text
}

// Create makes an object, whose name is generated if it has none.
func Create(r kubestate.Resource, o metav1.Object) kubestate.Request {
	return kubestate.Request{Verb: "create", Resource: r.Resource, Namespace: o.GetNamespace(), Body: encode(o)}
}

// Update changes an object to what it is given; subresource may be empty.
func Update(r kubestate.Resource, o metav1.Object, subresource string) kubestate.Request {
	return kubestate.Request{Verb: "update", Resource: r.Resource, Namespace: o.GetNamespace(), Name: o.GetName(), Subresource: subresource, Body: encode(o)}
}

// Patch is a merge patch of an object; the patch has its UID, so that it is of no other with
// its name.
func Patch(r kubestate.Resource, o metav1.Object, metadata map[string]any) kubestate.Request {
	metadata["uid"] = o.GetUID()
	return kubestate.Request{
		Verb: "patch", Resource: r.Resource, Namespace: o.GetNamespace(), Name: o.GetName(),
		Patch: string(types.MergePatchType), Body: encode(map[string]any{"metadata": metadata}),
	}
}

// Delete deletes an object and no other with its name. The policy says what becomes of its
// dependents, and may be empty; grace is how many seconds it may take, and may be nil.
func Delete(r kubestate.Resource, o metav1.Object, policy metav1.DeletionPropagation, grace *int64) kubestate.Request {
	uid := o.GetUID()
	options := metav1.DeleteOptions{
		TypeMeta: metav1.TypeMeta{Kind: "DeleteOptions", APIVersion: "v1"}, Preconditions: &metav1.Preconditions{UID: &uid}, GracePeriodSeconds: grace,
	}
	if policy != "" {
		options.PropagationPolicy = &policy
	}
	return kubestate.Request{Verb: "delete", Resource: r.Resource, Namespace: o.GetNamespace(), Name: o.GetName(), Body: encode(options)}
}
