package trial

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// TestHistoryNamesActors: each step of a Deployment's way has the name of who took
// it, of the plane or outside, and revisions only grow.
func TestHistoryNamesActors(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	create(t, client, deployment("web", 3))
	await(t, p, "web", available("web", 3))
	if err := client.AppsV1().Deployments("default").Delete(t.Context(), "web", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	gone := 0
	await(t, p, "the pods to be gone", func(e history.Event) bool {
		if e.Resource == "pods" && e.Type == history.Delete {
			gone++
		}
		return gone == 3
	})
	steps := map[string]string{} // the first actor of each
	last := int64(0)
	for _, e := range p.History() {
		if e.Revision <= last {
			t.Errorf("revision %d after %d", e.Revision, last)
		}
		last = e.Revision
		if outside := e.Actor == "trial"; e.Outside != outside {
			t.Errorf("%s %s by %q: outside is %v", e.Type, e.Key, e.Actor, e.Outside)
		}
		step := fmt.Sprintf("%s %s", e.Type, e.Resource)
		spec, _ := e.Object["spec"].(map[string]any)
		before, _ := e.Previous["spec"].(map[string]any)
		status, _ := e.Object["status"].(map[string]any)
		was, _ := e.Previous["status"].(map[string]any)
		switch {
		case e.Resource == "pods" && e.Type == history.Update && spec["nodeName"] != before["nodeName"]:
			step = "bind pods"
		case e.Resource == "pods" && e.Type == history.Update && status["phase"] == "Running" && was["phase"] == "Pending":
			step = "run pods"
		}
		if actor, known := steps[step]; !known {
			steps[step] = e.Actor
		} else if actor != e.Actor && slices.Contains([]string{"create pods", "bind pods", "run pods"}, step) {
			t.Errorf("%s: by %q and %q", step, actor, e.Actor)
		}
	}
	for step, actor := range map[string]string{
		"create deployments.apps": "trial", "delete deployments.apps": "trial",
		"create replicasets.apps": "deployment-controller", "create pods": "replicaset-controller",
		"bind pods": "kube-scheduler", "run pods": "kubelet", "delete replicasets.apps": "garbage-collector-controller",
		"delete pods": "kubelet",
	} {
		if steps[step] != actor {
			t.Errorf("%s: by %q, want %q", step, steps[step], actor)
		}
	}
}

// queue waits until so many requests are parked.
func queue(t *testing.T, p *controlplane.Plane, n int) []admin.Parked {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var q admin.Queue
	for len(q.Parked) < n {
		var err error
		if q, err = p.Admin.Parked(ctx, p.Name, q.Generation); err != nil {
			t.Fatalf("wait for %d parked requests: %v", n, err)
		}
	}
	return q.Parked
}

// TestGate: the creates of a controller are parked; one that is released comes to
// be, one that is refused is tried again, and those that are left at a reset never
// happen.
func TestGate(t *testing.T) {
	p := controlplane.Start(t, lean)
	client := clientOf(t, p.Kubeconfig)
	if err := p.Admin.Hold(t.Context(), p.Name, admin.Match{Actor: "replicaset-controller", Verb: "create", Resource: "pods"}); err != nil {
		t.Fatal(err)
	}
	create(t, client, deployment("web", 3))
	first := queue(t, p, 1)[0] // it tries one before it tries more
	if first.Namespace != "default" || !strings.Contains(string(first.Body), `"web-`) {
		t.Errorf("parked: %+v", first)
	}
	created := func() int {
		list, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Items)
	}
	if n := created(); n != 0 {
		t.Errorf("%d pods, and all creates are held", n)
	}
	if err := p.Admin.Release(t.Context(), p.Name, first.ID); err != nil {
		t.Fatal(err)
	}
	others := queue(t, p, 2)
	if n := created(); n != 1 {
		t.Errorf("%d pods, and one was released", n)
	}
	for _, parked := range others {
		if err := p.Admin.Refuse(t.Context(), p.Name, parked.ID, admin.Refusal{Code: 409, Reason: "Conflict"}); err != nil {
			t.Fatal(err)
		}
	}
	again := queue(t, p, 1)
	if slices.Contains([]int64{first.ID, others[0].ID, others[1].ID}, again[0].ID) {
		t.Errorf("it did not try again: %+v", again)
	}
	before := p.Revision
	p.Reset()
	if err := p.Admin.Release(t.Context(), p.Name, again[0].ID); !admin.NotFound(err) {
		t.Errorf("a request that a reset has ended: %v", err)
	}
	if n := created(); n != 0 {
		t.Errorf("%d pods after a reset", n)
	}
	// What was parked was not sent on while the plane was reset.
	creates := 0
	for e, err := range p.Admin.History(t.Context(), p.Name, before+1, false) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Resource == "pods" && e.Type == history.Create {
			creates++
		}
	}
	if creates != 1 {
		t.Errorf("%d pods were created, and one was released", creates)
	}
	create(t, client, deployment("next", 2)) // nothing is held any more
	await(t, p, "next", available("next", 2))
}

