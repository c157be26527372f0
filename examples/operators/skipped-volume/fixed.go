package skippedvolume

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed makes a StatefulSet with other volumes anew, below its pods, and then one volume
// after the other. The condition Volumes says how far that is.
func fixed() operator.Operator {
	o := base()
	o.Write = func(ctx context.Context, w *operator.Writer, child client.Object) error {
		set, ok := child.(*appsv1.StatefulSet)
		if !ok {
			return w.Replace(ctx, child)
		}
		live, err := w.Get(ctx, set)
		if err != nil {
			return err
		}
		if live != nil {
			there := live.(*appsv1.StatefulSet)
			if there.DeletionTimestamp != nil {
				return nil // when it is gone, that is heard of
			}
			if !same(there.Spec.VolumeClaimTemplates[0].Spec, set.Spec.VolumeClaimTemplates[0].Spec) {
				return w.Remove(ctx, there, client.PropagationPolicy(metav1.DeletePropagationOrphan))
			}
		}
		return w.Replace(ctx, set)
	}
	o.Settle = func(ctx context.Context, w *operator.Writer, resource operator.Resource) error {
		return volumes(ctx, w, resource.(*Index))
	}
	return o
}

// same tells whether two claims ask for the same volume.
func same(a, b corev1.PersistentVolumeClaimSpec) bool {
	return equality.Semantic.DeepEqual(a.StorageClassName, b.StorageClassName) &&
		equality.Semantic.DeepEqual(a.AccessModes, b.AccessModes) &&
		equality.Semantic.DeepEqual(a.Resources, b.Resources)
}

// volumes makes the first volume that is not as it is to be anew, with its pod, unless
// that would leave more than one replica away at once.
func volumes(ctx context.Context, w *operator.Writer, i *Index) error {
	condition := metav1.Condition{
		Type: "Volumes", Status: metav1.ConditionTrue, Reason: "AsWanted",
		Message: "all volumes are as wanted", ObservedGeneration: i.Generation,
	}
	wanted := claim(i.Spec.Persistence)
	for ordinal := range *i.Spec.Replicas {
		name := fmt.Sprintf("%s-%d", operator.Meta(i, "replica").Name, ordinal)
		volume, pod := &corev1.PersistentVolumeClaim{}, &corev1.Pod{}
		err := w.Read.Get(ctx, client.ObjectKey{Namespace: i.Namespace, Name: "index-" + name}, volume)
		if client.IgnoreNotFound(err) != nil {
			return err
		}
		if err != nil || same(volume.Spec, wanted.Spec) {
			continue
		}
		condition.Status, condition.Reason = metav1.ConditionFalse, "Replacing"
		condition.Message = fmt.Sprintf("volume %s is made anew", volume.Name)
		err = w.Read.Get(ctx, client.ObjectKey{Namespace: i.Namespace, Name: name}, pod)
		if client.IgnoreNotFound(err) != nil {
			return err
		}
		set := &appsv1.StatefulSet{}
		if err := w.Read.Get(ctx, client.ObjectKey{Namespace: i.Namespace, Name: operator.Meta(i, "replica").Name}, set); err != nil {
			return client.IgnoreNotFound(err) // it is just made anew
		}
		if ready(pod) && set.Status.ReadyReplicas < *set.Spec.Replicas {
			break // another one is on its way
		}
		if volume.DeletionTimestamp == nil {
			if err := w.Remove(ctx, volume); err != nil {
				return err
			}
		}
		if err == nil && pod.DeletionTimestamp == nil {
			if err := w.Remove(ctx, pod); err != nil {
				return err
			}
		}
		break
	}
	meta.SetStatusCondition(&i.Status.Conditions, condition)
	return nil
}

// ready tells whether a pod is.
func ready(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
