package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// parentMode is the environment variable that has this binary start a control
// plane, say which, and wait to be killed.
const parentMode = "SEATRIAL_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(parentMode) != "" {
		os.Exit(parent())
	}
	os.Exit(withExecutable(m.Run))
}

// withExecutable builds the executable if none is named.
func withExecutable(run func() int) int {
	if os.Getenv(controlplane.Executable) != "" {
		return run()
	}
	directory, err := os.MkdirTemp("", "seatrial")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(directory) }()
	path := filepath.Join(directory, "seatrial-controlplane")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-tags", "grpcnotrace", "-o", path, "..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the control plane: %v\n%s", err, out)
		return 1
	}
	if err := os.Setenv(controlplane.Executable, path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// parent starts a control plane and waits for its end.
func parent() int {
	p, err := controlplane.Launch(context.Background(), controlplane.Options{Spec: admin.Spec{Mode: "lean"}})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(p.Ready)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	<-p.Done()
	return 0
}

// patience bounds what a test waits for.
const patience = time.Minute

// lean is a plane for scheduling and scaling.
func lean(o *controlplane.Options) { o.Spec.Mode = "lean" }

// config is a client's configuration without limits of its own, which names the
// user trial.
func config(t testing.TB, kubeconfig string) *rest.Config {
	t.Helper()
	c, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	c.QPS, c.UserAgent = -1, "trial/v1"
	return c
}

func clientOf(t testing.TB, kubeconfig string) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config(t, kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func dynamicOf(t testing.TB, kubeconfig string) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(config(t, kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// await follows the history of a plane since its baseline or last reset until an
// event is what is waited for, and returns it.
func await(t testing.TB, p *controlplane.Plane, what string, found func(history.Event) bool) history.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for e, err := range p.Follow(ctx) {
		if err != nil {
			t.Fatalf("wait for %s: %v", what, err)
		}
		if found(e) {
			return e
		}
	}
	t.Fatalf("wait for %s: the history has ended", what)
	return history.Event{}
}

// available tells whether an event is that of a Deployment's last pod.
func available(name string, pods int64) func(history.Event) bool {
	return func(e history.Event) bool {
		are, _ := e.Object.Number("status", "availableReplicas")
		return e.Resource == "deployments.apps" && e.Name == name && are == pods
	}
}

// deployment has pods of 100m each.
func deployment(name string, pods int32) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &pods,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       podSpec(),
			},
		},
	}
}

func podSpec() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "c", Image: "example.com/c:1",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}},
	}}}
}

// create makes a Deployment in the namespace default.
func create(t testing.TB, client kubernetes.Interface, d *appsv1.Deployment) {
	t.Helper()
	if _, err := client.AppsV1().Deployments("default").Create(context.Background(), d, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// namesOf are the names of the Deployments in the namespace default.
func namesOf(t testing.TB, client kubernetes.Interface) string {
	t.Helper()
	list, err := client.AppsV1().Deployments("default").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range list.Items {
		names = append(names, d.Name)
	}
	return strings.Join(names, " ")
}

// follow is await for a plane that is no test's own, from its baseline on.
func follow(t testing.TB, client *admin.Client, p admin.Plane, what string, found func(history.Event) bool) history.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for e, err := range client.History(ctx, p.Name, p.Revision+1, true) {
		if err != nil {
			t.Fatalf("wait for %s: %v", what, err)
		}
		if found(e) {
			return e
		}
	}
	return history.Event{}
}

func dynamicFor(c *rest.Config) dynamic.Interface { return dynamic.NewForConfigOrDie(c) }
