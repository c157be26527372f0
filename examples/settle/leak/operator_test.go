package leak

import (
	"context"
	"fmt"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// buckets are those that the cloud has, and order what is asked of it: the cloud as a model.
type (
	buckets map[string]bool
	order   struct{ Create, Delete string }
)

func model(has buckets, o order) (buckets, string, error) {
	if o.Delete != "" {
		delete(has, o.Delete)
		return has, "", nil
	}
	name := o.Create
	for i := 1; name == ""; i++ {
		if free := fmt.Sprint("bucket-", i); !has[free] {
			name = free
		}
	}
	if has[name] {
		return nil, "", ErrExists
	}
	has[name] = true
	return has, name, nil
}

// remote is a Cloud that asks the model.
type remote struct{ *settle.Remote }

func (r remote) Create(ctx context.Context, name string) (string, error) {
	err := r.Ask(ctx, order{Create: name}, &name)
	if err != nil && err.Error() == ErrExists.Error() {
		err = ErrExists
	}
	return name, err
}

func (r remote) Delete(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	return r.Ask(ctx, order{Delete: name}, nil)
}

// config: a Database has a bucket, and nothing is left of one that is deleted.
func config(ensure func(Cloud) sample.Ensure, faults settle.Faults) settle.Config {
	c := sample.Config(nil, faults, "")
	c.Systems = []settle.System{settle.NewSystem("cloud", buckets{}, model)}
	c.Setup = func(mgr ctrl.Manager) error {
		cloud, err := settle.Connect(mgr, "cloud")
		if err != nil {
			return err
		}
		return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Complete(sample.New(mgr.GetClient(), ensure(remote{cloud})))
	}
	c.Match = func(_ context.Context, r client.Reader, desired client.Object) error {
		var has buckets
		err := settle.Look(r, "cloud", &has)
		if noted := desired.(*sample.Database).Status.Bucket; err == nil && !has[noted] {
			err = fmt.Errorf("%q is noted, and the cloud has %v", noted, has)
		}
		return err
	}
	c.Gone = func(_ context.Context, r client.Reader, _ client.ObjectKey) error {
		var has buckets
		err := settle.Look(r, "cloud", &has)
		if err == nil && len(has) > 0 {
			err = fmt.Errorf("the cloud still has %v", has)
		}
		return err
	}
	return c
}

// TestFixed: whatever happens, no bucket is left.
func TestFixed(t *testing.T) {
	settle.Check(t, config(Fixed, settle.Faults{Crash: true, Timeout: true, Recreate: true}))
}

// TestBuggy: a bucket is left for ever that nobody knows of.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy, settle.Faults{Crash: true, Recreate: true}), settle.Goes, settle.Stuck)
	if len(r.Steps) > 13 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
