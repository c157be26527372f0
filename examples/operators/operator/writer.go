package operator

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// record is the annotation that names those that the operator gave a child, so that it
// takes back its own and leaves those of others.
const record = "example.com/annotations"

// Writer writes the children of a resource.
type Writer struct {
	client.Client
	// Read is what is there, not what a cache has of it.
	Read  client.Reader
	owner client.Object
}

// Labels are those by which the children of a resource, and the pods of a component, are
// found; an empty component is all of them.
func Labels(resource client.Object, component string) map[string]string {
	labels := map[string]string{
		"app.kubernetes.io/managed-by": "operators",
		"app.kubernetes.io/instance":   resource.GetName(),
	}
	if component != "" {
		labels["app.kubernetes.io/component"] = component
	}
	return labels
}

// Meta is the metadata of a child: a name that follows from that of its owner, and its
// labels.
func Meta(resource client.Object, component string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: resource.GetName() + "-" + component, Labels: Labels(resource, component)}
}

// AddLabels adds labels to those that are there, which stay: a user's do not take the place
// of those by which an operator finds its own.
func AddLabels(labels, more map[string]string) {
	for label, value := range more {
		if _, own := labels[label]; !own {
			labels[label] = value
		}
	}
}

// own makes a child one of the resource.
func (w *Writer) own(child client.Object) error {
	child.SetNamespace(w.owner.GetNamespace())
	return controllerutil.SetControllerReference(w.owner, child, w.Scheme())
}

// Get reads what there is by the name of a child; nil if there is nothing. An error may
// say that it is of another owner.
func (w *Writer) Get(ctx context.Context, child client.Object) (client.Object, error) {
	live, err := w.like(child)
	if err != nil {
		return nil, err
	}
	if err := w.Read.Get(ctx, client.ObjectKeyFromObject(child), live); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	if !metav1.IsControlledBy(live, w.owner) {
		return nil, fmt.Errorf("%s is not of this %s, but of another or an earlier one", live.GetName(), w.owner.GetName())
	}
	return live, nil
}

// like gives an empty object of the kind of another.
func (w *Writer) like(object client.Object) (client.Object, error) {
	kind, err := w.GroupVersionKindFor(object)
	if err != nil {
		return nil, err
	}
	out, err := w.Scheme().New(kind)
	if err != nil {
		return nil, err
	}
	return out.(client.Object), nil
}

// Replace makes a child what it is to be: what the operator once wrote and what is not
// in it any more goes.
func (w *Writer) Replace(ctx context.Context, child client.Object) error {
	return w.Put(ctx, child, Annotations)
}

// Put is Replace, with annotations as the function makes them of those that there are
// and those that are to be.
func (w *Writer) Put(ctx context.Context, child client.Object, annotations func(live, wanted map[string]string) map[string]string) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		wanted := child.DeepCopyObject().(client.Object)
		live, err := w.Get(ctx, child)
		if err != nil {
			return err
		}
		if live == nil {
			wanted.SetAnnotations(annotations(nil, child.GetAnnotations()))
			return w.Create(ctx, wanted)
		}
		wanted.SetResourceVersion(live.GetResourceVersion())
		wanted.SetFinalizers(live.GetFinalizers())
		wanted.SetAnnotations(annotations(live.GetAnnotations(), child.GetAnnotations()))
		return w.Update(ctx, wanted)
	})
}

// Annotations are those that are wanted and those that others gave a child.
func Annotations(live, wanted map[string]string) map[string]string {
	out := maps.Clone(wanted)
	if out == nil {
		out = map[string]string{}
	}
	if len(wanted) > 0 {
		out[record] = strings.Join(slices.Sorted(maps.Keys(wanted)), ",")
	}
	own := strings.Split(live[record], ",")
	for name, value := range live {
		if _, set := out[name]; !set && name != record && !slices.Contains(own, name) {
			out[name] = value
		}
	}
	return out
}

// check asks the API server whether it would make a child; refused says why not. That it
// is there already is looked at last.
func (w *Writer) check(ctx context.Context, child client.Object) (refused, err error) {
	if set, ok := child.(*appsv1.StatefulSet); ok {
		for _, template := range set.Spec.VolumeClaimTemplates {
			claim := template.DeepCopy() // which it would find out when a pod is made
			claim.Namespace, claim.Name = set.Namespace, template.Name+"-"+set.Name+"-0"
			if refused, err := w.check(ctx, claim); refused != nil || err != nil {
				return refused, err
			}
		}
	}
	trial := child.DeepCopyObject().(client.Object)
	switch err := w.Create(ctx, trial, client.DryRunAll); {
	case err == nil, apierrors.IsAlreadyExists(err):
		return nil, nil
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return err, nil
	default:
		return nil, err
	}
}

// Children lists what the resource has.
func (w *Writer) Children(ctx context.Context) ([]client.Object, error) {
	var children []client.Object
	for _, list := range []client.ObjectList{
		&appsv1.DeploymentList{}, &appsv1.StatefulSetList{}, &batchv1.JobList{},
		&corev1.ConfigMapList{}, &corev1.ServiceList{}, &policyv1.PodDisruptionBudgetList{},
	} {
		err := w.Read.List(ctx, list, client.InNamespace(w.owner.GetNamespace()), client.MatchingLabels(Labels(w.owner, "")))
		if err != nil {
			return nil, err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error {
			if child := item.(client.Object); metav1.IsControlledBy(child, w.owner) {
				children = append(children, child)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return children, nil
}

// prune deletes the children that are not among those to keep.
func (w *Writer) prune(ctx context.Context, keep []client.Object) error {
	children, err := w.Children(ctx)
	if err != nil {
		return err
	}
	for _, child := range children {
		kept, err := w.among(child, keep)
		if err != nil {
			return err
		}
		if kept || child.GetDeletionTimestamp() != nil {
			continue
		}
		if err := w.Remove(ctx, child); err != nil {
			return err
		}
	}
	return nil
}

// among tells whether a child is one of those.
func (w *Writer) among(child client.Object, keep []client.Object) (bool, error) {
	kind, err := w.GroupVersionKindFor(child)
	if err != nil {
		return false, err
	}
	for _, other := range keep {
		otherKind, err := w.GroupVersionKindFor(other)
		if err != nil {
			return false, err
		}
		if kind == otherKind && child.GetName() == other.GetName() {
			return true, nil
		}
	}
	return false, nil
}

// Remove deletes an object as it was read, by its UID.
func (w *Writer) Remove(ctx context.Context, object client.Object, options ...client.DeleteOption) error {
	uid := object.GetUID()
	options = append([]client.DeleteOption{
		client.Preconditions{UID: &uid}, client.PropagationPolicy(metav1.DeletePropagationBackground),
	}, options...)
	return client.IgnoreNotFound(w.Delete(ctx, object, options...))
}
