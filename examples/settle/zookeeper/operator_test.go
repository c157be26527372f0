package zookeeper

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	children "github.com/seatrial/seatrial/examples/settle/resource"
	"github.com/seatrial/seatrial/settle"
)

func cluster(replicas int32) *Cluster {
	return &Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "zk"}, Spec: ClusterSpec{Replicas: replicas}}
}

// checked is what is checked: a Cluster that is created, scaled up and down, deleted and created again.
func checked(o Operator, faults settle.Faults) settle.Config {
	return settle.Config{
		Scheme: Scheme(), CRDs: []string{"crd.yaml"}, Systems: []settle.System{servers()},
		Setup: func(mgr ctrl.Manager) error {
			nodes, err := settle.Connect(mgr, System)
			if err != nil {
				return err
			}
			return o.Setup(mgr, nodes)
		},
		Desired: []client.Object{cluster(3), cluster(2)},
		Match: func(ctx context.Context, r client.Reader, c client.Object) error {
			return o.all().Match(ctx, r, c.(*Cluster))
		},
		Gone: func(ctx context.Context, r client.Reader, key client.ObjectKey) error {
			return children.Gone(ctx, r, kind.Kind, key, &corev1.ServiceList{}, &corev1.ConfigMapList{}, &appsv1.StatefulSetList{})
		},
		Writes: map[string]func(*settle.Write) error{safely: told},
		Faults: faults, MaxObjects: 20, // there are never so many
	}
}

// safely is the property that no server leaves that still counts for the others.
const safely = "servers are told before they leave"

// told: a StatefulSet shrinks only if the node of the cluster says so.
func told(w *settle.Write) error {
	var was, is appsv1.StatefulSet
	if w.Kind.Kind != "StatefulSet" || w.Verb != "update" || w.Err != nil || !w.Was(&was) || !w.Is(&is) || *is.Spec.Replicas >= *was.Spec.Replicas {
		return nil
	}
	var ensembles []ensemble
	if err := settle.Look(w.Cluster, System, &ensembles); err != nil {
		return err
	}
	for _, e := range ensembles {
		if n := e.Nodes["/"+parent+"/"+is.Name]; e.UID == is.UID && n.Data == strconv.Itoa(int(*is.Spec.Replicas)) {
			return nil
		}
	}
	return fmt.Errorf("%d servers become %d, and they know of %v", *was.Spec.Replicas, *is.Spec.Replicas, ensembles)
}

// TestSettles: whatever happens, there come to be the servers that are wanted.
func TestSettles(t *testing.T) {
	for _, test := range []struct {
		name   string
		small  bool
		faults settle.Faults
	}{
		{"scaled", false, settle.Faults{Crash: true, Timeout: true}},
		{"evicted", true, settle.Faults{Evict: true}},
		{"late", true, settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Crash: 1}}},
		{"created again", true, settle.Faults{Recreate: true, Budget: settle.Budget{Recreate: 1}}},
	} {
		t.Run(test.name, func(t *testing.T) { settle.Check(t, checked(Operator{small: test.small}, test.faults)) })
	}
}

// TestChanges: what users change is rolled out, also two things at once.
func TestChanges(t *testing.T) {
	c := checked(Operator{}, settle.Faults{Budget: settle.Budget{Users: 2}})
	c.Desired = c.Desired[:1]
	c.Vary = []settle.Field{
		{Path: "spec.replicas", Values: []any{2}},
		{Path: "spec.config.tickTime", Values: []any{3000}},
		{Path: "spec.labels", Values: []any{map[string]string{"team": "a"}}},
	}
	settle.Check(t, c)
}

// TestMistakes: each is found.
func TestMistakes(t *testing.T) {
	crash, late := settle.Faults{Crash: true}, settle.Faults{Crash: true, Late: true, Budget: settle.Budget{Crash: 1}}
	settle.Finds(t, checked(Operator{small: true, Parent: true}, crash), settle.Settles)
	settle.Finds(t, checked(Operator{small: true, Blind: true}, late), safely)
	settle.Finds(t, checked(Operator{small: true, Unmarked: true}, late), safely)
}
