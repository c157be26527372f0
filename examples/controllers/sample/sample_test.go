package sample

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type (
	spec struct {
		Size int `json:"size"`
	}
	status struct{}
	thing  = Object[spec, status]
)

// newClient is a client of a cluster with one thing, which it returns as it is there.
func newClient(t *testing.T) (client.Client, *thing) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := Kind[spec, status]("Thing")(scheme); err != nil {
		t.Fatal(err)
	}
	one := &thing{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "one", UID: "first"}, Spec: spec{Size: 3}}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(one).Build(), one
}

// TestKind: a kind that is registered can be read and listed, and copies of what is
// read have nothing in common with it.
func TestKind(t *testing.T) {
	c, _ := newClient(t)
	list := &List[spec, status]{}
	if err := c.List(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 || list.Items[0].Spec.Size != 3 {
		t.Fatalf("listed: %v", list.Items)
	}
	list.Items[0].Labels = map[string]string{"a": "b"}
	copied := list.DeepCopyObject().(*List[spec, status])
	copied.Items[0].Labels["a"] = "c"
	copied.Items[0].Spec.Size = 4
	if list.Items[0].Labels["a"] != "b" || list.Items[0].Spec.Size != 3 {
		t.Errorf("a change of a copy shows in the original: %v", list.Items[0])
	}
}

// TestCheckOwner: a child is of the object with the UID, not of that with the name.
func TestCheckOwner(t *testing.T) {
	c, one := newClient(t)
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "child"}}
	if err := controllerutil.SetControllerReference(one, child, c.Scheme()); err != nil {
		t.Fatal(err)
	}
	if err := CheckOwner(child, one); err != nil {
		t.Errorf("its own child: %v", err)
	}
	again := one.DeepCopyObject().(*thing)
	again.UID = types.UID("second")
	if err := CheckOwner(child, again); err == nil {
		t.Error("the child of an earlier object of the name is taken for its own")
	}
}

// TestUnchanged: what was changed since it was read is not deleted.
func TestUnchanged(t *testing.T) {
	c, one := newClient(t)
	read := &thing{}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(one), read); err != nil {
		t.Fatal(err)
	}
	old := read.DeepCopyObject().(*thing)
	read.Spec.Size = 5
	if err := c.Update(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete(t.Context(), old, Unchanged(old)); err == nil {
		t.Error("the object is deleted, though it is not as it was read")
	}
	if err := c.Delete(t.Context(), read, Unchanged(read)); err != nil {
		t.Errorf("the object as it is: %v", err)
	}
}
