package byname

import (
	"context"
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

const keeps = "volumes in use are kept"

// config: users create and delete a Database, and a request of a process that was killed may arrive late.
func config(remove func(context.Context, client.Client, *corev1.PersistentVolumeClaim) error) settle.Config {
	c := sample.Config(nil, settle.Faults{Crash: true, Late: true, Recreate: true, Budget: settle.Budget{Crash: 1}}, "")
	c.Setup = func(mgr ctrl.Manager) error {
		return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Watches(&corev1.PersistentVolumeClaim{}, &handler.EnqueueRequestForObject{}).
			Complete(sample.New(mgr.GetClient(), operator(remove)))
	}
	c.Match = func(ctx context.Context, r client.Reader, desired client.Object) error {
		var is corev1.PersistentVolumeClaim
		err := r.Get(ctx, client.ObjectKeyFromObject(desired), &is)
		if err == nil && is.Annotations[of] != string(desired.GetUID()) {
			err = errors.New("the volume is of another")
		}
		return err
	}
	c.Writes = map[string]func(*settle.Write) error{keeps: inUse}
	return c
}

// inUse: nobody deletes the volume of a Database that is there, and is not being deleted.
func inUse(w *settle.Write) error {
	var was corev1.PersistentVolumeClaim
	if w.Verb != "delete" || w.Err != nil || !w.Was(&was) {
		return nil
	}
	var db sample.Database
	if err := w.Cluster.Get(context.Background(), client.ObjectKeyFromObject(&was), &db); err != nil || db.DeletionTimestamp != nil || was.Annotations[of] != string(db.UID) {
		return client.IgnoreNotFound(err)
	}
	return fmt.Errorf("the volume of %s is in use", db.Name)
}

// TestFixed: a late request finds another volume, and leaves it.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestSettles: with the mistake, all comes to be as it is to be.
func TestSettles(t *testing.T) {
	c := config(Buggy)
	c.Writes = nil
	settle.Check(t, c)
}

// TestBuggy: but what was in the volume is gone.
func TestBuggy(t *testing.T) {
	if r := settle.Finds(t, config(Buggy), keeps); len(r.Steps) > 27 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
