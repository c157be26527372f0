package oracle

import (
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// The resources of Kubernetes that oracles know.
const (
	pods         = "pods"
	services     = "services"
	configMaps   = "configmaps"
	secrets      = "secrets"
	claims       = "persistentvolumeclaims"
	volumes      = "persistentvolumes"
	deployments  = "deployments.apps"
	statefulSets = "statefulsets.apps"
	daemonSets   = "daemonsets.apps"
	replicaSets  = "replicasets.apps"
	revisions    = "controllerrevisions.apps"
	jobs         = "jobs.batch"
	slicesOf     = "endpointslices.discovery.k8s.io"
	budgets      = "poddisruptionbudgets.policy"
	events       = "events"
)

// runners are the resources that keep pods running.
var runners = []string{deployments, statefulSets, daemonSets, replicaSets}

// controlling are the resources of the kinds of Kubernetes that control others.
var controlling = map[[2]string]string{
	{"apps/v1", "Deployment"}: deployments, {"apps/v1", "StatefulSet"}: statefulSets, {"apps/v1", "DaemonSet"}: daemonSets,
	{"apps/v1", "ReplicaSet"}: replicaSets, {"batch/v1", "Job"}: jobs, {"v1", "Service"}: services,
}

// owners are the ownerReferences of an object.
func owners(o history.Object) []history.Object {
	list, _ := o.At("metadata", "ownerReferences").([]any)
	var out []history.Object
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// controller is the owner that controls an object; nil for none.
func controller(o history.Object) history.Object {
	for _, owner := range owners(o) {
		if is, _ := owner["controller"].(bool); is {
			return owner
		}
	}
	return nil
}

// controlled is the key of the Kubernetes object that controls another; false if none does.
func controlled(key history.Key, o history.Object) (history.Key, bool) {
	owner := controller(o)
	resource := controlling[[2]string{owner.Text("apiVersion"), owner.Text("kind")}]
	return history.Key{Resource: resource, Namespace: key.Namespace, Name: owner.Text("name")}, resource != ""
}

// runner is the workload at the top of what controls a pod: the Deployment, not its
// ReplicaSet. It is key itself for an object that nothing of Kubernetes controls.
func runner(s history.State, key history.Key) history.Key {
	for range 4 {
		above, ok := controlled(key, s[key])
		if !ok {
			break
		}
		key = above
	}
	return key
}

// wanted is how many pods a workload is to have; false for what is no workload.
func wanted(resource string, o history.Object) (int64, bool) {
	switch resource {
	case daemonSets:
		return number(o, "status", "desiredNumberScheduled"), true
	case deployments, statefulSets, replicaSets:
		if n, ok := o.Number("spec", "replicas"); ok {
			return n, true
		}
		return 1, true
	}
	return 0, false
}

// ready is how many pods of a workload are ready.
func ready(resource string, o history.Object) int64 {
	if resource == daemonSets {
		return number(o, "status", "numberReady")
	}
	return number(o, "status", "readyReplicas")
}

// starting tells whether a workload waits for a great many pods, and has more that are ready than it had behind the
// step before: a plane starts a few in a second, and a thousand, which an operator that takes none away again is left
// with, take longer than a step.
func (c *Case) starting() bool {
	const many = 50
	if len(c.Steps) < 2 {
		return false
	}
	last, before := c.Last().End, c.Steps[len(c.Steps)-2].End
	for key, o := range last {
		want, runs := wanted(key.Resource, o)
		if is := ready(key.Resource, o); runs && want-is >= many && is > ready(key.Resource, before[key]) {
			return true
		}
	}
	return false
}

// overscaled tells whether all that wait for pods are workloads to which an autoscaler leaves more of them than the
// twin has: where they have no load it takes them away, and a plane has no metrics by which it would know.
func (c *Case) overscaled() bool {
	if c.Twin == nil {
		return false
	}
	last, waits := c.Last().End, false
	scaled := scaled(c.Twin.End, last)
	for key, o := range last {
		want, runs := wanted(key.Resource, o)
		if !runs || ready(key.Resource, o) >= want {
			continue
		}
		of := runner(last, key)
		fewer, _ := wanted(of.Resource, c.Twin.End[of])
		if want, _ = wanted(of.Resource, last[of]); !scaled[of] || want <= fewer {
			return false
		}
		waits = true
	}
	return waits
}

// scaling tells whether what is waited for are no more than pods of which there are many: they are still starting, or
// an autoscaler has left them there.
func (c *Case) scaling() bool { return c.starting() || c.overscaled() }

func number(o history.Object, path ...string) int64 {
	n, _ := o.Number(path...)
	return n
}

// labels are the labels of an object, or those of a template or selector at a path.
func labels(o history.Object, path ...string) map[string]string {
	m, _ := o.At(path...).(map[string]any)
	out := map[string]string{}
	for k, v := range m {
		if text, ok := v.(string); ok {
			out[k] = text
		}
	}
	return out
}

// condition is one of an object's conditions.
type condition struct{ kind, status, reason, message string }

func conditions(o history.Object) []condition {
	list, _ := o.At("status", "conditions").([]any)
	var out []condition
	for _, item := range list {
		m, _ := item.(map[string]any)
		c := history.Object(m)
		out = append(out, condition{c.Text("type"), c.Text("status"), c.Text("reason"), c.Text("message")})
	}
	return out
}

// conditionOf is the status of a condition; empty for none.
func conditionOf(o history.Object, kind string) condition {
	for _, c := range conditions(o) {
		if c.kind == kind {
			return c
		}
	}
	return condition{}
}

// podsOf are the keys of the pods of a workload that are not being deleted.
func podsOf(s history.State, workload history.Key) []history.Key {
	var out []history.Key
	for _, key := range s.Keys() {
		if key.Resource == pods && key.Namespace == workload.Namespace && s[key].At("metadata", "deletionTimestamp") == nil && runner(s, key) == workload {
			out = append(out, key)
		}
	}
	return out
}

// isReady tells whether a pod is ready.
func isReady(o history.Object) bool { return conditionOf(o, "Ready").status == "True" }

// list is the list at a path, as objects.
func list(o history.Object, path ...string) []history.Object {
	items, _ := o.At(path...).([]any)
	var out []history.Object
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// own tells whether an object was not there before the custom resource was.
func (c *Case) own(key history.Key) bool {
	_, before := c.Steps[0].Start[key]
	return !before || key == c.Key
}

// sentinels are those of all operations of the run, the longest first, since one
// may be part of another.
func (c *Case) sentinels() []string {
	seen := map[string]bool{}
	for _, s := range c.Steps {
		if s.Operation != nil {
			for _, text := range s.Operation.Sentinels {
				seen[text] = true
			}
		}
	}
	delete(seen, "")
	return slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
}

// given are the keys of what is applied beside the custom resource: no operator makes that.
func (c *Case) given() map[string]bool {
	out := map[string]bool{}
	for _, s := range c.Steps {
		if s.Operation == nil {
			continue
		}
		for _, o := range s.Operation.Objects {
			out[o.Text("kind")+"/"+o.Text("metadata", "name")] = true
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
