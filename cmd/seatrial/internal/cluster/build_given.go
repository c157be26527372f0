package cluster

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// givenSets takes over the ReplicaSets that the input has for Deployment i, in
// the order of their creation, with their sizes and what the Deployment
// controller has recorded on them. Those without pods are of the past, and kept
// only where a rollback may return to them.
func (b *builder) givenSets(i int, taken map[*appsv1.ReplicaSet]bool) {
	spec := &b.w.Workloads[i]
	var own []*manifest.Object[*appsv1.ReplicaSet]
	for k := range b.in.ReplicaSets {
		o := &b.in.ReplicaSets[k]
		owner := metav1.GetControllerOf(o.Value)
		if owner == nil || owner.Kind != "Deployment" || owner.Name != spec.Name || o.Value.Namespace != spec.Namespace {
			continue
		}
		taken[o.Value] = true
		own = append(own, o)
	}
	if len(own) == 0 {
		return
	}
	slices.SortStableFunc(own, func(a, b *manifest.Object[*appsv1.ReplicaSet]) int {
		return cmp.Or(a.Value.CreationTimestamp.Compare(b.Value.CreationTimestamp.Time),
			cmp.Compare(revisionNumber(a.Value), revisionNumber(b.Value)), cmp.Compare(a.Value.Name, b.Value.Name))
	})
	desired, most := recorded(spec.Deployment)
	spec.GivenSets = []model.Set{{}}
	numbers, present := []int64{0}, false
	kept := 0
	for _, o := range own {
		fresh := !present && deploymentutil.EqualIgnoreHash(&spec.Revisions[0].Set.Spec.Template, &o.Value.Spec.Template)
		if !fresh && *o.Value.Spec.Replicas == 0 && !b.hasPods(o.Value) && !b.rolledBack(spec) {
			continue
		}
		present = present || fresh
		set := givenSet(o.Value, createdAt(kept))
		kept++
		given := model.Set{
			Exists: true, Replicas: *o.Value.Spec.Replicas,
			Desired: noted(o.Value, deploymentutil.DesiredReplicasAnnotation, desired),
			Max:     noted(o.Value, deploymentutil.MaxReplicasAnnotation, most),
		}
		pod := manifest.PodOf(&set.Spec.Template, spec.Namespace, spec.Name)
		if fresh {
			first := &spec.Revisions[0]
			*first = b.revisionOf(set, pod, first.Source, first.Path)
			spec.GivenSets[0], numbers[0] = given, revisionNumber(o.Value)
			continue
		}
		b.addRevision(i, set, pod, o.Source, "spec.template")
		spec.GivenSets, numbers = append(spec.GivenSets, given), append(numbers, revisionNumber(o.Value))
	}
	if !present {
		spec.Revisions[0].Set.CreationTimestamp = createdAt(kept)
	}
	for r, n := range numbers {
		if before := numbers[spec.GivenBefore]; r > 0 && (spec.GivenBefore == 0 || n > before) {
			spec.GivenBefore = uint8(r)
		}
	}
}

// givenSet is a ReplicaSet of the input as the model knows it: created at a time
// that stands for its place among the others, without replicas and status.
func givenSet(rs *appsv1.ReplicaSet, created metav1.Time) *appsv1.ReplicaSet {
	set := &appsv1.ReplicaSet{}
	set.Namespace, set.Name, set.UID, set.CreationTimestamp = rs.Namespace, rs.Name, types.UID(rs.Name), created
	set.Spec.Template, set.Spec.Selector = *rs.Spec.Template.DeepCopy(), rs.Spec.Selector.DeepCopy()
	set.Spec.MinReadySeconds = rs.Spec.MinReadySeconds
	set.Labels = set.Spec.Template.Labels
	return set
}

// revisionNumber is the number that the Deployment controller gave a ReplicaSet;
// 0 if it has none.
func revisionNumber(rs *appsv1.ReplicaSet) int64 {
	n, err := deploymentutil.Revision(rs)
	if err != nil {
		return 0
	}
	return n
}

