package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/finding"
)

// workload is what has or makes pods: a Deployment, a ReplicaSet that no
// Deployment owns, or a pod that no controller owns.
type workload struct {
	kind, namespace, name string
	labels                labels.Set
	selector              labels.Selector // nil for a pod
	template              *corev1.PodSpec
	specPath              string
	source                *Source
	// written: a pod that was written by hand, to say where one of a controller is.
	written bool
}

func (w workload) String() string { return w.kind + " " + w.namespace + "/" + w.name }

// workloads lists the workloads in a fixed order.
func (in *Input) workloads() []workload {
	var all []workload
	for _, o := range in.Deployments {
		all = append(all, deploymentOf(o))
	}
	for _, o := range in.ReplicaSets {
		rs := o.Value
		if metav1.GetControllerOf(rs) == nil {
			all = append(all, workload{
				kind: "ReplicaSet", namespace: rs.Namespace, name: rs.Name, labels: rs.Spec.Template.Labels,
				selector: selectorOf(rs.Spec.Selector), template: &rs.Spec.Template.Spec, specPath: "spec.template.spec", source: o.Source,
			})
		}
	}
	for _, o := range in.Pods {
		if metav1.GetControllerOf(o.Value) == nil {
			all = append(all, workload{
				kind: "Pod", namespace: o.Value.Namespace, name: o.Value.Name, labels: o.Value.Labels,
				template: &o.Value.Spec, specPath: "spec", source: o.Source, written: o.Value.UID == "",
			})
		}
	}
	return all
}

func deploymentOf(o Object[*appsv1.Deployment]) workload {
	d := o.Value
	return workload{
		kind: "Deployment", namespace: d.Namespace, name: d.Name, labels: d.Spec.Template.Labels,
		selector: selectorOf(d.Spec.Selector), template: &d.Spec.Template.Spec, specPath: "spec.template.spec", source: o.Source,
	}
}

// withLater adds the Deployments that events bring.
func (in *Input) withLater(all []workload) []workload {
	all = slices.Clip(all)
	for _, o := range in.later.Deployments {
		w := deploymentOf(o)
		if !slices.ContainsFunc(all, func(other workload) bool { return other.String() == w.String() }) {
			all = append(all, w)
		}
	}
	return all
}

// selectorOf is the selector as controllers read it: nil selects nothing.
// Validation has passed, so that an error cannot be.
func selectorOf(s *metav1.LabelSelector) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

func (in *Input) warn(s *Source, path, format string, args ...any) {
	in.Warnings = append(in.Warnings, finding.Warning{Location: s.Position(path), Message: fmt.Sprintf(format, args...)})
}

// crossCheck warns of objects that do not fit together.
func (in *Input) crossCheck() {
	if s := in.Scenario; s != nil {
		for i, name := range s.Value.Spec.Accept {
			if len(in.Unaccepting([]string{name})) > 0 {
				in.warn(s.Source, fmt.Sprintf("spec.accept[%d]", i), "spec.accept: nothing that is left out is called %s", name)
			}
		}
	}
	all := in.workloads()
	in.checkTargets(in.withLater(all))
	in.checkBudgets(in.withLater(all))
	in.checkSelectors(all)
	for _, w := range all {
		in.checkSchedulingTerms(w, all)
	}
	for _, o := range in.Nodes {
		in.checkRoom(o)
	}
}

// checkRoom warns of a node without room for a pod.
func (in *Input) checkRoom(o Object[*corev1.Node]) {
	room := o.Value.Status.Allocatable
	if len(room) == 0 {
		in.warn(o.Source, "status.allocatable", "%s has no status.allocatable: no pod fits on it", o.Source.object())
		return
	}
	if room.Pods().Sign() <= 0 {
		in.warn(o.Source, "status.allocatable.pods", "%s allows no pods (status.allocatable.pods): no pod fits on it", o.Source.object())
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q, given := room[name]; given && q.Sign() <= 0 {
			path := "status.allocatable." + string(name)
			in.warn(o.Source, path, "%s has no %s (%s): no pod that requests it fits on it", o.Source.object(), name, path)
		}
	}
}

// checkTargets warns of autoscalers, also those that events write, without a target
// and of targets with two.
func (in *Input) checkTargets(all []workload) {
	taken := map[string]*Source{}
	for _, o := range slices.Concat(in.Autoscalers, in.later.Autoscalers) {
		ref := o.Value.Spec.ScaleTargetRef
		target := fmt.Sprintf("%s %s/%s", ref.Kind, o.Value.Namespace, ref.Name)
		found := slices.ContainsFunc(all, func(w workload) bool { return w.kind != "Pod" && w.String() == target })
		group, _, _ := strings.Cut(ref.APIVersion, "/")
		switch modelled := modelKindNamed(ref.Kind); {
		case modelled == nil || ref.Kind == "Pod" || modelled.group != group:
			in.warn(o.Source, "spec.scaleTargetRef", "the target %s (%s) of %s is not modelled: the autoscaler does nothing here", target, ref.APIVersion, o.Source.object())
		case !found:
			in.warn(o.Source, "spec.scaleTargetRef.name", "the target %s of %s is not in the input: the autoscaler does nothing here", target, o.Source.object())
		case taken[target] != nil && taken[target].object() != o.Source.object():
			place := taken[target].Position("spec.scaleTargetRef")
			in.warn(o.Source, "spec.scaleTargetRef.name", "%s is the target of two autoscalers, also of %s in %s: they will work against each other",
				target, taken[target].object(), place.FileLine())
		default:
			taken[target] = o.Source
		}
	}
}

