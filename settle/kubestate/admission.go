package kubestate

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// lifecycle is kube-apiserver's admission plugin NamespaceLifecycle on the State of the
// request: nothing is created or changed in a namespace that there is not, and nothing
// created in one that ends. The library's plugin asks a cache and waits.
//
// The namespaces that a server makes for itself, default, kube-system and kube-public,
// cannot be deleted and are taken to exist also in a State without an object for them,
// so that the zero State can be used.
type lifecycle struct{}

var _ admission.MutationInterface = lifecycle{}

var ownNamespaces = []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic}

func undeletable(namespace string) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: "namespaces"}, namespace, fmt.Errorf("this namespace may not be deleted"))
}

// Handles is part of admission.Interface.
func (lifecycle) Handles(o admission.Operation) bool { return o != admission.Connect }

// Admit is part of admission.MutationInterface.
func (lifecycle) Admit(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	ofNamespaces := a.GetKind().GroupKind() == schema.GroupKind{Kind: "Namespace"}
	switch {
	case ofNamespaces && a.GetOperation() == admission.Delete && slices.Contains(ownNamespaces, a.GetName()):
		return undeletable(a.GetName())
	case ofNamespaces, a.GetNamespace() == "", a.GetOperation() == admission.Delete:
		return nil
	}
	o := transactionOf(ctx).get("/core/namespaces/" + a.GetNamespace())
	if o == nil {
		if slices.Contains(ownNamespaces, a.GetNamespace()) {
			return nil
		}
		return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, a.GetNamespace())
	}
	namespace, ok := o.value.(*corev1.Namespace)
	if !ok || a.GetOperation() != admission.Create || namespace.Status.Phase != corev1.NamespaceTerminating {
		return nil
	}
	err := admission.NewForbidden(a, fmt.Errorf("unable to create new content in namespace %s because it is being terminated", a.GetNamespace()))
	if status, ok := err.(*apierrors.StatusError); ok { //nolint:errorlint // made by the line above
		status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes, metav1.StatusCause{
			Type: corev1.NamespaceTerminatingCause, Field: "metadata.namespace",
			Message: fmt.Sprintf("namespace %s is being terminated", a.GetNamespace()),
		})
	}
	return err
}
