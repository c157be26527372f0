package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/seatrial/seatrial/finding"
)

// Omissions lists what is left out. Blocking marks what could take capacity on
// a checked node, select a checked pod or write a checked object, and fields
// that could change behaviour; a check with such an omission that is not
// Accepted is inconclusive. accept holds the names that the command line
// gives; those of the Scenario are added. A name accepts
//
//	StatefulSet/default/db      one object
//	StatefulSet                 a kind
//	StatefulSet/default         a kind in one namespace
//	Pod/default/x:spec.volumes  a field of one object, its items included
//	Pod:spec.volumes            that field of all objects of a kind
//
// The order is that of the names.
func (in *Input) Omissions(accept []string) []finding.Omission {
	if in.Scenario != nil {
		accept = append(slices.Clone(accept), in.Scenario.Value.Spec.Accept...)
	}
	judge := newJudge(in)
	out := make([]finding.Omission, 0, len(in.LeftOut))
	for _, left := range in.LeftOut {
		reason, blocking := left.Reason, left.Field != ""
		switch {
		case left.unread:
			blocking = left.blocking
		case !blocking:
			if why := judge.matters(left); why != "" {
				reason, blocking = reason+"; "+why, true
			}
		}
		out = append(out, finding.Omission{
			Name: left.Name, Location: left.Location, Reason: reason, Blocking: blocking,
			Accepted: slices.ContainsFunc(accept, func(name string) bool { return accepts(name, left) }),
		})
	}
	return out
}

// Unaccepting returns the names in accept that accept nothing: most likely
// misspelt.
func (in *Input) Unaccepting(accept []string) []string {
	var out []string
	for _, name := range accept {
		if !slices.ContainsFunc(in.LeftOut, func(left LeftOut) bool { return accepts(name, left) }) {
			out = append(out, name)
		}
	}
	return out
}

// accepts says whether a user's name stands for what is left out.
func accepts(name string, left LeftOut) bool {
	object, path, hasField := strings.Cut(strings.TrimSpace(name), ":")
	leftObject, leftPath, _ := strings.Cut(left.Name, ":")
	if object == "" || hasField != (left.Field != "") {
		return false
	}
	if object != leftObject && !strings.HasPrefix(leftObject, object+"/") {
		return false
	}
	return !hasField || path == leftPath || strings.HasPrefix(leftPath, path+".") || strings.HasPrefix(leftPath, path+"[")
}

// judge knows what is checked.
type judge struct {
	nodes      []*corev1.Node
	namespaces map[string]bool
	// names are the checked objects, each as Kind namespace/name.
	names     map[string]bool
	workloads []workload
	// pools: the Scenario makes nodes.
	pools bool
}

func newJudge(in *Input) *judge {
	j := &judge{namespaces: map[string]bool{}, names: map[string]bool{}, workloads: in.workloads()}
	for _, o := range in.Nodes {
		j.nodes = append(j.nodes, o.Value)
	}
	if in.Scenario != nil {
		j.pools = len(in.Scenario.Value.Spec.NodePools) > 0
		for _, p := range in.Scenario.Value.Spec.NodePools {
			node := &corev1.Node{Spec: p.Template.Spec, Status: p.Template.Status}
			node.Name, node.Labels = p.Name+"-1", p.Template.Metadata.Labels
			j.nodes = append(j.nodes, node)
		}
	}
	for _, w := range j.workloads {
		j.namespaces[w.namespace] = true
		j.names[w.kind+" "+w.namespace+"/"+w.name] = true
	}
	for _, o := range in.ReplicaSets {
		j.names["ReplicaSet "+o.Value.Namespace+"/"+o.Value.Name] = true
	}
	for _, o := range slices.Concat(in.Autoscalers, in.later.Autoscalers) {
		j.names["HorizontalPodAutoscaler "+o.Value.Namespace+"/"+o.Value.Name] = true
	}
	for _, o := range slices.Concat(in.DisruptionBudgets, in.later.DisruptionBudgets) {
		j.names["PodDisruptionBudget "+o.Value.Namespace+"/"+o.Value.Name] = true
	}
	return j
}

// matters says in a few words why an object that is left out could matter to
// the check; empty if it cannot.
func (j *judge) matters(left LeftOut) string {
	if len(left.held) > 0 {
		return j.heldMatters(left)
	}
	var object map[string]any
	if json.Unmarshal(left.Raw, &object) != nil {
		return "it could not be read"
	}
	group, _, versioned := strings.Cut(text(object, "apiVersion"), "/")
	if !versioned {
		group = ""
	}
	if isBuiltIn(group) {
		return j.builtInMatters(left, object)
	}
	return j.customMatters(left, object, group)
}

