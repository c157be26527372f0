package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metalabels "k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/history"
)

// Objects name others, and parts of them, by words that nobody checks: a backend that is a port of a Service by its
// name, a target of an autoscaler. Where only one of both is renamed, no twin shows it, which has the same.

func init() {
	register(Oracle{Name: "reference", Rule: "SEA3015", Order: 66, Judge: dangling})
}

// pointing is how an object names others, by its resource.
var pointing = map[string]func(c *Case, s history.State, key history.Key) []pointer{
	ingresses:    ingressPoints,
	autoscalers:  scalerPoints,
	services:     servicePoints,
	statefulSets: setPoints,
	deployments:  probePoints,
	daemonSets:   probePoints,
	monitors:     monitorPoints,
}

// The resources that name others, and are nothing else to oracles.
const (
	ingresses = "ingresses.networking.k8s.io"
	monitors  = "servicemonitors.monitoring.coreos.com"
)

// pointer is what an object says where it names another.
type pointer struct {
	path string
	// name is what it says there, and asked the part of it that a resource may say; nil for all of it.
	name, asked any
	// gone says what is not there; empty if it is.
	gone string
}

// dangling finds objects that came with the resource and name what is not there. Who named nothing with the seed either
// names something that seatrial does not know; and what the resource itself says there is what its user asks for.
func dangling(c *Case) []Deviation {
	last := c.Last()
	if !last.Rest.Quiet || last.Refused != "" || c.misoperation() || c.impossible() || c.Fails() {
		return nil
	}
	keys, asked := texts(last.End[c.Key].At("spec"))
	var out []Deviation
	for _, key := range last.End.Keys() {
		points := pointing[key.Resource]
		switch {
		case points == nil || !c.own(key) || last.End[key].At("metadata", "deletionTimestamp") != nil:
			continue
		case keys["ports"] && key.Resource != autoscalers, keys["containers"]:
			continue // the user says what ports there are, or what runs, and need not say all that is named
		}
		for _, p := range points(c, last.End, key) {
			if p.gone == "" || asked[fmt.Sprint(cmp.Or(p.asked, p.name))] || c.neverThere(key.Resource, p.path) {
				continue
			}
			out = append(out, Deviation{
				Object: key, Path: p.path, Place: p.path, Found: p.name,
				Text: fmt.Sprintf("%s of %s is %v, and %s", p.path, key, p.name, p.gone),
			})
		}
	}
	return out
}

// neverThere tells whether an object of a resource named nothing at a path with the seed. The object may have another
// name since.
func (c *Case) neverThere(resource, path string) bool {
	seed := c.Steps[0].End
	for key := range seed {
		if key.Resource == resource && slices.ContainsFunc(pointing[resource](c, seed, key), func(p pointer) bool { return p.path == path && p.gone != "" }) {
			return true
		}
	}
	return false
}

// texts are all keys of a value, and all that it says somewhere.
func texts(v any) (keys, all map[string]bool) {
	keys, all = map[string]bool{}, map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				keys[name] = true
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		default:
			all[fmt.Sprint(v)] = true
		}
	}
	walk(v)
	return keys, all
}

// ingressPoints are the Services that an Ingress leads to, and the ports of those that came with the resource.
func ingressPoints(c *Case, s history.State, key history.Key) (all []pointer) {
	o := s[key]
	add := func(path string, backend history.Object) {
		all = append(all, c.serviceAt(s, key, path, backend.Text("service", "name"), backend)...)
	}
	spec, _ := o.At("spec", "defaultBackend").(map[string]any)
	add("spec.defaultBackend.service", spec)
	for i, rule := range list(o, "spec", "rules") {
		for j, path := range list(rule, "http", "paths") {
			backend, _ := path["backend"].(map[string]any)
			add(fmt.Sprintf("spec.rules[%d].http.paths[%d].backend.service", i, j), backend)
		}
	}
	return all
}

// serviceAt is a Service that is named at a path, and its port.
func (c *Case) serviceAt(s history.State, from history.Key, path, name string, backend history.Object) []pointer {
	if name == "" {
		return nil
	}
	p := pointer{path: path + ".name", name: name}
	at := history.Key{Resource: services, Namespace: from.Namespace, Name: name}
	service, there := s[at]
	if !there {
		p.gone = c.renamed(s, at)
		return []pointer{p}
	}
	port := pointer{path: path + ".port", name: backend.At("service", "port", "name")}
	if port.name == nil {
		port.name = backend.At("service", "port", "number")
	}
	is := func(p history.Object) bool {
		return fmt.Sprint(p["name"]) == fmt.Sprint(port.name) || fmt.Sprint(p["port"]) == fmt.Sprint(port.name)
	}
	if port.name != nil && c.own(at) && !slices.ContainsFunc(list(service, "spec", "ports"), is) {
		port.gone = fmt.Sprintf("%s has no such port", at)
	}
	return []pointer{p, port}
}

// renamed tells of an object that is not there, and was with the seed, that there are others of its kind which were
// not: somebody else may not want it at all. Empty if there are none.
func (c *Case) renamed(s history.State, gone history.Key) string {
	if _, was := c.Steps[0].End[gone]; !was || !c.own(gone) {
		return ""
	}
	for _, key := range s.Keys() {
		if _, was := c.Steps[0].End[key]; !was && key.Resource == gone.Resource && key.Namespace == gone.Namespace && c.own(key) {
			return fmt.Sprintf("there is no such one, but %s, which was not there before", key)
		}
	}
	return ""
}