// selected lists the workloads whose pods a selector matches.
func selected(all []workload, namespace string, selector labels.Selector) []workload {
	var out []workload
	for _, w := range all {
		if w.namespace == namespace && selector.Matches(w.labels) {
			out = append(out, w)
		}
	}
	return out
}

// checkBudgets warns of disruption budgets that match nothing or several
// workloads, the pods of controllers that are not modelled included.
func (in *Input) checkBudgets(all []workload) {
	for _, o := range slices.Concat(in.DisruptionBudgets, in.later.DisruptionBudgets) {
		selector := selectorOf(o.Value.Spec.Selector)
		matched := selected(all, o.Value.Namespace, selector)
		own := func(namespace string) bool { return namespace == o.Value.Namespace }
		switch {
		case len(matched) == 0 && !in.matchesOther(selector, own):
			in.warn(o.Source, "spec.selector", "the selector of %s matches no pod and no pod template in namespace %s", o.Source.object(), o.Value.Namespace)
		case controllers(matched) > 1:
			in.warn(o.Source, "spec.selector", "the selector of %s matches several workloads: %s", o.Source.object(), names(matched))
		}
	}
}

// matchesOther says whether a selector matches pods that belong to no
// workload of the model: those with a controller, and those of controllers
// that are left out.
func (in *Input) matchesOther(selector labels.Selector, inNamespace func(string) bool) bool {
	for _, p := range in.Pods {
		if inNamespace(p.Value.Namespace) && selector.Matches(labels.Set(p.Value.Labels)) {
			return true
		}
	}
	for _, left := range in.LeftOut {
		if set := templateLabels(left); set != nil && inNamespace(left.Namespace) && selector.Matches(set) {
			return true
		}
	}
	return false
}

// templateLabels are the labels of the pods that a controller makes which is
// left out; nil if it makes none.
func templateLabels(left LeftOut) labels.Set {
	path := podMakers[left.Kind]
	var object map[string]any
	if path == nil || json.Unmarshal(left.Raw, &object) != nil {
		return nil
	}
	template, _ := dig(object, path[:len(path)-1]...).(map[string]any)
	set := labels.Set{}
	if all, ok := dig(template, "metadata", "labels").(map[string]any); ok {
		for _, name := range sortedKeys(all) {
			set[name] = text(all, name)
		}
	}
	return set
}

// controllers counts the workloads that are not single pods.
func controllers(all []workload) int {
	n := 0
	for _, w := range all {
		if w.selector != nil {
			n++
		}
	}
	return n
}

func names(all []workload) string {
	const max = 4
	var out []string
	for i, w := range all {
		if i == max {
			out = append(out, fmt.Sprintf("%d more", len(all)-max))
			break
		}
		out = append(out, w.String())
	}
	return strings.Join(out, ", ")
}

// checkSelectors warns of controllers that select each other's pods: they
// count or adopt pods that are not theirs.
func (in *Input) checkSelectors(all []workload) {
	for _, w := range all {
		if w.selector == nil {
			continue
		}
		for _, other := range selected(all, w.namespace, w.selector) {
			if other.String() == w.String() || other.written {
				continue
			}
			place := other.source.Position("metadata.name")
			in.warn(w.source, "spec.selector", "the selector of %s also matches the pods of %s (%s)", w, other, place.FileLine())
		}
	}
}

// checkSchedulingTerms warns of spread constraints and pod affinity terms
// whose selectors match no pod that can exist.
func (in *Input) checkSchedulingTerms(w workload, all []workload) {
	matches := func(selector *metav1.LabelSelector, inNamespace func(string) bool) bool {
		parsed := selectorOf(selector)
		for _, other := range all {
			if inNamespace(other.namespace) && parsed.Matches(other.labels) {
				return true
			}
		}
		return in.matchesOther(parsed, inNamespace)
	}
	own := func(namespace string) bool { return namespace == w.namespace }
	for i, c := range w.template.TopologySpreadConstraints {
		path := fmt.Sprintf("%s.topologySpreadConstraints[%d].labelSelector", w.specPath, i)
		if !matches(c.LabelSelector, own) {
			in.warn(w.source, path, "the spread constraint of %s matches no pod in the input", w)
		}
	}
	term := func(path string, t corev1.PodAffinityTerm) {
		if t.NamespaceSelector != nil {
			return // the labels of all namespaces may not be known
		}
		inside := own
		if len(t.Namespaces) > 0 {
			inside = func(namespace string) bool { return slices.Contains(t.Namespaces, namespace) }
		}
		if !matches(t.LabelSelector, inside) {
			in.warn(w.source, path+".labelSelector", "the affinity term of %s matches no pod in the input", w)
		}
	}
	affinity := w.template.Affinity
	if affinity == nil {
		return
	}
	if a := affinity.PodAffinity; a != nil {
		terms(term, w.specPath+".affinity.podAffinity", a.RequiredDuringSchedulingIgnoredDuringExecution, a.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a := affinity.PodAntiAffinity; a != nil {
		terms(term, w.specPath+".affinity.podAntiAffinity", a.RequiredDuringSchedulingIgnoredDuringExecution, a.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func terms(f func(string, corev1.PodAffinityTerm), path string, required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
	for i, t := range required {
		f(fmt.Sprintf("%s.requiredDuringSchedulingIgnoredDuringExecution[%d]", path, i), t)
	}
	for i, t := range preferred {
		f(fmt.Sprintf("%s.preferredDuringSchedulingIgnoredDuringExecution[%d].podAffinityTerm", path, i), t.PodAffinityTerm)
	}
}
