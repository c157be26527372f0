// Package byname is an operator that has a volume for each Database, and deletes it with the
// Database, by a finalizer. It deletes the volume by its name.
//
// A released operator of ZooKeeper did so (zookeeper-operator, issue 312): a Database is being deleted, goes, and is
// created anew by its user, with a new volume. The process begins again, and an API server that is behind lists the
// Database to it as it was: being deleted. It does what it does then, and deletes the volume of that name, with all
// that is in it. The same comes of a cache of volumes that is behind, and of a request that is late: the process is
// killed while its request is on its way, its successor does all of it again, and the old request arrives.
//
// In the end all is as it is to be: there is another volume, and it is empty. So it settles, and what is
// wrong is told by a rule for writes only.
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

// remove deletes the volume that has a Database's name: Buggy or Fixed.
type remove func(ctx context.Context, c client.Client, live client.Reader, db *sample.Database, is *corev1.PersistentVolumeClaim) error

// operator deletes volumes in one of these ways.
func operator(remove remove, live client.Reader) sample.Ensure {
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
			if err := remove(ctx, c, live, db, &is); client.IgnoreNotFound(err) != nil {
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
