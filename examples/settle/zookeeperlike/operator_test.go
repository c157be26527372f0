package zookeeperlike

import (
	"context"
	"errors"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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

// config: users create, change and delete an ensemble as often as they like, and the operator is
// killed and loses answers as often.
func config(set setSize, vary settle.Field) settle.Config {
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
		Vary:    []settle.Field{vary},
		Match:   match,
		Faults:  settle.Faults{Crash: true, Timeout: true, Recreate: true},
	}
}

// match: all three are as the ZooKeeper says, and the pods have the ConfigMap that there is.
func match(ctx context.Context, c client.Reader, desired client.Object) error {
	zk := desired.(*ZooKeeper)
	var config corev1.ConfigMap
	var members appsv1.StatefulSet
	var has znodes
	key := client.ObjectKeyFromObject(zk)
	if err := errors.Join(c.Get(ctx, key, &config), c.Get(ctx, key, &members), settle.Look(c, "ensemble", &has)); err != nil {
		return err
	}
	switch with := members.Spec.Template.Annotations[configVersion]; {
	case !metav1.IsControlledBy(&config, zk) || !metav1.IsControlledBy(&members, zk):
		return errors.New("what there is is of another")
	case config.Data["zoo.cfg"] != zk.Spec.Config || with != config.ResourceVersion:
		return fmt.Errorf("the configuration is %q, and the pods have version %s of it", config.Data["zoo.cfg"], with)
	case *members.Spec.Replicas != zk.Spec.Replicas || has["/zk/size"] != zk.Spec.Replicas:
		return fmt.Errorf("there are %d members, and %d are noted", *members.Spec.Replicas, has["/zk/size"])
	}
	return nil
}

// TestFixed: whatever happens, each ensemble comes to have the size that it is to have.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed, scale)) }

// TestRollout: and the configuration.
func TestRollout(t *testing.T) {
	c := config(Fixed, rollout)
	c.Faults.Recreate = false
	settle.Check(t, c)
}

// TestBuggy: the operator tries again for ever.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy, scale), settle.Settles, settle.Livelock)
	if len(r.Steps) > 13 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}

// BenchmarkScale is the whole verdict about an operator.
func BenchmarkScale(b *testing.B) {
	for name, set := range map[string]setSize{"fixed": Fixed, "buggy": Buggy} {
		b.Run(name, func(b *testing.B) {
			c := config(set, scale)
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
