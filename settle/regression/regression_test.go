package regression

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// failing is a test that notes by what it fails.
type failing struct {
	testing.TB
	by []string
}

func (f *failing) Helper()                           {}
func (f *failing) Logf(string, ...any)               {}
func (f *failing) Error(args ...any)                 { f.by = append(f.by, fmt.Sprint(args...)) }
func (f *failing) Fatal(args ...any)                 { f.Error(args...); runtime.Goexit() }
func (f *failing) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }

// fails is by what a test fails that does this.
func fails(t *testing.T, config settle.Config, does func(*Regression)) string {
	t.Helper()
	f := &failing{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		does(start(f, config, memory(config)))
	}()
	<-done
	return strings.Join(f.by, "; ")
}

// memory makes clients to a cluster in memory, which read from caches what they are to.
func memory(config settle.Config) func(client.CacheOptions) (client.WithWatch, error) {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion})
	for _, kind := range []string{"ConfigMap", "Secret", "PersistentVolumeClaim", "Pod"} {
		mapper.Add(corev1.SchemeGroupVersion.WithKind(kind), meta.RESTScopeNamespace)
	}
	all := fake.NewClientBuilder().WithScheme(config.Scheme).WithRESTMapper(mapper).Build()
	return func(o client.CacheOptions) (client.WithWatch, error) {
		if o.Reader == nil {
			return all, nil
		}
		return interceptor.NewClient(all, interceptor.Funcs{
			Get: func(ctx context.Context, _ client.WithWatch, key client.ObjectKey, to client.Object, opts ...client.GetOption) error {
				return o.Reader.Get(ctx, key, to, opts...)
			},
			List: func(ctx context.Context, _ client.WithWatch, to client.ObjectList, opts ...client.ListOption) error {
				return o.Reader.List(ctx, to, opts...)
			},
		}), nil
	}
}

// keeper is an operator that has a Secret for each ConfigMap, of a drawn name or of its own.
type keeper struct {
	client.Client
	drawn bool
}

func (k *keeper) Reconcile(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
	var m corev1.ConfigMap
	if err := k.Get(ctx, q.NamespacedName, &m); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	var all corev1.SecretList
	if err := k.List(ctx, &all, client.InNamespace(q.Namespace)); err != nil || len(all.Items) > 0 {
		return reconcile.Result{}, err
	}
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: m.Namespace, Name: m.Name}}
	if k.drawn {
		s.Name, s.GenerateName = "", m.Name+"-"
	}
	if err := k.Create(ctx, s); err != nil && !apierrors.IsAlreadyExists(err) {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, nil
}

func (k *keeper) setup(name string) func(ctrl.Manager) error {
	return func(mgr ctrl.Manager) error {
		return ctrl.NewControllerManagedBy(mgr).Named(name).For(&corev1.ConfigMap{}).Watches(&corev1.Secret{}, &handler.EnqueueRequestForObject{}).
			Complete(&keeper{mgr.GetClient(), k.drawn})
	}
}

// keepers are processes with an operator each; there is to be one Secret.
func keepers(drawn bool, names ...string) settle.Config {
	c := settle.Config{Scheme: clientgo.Scheme, Desired: []client.Object{&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "x"}}}}
	for _, name := range names {
		c.Processes = append(c.Processes, settle.Process{Name: name, Setup: (&keeper{drawn: drawn}).setup(name)})
	}
	c.Match = func(ctx context.Context, r client.Reader, _ client.Object) error {
		var all corev1.SecretList
		if err := r.List(ctx, &all); err != nil || len(all.Items) != 1 {
			return errors.Join(err, fmt.Errorf("there are %d secrets", len(all.Items)))
		}
		return nil
	}
	return c
}

// twice has two processes look before either creates.
func twice(r *Regression) {
	r.Create(0)
	for _, p := range []string{"p", "q"} {
		r.Reconcile(p + " default/x")
		r.Next(p+" default/x", "list secrets", Done)
	}
	r.Next("p default/x", "create secrets", Done)
	r.Next("q default/x", "create secrets", Done)
	r.End()
}

// behind has a cache stop before the Secret is made, and the process look again.
func behind(r *Regression) {
	r.Stop("p", "secrets")
	r.Create(0)
	for range 2 {
		r.Reconcile("p default/x")
		r.Next("p default/x", "list secrets", Done)
		r.Next("p default/x", "create secrets", Done)
	}
	r.End()
}

// unheard has the Secret come and go while the cache does not hear of it.
func unheard(on func(r *Regression, process, cache string)) func(*Regression) {
	return func(r *Regression) {
		r.Create(0)
		r.Reconcile("p default/x")
		r.Next("p default/x", "list secrets", Done)
		r.Stop("p", "secrets")
		r.Next("p default/x", "create secrets", Done)
		r.Delete("secrets", "default/x")
		on(r, "p", "secrets")
		r.End()
	}
}

// requested asks for what it takes a lost answer, and a process that is killed.
func requested(a Answer) func(*Regression) {
	return func(r *Regression) {
		r.Create(0)
		r.Reconcile("p default/x")
		r.Next("p default/x", "create secrets", a)
		r.End()
	}
}

// late has a process killed while it asks for something, which happens later.
func late(r *Regression) {
	r.Create(0)
	r.Reconcile("p default/x")
	r.Next("p default/x", "list secrets", Done)
	r.Kill("p")
	r.Reconcile("p default/x")
	r.Next("p default/x", "list secrets", Done)
	r.Late("create secrets")
	r.Next("p default/x", "create secrets", Done)
	r.End()
}

