package settle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apply "k8s.io/client-go/applyconfigurations/core/v1"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// applied has what a ConfigMap says applied, as one of its kinds of configuration.
func applied(ctx context.Context, mgr ctrl.Manager, _ *unstructured.Unstructured) error {
	cm := apply.ConfigMap("x", "default").WithData(map[string]string{"a": "b"})
	if err := mgr.GetClient().Apply(ctx, cm, client.FieldOwner("me"), client.ForceOwnership); err != nil {
		return err
	}
	foo := thing(fooKind, "x")
	return mgr.GetClient().Apply(ctx, client.ApplyConfigurationFromUnstructured(foo), client.FieldOwner("me"))
}

// appliedStatus applies a status, which clients can since controller-runtime 0.23.
func appliedStatus(ctx context.Context, mgr ctrl.Manager, bar *unstructured.Unstructured) error {
	if err := ensure(ctx, mgr.GetClient(), bar, "x"); err != nil {
		return err
	}
	do := reflect.ValueOf(mgr.GetClient().Status()).MethodByName("Apply")
	if !do.IsValid() {
		return record(ctx, mgr.GetClient(), bar, "x")
	}
	own := thing(barKind, bar.GetName())
	_ = unstructured.SetNestedField(own.Object, "x", "status", "foo")
	out := do.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(client.ApplyConfigurationFromUnstructured(own)), reflect.ValueOf(client.FieldOwner("me"))})
	err, _ := out[0].Interface().(error)
	return err
}

// scaled asks for two pods by the subresource.
func scaled(ctx context.Context, mgr ctrl.Manager, bar *unstructured.Unstructured) error {
	d, scale := deployment(1, "a"), &autoscalingv1.Scale{}
	by := mgr.GetClient().SubResource("scale")
	if err := by.Get(ctx, d, scale); err != nil {
		return err
	}
	if scale.Spec.Replicas < 2 {
		was := scale.ResourceVersion
		scale.Spec.Replicas = 2
		if err := by.Update(ctx, d, client.WithSubResourceBody(scale)); err != nil {
			return err
		}
		if scale.ResourceVersion == was {
			return fmt.Errorf("the answer is %v", scale)
		}
	}
	return ensure(ctx, mgr.GetClient(), bar, "x")
}

// telling records events, with the recorders that the release has.
func telling(ctx context.Context, mgr ctrl.Manager, bar *unstructured.Unstructured) error {
	mgr.GetEventRecorderFor("me").Event(bar, corev1.EventTypeNormal, "Begins", "it begins")
	if newer := reflect.ValueOf(mgr).MethodByName("GetEventRecorder"); newer.IsValid() {
		r := newer.Call([]reflect.Value{reflect.ValueOf("me")})[0].Interface().(events.EventRecorder)
		r.Eventf(bar, nil, corev1.EventTypeNormal, "Begins", "Begin", "it begins")
	}
	return ensure(ctx, mgr.GetClient(), bar, "x")
}

// evicting deletes a pod as kubectl drain does.
func evicting(ctx context.Context, mgr ctrl.Manager, _ *unstructured.Unstructured) error {
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name = "default", "p"
	_ = mgr.GetClient().SubResource("eviction").Create(ctx, pod, &policyv1.Eviction{}) // nobody hears of it
	return nil
}

// TestWire: what goes by the client of controller-runtime itself is answered, times out and is
// interrupted as all requests are, with each release of it; what there is no model of ends the
// search.
func TestWire(t *testing.T) {
	for _, row := range []struct {
		name  string
		does  func(context.Context, ctrl.Manager, *unstructured.Unstructured) error
		shows []string // a step of the shortest trace to a Foo, or what ends the search
	}{
		{"apply", applied, []string{"patch configmaps default/x", "patch foos default/x"}},
		{"apply of a status", appliedStatus, nil},
		{"scale", scaled, []string{"get deployments default/a/scale", "update deployments default/a/scale"}},
		{"events", telling, nil},
		{"eviction", evicting, []string{"settle: POST /api/v1/namespaces/default/pods/p/eviction: there is no such subresource"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := config(nil, settle.Faults{Crash: true, Timeout: true})
			c.Scheme, c.Setup, c.Match, c.Always = clientgo.Scheme, managed(row.does), there("x"), nil
			c.Objects = []client.Object{deployment(1, "a")}
			r, err := settle.Explore(t.Context(), c)
			text := ""
			switch {
			case row.name == "eviction" && err != nil:
				text = err.Error()
			case err != nil || r.Verdict != statespace.Holds:
				t.Fatalf("%v: %s", err, r)
			default:
				c.Match = func(ctx context.Context, c client.Reader, o client.Object) error {
					if there("x")(ctx, c, o) == nil {
						return errors.New("there it is")
					}
					return nil
				}
				if r, err = settle.Explore(t.Context(), c); err != nil || r.Verdict != statespace.Violated {
					t.Fatalf("%v: %s", err, r)
				}
				text = r.String()
			}
			for _, want := range row.shows {
				if !strings.Contains(text, want) {
					t.Errorf("there is no %q in\n%s", want, text)
				}
			}
		})
	}
}

// TestNotStarted: the manager is for registering.
func TestNotStarted(t *testing.T) {
	c := config(nil, settle.Faults{})
	c.Setup = func(mgr ctrl.Manager) error { return mgr.Start(t.Context()) }
	if _, err := settle.Explore(t.Context(), c); err == nil || !strings.Contains(err.Error(), "settle: Setup: the manager is not to be started") {
		t.Error(err)
	}
}
