package step_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/step"
	"github.com/seatrial/seatrial/statespace"
)

// where is how far a reconcile is: a ConfigMap that is to have a Secret of the same name and data.
type where string

// copying copies the data of a ConfigMap to a Secret, if there is a policy, whatever that says, and
// leaves a ServiceAccount to say that it has looked: get, then create or update.
var copying = step.Machine[*corev1.ConfigMap, where]{Init: "begins", Step: func(from *corev1.ConfigMap, at where, a step.Answer) (where, step.Request) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: from.Namespace, Name: from.Name}}
	switch at {
	case "begins":
		return "looks", step.Get(policy("")) // what it says is forgotten
	case "looks":
		if a.Err != nil {
			return at, step.Fail(a.Err)
		}
		return "says", step.Create(&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: from.Namespace, Name: "looked"}})
	case "says":
		if a.Err != nil && !apierrors.IsAlreadyExists(a.Err) {
			return at, step.Fail(a.Err)
		}
		return "gets", step.Get(secret)
	case "gets":
		switch is, _ := a.Object.(*corev1.Secret); {
		case apierrors.IsNotFound(a.Err):
			own := true
			secret.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: from.Name, UID: from.UID, Controller: &own}}
			secret.StringData = from.Data
			return "writes", step.Create(secret)
		case a.Err != nil:
			return at, step.Fail(a.Err)
		case !metav1.IsControlledBy(is, from):
			return at, step.Fail(errors.New("it is of another"))
		case string(is.Data["key"]) != from.Data["key"]:
			is.StringData = from.Data
			return "writes", step.Update(is)
		}
	case "writes":
		if a.Err != nil {
			return at, step.Fail(a.Err)
		}
	}
	return at, step.Done()
}}

func setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("copying").For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(copying.Reconciler(mgr.GetClient(), nil))
}

func wanted(value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}, Data: map[string]string{"key": value}}
}

func policy(says string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "policy"}, Data: map[string]string{"says": says}}
}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	_ = corev1.AddToScheme(s)
	return s
}

// TestExplored: a machine settles under all faults, in fewer states than it has when
// nobody knows what it remembers.
func TestExplored(t *testing.T) {
	explore := func(setup func(ctrl.Manager) error) *settle.Result {
		r, err := settle.Explore(t.Context(), settle.Config{
			Scheme: scheme(), Setup: setup, Objects: []client.Object{policy("no")}, Desired: []client.Object{wanted("x"), policy("no"), policy("yes")}, MaxObjects: 4,
			Given:    func(_ context.Context, _ client.Reader, o client.Object) bool { return o.GetName() == "a" },
			MatchCEL: "objects['secrets'].exists(s, s.metadata.ownerReferences[0].uid == object.metadata.uid && string(base64.decode(s.data.key)) == object.data.key)",
			Faults:   settle.Faults{Timeout: true},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != statespace.Holds {
			t.Errorf("%s", r)
		}
		return r
	}
	resumed := explore(setup)
	replayed := explore(func(mgr ctrl.Manager) error {
		inner := copying.Reconciler(mgr.GetClient(), nil)
		return ctrl.NewControllerManagedBy(mgr).Named("copying").For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).
			Complete(reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
				return inner.Reconcile(context.Background(), r) // nobody is told where it is
			}))
	})
	t.Logf("%d states where it says where it is, %d where it does not", resumed.States, replayed.States)
	if resumed.States >= replayed.States {
		t.Errorf("%d states where it says where it is, %d where it does not", resumed.States, replayed.States)
	}
}

// TestRuns: the same machine reconciles with any client.
func TestRuns(t *testing.T) {
	c := fake.NewClientBuilder().WithScheme(scheme()).WithObjects(wanted("x"), policy("yes")).Build()
	request := reconcile.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: "a"}}
	if _, err := copying.Reconciler(c, nil).Reconcile(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	var got corev1.Secret
	if err := c.Get(t.Context(), request.NamespacedName, &got); err != nil || got.StringData["key"] != "x" {
		t.Errorf("got %v %v", got.StringData, err)
	}
	if r, err := copying.Reconciler(c, nil).Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: "gone"}}); err != nil || r != (reconcile.Result{}) {
		t.Errorf("of what is not there: %v %v", r, err)
	}
}

type fails struct{}

func (fails) Ask(context.Context, any, any) error { return errors.New("no") }

// TestRequests: what a request does, and what a machine is told that asks for nothing.
func TestRequests(t *testing.T) {
	gone := wanted("x")
	for name, test := range map[string]struct {
		ask  step.Request
		want string
	}{
		"a system":            {step.Ask("cloud", 1), "no"},
		"no system":           {step.Ask("clod", 1), `there is no system "clod"`},
		"a system's nonsense": {step.Ask("cloud", func() {}), "json: unsupported type: func()"},
		"what is gone":        {step.Delete(gone), `configmaps "a" not found`},
		"its status":          {step.UpdateStatus(gone), `configmaps "a" not found`},
		"all":                 {step.List(&corev1.SecretList{}, "default", map[string]string{"a": "b"}), ""},
		"later":               {step.Again(1), ""},
		"nothing":             {step.Request{}, "a Machine asked for nothing: end with step.Done()"},
	} {
		other := wanted("x")
		other.Name = "other"
		c := fake.NewClientBuilder().WithScheme(scheme()).WithObjects(other).Build()
		machine := step.Machine[*corev1.ConfigMap, bool]{Step: func(_ *corev1.ConfigMap, asked bool, a step.Answer) (bool, step.Request) {
			switch {
			case !asked:
				return true, test.ask
			case a.Err != nil:
				return true, step.Fail(a.Err)
			}
			return true, step.Done()
		}}
		_, err := machine.Reconciler(c, map[string]step.Asker{"cloud": fails{}}).Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(other)})
		got := ""
		if err != nil {
			got = fmt.Sprint(err)
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
