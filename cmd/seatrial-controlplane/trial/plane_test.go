package trial

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// TestReady: a fresh plane has three nodes that are ready, says what it is, and
// gives access to nobody without its token.
func TestReady(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	version, err := client.Discovery().ServerVersion()
	if err != nil || version.GitVersion != "v1.36.3" {
		t.Errorf("version %v, %v", version, err)
	}
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ready := 0
	for _, node := range nodes.Items {
		for _, c := range node.Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue && len(node.Spec.Taints) == 0 {
				ready++
			}
		}
	}
	if len(nodes.Items) != 3 || ready != 3 {
		t.Errorf("%d nodes, %d of them ready", len(nodes.Items), ready)
	}
	stranger := config(t, p.Kubeconfig)
	stranger.BearerToken = "guess"
	if _, err := dynamicFor(stranger).Resource(pods).List(t.Context(), metav1.ListOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("without the token: %v", err)
	}
}

// TestDeployment: the pods of a Deployment run on all nodes; a reset takes it
// away, and the next test finds a plane that works.
func TestDeployment(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	for _, name := range []string{"first", "second"} {
		create(t, client, deployment(name, 6))
		await(t, p, name, available(name, 6))
		list, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		nodes := map[string]int{}
		for _, pod := range list.Items {
			nodes[pod.Spec.NodeName]++
			if pod.Status.Phase != corev1.PodRunning || pod.Status.PodIP == "" {
				t.Errorf("pod %s is %s with the address %q", pod.Name, pod.Status.Phase, pod.Status.PodIP)
			}
		}
		if len(list.Items) != 6 || len(nodes) != 3 || nodes[""] > 0 {
			t.Errorf("pods by nodes: %v", nodes)
		}
		p.Reset()
		if left := namesOf(t, client); left != "" {
			t.Errorf("after a reset there is %s", left)
		}
	}
}

// resets is how many in a row must leave nothing; the first warm come before.
const resets, warm = 50, 5

// TestResets: many in a row leave no key and no goroutine.
func TestResets(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	cycle := func() admin.Status {
		t.Helper()
		create(t, client, deployment("web", 6))
		service := &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}}},
		}
		if _, err := client.CoreV1().Services("default").Create(t.Context(), service, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		await(t, p, "web", available("web", 6))
		p.Reset()
		status, err := p.Admin.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	for range warm {
		cycle()
	}
	const samples, moment = 100, 20 * time.Millisecond
	low, _ := goroutines(t, p, samples, moment, 0)
	first := cycle()
	for i := range resets {
		if keys := cycle().Keys[p.Name]; keys != first.Keys[p.Name] {
			t.Fatalf("after reset %d there are %d keys, and %d before", i+1, keys, first.Keys[p.Name])
		}
	}
	// A few hundred belong to what is under way, here and in the process's other
	// planes. An informer that stays has several goroutines: that would be a leak.
	limit := low + 2*resets
	if after, ok := goroutines(t, p, int(patience/moment), moment, limit); !ok {
		t.Errorf("after %d resets there are %d goroutines, and %d before", resets, after, low)
	}
}

// goroutines is the lowest number of many looks, or the first below a limit.
func goroutines(t *testing.T, p *controlplane.Plane, looks int, every time.Duration, limit int) (lowest int, below bool) {
	t.Helper()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for i := range looks {
		status, err := p.Admin.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 || status.Goroutines < lowest {
			lowest = status.Goroutines
		}
		if lowest < limit {
			return lowest, true
		}
		<-ticker.C
	}
	return lowest, false
}

