package chain

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// replicaSet has as many Pods as it says, and notes how many there are.
func replicaSet(ctx context.Context, c client.Client, key client.ObjectKey) error {
	var s ReplicaSet
	if err := c.Get(ctx, key, &s); err != nil {
		return client.IgnoreNotFound(err)
	}
	var all PodList
	if err := c.List(ctx, &all); err != nil {
		return err
	}
	has := 0
	for i := range all.Items {
		p := &all.Items[i]
		switch {
		case !metav1.IsControlledBy(p, &s):
		case has == s.Spec.Replicas:
			if err := client.IgnoreNotFound(c.Delete(ctx, p)); err != nil {
				return err
			}
		default:
			has++
		}
	}
	for ; has < s.Spec.Replicas; has++ {
		p := &Pod{Spec: PodSpec{s.Spec.Version}}
		p.Namespace, p.GenerateName = s.Namespace, s.Name+"-"
		p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(&s, version.WithKind("ReplicaSet"))}
		if err := c.Create(ctx, p); err != nil {
			return err
		}
	}
	if s.Status.Replicas == has {
		return nil
	}
	s.Status.Replicas = has
	return c.Status().Update(ctx, &s)
}