// noted is a number that the Deployment controller wrote on a ReplicaSet, or
// what it would have written at rest.
func noted(rs *appsv1.ReplicaSet, annotation string, otherwise int32) int32 {
	n, err := strconv.ParseInt(rs.Annotations[annotation], 10, 32)
	if err != nil {
		return otherwise
	}
	return int32(n)
}

// hasPods tells whether a pod of the input belongs to a ReplicaSet.
func (b *builder) hasPods(rs *appsv1.ReplicaSet) bool {
	return slices.ContainsFunc(b.in.Pods, func(o manifest.Object[*corev1.Pod]) bool {
		owner := metav1.GetControllerOf(o.Value)
		return owner != nil && owner.Kind == "ReplicaSet" && owner.Name == rs.Name && o.Value.Namespace == rs.Namespace
	})
}

// rolledBack tells whether an event may roll a workload back.
func (b *builder) rolledBack(spec *model.WorkloadSpec) bool {
	return slices.ContainsFunc(b.w.Scenario.Events, func(e scenario.Event) bool {
		return e.Type == scenario.EventRollback && (e.Workload == nil || e.Workload.Name == spec.Name)
	})
}

// givenPod takes over a pod of the input: as one of a workload's, as one that a
// controller which is not modelled has, or as a workload of its own.
func (b *builder) givenPod(o *manifest.Object[*corev1.Pod]) {
	p := o.Value
	held := manifest.HeldBy(p)
	if p.Status.Phase == corev1.PodSucceeded || held == nil && b.endedElsewhere(p) {
		return
	}
	node, ok := b.givenNode(o)
	if !ok {
		return
	}
	var i int
	var rev uint8
	if held != nil {
		i, rev = b.held(o, held)
	} else if i, rev = b.owner(p); i >= 0 {
		rev = b.ownSpec(i, rev, o)
	} else {
		i = b.barePod(o)
	}
	pod := model.Pod{Work: uint16(i), Rev: rev, Terminating: p.DeletionTimestamp != nil}
	switch p.Status.Phase {
	case corev1.PodRunning:
		pod.Phase = model.Running
		if podutil.IsPodReady(p) || len(p.Status.Conditions) == 0 {
			pod.Ready, pod.ReadyFor = true, model.SpanMax // for long: waits
		}
		if pod.Terminating {
			pod.Unready()
		}
	case corev1.PodFailed:
		pod.Phase = model.Failed
	}
	for _, c := range p.Status.ContainerStatuses {
		pod.Restarts = max(pod.Restarts, uint8(min(c.RestartCount, model.SaturatedRestarts)))
		pod.Crashing = pod.Crashing || c.State.Waiting != nil && c.State.Waiting.Reason == "CrashLoopBackOff"
	}
	spec := &b.w.Workloads[i]
	spec.Given = append(spec.Given, model.GivenPod{Node: node, Pod: pod, Object: p})
}

// endedElsewhere: a Failed pod of a controller that is not modelled takes no
// room and is nobody's to replace.
func (b *builder) endedElsewhere(p *corev1.Pod) bool {
	owner := metav1.GetControllerOf(p)
	return p.Status.Phase == corev1.PodFailed && owner != nil && owner.Kind != "ReplicaSet"
}

// givenNode is the node that a pod of the input is on, or -1. A pod that is not
// part of the check, or that cannot be, gives false.
func (b *builder) givenNode(o *manifest.Object[*corev1.Pod]) (int, bool) {
	p := o.Value
	if p.Spec.NodeName != "" {
		at, ok := b.nodeOf[p.Spec.NodeName]
		if !ok {
			b.fail(o.Source, "spec.nodeName", "the pod is on node %s, which is not in the input", p.Spec.NodeName)
		}
		return at, ok
	}
	if p.Status.Phase == corev1.PodRunning {
		b.fail(o.Source, "status.phase", "a pod without spec.nodeName cannot be Running")
		return -1, false
	}
	return -1, p.DeletionTimestamp == nil // nothing keeps a terminating pod that has no node (podgc)
}

