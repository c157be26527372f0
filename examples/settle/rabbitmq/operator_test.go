package rabbitmq

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/resource"
	"github.com/seatrial/seatrial/settle"
)

func broker(replicas int32, config string) *Broker {
	return &Broker{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "mq"}, Spec: BrokerSpec{Replicas: replicas, Config: Config{Additional: config}}}
}

// checked is a Broker that is created, scaled up and configured. That it is deleted and
// created again is left to the smaller operators beside this one: ten objects are collected in any order.
func checked(o Operator, faults settle.Faults) settle.Config {
	return settle.Config{
		Scheme: Scheme(), CRDs: []string{"crd.yaml"}, Setup: o.Setup,
		Desired: []client.Object{broker(1, ""), broker(3, ""), broker(3, "heartbeat = 30")},
		Match: func(ctx context.Context, r client.Reader, b client.Object) error {
			return children.Match(ctx, r, b.(*Broker))
		},
		Gone: func(ctx context.Context, r client.Reader, key client.ObjectKey) error {
			return resource.Gone(ctx, r, kind.Kind, key, &corev1.ServiceList{}, &corev1.SecretList{}, &corev1.ConfigMapList{},
				&corev1.ServiceAccountList{}, &rbacv1.RoleList{}, &rbacv1.RoleBindingList{}, &appsv1.StatefulSetList{})
		},
		Writes: map[string]func(*settle.Write) error{safely: never},
		Faults: faults, MaxObjects: 30, // there are never so many
	}
}

// safely is the property that no server is taken away, which would take its queues with it.
const safely = "never scales down"

// never: a StatefulSet shrinks.
func never(w *settle.Write) error {
	var was, is appsv1.StatefulSet
	if w.Kind.Kind == "StatefulSet" && w.Was(&was) && w.Is(&is) && is.UID == was.UID && *is.Spec.Replicas < *was.Spec.Replicas {
		return fmt.Errorf("%d servers become %d", *was.Spec.Replicas, *is.Spec.Replicas)
	}
	return nil
}

// late is that a process is killed, once, and what it has asked for last takes effect some time.
var late = settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Crash: 1, Users: 2}}

// TestSettles: whatever happens, there comes to be what is wanted.
func TestSettles(t *testing.T) {
	for _, test := range []struct {
		name    string
		desired int
		faults  settle.Faults
	}{
		{"changed", 3, settle.Faults{Crash: true, Timeout: true}},
		{"evicted", 3, settle.Faults{Evict: true, Budget: settle.Budget{Evict: 1, Users: 1}}},
		{"late", 2, late},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := checked(Operator{}, test.faults)
			c.Desired = c.Desired[:test.desired]
			settle.Check(t, c)
		})
	}
}

// TestMistakes: what is written over whatever is there has fewer servers when it is late.
func TestMistakes(t *testing.T) {
	c := checked(Operator{Blind: true}, late)
	c.Desired = c.Desired[:2]
	settle.Finds(t, c, safely)
}
