package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// resources are those of the kinds that acts name.
var resources = map[string]string{
	"Deployment": "deployments.apps", "ReplicaSet": "replicasets.apps", "Pod": "pods", "Node": "nodes",
	"HorizontalPodAutoscaler": "horizontalpodautoscalers.autoscaling",
	"PodDisruptionBudget":     "poddisruptionbudgets.policy",
}

// namespaced are the kinds that a manifest without a namespace is in the default
// one of.
var namespaced = map[string]bool{"Deployment": true, "ReplicaSet": true, "Pod": true, "HorizontalPodAutoscaler": true, "PodDisruptionBudget": true, "Service": true}

// named is "Kind namespace/name" or "Kind name".
func named(object string) (kind, namespace, name string) {
	kind, rest, _ := strings.Cut(object, " ")
	if namespace, name, ok := strings.Cut(rest, "/"); ok {
		return kind, namespace, name
	}
	return kind, "", rest
}

// objectNow is the object of an act in a state. A ReplicaSet may have another name
// than in the trace: it is the one with the template.
func (r *run) objectNow(a *trace.Act, s history.State) history.Object {
	kind, namespace, name := named(a.Object)
	if kind == "ReplicaSet" {
		name = r.setName(namespace, name)
	}
	return s[history.Key{Resource: resources[kind], Namespace: namespace, Name: name}]
}

// about tells whether a request is about the object of an act.
func about(r *run, a *trace.Act, q request) bool {
	kind, namespace, name := named(a.Object)
	if kind == "ReplicaSet" {
		name = r.setName(namespace, name)
	}
	return resources[kind] == q.base() && q.Namespace == namespace && q.Name == name
}

var _ = register("create", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error { return r.create(ctx, a.Manifest) },
	matches: func(r *run, a *trace.Act, q request) bool {
		if q.Verb != "create" {
			return false
		}
		if a.Pod != nil {
			owner, revision, ok := r.ownerOf(q)
			return q.Resource == "pods" && ok && owner == a.Pod.Owner && revision == a.Pod.Revision
		}
		replicas, _ := whole(q.body, "spec", "replicas")
		return q.Resource == "replicasets.apps" && a.To != nil && replicas == *a.To && r.createsSet(a, q)
	},
	taken: func(r *run, a *trace.Act, _ request) {
		if a.Pod != nil && !slices.Contains(r.expected, identityOf(a.Pod)) {
			r.expected = append(r.expected, identityOf(a.Pod))
		}
	},
	happened: func(r *run, a *trace.Act, s history.State) bool {
		if a.Pod != nil {
			_, pod := r.podNow(a, s)
			return pod != nil
		}
		return r.objectNow(a, s) != nil
	},
})

var _ = register("delete", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		if a.Pod != nil {
			n, _ := r.podNow(a, nil)
			return r.client.CoreV1().Pods(n.namespace).Delete(ctx, n.name, metav1.DeleteOptions{})
		}
		resource, err := r.resource(a.Object)
		if err != nil {
			return err
		}
		_, _, name := named(a.Object)
		return resource.Delete(ctx, name, metav1.DeleteOptions{})
	},
	prepare: func(ctx context.Context, r *run, a *trace.Act) error {
		if a.By == "kube-scheduler" && r.preemptor != nil {
			return r.turn(ctx, *r.preemptor, "", false)
		}
		return nil
	},
	matches: func(r *run, a *trace.Act, q request) bool {
		if a.Pod != nil {
			return q.Resource == "pods" && q.Verb == "delete" && samePod(r, a, q)
		}
		return q.Verb == "delete" && about(r, a, q)
	},
	taken: func(r *run, a *trace.Act, q request) {
		if a.Pod != nil {
			takePod(r, a, q)
		}
	},
	happened: func(r *run, a *trace.Act, s history.State) bool {
		if a.Pod != nil {
			return leaving(r, a, s)
		}
		return r.objectNow(a, s) == nil
	},
})

var _ = register("scale", verb{
	perform: patchObject,
	matches: func(r *run, a *trace.Act, q request) bool {
		replicas, ok := whole(q.body, "spec", "replicas")
		return ok && q.Verb != "create" && about(r, a, q) && a.To != nil && replicas == *a.To
	},
	happened: func(r *run, a *trace.Act, s history.State) bool {
		replicas, ok := whole(r.objectNow(a, s), "spec", "replicas")
		return ok && a.To != nil && replicas == *a.To
	},
})

var _ = register("status", verb{
	matches: func(r *run, a *trace.Act, q request) bool {
		return about(r, a, q) && agrees(a.Patch, q.body)
	},
	happened: func(r *run, a *trace.Act, s history.State) bool {
		return a.By == "kube-apiserver" || agrees(a.Patch, r.objectNow(a, s))
	},
})

// agrees tells whether the counts of a status are those that a patch sets, and its
// conditions, with the reasons that are given.
func agrees(patch json.RawMessage, object history.Object) bool {
	var wanted history.Object
	if json.Unmarshal(patch, &wanted) != nil {
		return false
	}
	for _, field := range budgetFields {
		want, set := whole(wanted, "status", field)
		if is, _ := whole(object, "status", field); set && is != want {
			return false
		}
	}
	conditions, _ := wanted.At("status", "conditions").([]any)
	have, _ := object.At("status", "conditions").([]any)
	return !slices.ContainsFunc(conditions, func(want any) bool {
		return !slices.ContainsFunc(have, func(is any) bool { return sameCondition(want, is) })
	})
}

// sameCondition tells whether two conditions are one but for their messages and times.
func sameCondition(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	return x["type"] == y["type"] && x["status"] == y["status"] && x["reason"] == y["reason"]
}

var _ = register("patch", verb{perform: patchObject})

var _ = register("cordon", verb{perform: patchObject})

var _ = register("uncordon", verb{perform: patchObject})

// patchObject writes what an act says that changes.
func patchObject(ctx context.Context, r *run, a *trace.Act) error {
	resource, err := r.resource(a.Object)
	if err != nil {
		return err
	}
	_, _, name := named(a.Object)
	patch := []byte(a.Patch)
	if len(patch) == 0 && a.To != nil {
		patch = fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, *a.To)
	}
	if len(patch) == 0 {
		return unsupported{fmt.Sprintf("%s %s without a patch", a.Verb, a.Object)}
	}
	result, err := resource.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
	if err != nil {
		return err
	}
	return r.recorded(ctx, result)
}

// recorded waits until the record has what was written.
func (r *run) recorded(ctx context.Context, written *unstructured.Unstructured) error {
	revision, err := strconv.ParseInt(written.GetResourceVersion(), 10, 64)
	if err != nil {
		return err
	}
	return r.view.wait(ctx, func(history.State) bool { return r.view.newest >= revision })
}

// create creates an object of the trace.
func (r *run) create(ctx context.Context, manifest json.RawMessage) error {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(manifest); err != nil {
		return Unusable{"an object of the trace: " + err.Error()}
	}
	r.own(object)
	if object.GetNamespace() == "" && namespaced[object.GetKind()] {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	resource, err := r.resourceOf(object)
	if err != nil {
		return err
	}
	created, err := resource.Create(ctx, object, metav1.CreateOptions{FieldManager: manager})
	if err != nil {
		return err
	}
	r.uids[object.GetKind()+" "+object.GetNamespace()+"/"+object.GetName()] = created.GetUID()
	return nil
}
