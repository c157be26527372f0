package kubestate

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	storageerr "k8s.io/apiserver/pkg/storage/errors"
	"k8s.io/apiserver/pkg/util/dryrun"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

var namespaceKind = builtin{
	kind: kindOf("", "Namespace"), plural: "namespaces", cluster: true, returned: true,
	named: validation.NameIsDNSLabel, defaults: each(defaultNamespace), create: each(createNamespace),
	update:        both(func(n, old *corev1.Namespace) { n.Spec = old.Spec }),
	statusChanged: change(changedPhase),
	fields: selectable(func(n *corev1.Namespace) fields.Set {
		return fields.Set{"status.phase": string(n.Status.Phase)}
	}),
	storages: func(s *registry.Store, base strategy, to map[string]rest.Storage) {
		s.ShouldDeleteDuringUpdate = func(ctx context.Context, key string, o, old runtime.Object) bool {
			n, ok := o.(*corev1.Namespace)
			return ok && len(n.Spec.Finalizers) == 0 && registry.ShouldDeleteDuringUpdate(ctx, key, o, old)
		}
		to["namespaces"] = &namespaceStorage{&resourceStorage{s, base.builtin}}
		to["namespaces/status"] = base.narrowed(s, statusStrategy{base})
		to["namespaces/finalize"] = base.narrowed(s, finalizeStrategy{base})
	},
}

func defaultNamespace(n *corev1.Namespace) {
	fill(&n.Status.Phase, corev1.NamespaceActive)
	if n.Name != "" {
		metav1.SetMetaDataLabel(&n.ObjectMeta, corev1.LabelMetadataName, n.Name)
	}
}

func createNamespace(n *corev1.Namespace) {
	n.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
	if !slices.Contains(n.Spec.Finalizers, corev1.FinalizerKubernetes) {
		n.Spec.Finalizers = append(n.Spec.Finalizers, corev1.FinalizerKubernetes)
	}
	metav1.SetMetaDataLabel(&n.ObjectMeta, corev1.LabelMetadataName, n.Name)
}