// again has a process killed when all is done, while an API server is behind.
func again(kill func(*Regression, string)) func(*Regression) {
	return func(r *Regression) {
		r.Lag("p", "secrets")
		r.Create(0)
		r.Reconcile("p default/x")
		r.Next("p default/x", "create secrets", Done)
		kill(r, "p")
		r.Reconcile("p default/x")
		r.Next("p default/x", "create secrets", Done)
		r.End()
	}
}

// TestScripts: what lines of a test do, by an operator that is wrong where names are drawn.
func TestScripts(t *testing.T) {
	own := func(c settle.Config) settle.Config {
		c.Processes[0].ReadYourWrites = true
		return c
	}
	contract := keepers(false, "p")
	contract.Contracts = []settle.Contract{{Controller: "p", Guarantees: map[string]func(*settle.Write) error{"it owns": settle.OwnsWhatItWrites("ConfigMap")}}}
	expression := keepers(false, "p")
	expression.MatchCEL, expression.Match = "true", nil
	for _, test := range []struct {
		name   string
		config settle.Config
		script func(*Regression)
		want   string
	}{
		{"two look, and each creates", keepers(true, "p", "q"), twice, "default/x: there are 2 secrets"},
		{"the same, of one name", keepers(false, "p", "q"), twice, ""},
		{"a cache does not have what was created", keepers(true, "p"), behind, "default/x: there are 2 secrets"},
		{"the same, of one name", keepers(false, "p"), behind, ""},
		{"or waits for what the process wrote", own(keepers(true, "p")), behind, ""},
		{"a cache is listed anew, and what came and went is not heard of", keepers(false, "p"), unheard((*Regression).Relist), "default/x: there are 0 secrets"},
		{"it hears what happened", keepers(false, "p"), unheard((*Regression).GoOn), ""},
		{"an answer is lost, and it looks again", keepers(true, "p"), requested(Lost), ""},
		{"a request fails, and is made again", keepers(true, "p"), requested(Failed), ""},
		{"a request is late", keepers(true, "p"), late, "default/x: there are 2 secrets"},
		{"the same, of one name", keepers(false, "p"), late, ""},
		{"what was for a while is seen late", keepers(false, "p"), func(r *Regression) {
			r.Stop("p", "configmaps")
			r.Create(0)
			r.Send("p", "configmaps")
			r.Delete("configmaps", "default/x")
			r.GoOnByPart("p", "configmaps")
			r.Reconcile("p default/x")
			r.Next("p default/x", "create secrets", Done)
			r.config.Gone = func(context.Context, client.Reader, client.ObjectKey) error { return errors.New("a secret is left") }
			r.End()
		}, "default/x is not there: a secret is left"},
		{"a process begins with what it has seen", keepers(true, "p"), again((*Regression).Kill), ""},
		{"or with an older list", keepers(true, "p"), again((*Regression).KillToOlder), "default/x: there are 2 secrets"},
		{"a contract is asked about requests", contract, behind, "p guarantees: it owns: p: create Secret default/x: it creates what no ConfigMap controls"},
		{"a process that is not there", keepers(false, "p"), func(r *Regression) { r.Kill("q") }, `regression: there is no process "q" in the Config`},
		{"a controller that is not there", keepers(false, "p"), func(r *Regression) { r.Reconcile("q default/x") }, `regression: there is no controller for "q default/x" in the Config`},
		{"what Vary makes", keepers(false, "p"), func(r *Regression) { r.Create(1) }, "regression: users ask for number 1, and Desired has 1: it is one of those that Vary makes; add it to Desired"},
		{"what is said in CEL", expression, behind, "regression: MatchCEL and AlwaysCEL are for exploring: say it in Go, with Match and Always"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fails(t, test.config, test.script); got != test.want {
				t.Errorf("it fails by %q", got)
			}
		})
	}
}

// TestLoop: what goes on for ever is told from what comes to an end.
func TestLoop(t *testing.T) {
	flip := func(max int) settle.Config {
		c := keepers(false, "p")
		n := 0
		c.Processes[0].Setup = func(mgr ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(mgr).Named("p").For(&corev1.ConfigMap{}).Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
				var m corev1.ConfigMap
				if err := mgr.GetClient().Get(ctx, q.NamespacedName, &m); err != nil || n >= max {
					return reconcile.Result{}, client.IgnoreNotFound(err)
				}
				n++
				m.Data = map[string]string{"on": fmt.Sprint(m.Data["on"] != "true")}
				return reconcile.Result{}, mgr.GetClient().Update(ctx, &m)
			}))
		}
		c.Match = func(_ context.Context, _ client.Reader, m client.Object) error {
			if m.(*corev1.ConfigMap).Data["on"] != "true" {
				return errors.New("it is off")
			}
			return nil
		}
		return c
	}
	script := func(r *Regression) {
		r.Create(0)
		r.Loop(func() {
			for range 2 {
				r.Reconcile("p default/x")
				r.Next("p default/x", "update configmaps", Done)
			}
		})
		r.End()
	}
	if got := fails(t, flip(1000), script); got != "it goes on for ever: default/x: it is off" {
		t.Errorf("it fails by %q", got)
	}
	if got := fails(t, flip(5), script); got != "" {
		t.Errorf("it comes to an end, and fails by %q", got)
	}
}
