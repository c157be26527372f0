package fluentbit

import (
	"context"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/resource"
	"github.com/seatrial/seatrial/settle"
)

func collector(port int32) *Collector {
	return &Collector{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "logs"}, Spec: CollectorSpec{Config: "config", MetricsPort: port}}
}

func config(text string) *Config {
	return &Config{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "config"}, Spec: ConfigSpec{FluentBit: text}}
}

// checked is what is checked: a Collector and its Config, of which each is created and
// changed, and the Config is deleted and created again.
func checked(faults settle.Faults) settle.Config {
	return settle.Config{
		Scheme: Scheme(), CRDs: []string{"crd.yaml"}, Setup: Setup,
		Desired: []client.Object{config("[INPUT]\n"), collector(2020), collector(2021)},
		Match:   match,
		// A Collector can be had only where there is the Secret that it needs.
		Given: func(ctx context.Context, r client.Reader, o client.Object) bool {
			c, ok := o.(*Collector)
			return !ok || r.Get(ctx, client.ObjectKey{Namespace: c.Namespace, Name: c.Spec.Config}, &corev1.Secret{}) == nil
		},
		Gone: func(ctx context.Context, r client.Reader, key client.ObjectKey) error {
			if key.Name == "config" {
				return resource.Gone(ctx, r, configKind.Kind, key, &corev1.SecretList{})
			}
			return resource.Gone(ctx, r, collectorKind.Kind, key, &corev1.ServiceAccountList{}, &corev1.ServiceList{},
				&rbacv1.RoleList{}, &rbacv1.RoleBindingList{}, &appsv1.DaemonSetList{})
		},
		Faults: faults, MaxObjects: 30, // there are never so many
	}
}

func match(ctx context.Context, r client.Reader, o client.Object) error {
	if c, ok := o.(*Config); ok {
		return configChildren.Match(ctx, r, c)
	}
	return collectorChildren.Match(ctx, r, o.(*Collector))
}

// TestSettles: whatever happens, there comes to be what is wanted.
func TestSettles(t *testing.T) {
	for _, test := range []struct {
		name    string
		desired int
		faults  settle.Faults
	}{
		{"killed", 3, settle.Faults{Crash: true, Budget: settle.Budget{Users: 3}}},
		{"unanswered", 3, settle.Faults{Timeout: true, Budget: settle.Budget{Timeout: 1, Users: 2}}},
		{"evicted", 3, settle.Faults{Evict: true, Budget: settle.Budget{Evict: 1, Users: 2}}},
		{"late", 3, settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Crash: 1, Users: 2}}},
		{"created again", 1, settle.Faults{Crash: true, Timeout: true, Recreate: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := checked(test.faults)
			c.Desired = c.Desired[:test.desired]
			settle.Check(t, c)
		})
	}
}
