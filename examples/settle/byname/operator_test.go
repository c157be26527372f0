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

// The ways in which a volume that is in use is taken for an old one.
var (
	late  = settle.Faults{Crash: true, Late: true, Recreate: true, Budget: settle.Budget{Crash: 1}}
	stale = settle.Faults{Stale: true, Recreate: true}
	older = settle.Faults{Crash: true, Older: true, Recreate: true, Budget: settle.Budget{Older: 1, Recreate: 1}}
)

// config: users create and delete a Database.
func config(remove remove, faults settle.Faults) settle.Config {
	c := sample.Config(nil, faults, "")
	c.Setup = func(mgr ctrl.Manager) error {
		return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Watches(&corev1.PersistentVolumeClaim{}, &handler.EnqueueRequestForObject{}).
			Complete(sample.New(mgr.GetClient(), operator(remove, mgr.GetAPIReader())))
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

// TestFixed: what is in use is left, in all of these ways.
func TestFixed(t *testing.T) {
	for name, faults := range map[string]settle.Faults{"late": late, "stale": stale, "older": older} {
		t.Run(name, func(t *testing.T) { settle.Check(t, config(Fixed, faults)) })
	}
}

// TestSettles: with the mistake, all comes to be as it is to be.
func TestSettles(t *testing.T) {
	c := config(Buggy, late)
	c.Writes = nil
	settle.Check(t, c)
}

// TestBuggy: but what was in the volume is gone. That a request is late is needed, or a cache that is behind, or
// an older list.
func TestBuggy(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults settle.Faults
		steps  int
		class  []string
	}{
		{"late", late, 27, nil},
		{"stale", stale, 29, []string{settle.NeedsStaleCache}},
		{"older", older, 23, []string{settle.NeedsOlderList}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if r := settle.Finds(t, config(Buggy, test.faults), keeps, test.class...); len(r.Steps) > test.steps {
				t.Errorf("it takes %d steps", len(r.Steps))
			}
		})
	}
}

// TestOlder: where volumes are not read from a cache, the mistake is none as long as caches never go back; with
// an older list it is the one that was reported.
func TestOlder(t *testing.T) {
	c := config(Buggy, settle.Faults{Crash: true, Stale: true, Recreate: true, Budget: settle.Budget{Recreate: 1}})
	c.Processes = []settle.Process{{Name: "process", Setup: c.Setup, Cache: client.CacheOptions{DisableFor: []client.Object{&corev1.PersistentVolumeClaim{}}}}}
	c.Setup = nil
	settle.Check(t, c)
	c.Faults = older
	settle.Finds(t, c, keeps, settle.NeedsOlderList)
}
