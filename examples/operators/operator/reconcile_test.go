package operator

import (
	"context"
	"errors"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// thing is a resource that has a ConfigMap for each of its parts.
type thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Parts  []string `json:"parts,omitempty"`
	Status Status   `json:"status"`
}

func (t *thing) DeepCopyObject() runtime.Object { return Copy(t) }
func (t *thing) Observed() *Status              { return &t.Status }

func parts(t *thing) []client.Object {
	var out []client.Object
	for _, name := range t.Parts {
		out = append(out, &corev1.ConfigMap{ObjectMeta: Meta(t, name)})
	}
	return out
}

// bench is an operator with a cluster.
type bench struct {
	*reconciler
	*testing.T
}

// newBench has a cluster that refuses a ConfigMap of the name thing-bad.
func newBench(t *testing.T, o Operator) bench {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	scheme.AddKnownTypeWithName(version.WithKind("Thing"), &thing{})
	one := &thing{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "thing", UID: "first", Generation: 1}}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(one).WithStatusSubresource(one).
		WithInterceptorFuncs(interceptor.Funcs{Create: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.CreateOption) error {
			if object.GetName() == "thing-bad" {
				return apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, "thing-bad", nil)
			}
			return c.Create(ctx, object, options...)
		}}).Build()
	o.Kind, o.Resource, o.Children = "Thing", &thing{}, For(parts)
	return bench{&reconciler{Operator: o, Client: c, read: c}, t}
}

// with has the thing say that it has parts, reconciles, and gives the names of its children
// and why it is refused.
func (b bench) with(parts ...string) (children []string, refused string) {
	b.Helper()
	request, one := ctrl.Request{}, &thing{}
	request.Namespace, request.Name = "default", "thing"
	if err := b.Get(b.Context(), request.NamespacedName, one); err != nil {
		b.Fatal(err)
	}
	one.Parts = parts
	one.Generation++
	if err := b.Update(b.Context(), one); err != nil {
		b.Fatal(err)
	}
	if _, err := b.Reconcile(b.Context(), request); err != nil {
		b.Fatal(err)
	}
	if err := b.Get(b.Context(), request.NamespacedName, one); err != nil {
		b.Fatal(err)
	}
	list := &corev1.ConfigMapList{}
	if err := b.List(b.Context(), list); err != nil {
		b.Fatal(err)
	}
	for _, child := range list.Items {
		children = append(children, child.Name)
	}
	if condition := meta.FindStatusCondition(one.Status.Conditions, accepted); condition.Status != metav1.ConditionTrue {
		refused = condition.Message
	}
	return children, refused
}

// TestReconcile: children come and go with what the resource says, and a resource of which
// a part is refused is followed in nothing.
func TestReconcile(t *testing.T) {
	b := newBench(t, Operator{})
	for _, test := range []struct {
		parts, want []string
		refused     bool
	}{
		{[]string{"a", "b"}, []string{"thing-a", "thing-b"}, false},
		{[]string{"b", "c"}, []string{"thing-b", "thing-c"}, false},
		{[]string{"d", "bad"}, []string{"thing-b", "thing-c"}, true},
		{nil, nil, false},
	} {
		if got, refused := b.with(test.parts...); !slices.Equal(got, test.want) || (refused != "") != test.refused {
			t.Errorf("%v: %v, want %v; refused because %q", test.parts, got, test.want, refused)
		}
	}
}

// TestForms: what the fields of an operator are for.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		what    string
		form    Operator
		want    []string // after a part more, and that taken back
		refused string
	}{
		{"nothing", Operator{}, []string{"thing-a"}, ""},
		{"Keep", Operator{Keep: true}, []string{"thing-a", "thing-b"}, ""},
		{"Hold", Operator{Hold: func(*Status) bool { return true }}, nil, ""},
		{"Validate", Operator{Validate: func(Resource) error { return errors.New("no") }}, nil, "no"},
		{"Write", Operator{Write: func(context.Context, *Writer, client.Object) error { return nil }}, nil, ""},
	} {
		b := newBench(t, test.form)
		b.with("a", "b")
		if got, refused := b.with("a"); !slices.Equal(got, test.want) || refused != test.refused {
			t.Errorf("%s: %v, want %v; refused because %q", test.what, got, test.want, refused)
		}
	}
}

// TestFinish: a resource that is deleted goes when it was cleaned up for it, and not before.
func TestFinish(t *testing.T) {
	failed := errors.New("no")
	b := newBench(t, Operator{Finish: func(context.Context, *Writer, Resource) error { return failed }})
	b.with("a")
	one := &thing{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "thing"}}
	if err := b.Delete(b.Context(), one); err != nil {
		t.Fatal(err)
	}
	request := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(one)}
	for _, want := range []error{failed, nil} {
		if err := b.Get(b.Context(), request.NamespacedName, one); err != nil {
			t.Fatalf("it is gone before it was cleaned up for it: %v", err)
		}
		failed = want
		if _, err := b.Reconcile(b.Context(), request); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if err := b.Get(b.Context(), request.NamespacedName, one); !apierrors.IsNotFound(err) {
		t.Errorf("it is still there: %v", err)
	}
}