func changedPhase(n, _ *corev1.Namespace) field.ErrorList {
	at := field.NewPath("status", "Phase")
	switch ends := n.DeletionTimestamp != nil; {
	case ends && n.Status.Phase != corev1.NamespaceTerminating:
		return field.ErrorList{field.Invalid(at, n.Status.Phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")}
	case !ends && n.Status.Phase != corev1.NamespaceActive:
		return field.ErrorList{field.Invalid(at, n.Status.Phase, "may only be 'Active' if `deletionTimestamp` is empty")}
	}
	return nil
}

// finalizeStrategy is that of the subresource by which the finalizers in the spec are
// removed.
type finalizeStrategy struct{ strategy }

// PrepareForUpdate is part of rest.RESTUpdateStrategy.
func (finalizeStrategy) PrepareForUpdate(_ context.Context, o, old runtime.Object) {
	o.(*corev1.Namespace).Status = old.(*corev1.Namespace).Status
}

// GetResetFields is part of rest.ResetFieldsStrategy.
func (s finalizeStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.reset(fieldpath.MakePathOrDie("status"))
}

// namespaceStorage has a namespace end before it is deleted: what is in it goes first, and
// then the finalizer in its spec.
type namespaceStorage struct{ *resourceStorage }

// DeleteCollection is part of rest.CollectionDeleter. There is no such thing here.
func (s *namespaceStorage) DeleteCollection(context.Context, rest.ValidateObjectFunc, *metav1.DeleteOptions, *internalversion.ListOptions) (runtime.Object, error) {
	return nil, apierrors.NewMethodNotSupported(schema.GroupResource{Resource: "namespaces"}, "delete")
}

// Delete is part of rest.GracefulDeleter.
func (s *namespaceStorage) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	o, err := s.Get(ctx, name, &metav1.GetOptions{})
	if apierrors.IsNotFound(err) && slices.Contains(ownNamespaces, name) {
		return nil, false, undeletable(name)
	}
	if err != nil {
		return nil, false, err
	}
	n, ok := o.(*corev1.Namespace)
	if !ok {
		return nil, false, fmt.Errorf("expected *v1.Namespace, got %T", o)
	}
	if options == nil {
		options = metav1.NewDeleteOptions(0)
	}
	if options.Preconditions == nil {
		options.Preconditions = &metav1.Preconditions{}
	}
	p := options.Preconditions
	fillPointer(&p.UID, n.UID)
	conflict := func(what string, wanted, is any) error {
		return apierrors.NewConflict(schema.GroupResource{Resource: "namespaces"}, name,
			fmt.Errorf("Precondition failed: %s in precondition: %v, %s in object meta: %v", what, wanted, what, is)) //nolint:staticcheck // the server's own words
	}
	switch {
	case *p.UID != n.UID:
		return nil, false, conflict("UID", *p.UID, n.UID)
	case p.ResourceVersion != nil && *p.ResourceVersion != n.ResourceVersion:
		return nil, false, conflict("ResourceVersion", *p.ResourceVersion, n.ResourceVersion)
	case n.DeletionTimestamp == nil:
		o, err := s.end(ctx, name, validate, options)
		return o, false, err
	case len(n.Spec.Finalizers) > 0:
		return n, false, nil
	}
	return s.Store.Delete(ctx, name, validate, options)
}

// end has a namespace be deleted as soon as nothing keeps it.
func (s *namespaceStorage) end(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, error) {
	key, err := s.KeyFunc(ctx, name)
	if err != nil {
		return nil, err
	}
	end := func(o runtime.Object) (runtime.Object, error) {
		if err := validate(ctx, o); err != nil {
			return nil, err
		}
		n, ok := o.(*corev1.Namespace)
		if !ok {
			return nil, fmt.Errorf("expected *v1.Namespace, got %T", o)
		}
		now := metav1.NewTime(Epoch)
		n.DeletionTimestamp, n.Status.Phase = &now, corev1.NamespaceTerminating
		n.Finalizers = propagation(n.Finalizers, options)
		return n, nil
	}
	out := s.NewFunc()
	preconditions := storage.Preconditions{UID: options.Preconditions.UID, ResourceVersion: options.Preconditions.ResourceVersion}
	err = s.Storage.GuaranteedUpdate(ctx, key, out, false, &preconditions, storage.SimpleUpdate(end), dryrun.IsDryRun(options.DryRun), nil)
	if err == nil {
		return out, nil
	}
	resource := schema.GroupResource{Resource: "namespaces"}
	err = storageerr.InterpretUpdateError(storageerr.InterpretGetError(err, resource, name), resource, name)
	if _, ok := err.(apierrors.APIStatus); !ok {
		err = apierrors.NewInternalError(err)
	}
	return nil, err
}

// propagation is finalizers with those for dependents that the options ask for.
func propagation(finalizers []string, options *metav1.DeleteOptions) []string {
	orphan, foreground := slices.Contains(finalizers, metav1.FinalizerOrphanDependents), slices.Contains(finalizers, metav1.FinalizerDeleteDependents)
	switch {
	case options.OrphanDependents != nil: //nolint:staticcheck // still accepted
		orphan = *options.OrphanDependents //nolint:staticcheck // still accepted
		foreground = !orphan
	case options.PropagationPolicy != nil:
		orphan = *options.PropagationPolicy == metav1.DeletePropagationOrphan
		foreground = *options.PropagationPolicy == metav1.DeletePropagationForeground
	}
	finalizers = slices.DeleteFunc(slices.Clone(finalizers), func(f string) bool {
		return f == metav1.FinalizerOrphanDependents || f == metav1.FinalizerDeleteDependents
	})
	if orphan {
		finalizers = append(finalizers, metav1.FinalizerOrphanDependents)
	}
	if foreground {
		finalizers = append(finalizers, metav1.FinalizerDeleteDependents)
	}
	return finalizers
}