// TestPlanes: planes of one process know nothing of each other, also if the key
// prefix of one begins like that of another, and one is reset without the others.
func TestPlanes(t *testing.T) {
	first := controlplane.Start(t, lean)
	names := []string{"a", "ab", "a-b", "b"}
	planes := make([]admin.Plane, len(names))
	var group sync.WaitGroup
	for i, name := range names {
		group.Go(func() {
			var err error
			if planes[i], err = first.Admin.AddPlane(t.Context(), admin.Spec{Name: name, Mode: "lean"}); err != nil {
				t.Errorf("plane %s: %v", name, err)
				return
			}
			create(t, clientOf(t, planes[i].Kubeconfig), deployment("of-"+name, 2))
		})
	}
	group.Wait()
	t.Cleanup(func() {
		for _, name := range names {
			if err := first.Admin.RemovePlane(context.Background(), name); err != nil && !admin.NotFound(err) {
				t.Error(err)
			}
		}
	})
	if t.Failed() {
		return
	}
	for i, p := range planes {
		follow(t, first.Admin, p, "of-"+names[i], available("of-"+names[i], 2))
		if got := namesOf(t, clientOf(t, p.Kubeconfig)); got != "of-"+names[i] {
			t.Errorf("plane %s has %s", names[i], got)
		}
	}
	if _, err := first.Admin.Reset(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "of-ab", "of-a-b", "of-b"} {
		if got := namesOf(t, clientOf(t, planes[i].Kubeconfig)); got != want {
			t.Errorf("after the reset of a, plane %s has %q", names[i], got)
		}
	}
	if got := namesOf(t, clientOf(t, first.Kubeconfig)); got != "" {
		t.Errorf("the first plane has %s", got)
	}
	if _, err := first.Admin.AddPlane(t.Context(), admin.Spec{Name: "a"}); err == nil {
		t.Error("there are two planes a")
	}
	if err := first.Admin.RemovePlane(t.Context(), "ab"); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Admin.Reset(t.Context(), "ab"); !admin.NotFound(err) {
		t.Errorf("a plane that was removed: %v", err)
	}
}

var (
	pods    = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	crds    = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
)

const widgetDefinition = `{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"},
	"spec": {
		"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
		"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
			"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}
		}}}]
	}
}`

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestCustomResources: a definition that is no part of the baseline is gone after
// a reset, with its API; one that is stays, and its objects go.
func TestCustomResources(t *testing.T) {
	p := controlplane.Start(t)
	client := dynamicOf(t, p.Kubeconfig)
	define := func() {
		if _, err := client.Resource(crds).Create(t.Context(), object(t, widgetDefinition), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		await(t, p, "the definition", func(e history.Event) bool {
			return e.Resource == "customresourcedefinitions.apiextensions.k8s.io" && established(e.Object)
		})
	}
	widget := func() {
		text := `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 3}}`
		data := []byte(text)
		if _, err := client.Resource(widgets).Namespace("default").Patch(t.Context(), "w", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "trial"}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Resource(widgets).Namespace("default").Get(t.Context(), "w", metav1.GetOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	gone := func(what string) {
		t.Helper()
		if _, err := client.Resource(widgets).Namespace("default").Get(t.Context(), "w", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	define()
	widget()
	p.Reset()
	gone("after a reset")
	if _, err := client.Resource(crds).Get(t.Context(), "widgets.example.com", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the definition, after a reset: %v", err)
	}

	define()
	typed := clientOf(t, p.Kubeconfig)
	service := func(name string) {
		s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}}}
		if _, err := typed.CoreV1().Services("default").Create(t.Context(), s, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	service("kept")
	p.Baseline()
	widget()
	service("new")
	if err := typed.CoreV1().Services("default").Delete(t.Context(), "kept", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	p.Reset()
	gone("after a reset to the new baseline")
	if _, err := client.Resource(crds).Get(t.Context(), "widgets.example.com", metav1.GetOptions{}); err != nil {
		t.Errorf("the definition, after a reset to its baseline: %v", err)
	}
	list, err := typed.CoreV1().Services("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, s := range list.Items {
		got += fmt.Sprintf("%s ", s.Name)
	}
	if got != "kept kubernetes " {
		t.Errorf("services: %s", got)
	}
	widget() // the API is there
}

func established(o history.Object) bool {
	status, _ := o["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		if condition["type"] == "Established" && condition["status"] == "True" {
			return true
		}
	}
	return false
}