// TestLockStep: a Deployment comes to be in lock-step too, and so it does after a
// reset in the middle of it.
func TestLockStep(t *testing.T) {
	p := controlplane.Start(t, lean)
	client := clientOf(t, p.Kubeconfig)
	for _, name := range []string{"first", "second"} {
		if err := p.Admin.LockStep(t.Context(), p.Name, true); err != nil {
			t.Fatal(err)
		}
		create(t, client, deployment(name, 6))
		await(t, p, name, available(name, 6))
		create(t, client, deployment("cut-off", 6))
		p.Reset()
	}
}

// TestSteering: the scheduler decides about the pods whose turn it is only, and
// takes the node that it is told to among those that are equal.
func TestSteering(t *testing.T) {
	p := controlplane.Start(t, lean, func(o *controlplane.Options) { o.Spec.Steering = true })
	client := clientOf(t, p.Kubeconfig)
	if err := p.Admin.Steer(t.Context(), p.Name, admin.Steer{On: true}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: podSpec()}
		if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := nodes.Items[2].Name
	if err := p.Admin.Steer(t.Context(), p.Name, admin.Steer{On: true, Pods: []admin.Turn{{Namespace: "default", Name: "b", Node: want}}}); err != nil {
		t.Fatal(err)
	}
	await(t, p, "b to be bound", func(e history.Event) bool {
		spec, _ := e.Object["spec"].(map[string]any)
		if e.Resource == "pods" && e.Name == "a" && spec["nodeName"] != nil {
			t.Fatal("a was bound, and it is b's turn")
		}
		if e.Resource == "pods" && e.Name == "b" && spec["nodeName"] != nil && spec["nodeName"] != want {
			t.Fatalf("b was bound to %v, want %s", spec["nodeName"], want)
		}
		return e.Resource == "pods" && e.Name == "b" && spec["nodeName"] == want
	})
	if err := p.Admin.Steer(t.Context(), p.Name, admin.Steer{}); err != nil {
		t.Fatal(err)
	}
	await(t, p, "a to be bound", func(e history.Event) bool {
		spec, _ := e.Object["spec"].(map[string]any)
		return e.Resource == "pods" && e.Name == "a" && spec["nodeName"] != nil
	})
	plain := controlplane.Start(t, lean)
	if err := plain.Admin.Steer(t.Context(), plain.Name, admin.Steer{On: true}); err == nil {
		t.Error("a plane that cannot be steered was")
	}
}

// TestControllersAlone: kube-controller-manager of one process acts on an API
// server that is no plane's of that process, until it is stopped.
func TestControllersAlone(t *testing.T) {
	own, err := controlplane.Launch(t.Context(), controlplane.Options{Spec: admin.Spec{Mode: "lean", Controllers: []string{"-*"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.Stop(); err != nil {
			t.Error(err)
		}
	})
	other := own.Ready.Plane
	client := clientOf(t, other.Kubeconfig)
	create(t, client, deployment("web", 2))

	p := controlplane.Start(t, lean)
	running, err := p.Admin.RunControllers(t.Context(), admin.Controllers{
		Kubeconfig: other.Kubeconfig, Controllers: []string{"deployment-controller", "replicaset-controller"},
	})
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	follow(t, own.Admin, other, "two pods", func(e history.Event) bool {
		if e.Resource == "pods" && e.Type == history.Create {
			made++
		}
		return made == 2
	})
	if err := p.Admin.StopControllers(t.Context(), running.ID); err != nil {
		t.Fatal(err)
	}
	if err := p.Admin.StopControllers(t.Context(), running.ID); !admin.NotFound(err) {
		t.Errorf("stopped twice: %v", err)
	}
	for what, bad := range map[string]admin.Controllers{
		"no file":       {Kubeconfig: "/nowhere"},
		"no controller": {Kubeconfig: other.Kubeconfig, Controllers: []string{"nonsense"}},
	} {
		if _, err := p.Admin.RunControllers(t.Context(), bad); err == nil {
			t.Errorf("%s: it runs", what)
		}
	}
}
