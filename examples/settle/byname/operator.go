// Package byname is an operator that has a volume for each Database, and deletes it with the
// Database, by a finalizer. It deletes the volume by its name. Killed while that request is on its
// way, its successor does all of it again; the Database goes, its user creates it anew, and it gets a
// new volume. Then the old request arrives, and deletes that, with all that is in it.
//
// In the end all is as it is to be: there is another volume, and it is empty. So it settles, and what is
// wrong is told by a rule for writes only. A released operator of ZooKeeper did the same, as it had read
// an old state of what was deleted and created anew (zookeeper-operator, issue 312).
package byname

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

const (
	finalizer = "example.com/volume"
	// of is the annotation of a volume that says whose it is, by its UID. An owner reference would
	// have it collected in any case.
	of = "example.com/of"
)

// operator deletes volumes by a request that is Buggy or Fixed.
func operator(remove func(context.Context, client.Client, *corev1.PersistentVolumeClaim) error) sample.Ensure {
	return func(ctx context.Context, c client.Client, db *sample.Database) error {
		if db.DeletionTimestamp == nil && controllerutil.AddFinalizer(db, finalizer) {
			return c.Update(ctx, db) // which brings another reconcile
		}
		var is corev1.PersistentVolumeClaim
		err := c.Get(ctx, client.ObjectKeyFromObject(db), &is)
		switch there := err == nil; {
		case client.IgnoreNotFound(err) != nil:
			return err
		case there && (db.DeletionTimestamp != nil || is.Annotations[of] != string(db.UID)):
			if err := remove(ctx, c, &is); client.IgnoreNotFound(err) != nil {
				return err
			}
		case there:
			return nil
		}
		if db.DeletionTimestamp == nil {
			err := c.Create(ctx, volume(db))
			if apierrors.IsAlreadyExists(err) {
				return errors.New("there is another volume")
			}
			return err
		}
		controllerutil.RemoveFinalizer(db, finalizer)
		return client.IgnoreNotFound(c.Update(ctx, db))
	}
}

// volume is that of a Database.
func volume(db *sample.Database) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: db.Name, Annotations: map[string]string{of: string(db.UID)}},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
		},
	}
}