// owner finds the workload and revision a pod belongs to: by its owner, or by
// the selector if it has none that is in the input.
func (b *builder) owner(p *corev1.Pod) (int, uint8) {
	ref := metav1.GetControllerOf(p)
	for i := range b.w.Workloads {
		spec := &b.w.Workloads[i]
		if spec.Namespace != p.Namespace || spec.Kind == "Pod" {
			continue
		}
		for r := range spec.Revisions {
			if ref != nil && ref.Kind == "ReplicaSet" && ref.Name == spec.Revisions[r].Set.Name {
				return i, spec.Revisions[r].Of
			}
		}
		if ref != nil && (ref.Kind != "ReplicaSet" || !strings.HasPrefix(ref.Name, spec.Name+"-")) {
			continue
		}
		if spec.Selector.Matches(labels.Set(p.Labels)) {
			for r := range spec.Revisions {
				if p.Labels[appsv1.DefaultDeploymentUniqueLabelKey] == spec.Revisions[r].Set.Labels[appsv1.DefaultDeploymentUniqueLabelKey] {
					return i, spec.Revisions[r].Of
				}
			}
			return i, 0
		}
	}
	return -1, 0
}

// ownSpec is the revision by which a pod of revision rev is checked: that one,
// or one of its own if the pod differs from its template in what the model
// reads. A pod that is created in its place has the template's spec again.
func (b *builder) ownSpec(i int, rev uint8, o *manifest.Object[*corev1.Pod]) uint8 {
	spec := &b.w.Workloads[i]
	template := spec.Revisions[rev]
	given := filled(o.Value, template.Pod)
	mine := essence(given)
	field := difference(essence(template.Pod), mine)
	if field == "" {
		return rev
	}
	for r := range spec.Revisions {
		if spec.Revisions[r].Of == rev && difference(essence(spec.Revisions[r].Pod), mine) == "" {
			return uint8(r)
		}
	}
	place := template.Source.Position(template.Path)
	if len(spec.Revisions) > model.RevisionsMax-model.RevisionsSpare {
		b.warn(o.Source, field, "the pod differs in %s from the template of %s (%s) and is checked as if it did not: so many different pods cannot be told apart",
			field, spec.Object(), place.FileLine())
		return rev
	}
	b.warn(o.Source, field, "the pod differs in %s from the template of %s (%s): it is checked as it is, and one created in its place as the template says",
		field, spec.Object(), place.FileLine())
	pod := given.DeepCopy()
	pod.Spec.NodeName, pod.Status, pod.DeletionTimestamp, pod.OwnerReferences = "", corev1.PodStatus{}, nil, nil
	own := revision(template.Set, pod, o.Source, "") // admitted when it was created, or read
	own.Of = rev
	spec.Revisions = append(spec.Revisions, own)
	return uint8(len(spec.Revisions) - 1)
}

// held adds a pod whose controller is not modelled, as one of its controller's.
func (b *builder) held(o *manifest.Object[*corev1.Pod], controller *metav1.OwnerReference) (int, uint8) {
	p := o.Value
	kind, name := controller.Kind, controller.Name
	if kind == "Node" {
		kind, name = model.StaticPod, strings.TrimSuffix(p.Name, "-"+p.Spec.NodeName)
	}
	i := slices.IndexFunc(b.w.Workloads, func(w model.WorkloadSpec) bool {
		return w.Held == kind && w.Namespace == p.Namespace && w.Name == name
	})
	if i < 0 {
		i = len(b.w.Workloads)
		d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: name}}
		d.Spec.Replicas = new(int32)
		b.w.Workloads = append(b.w.Workloads, model.WorkloadSpec{
			Kind: "Pod", Held: kind, Stays: kind == "DaemonSet" || kind == model.StaticPod,
			Namespace: p.Namespace, Name: name, Source: o.Source, Deployment: d, Selector: labels.Nothing(), HPA: -1,
		})
	}
	spec := &b.w.Workloads[i]
	if p.DeletionTimestamp == nil {
		*spec.Deployment.Spec.Replicas++
	}
	mine := essence(p)
	for r := range spec.Revisions {
		if difference(spec.Revisions[r].Pod, mine) == "" {
			return i, uint8(r)
		}
	}
	owner := *controller
	owner.UID = types.UID(owner.Kind + "/" + owner.Name)
	mine.OwnerReferences = []metav1.OwnerReference{owner}
	return i, b.append(i, revision(nil, mine, o.Source, ""))
}

