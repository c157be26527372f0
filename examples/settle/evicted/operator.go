// Package evicted is an operator that has a pod for each Database, whose name it draws itself. A kubelet may evict a
// pod for want of memory: it stays, failed, and never runs again. Who counts it as there waits for ever.
package evicted

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// counts tells whether a pod is one that a Database has, or is to be replaced.
type counts func(p *corev1.Pod) bool

// operator has one pod that counts, and deletes the others.
func operator(counts counts) sample.Ensure {
	return func(ctx context.Context, c client.Client, db *sample.Database) error {
		if db.DeletionTimestamp != nil {
			return nil
		}
		var all corev1.PodList
		if err := c.List(ctx, &all, client.InNamespace(db.Namespace)); err != nil {
			return err
		}
		there := false
		for i := range all.Items {
			if counts(&all.Items[i]) {
				there = true
			} else if err := c.Delete(ctx, &all.Items[i]); client.IgnoreNotFound(err) != nil {
				return err
			}
		}
		if there {
			return nil
		}
		return c.Create(ctx, pod(db))
	}
}

func pod(db *sample.Database) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: db.Namespace, Name: db.Name + "-" + rand.String(5),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(db, sample.Version.WithKind("Database"))},
		},
		Spec: corev1.PodSpec{NodeName: "one", Containers: []corev1.Container{{Name: "main", Image: "database"}}},
	}
}