// podMakers are the built-in kinds that make pods, with the path of the pod
// template.
var podMakers = map[string][]string{
	"DaemonSet":             {"spec", "template", "spec"},
	"StatefulSet":           {"spec", "template", "spec"},
	"Job":                   {"spec", "template", "spec"},
	"CronJob":               {"spec", "jobTemplate", "spec", "template", "spec"},
	"ReplicationController": {"spec", "template", "spec"},
}

func (j *judge) builtInMatters(left LeftOut, object map[string]any) string {
	if path, ok := podMakers[left.Kind]; ok {
		spec, _ := dig(object, path...).(map[string]any)
		if j.fitsSomewhere(spec) {
			return "its pods take capacity on checked nodes"
		}
		return ""
	}
	switch left.Kind {
	case "LimitRange", "ResourceQuota":
		namespace := left.Namespace
		if namespace == "" {
			namespace = corev1.NamespaceDefault
		}
		if j.namespaces[namespace] {
			return "it changes or refuses pods in a checked namespace"
		}
	case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
		verb := "change"
		if left.Kind == "ValidatingWebhookConfiguration" {
			verb = "refuse"
		}
		for _, webhook := range list(object, "webhooks") {
			if rule := catching(list(webhook, "rules")); rule != "" {
				return fmt.Sprintf("it can %s %s", verb, rule)
			}
		}
	case "MutatingAdmissionPolicy", "ValidatingAdmissionPolicy":
		verb := "change"
		if left.Kind == "ValidatingAdmissionPolicy" {
			verb = "refuse"
		}
		constraints, _ := dig(object, "spec", "matchConstraints").(map[string]any)
		if rule := catching(list(constraints, "resourceRules")); rule != "" {
			return fmt.Sprintf("it can %s %s", verb, rule)
		}
	case "Eviction", "Binding":
		return "it acts on a pod when it is applied"
	}
	return ""
}

// fitsSomewhere says whether pods with this spec, given as JSON, could be on
// a checked node as far as its node name, node selector and required node
// affinity go. What cannot be read could.
func (j *judge) fitsSomewhere(spec map[string]any) bool {
	pod := &corev1.Pod{}
	raw, err := json.Marshal(spec)
	if err != nil || json.Unmarshal(raw, &pod.Spec) != nil {
		return len(j.nodes) > 0
	}
	required := nodeaffinity.GetRequiredNodeAffinity(pod)
	return slices.ContainsFunc(j.nodes, func(n *corev1.Node) bool {
		if pod.Spec.NodeName != "" && pod.Spec.NodeName != n.Name {
			return false
		}
		match, err := required.Match(n)
		return match || err != nil
	})
}

// writtenResources are the resources that a check writes or creates.
var writtenResources = map[string]string{
	"pods": "", "pods/eviction": "", "pods/status": "", "pods/binding": "", "nodes": "",
	"deployments": "apps", "deployments/scale": "apps", "replicasets": "apps",
	"horizontalpodautoscalers": "autoscaling", "poddisruptionbudgets": "policy",
}

// catching names the checked resource that admission rules apply to; empty if
// there is none.
func catching(rules []map[string]any) string {
	for _, resource := range sortedKeys(writtenResources) {
		for _, rule := range rules {
			if contains(rule, "apiGroups", writtenResources[resource]) && catchesResource(rule, resource) {
				return resource
			}
		}
	}
	return ""
}

func catchesResource(rule map[string]any, resource string) bool {
	kind, sub, _ := strings.Cut(resource, "/")
	for _, pattern := range []string{resource, "*/*", kind + "/*", "*/" + sub} {
		if pattern != "*/" && slices.Contains(strs(rule, "resources"), pattern) {
			return true
		}
	}
	return sub == "" && slices.Contains(strs(rule, "resources"), "*")
}

func contains(rule map[string]any, field, value string) bool {
	values := strs(rule, field)
	return slices.Contains(values, value) || slices.Contains(values, "*")
}

// isBuiltIn says whether a group is Kubernetes' own.
func isBuiltIn(group string) bool {
	return !strings.Contains(group, ".") || slices.Contains(builtInGroups, group) || slices.Contains(knownGroups(), group)
}

func text(object map[string]any, field string) string {
	s, _ := object[field].(string)
	return s
}

// dig follows fields down from object.
func dig(object map[string]any, path ...string) any {
	var at any = object
	for _, field := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[field]
	}
	return at
}

// list are the objects in a list field.
func list(object map[string]any, field string) []map[string]any {
	items, _ := object[field].([]any)
	var out []map[string]any
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// strs are the strings in a list field.
func strs(object map[string]any, field string) []string {
	items, _ := object[field].([]any)
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
