package chain

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/statespace"
)

func web(replicas int, version string) *Deployment {
	return &Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}, Spec: Spec{replicas, version}}
}

// config: there is a Deployment of version 1, and its user wants a version, once, at any time.
func config(name func(*Deployment, *ReplicaSet), replicas int, wants string, faults settle.Faults) settle.Config {
	faults.Budget.Users = 1
	return settle.Config{
		Scheme:  Scheme(),
		CRDs:    []string{"crd"},
		Setup:   func(mgr ctrl.Manager) error { return setup(mgr, name) },
		Objects: []client.Object{web(replicas, "1")},
		Desired: []client.Object{web(replicas, wants)},
		Match:   match,
		Faults:  faults,
	}
}

// match: there are as many Pods as there are to be, of the version.
func match(ctx context.Context, c client.Reader, desired client.Object) error {
	d := desired.(*Deployment)
	var pods PodList
	if err := c.List(ctx, &pods); err != nil {
		return err
	}
	for _, p := range pods.Items {
		if p.Spec.Version != d.Spec.Version {
			return fmt.Errorf("the pod %s is of version %s", p.Name, p.Spec.Version)
		}
	}
	if len(pods.Items) != d.Spec.Replicas {
		return fmt.Errorf("there are %d pods", len(pods.Items))
	}
	return nil
}

// killer kills Pods.
type killer struct{}

// Name is part of environment.Actor, as are the following.
func (killer) Name() string { return "somebody" }

func (killer) Reads() []schema.GroupVersionKind {
	return []schema.GroupVersionKind{version.WithKind("Pod")}
}

func (killer) Steps(w environment.World) (steps []environment.Step) {
	for o := range w.Objects() {
		steps = append(steps, environment.Step{Text: "kill " + o.Meta().GetName(), Request: environment.Delete(w.Resource(o), o.Meta(), "", nil)})
	}
	return steps
}

// TestFixed: a crash, with a request that arrives late.
func TestFixed(t *testing.T) {
	settle.Check(t, config(Fixed, 1, "1", settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Late: 1}}))
}

// TestRollout: one version after another, and a crash.
func TestRollout(t *testing.T) {
	settle.Check(t, config(Fixed, 1, "2", settle.Faults{Crash: true, Budget: settle.Budget{Crash: 1}}))
}

// TestBuggy: there are two new ReplicaSets, and twice as many Pods.
func TestBuggy(t *testing.T) {
	c := config(Buggy, 1, "1", settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Crash: 1, Late: 1}})
	if r := settle.Finds(t, c, settle.Settles, settle.Stuck); len(r.Steps) > 28 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}

// BenchmarkRollout is the whole verdict, with one crash, one request that fails, and one Pod that is
// killed.
func BenchmarkRollout(b *testing.B) {
	for replicas := 1; replicas <= 2; replicas++ {
		b.Run(fmt.Sprint("replicas=", replicas), func(b *testing.B) {
			c := config(Fixed, replicas, "2", settle.Faults{Crash: true, Timeout: true, Budget: settle.Budget{Crash: 1, Timeout: 1, Environment: 1}})
			c.Environment = []environment.Actor{killer{}}
			for b.Loop() {
				r, err := settle.Explore(b.Context(), c)
				if err != nil || r.Verdict != statespace.Holds {
					b.Fatal(err, r)
				}
				b.ReportMetric(float64(r.States), "states")
			}
		})
	}
}
