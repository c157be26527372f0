package zookeeperlike

import (
	"context"
	"errors"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

type setSize = func(context.Context, Tree, string, int32) error

// The fields that users change.
var (
	scale   = settle.Field{Path: "spec.replicas", Values: []any{2}}
	rollout = settle.Field{Path: "spec.config", Values: []any{"b"}}
)

// scope: users create, change and delete an ensemble as often as they like, and the operator is
// killed and loses answers as often.
func scope(set setSize, vary ...settle.Field) settle.Config {
	return settle.Config{
		Scheme:  Scheme(),
		CRDs:    []string{"crd.yaml"},
		Systems: []settle.System{ensemble()},
		Setup: func(mgr ctrl.Manager) error {
			tree, err := connect(mgr)
			if err != nil {
				return err
			}
			return (&Reconciler{mgr.GetClient(), tree, set}).SetupWithManager(mgr)
		},
		Desired: []client.Object{&ZooKeeper{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "zk"}, Spec: ZooKeeperSpec{Replicas: 1, Config: "a"}}},
		Vary:    vary,
		Match:   match,
		Faults:  settle.Faults{Crash: true, Timeout: true, Recreate: true},
	}
}

// match: all is as the ZooKeeper says.
func match(ctx context.Context, c client.Reader, desired client.Object) error {
	zk := desired.(*ZooKeeper)
	var members appsv1.StatefulSet
	var has znodes
	if err := errors.Join(c.Get(ctx, client.ObjectKeyFromObject(zk), &members), settle.Look(c, "ensemble", &has)); err != nil {
		return err
	}
	switch {
	case !metav1.IsControlledBy(&members, zk):
		return errors.New("what there is is of another")
	case configOf(&members) != zk.Spec.Config:
		return fmt.Errorf("the members have the configuration %q", configOf(&members))
	case *members.Spec.Replicas != zk.Spec.Replicas || has["/zk/size"] != zk.Spec.Replicas:
		return fmt.Errorf("there are %d members, and %d are noted", *members.Spec.Replicas, has["/zk/size"])
	}
	return nil
}

// TestFixed: whatever happens, each ensemble comes to have its size and its configuration, also when both
// change at once.
func TestFixed(t *testing.T) { settle.Check(t, scope(Fixed, scale, rollout)) }

// TestBuggy: the operator tries again for ever.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, scope(Buggy, scale), settle.Settles, settle.Livelock)
	if len(r.Steps) > 13 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}

// BenchmarkScale is the whole verdict about an operator.
func BenchmarkScale(b *testing.B) {
	for name, set := range map[string]setSize{"fixed": Fixed, "buggy": Buggy} {
		b.Run(name, func(b *testing.B) {
			c := scope(set, scale)
			for b.Loop() {
				r, err := settle.Explore(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.States), "states")
			}
		})
	}
}
