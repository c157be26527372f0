package disposable_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// samples are the sample operators, and program is built of them.
const samples = "../../../../examples/operators"

func build(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "operators")
	c := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, ".")
	c.Dir = samples
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// user is somebody's cluster, for which a plane stands.
type user struct {
	kubeconfig string
	config     *rest.Config
	client     dynamic.Interface
}

func start(t *testing.T) *user {
	t.Helper()
	if os.Getenv(controlplane.Executable) == "" {
		t.Fatalf("%s is not set: make test builds it", controlplane.Executable)
	}
	u := &user{kubeconfig: controlplane.Start(t).Kubeconfig}
	var err error
	if u.config, err = clientcmd.BuildConfigFromFlags("", u.kubeconfig); err != nil {
		t.Fatal(err)
	}
	u.config.QPS, u.config.WarningHandler = -1, rest.NoWarnings{}
	if u.client, err = dynamic.NewForConfig(u.config); err != nil {
		t.Fatal(err)
	}
	return u
}

// all are the objects of the cluster in their versions, but for those that change by themselves.
func (u *user) all(t *testing.T) map[string]string {
	t.Helper()
	lists, err := discovery.NewDiscoveryClientForConfigOrDie(u.config).ServerPreferredResources()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.APIResources {
			if !slices.Contains(r.Verbs, "list") || slices.Contains([]string{"leases", "events", "nodes", "componentstatuses"}, r.Name) {
				continue
			}
			is, err := u.client.Resource(gv.WithResource(r.Name)).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			for _, o := range is.Items {
				version := o.GetResourceVersion()
				if r.Name == "apiservices" { // whose status says whether a server behind them answers, which changes by itself
					version = fmt.Sprint(o.Object["spec"])
				}
				all[strings.Join([]string{gv.WithResource(r.Name).String(), o.GetNamespace(), o.GetName()}, " ")] = string(o.GetUID()) + " " + version
			}
		}
	}
	return all
}

// unchanged fails the test if anything is not as it was.
func (u *user) unchanged(t *testing.T, before map[string]string) {
	t.Helper()
	after := u.all(t)
	for key, is := range after {
		if before[key] != is {
			t.Errorf("%s is %s, was %q", key, is, before[key])
		}
	}
	for key := range before {
		if after[key] == "" {
			t.Errorf("%s is gone", key)
		}
	}
}

// options are a short campaign with the sample whose annotations stay: one is added, one removed, and a misoperation is
// repaired.
func (u *user) options(t *testing.T, program, form string, more ...string) campaign.Options {
	t.Helper()
	folder := filepath.Join(samples, "kept-annotation")
	in, err := input.Load(input.Flags{
		Operator: strings.Join(append([]string{program, "kept-annotation", form, "--metrics-bind-address=127.0.0.1:$(PORT_metrics)"}, more...), " "), CRDs: []string{filepath.Join(folder, "crd.yaml")}, Seed: filepath.Join(folder, "seed.yaml"),
		Setup: []string{filepath.Join(samples, "setup.yaml")}, Focus: []string{"spec.service.annotations"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return campaign.Options{Input: in, Cluster: &kubeconfig.Choice{Kubeconfig: u.kubeconfig}, Operations: 4, Now: time.Now}
}

// TestCampaign: on a cluster of the user's a campaign finds what it finds on a plane, and leaves all as it was.
func TestCampaign(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	program := build(t)
	for _, c := range []struct {
		form, flag string
		parallel   int
		want       []string
		how        string
	}{
		{"buggy", "", 2, []string{"twin"}, "one at a time, since nothing tells the operator to work in the namespace of a run only ($(NAMESPACE))"},
		{"fixed", "--namespace=$(NAMESPACE)", 2, nil, "in 2 namespaces at once"},
	} {
		t.Run(c.form, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			before := u.all(t)
			o := u.options(t, program, c.form, c.flag)
			o.Parallel = c.parallel
			out, err := campaign.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			r := out.Report("sample", nil)
			t.Logf("%s %s; %s (learning %s, running %s, reducing %s), quiet %s, %v", r.Verdict, r.Reason, r.Bound.Text, out.Learning, out.Running, out.Reducing, out.Quiet, r.Warnings)
			var found []string
			for _, result := range r.Results {
				if result.Verdict == finding.Violated {
					found = append(found, result.Name)
					t.Logf("%+v", result)
				}
			}
			if !slices.Equal(found, c.want) || r.Verdict == finding.Inconclusive {
				t.Errorf("%s: found %q, want %q", r.Verdict, found, c.want)
			}
			if !strings.HasPrefix(r.Kubernetes, "v") || !strings.HasPrefix(r.Assumptions[0], "runs were on the cluster of the context seatrial, "+c.how+"; its nodes: 3 with ") {
				t.Errorf("Kubernetes %s, %q", r.Kubernetes, r.Assumptions)
			}
			u.unchanged(t, before)
		})
	}
}

// TestInterrupted: all is as it was, too, when a campaign is interrupted in the middle of a run.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	program, u := build(t), start(t)
	before := u.all(t)
	ctx, interrupt := context.WithTimeout(t.Context(), 2*time.Minute)
	defer interrupt()
	services := u.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "services"}).Namespace("default")
	w, err := services.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	go func() {
		for e := range w.ResultChan() {
			if o, ok := e.Object.(*unstructured.Unstructured); ok && o.GetName() != "kubernetes" {
				interrupt() // the operator has begun
			}
		}
	}()
	if _, err := campaign.Run(ctx, u.options(t, program, "fixed")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	u.unchanged(t, before)
}

// TestWhatWasThere: what is there already is not written over, and is said.
func TestWhatWasThere(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	program, u := build(t), start(t)
	classes := u.client.Resource(schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"})
	disk := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": map[string]any{"name": "disk"}, "provisioner": "mine.example.com",
	}}
	if _, err := classes.Create(t.Context(), disk, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	before := u.all(t)
	_, err := campaign.Run(t.Context(), u.options(t, program, "fixed"))
	if want := "context seatrial: the cluster has a StorageClass disk already, and what was there before is not changed: give it another name, or delete it in the cluster"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	u.unchanged(t, before)
}
