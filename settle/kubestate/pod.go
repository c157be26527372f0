package kubestate

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

var podKind = builtin{
	kind: kindOf("", "Pod"), plural: "pods", counted: specOf, returned: true,
	defaults: each(defaultPod), create: each(createPod), update: both(updatePod),
	validate: check(validatePod), born: check(bornPod), changed: change(changedPod),
	statusUpdate: both(updatePodStatus), statusChanged: change(changedPodStatus),
	kept: []string{"DeletionTimestamp", "OwnerReferences"}, graceful: podGrace,
	fields: selectable(podFields),
	storages: func(s *registry.Store, base strategy, to map[string]rest.Storage) {
		binding := base.narrowed(s, bindingStrategy{base})
		to["pods/binding"] = &bindingStorage{binding.store}
	},
}

// createPod sets what the registry does, and what kube-apiserver's admission plugins
// DefaultTolerationSeconds and Priority do where there are no PriorityClasses.
func createPod(p *corev1.Pod) {
	tolerate(p)
	priority, policy := int32(0), corev1.PreemptLowerPriority
	switch p.Spec.PriorityClassName {
	case "system-cluster-critical":
		priority = 2000000000
	case "system-node-critical":
		priority = 2000001000
	}
	fillPointer(&p.Spec.Priority, priority)
	fillPointer(&p.Spec.PreemptionPolicy, policy)
	p.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: quality(p)}
	if len(p.Spec.SchedulingGates) > 0 {
		p.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonSchedulingGated,
			Message: "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
}

// tolerate has a pod stay for five minutes on a node that does not answer.
func tolerate(p *corev1.Pod) {
	for _, taint := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		does := false
		for _, t := range p.Spec.Tolerations {
			does = does || (t.Key == taint || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		}
		if !does {
			seconds := int64(300)
			p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{
				Key: taint, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds,
			})
		}
	}
}

func updatePod(p, old *corev1.Pod) {
	tolerate(p)
	if p.Spec.Priority == nil {
		p.Spec.Priority = old.Spec.Priority
	}
	if p.Spec.PreemptionPolicy == nil {
		p.Spec.PreemptionPolicy = old.Spec.PreemptionPolicy
	}
}

func updatePodStatus(p, old *corev1.Pod) {
	fill(&p.Status.QOSClass, old.Status.QOSClass)
	fill(&p.Status.ObservedGeneration, old.Status.ObservedGeneration)
}

// quality is the class of service of a pod, by what its containers request of cpu and
// memory and are limited to.
func quality(p *corev1.Pod) corev1.PodQOSClass {
	requests, limits := corev1.ResourceList{}, corev1.ResourceList{}
	guaranteed := true
	gather := func(from, to corev1.ResourceList) int {
		n := 0
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			if q, ok := from[name]; ok && q.Cmp(resource.Quantity{}) > 0 {
				n++
				sum := to[name]
				sum.Add(q)
				to[name] = sum
			}
		}
		return n
	}
	for _, list := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
		for _, c := range list {
			gather(c.Resources.Requests, requests)
			guaranteed = gather(c.Resources.Limits, limits) == 2 && guaranteed
		}
	}
	if len(requests) == 0 && len(limits) == 0 {
		return corev1.PodQOSBestEffort
	}
	for name, q := range requests {
		limit := limits[name]
		guaranteed = guaranteed && q.Cmp(limit) == 0
	}
	if guaranteed && len(requests) == len(limits) {
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

// podGrace is how long the deletion of a pod takes: not at all, if nothing runs of it.
func podGrace(o runtime.Object, asked *int64) int64 {
	p := o.(*corev1.Pod)
	if p.Spec.NodeName == "" || p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded {
		return 0
	}
	switch {
	case asked != nil && *asked < 0:
		return 1
	case asked != nil:
		return *asked
	case p.Spec.TerminationGracePeriodSeconds == nil:
		return 0
	case *p.Spec.TerminationGracePeriodSeconds < 0:
		return 1
	}
	return *p.Spec.TerminationGracePeriodSeconds
}

func podFields(p *corev1.Pod) fields.Set {
	return fields.Set{
		"spec.nodeName": p.Spec.NodeName, "spec.restartPolicy": string(p.Spec.RestartPolicy), "spec.schedulerName": p.Spec.SchedulerName,
		"spec.serviceAccountName": p.Spec.ServiceAccountName, "spec.hostNetwork": fmt.Sprint(p.Spec.HostNetwork),
		"status.phase": string(p.Status.Phase), "status.podIP": p.Status.PodIP, "status.nominatedNodeName": p.Status.NominatedNodeName,
	}
}

var bindingKind = corev1.SchemeGroupVersion.WithKind("Binding")

// bindingStorage is that of the subresource by which the scheduler assigns a pod to a
// node.
type bindingStorage struct{ store *registry.Store }

var _ rest.NamedCreater = &bindingStorage{}

// New is part of rest.Storage.
func (s *bindingStorage) New() runtime.Object { return &corev1.Binding{} }

// Destroy is part of rest.Storage.
func (s *bindingStorage) Destroy() {}

// Create is part of rest.NamedCreater.
func (s *bindingStorage) Create(ctx context.Context, name string, o runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	b, ok := o.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Binding object: %#v", o))
	}
	if b.Name != name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if b.Target.Name == "" || b.Target.Kind != "" && b.Target.Kind != "Node" {
		return nil, apierrors.NewBadRequest("target.name is required, and target.kind has to be Node")
	}
	if err := validate(ctx, b); err != nil {
		return nil, err
	}
	bind := func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		p, ok := old.DeepCopyObject().(*corev1.Pod)
		if !ok || p.UID == "" {
			return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, name)
		}
		return p, assign(p, b)
	}
	_, _, err := s.store.Update(ctx, name, rest.DefaultUpdatedObjectInfo(nil, bind), rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{DryRun: options.DryRun})
	if err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess, Code: 201}, nil
}

// assign assigns a pod to the node of a binding.
func assign(p *corev1.Pod, b *corev1.Binding) error {
	conflict := func(format string, args ...any) error {
		return apierrors.NewConflict(schema.GroupResource{Resource: "pods/binding"}, p.Name, fmt.Errorf(format, args...))
	}
	switch {
	case b.UID != "" && b.UID != p.UID:
		return conflict("precondition failed: UID in precondition: %v, UID in object meta: %v", b.UID, p.UID)
	case p.DeletionTimestamp != nil:
		return conflict("pod %s is being deleted, cannot be assigned to a host", p.Name)
	case p.Spec.NodeName != "":
		return conflict("pod %v is already assigned to node %q", p.Name, p.Spec.NodeName)
	case len(p.Spec.SchedulingGates) > 0:
		return conflict("pod %v has non-empty .spec.schedulingGates", p.Name)
	}
	p.Spec.NodeName = b.Target.Name
	for k, v := range b.Annotations {
		metav1.SetMetaDataAnnotation(&p.ObjectMeta, k, v)
	}
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodScheduled {
			*c = corev1.PodCondition{Type: c.Type, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(Epoch)}
			return nil
		}
	}
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(Epoch)})
	return nil
}

// bindingStrategy has what a binding sets in a pod be stored as it is.
type bindingStrategy struct{ strategy }

// PrepareForUpdate is part of rest.RESTUpdateStrategy.
func (bindingStrategy) PrepareForUpdate(context.Context, runtime.Object, runtime.Object) {}

// ValidateUpdate is part of rest.RESTUpdateStrategy.
func (bindingStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}
