package resource

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Match says which child is not as it is to be, nil if each exists, belongs to the owner, and has the
// labels, annotations and content that it is made with, and nothing beside what the API
// server fills in.
func (c Children[T]) Match(ctx context.Context, r client.Reader, owner T) error {
	versions := Versions{}
	for _, child := range c {
		wanted := child.Make(owner, versions)
		is := Empty(wanted)
		if err := r.Get(ctx, client.ObjectKeyFromObject(is), is); err != nil {
			return err
		}
		if !metav1.IsControlledBy(is, owner) {
			return fmt.Errorf("%T %s belongs to another", is, is.GetName())
		}
		if is.GetDeletionTimestamp() != nil {
			return fmt.Errorf("%T %s is being deleted", is, is.GetName())
		}
		if path := differs("", Normal(wanted), Normal(is)); path != "" {
			return fmt.Errorf("%T %s is not as it is to be: %s", is, is.GetName(), path)
		}
		if child.Noted {
			versions[is.GetName()] = is.GetResourceVersion()
		}
	}
	return nil
}

// Gone says which object of these kinds is still there that a resource of a kind has made, which is
// not there any more; nil if none is.
func Gone(ctx context.Context, r client.Reader, kind string, owner client.ObjectKey, lists ...client.ObjectList) error {
	for _, list := range lists {
		if err := r.List(ctx, list, client.InNamespace(owner.Namespace)); err != nil {
			return err
		}
		err := meta.EachListItem(list, func(item runtime.Object) error {
			o, _ := item.(client.Object)
			if by := metav1.GetControllerOf(o); by != nil && by.Kind == kind && by.Name == owner.Name {
				return fmt.Errorf("%T %s is still there", o, o.GetName())
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Normal is what an operator says of an object: labels, annotations and content, without
// what is empty and what the API server fills in.
func Normal(o client.Object) map[string]any {
	text, err := json.Marshal(o)
	var all map[string]any
	if err != nil || json.Unmarshal(text, &all) != nil {
		return nil // a client.Object is JSON
	}
	for _, name := range []string{"apiVersion", "kind", "status", "metadata"} {
		delete(all, name)
	}
	all["labels"], all["annotations"] = o.GetLabels(), o.GetAnnotations()
	text, _ = json.Marshal(all) // as it was before
	_ = json.Unmarshal(text, &all)
	out, _ := normal("", all).(map[string]any)
	return out
}

// filled are what the API server fills in where nothing is said; nil is whatever it says.
var filled = map[string]any{
	// of Services
	"clusterIP": nil, "clusterIPs": nil, "ipFamilies": nil, "ipFamilyPolicy": nil, "internalTrafficPolicy": "Cluster", "sessionAffinity": "None",
	"protocol": "TCP",
	// of StatefulSets and DaemonSets
	"podManagementPolicy": "OrderedReady", "revisionHistoryLimit": 10.0, "partition": 0.0, "maxSurge": 0.0, "maxUnavailable": 1.0,
	"whenDeleted": "Retain", "whenScaled": "Retain", "deprecated.daemonset.template.generation": nil,
	// of claims
	"volumeMode": "Filesystem", "status": nil, "apiVersion": nil, "kind": "PersistentVolumeClaim",
	// of pods
	"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "schedulerName": "default-scheduler", "terminationGracePeriodSeconds": 30.0,
	"serviceAccount": nil, "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "defaultMode": 420.0,
	"failureThreshold": 3.0, "periodSeconds": 10.0, "successThreshold": 1.0, "timeoutSeconds": 1.0, "scheme": "HTTP", "creationTimestamp": nil,
}

// typed are the values of fields called type that are filled in.
var typed = map[any]bool{"": true, "ClusterIP": true, "RollingUpdate": true, "Opaque": true}

// normal is a value without what is filled in or empty; nil if nothing is left of it.
func normal(name string, v any) any {
	if name == "clusterIP" && v == "None" {
		return v // headless
	}
	if by, ok := filled[name]; ok && (by == nil || by == v) || name == "type" && typed[v] {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, is := range v {
			if is = normal(name, is); is != nil {
				out[name] = is
			}
		}
		if len(out) > 0 {
			return out
		}
		return nil
	case []any:
		var out []any
		for _, is := range v {
			out = append(out, normal("", is))
		}
		if len(out) > 0 {
			return out
		}
		return nil
	}
	return v
}

// differs is where two values differ, empty if they are the same.
func differs(path string, wanted, is any) string {
	w, both := wanted.(map[string]any)
	i, ok := is.(map[string]any)
	if !both || !ok {
		if reflect.DeepEqual(wanted, is) {
			return ""
		}
		return fmt.Sprintf("%s is %v and not %v", path, is, wanted)
	}
	for name := range sorted(w, i) {
		if d := differs(path+"."+name, w[name], i[name]); d != "" {
			return d
		}
	}
	return ""
}

// sorted are the names of the fields of two values, in order.
func sorted(a, b map[string]any) iter.Seq[string] {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Values(slices.Sorted(maps.Keys(all)))
}