// scalerPoints is what an autoscaler scales.
func scalerPoints(c *Case, s history.State, key history.Key) []pointer {
	target, _ := s[key].At("spec", "scaleTargetRef").(map[string]any)
	o := history.Object(target)
	resource := controlling[[2]string{o.Text("apiVersion"), o.Text("kind")}]
	p := pointer{path: "spec.scaleTargetRef", name: o.Text("kind") + " " + o.Text("name"), asked: o.Text("name")}
	if _, there := s[history.Key{Resource: resource, Namespace: key.Namespace, Name: o.Text("name")}]; resource != "" && !there && c.runs(s, key.Namespace) {
		p.gone = "there is none, while pods run"
	}
	return []pointer{p}
}

// servicePoints are the ports of containers that a Service names.
func servicePoints(c *Case, s history.State, key history.Key) (all []pointer) {
	selector := selectorOf(key, s[key])
	if selector == nil {
		return nil
	}
	for i, port := range list(s[key], "spec", "ports") {
		name, is := port["targetPort"].(string)
		if !is {
			continue
		}
		p := pointer{path: fmt.Sprintf("spec.ports[%d].targetPort", i), name: name}
		if pods, has := named(s, key.Namespace, selector, name); pods > 0 && has == 0 {
			p.gone = fmt.Sprintf("no container of the %d pods that it selects has such a port", pods)
		}
		all = append(all, p)
	}
	return all
}

// named counts the pods that are selected, and the containers of theirs, and of the workloads that may still replace
// them, with a port of a name.
func named(s history.State, namespace string, selector metalabels.Selector, name string) (selected, has int) {
	for _, key := range s.Keys() {
		var at []string
		switch key.Resource {
		case pods:
		case deployments, statefulSets, daemonSets: // not the ReplicaSets of before
			at = []string{"spec", "template"}
		default:
			continue
		}
		if key.Namespace != namespace || !selector.Matches(metalabels.Set(labels(s[key], append(at[:len(at):len(at)], "metadata", "labels")...))) {
			continue
		}
		spec, _ := s[key].At(append(at[:len(at):len(at)], "spec")...).(map[string]any)
		if key.Resource == pods {
			selected++
		}
		for _, container := range append(list(spec, "containers"), list(spec, "initContainers")...) {
			if hasPort(container, name) {
				has++
			}
		}
	}
	return selected, has
}

func hasPort(container history.Object, name string) bool {
	return slices.ContainsFunc(list(container, "ports"), func(p history.Object) bool { return p.Text("name") == name })
}

// setPoints is the Service of a StatefulSet, and what its probes name.
func setPoints(c *Case, s history.State, key history.Key) []pointer {
	p := pointer{path: "spec.serviceName", name: s[key].Text("spec", "serviceName")}
	at := history.Key{Resource: services, Namespace: key.Namespace, Name: s[key].Text("spec", "serviceName")}
	if _, there := s[at]; !there {
		p.gone = c.renamed(s, at)
	}
	return append(probePoints(c, s, key), p)
}

// probePoints are the ports of its own container that a probe of a workload names: a kubelet finds none.
func probePoints(_ *Case, s history.State, key history.Key) (all []pointer) {
	spec, _ := s[key].At("spec", "template", "spec").(map[string]any)
	for _, container := range append(list(spec, "containers"), list(spec, "initContainers")...) {
		for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
			for _, how := range []string{"httpGet", "tcpSocket"} {
				name, is := container.At(probe, how, "port").(string)
				if !is {
					continue
				}
				p := pointer{path: fmt.Sprintf("spec.template.spec.containers[%s].%s.%s.port", container.Text("name"), probe, how), name: name}
				if !hasPort(container, name) {
					p.gone = "the container has no such port"
				}
				all = append(all, p)
			}
		}
	}
	return all
}

// monitorPoints are the ports of Services that a ServiceMonitor names, where those that it selects came with the
// resource.
func monitorPoints(c *Case, s history.State, key history.Key) (all []pointer) {
	set := labels(s[key], "spec", "selector", "matchLabels")
	if len(set) == 0 || s[key].At("spec", "namespaceSelector") != nil || s[key].At("spec", "selector", "matchExpressions") != nil {
		return nil
	}
	var ports, found []string
	for _, other := range s.Keys() {
		if other.Resource != services || other.Namespace != key.Namespace || !metalabels.SelectorFromSet(set).Matches(metalabels.Set(labels(s[other], "metadata", "labels"))) {
			continue
		}
		if !c.own(other) {
			return nil
		}
		found = append(found, other.Name)
		for _, port := range list(s[other], "spec", "ports") {
			ports = append(ports, port.Text("name"))
		}
	}
	for i, endpoint := range list(s[key], "spec", "endpoints") {
		name, is := endpoint["port"].(string)
		if !is {
			continue
		}
		p := pointer{path: fmt.Sprintf("spec.endpoints[%d].port", i), name: name}
		if len(found) > 0 && !slices.Contains(ports, name) {
			p.gone = fmt.Sprintf("none of the Services that it selects has such a port: %s", strings.Join(found, ", "))
		}
		all = append(all, p)
	}
	return all
}
