package settle

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func idle(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
		return reconcile.Result{}, client.IgnoreNotFound(mgr.GetClient().Get(ctx, r.NamespacedName, &corev1.ConfigMap{}))
	}))
}

func idling(processes ...Process) Config {
	return Config{
		Scheme: clientgo.Scheme, Processes: processes,
		Desired: []client.Object{&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}}},
		Match:   func(context.Context, client.Reader, client.Object) error { return nil },
		Faults:  Faults{Crash: true},
	}
}

// TestProcesses: what is asked of them.
func TestProcesses(t *testing.T) {
	for _, test := range []struct {
		name      string
		setup     func(ctrl.Manager) error
		processes []Process
		want      string
	}{
		{"one", idle, nil, "configmap of process"},
		{"one by name", nil, []Process{{Name: "a", Setup: idle}}, "configmap of a"},
		{"two, with controllers of one name", nil, []Process{{Name: "a", Setup: idle}, {Name: "b", Setup: idle}}, "a/configmap of a, b/configmap of b"},
		{"none", nil, nil, "Setup or Processes are needed"},
		{"both", idle, []Process{{Name: "a", Setup: idle}}, "Setup is for one process"},
		{"of one name", nil, []Process{{Name: "a", Setup: idle}, {Name: "a", Setup: idle}}, `number 2, "a", needs a Setup and a name that no other has`},
		{"without a name", nil, []Process{{Setup: idle}}, `number 1, "", needs`},
		{"without controllers", nil, []Process{{Name: "a", Setup: func(ctrl.Manager) error { return nil }}}, "Setup of a registers no controller"},
	} {
		c := idling(test.processes...)
		c.Setup = test.setup
		got := ""
		if x, err := newExplorer(&c); err != nil {
			got = err.Error()
		} else {
			var names []string
			for i, name := range x.names {
				names = append(names, name+" of "+x.processes[x.processOf[i]].Name)
			}
			got = strings.Join(names, ", ")
			x.close()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestCrashOfOne: the others go on.
func TestCrashOfOne(t *testing.T) {
	c := idling(Process{Name: "a", Setup: idle}, Process{Name: "b", Setup: idle})
	x, err := newExplorer(&c)
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	n := &node{controllers: make([]controllerState, x.controllers)}
	for range 3 { // created, and both reconciles begin
		x.steps(n, func(s step, to *node) {
			if s.actor == "user" && n.world.Len() == 0 || s.text == "reconcile" {
				n = to
			}
		})
	}
	text := func(n *node) (out string) {
		for i, c := range n.controllers {
			out += fmt.Sprintf("%s: %d queued, %d under way; ", x.processes[x.processOf[i]].Name, len(c.queue), len(c.flights))
		}
		return out
	}
	got := text(n)
	x.steps(n, func(s step, to *node) {
		if strings.HasPrefix(s.text, "is killed") {
			got += "\n" + s.actor + " is killed: " + text(to)
		}
	})
	if want := `a: 0 queued, 1 under way; b: 0 queued, 1 under way; 
a is killed: a: 1 queued, 0 under way; b: 0 queued, 1 under way; 
b is killed: a: 0 queued, 1 under way; b: 1 queued, 0 under way; `; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
