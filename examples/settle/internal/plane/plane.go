// Package plane runs the operators that settle checks as what they are: programs, on a real API server
// with the controllers of Kubernetes.
package plane

import (
	"context"
	"os"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/seatrial/seatrial/controlplane"
)

// patience is how long an operator may take to come to what is wanted.
const patience = 20 * time.Second

// Run has users ask for one thing after another, of one name, and waits for each until it matches.
// Without the executable of a control plane nothing is done.
func Run(t *testing.T, scheme *runtime.Scheme, definitions string, setup func(ctrl.Manager) error, match func(context.Context, client.Reader, client.Object) error, wanted ...client.Object) {
	t.Helper()
	if os.Getenv(controlplane.Executable) == "" {
		t.Logf("needs a control plane: %s is the path of its executable", controlplane.Executable)
		return
	}
	started := controlplane.Start(t)
	rest, err := clientcmd.BuildConfigFromFlags("", started.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	_ = apiextensionsv1.AddToScheme(scheme) // adds types, and never fails
	if _, err := envtest.InstallCRDs(rest, envtest.CRDInstallOptions{Scheme: scheme, Paths: []string{definitions}}); err != nil {
		t.Fatal(err)
	}
	again := true // the name of a controller may come twice: each test has a manager
	mgr, err := ctrl.NewManager(rest, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}, Controller: config.Controller{SkipNameValidation: &again}})
	if err != nil {
		t.Fatal(err)
	}
	if err := setup(mgr); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	go func() { ended <- mgr.Start(ctx) }()
	c, err := client.New(rest, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range wanted {
		ask(t, c, o)
		await(t, c, o, match)
	}
}

// ask creates what is wanted, or writes it over what is there: what the operator writes at the
// same time (a finalizer, a status) is no reason to give up.
func ask(t *testing.T, c client.Client, o client.Object) {
	t.Helper()
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		is, _ := o.DeepCopyObject().(client.Object)
		err := c.Get(t.Context(), client.ObjectKeyFromObject(o), is)
		if apierrors.IsNotFound(err) {
			return c.Create(t.Context(), o)
		}
		if err != nil {
			return err
		}
		o.SetResourceVersion(is.GetResourceVersion())
		return c.Update(t.Context(), o)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// await waits until there is what is wanted.
func await(t *testing.T, c client.Client, o client.Object, match func(context.Context, client.Reader, client.Object) error) {
	t.Helper()
	end := time.NewTimer(patience)
	defer end.Stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := c.Get(t.Context(), client.ObjectKeyFromObject(o), o)
		if err == nil {
			err = match(t.Context(), c, o)
		}
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("%T %s: %v", o, o.GetName(), err)
		}
	}
}