// barePod adds a pod that no controller recreates.
func (b *builder) barePod(o *manifest.Object[*corev1.Pod]) int {
	p := o.Value.DeepCopy()
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name}}
	one := int32(1)
	d.Spec.Replicas = &one
	b.w.Workloads = append(b.w.Workloads, model.WorkloadSpec{
		Kind: "Pod", Namespace: p.Namespace, Name: p.Name, Source: o.Source,
		Deployment: d, Selector: labels.SelectorFromSet(p.Labels), HPA: -1,
	})
	i := len(b.w.Workloads) - 1
	p.Status = corev1.PodStatus{}
	p.DeletionTimestamp = nil
	b.addRevision(i, nil, p, o.Source, "")
	return i
}

// givenStatus is the status of a budget as the input has it, if the input has
// pods that it is about; nil if the budget is fresh from a manifest.
func (b *builder) givenStatus(p *policyv1.PodDisruptionBudget, selector labels.Selector) *model.Budget {
	s := &p.Status
	if s.ObservedGeneration == 0 || s.ObservedGeneration < p.Generation || !slices.ContainsFunc(b.in.Pods, func(o manifest.Object[*corev1.Pod]) bool {
		return o.Value.Namespace == p.Namespace && selector.Matches(labels.Set(o.Value.Labels))
	}) {
		return nil
	}
	return &model.Budget{Allowed: s.DisruptionsAllowed, Current: s.CurrentHealthy, Desired: s.DesiredHealthy, Expected: s.ExpectedPods}
}

// filled is a given pod with what it leaves out from its template, if it was
// written by hand: such a pod says where it is, and little else. A pod of a
// running cluster has a UID, and all that it has.
func filled(p, template *corev1.Pod) *corev1.Pod {
	if p.UID != "" {
		return p
	}
	out := p.DeepCopy()
	out.Labels = labels.Merge(template.Labels, p.Labels)
	s, t := &out.Spec, &template.Spec
	for i := range s.Containers {
		for k := range t.Containers {
			fillContainer(&s.Containers[i], &t.Containers[k])
		}
	}
	if s.PriorityClassName == "" {
		s.PriorityClassName, s.Priority, s.PreemptionPolicy = t.PriorityClassName, t.Priority, t.PreemptionPolicy
	}
	if s.Affinity == nil {
		s.Affinity = t.Affinity
	}
	if len(s.NodeSelector) == 0 {
		s.NodeSelector = t.NodeSelector
	}
	if len(s.TopologySpreadConstraints) == 0 {
		s.TopologySpreadConstraints = t.TopologySpreadConstraints
	}
	if s.SchedulerName == corev1.DefaultSchedulerName {
		s.SchedulerName = t.SchedulerName
	}
	if n := s.TerminationGracePeriodSeconds; n == nil || *n == corev1.DefaultTerminationGracePeriodSeconds {
		s.TerminationGracePeriodSeconds = t.TerminationGracePeriodSeconds
	}
	if within(slices.DeleteFunc(slices.Clone(s.Tolerations), byDefault), t.Tolerations) {
		s.Tolerations = t.Tolerations
	}
	if len(s.InitContainers) == 0 {
		s.InitContainers = t.InitContainers
	}
	if len(s.Volumes) == 0 {
		s.Volumes = t.Volumes
	}
	return out
}

// fillContainer does the same to a container, if the other is its template.
func fillContainer(c, t *corev1.Container) {
	if c.Name != t.Name {
		return
	}
	if c.ReadinessProbe == nil {
		c.ReadinessProbe = t.ReadinessProbe
	}
	if len(c.Ports) == 0 {
		c.Ports = t.Ports
	}
	if len(c.Resources.Requests) == 0 && len(c.Resources.Limits) == 0 {
		c.Resources = t.Resources
	}
}

// byDefault: admission adds such a toleration to pods that have none for the
// taint (plugin DefaultTolerationSeconds).
func byDefault(t corev1.Toleration) bool {
	return (t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable) && t.Operator == corev1.TolerationOpExists &&
		t.Effect == corev1.TaintEffectNoExecute && t.TolerationSeconds != nil && *t.TolerationSeconds == 300
}
