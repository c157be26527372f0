package kubestate

import (
	"encoding/json"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var appsKinds = []builtin{
	{
		kind: kindOf("apps", "Deployment"), plural: "deployments", scaled: true, kept: []string{"Labels"},
		counted: func(o runtime.Object) any { // its annotations are copied to ReplicaSets
			return []any{o.(*appsv1.Deployment).Spec, o.(*appsv1.Deployment).Annotations}
		},
		defaults: each(defaultDeployment), validate: check(validateDeployment),
		changed: change(func(d, old *appsv1.Deployment) field.ErrorList {
			return sameSelector(d.Spec.Selector, old.Spec.Selector)
		}),
		statusChanged: change(changedDeploymentStatus),
	},
	{
		kind: kindOf("apps", "ReplicaSet"), plural: "replicasets", scaled: true, counted: specOf,
		defaults: each(defaultReplicaSet), validate: check(validateReplicaSet),
		changed: change(func(r, old *appsv1.ReplicaSet) field.ErrorList {
			return sameSelector(r.Spec.Selector, old.Spec.Selector)
		}),
		statusChanged: change(changedReplicaSetStatus),
	},
	{
		kind: kindOf("apps", "StatefulSet"), plural: "statefulsets", scaled: true, counted: specOf, named: validation.NameIsDNSLabel,
		defaults: each(defaultStatefulSet), validate: check(validateStatefulSet), changed: change(changedStatefulSet),
		statusChanged: change(changedStatefulSetStatus),
	},
	{
		kind: kindOf("apps", "DaemonSet"), plural: "daemonsets", counted: specOf,
		defaults: each(defaultDaemonSet), create: each(func(d *appsv1.DaemonSet) { numberTemplate(d, 1) }), update: both(updateDaemonSet),
		validate: check(validateDaemonSet), statusChanged: change(changedDaemonSetStatus),
		changed: change(func(d, old *appsv1.DaemonSet) field.ErrorList {
			return sameSelector(d.Spec.Selector, old.Spec.Selector)
		}),
	},
	{
		kind: kindOf("apps", "ControllerRevision"), plural: "controllerrevisions",
		validate: check(func(r *appsv1.ControllerRevision) field.ErrorList {
			return nonNegative(field.NewPath("revision"), r.Revision)
		}),
		born: check(bornRevision),
		changed: change(func(r, old *appsv1.ControllerRevision) field.ErrorList {
			return immutable(field.NewPath("data"), r.Data, old.Data)
		}),
	},
}

func sameSelector(now, old *metav1.LabelSelector) field.ErrorList {
	return immutable(field.NewPath("spec", "selector"), now, old)
}

// total is one of the numbers in a status; of: it is one of replicas, so that it cannot be
// more than all.
type total struct {
	name string
	n    int64
	of   bool
}

// validateTotals refuses numbers below zero, and more than there are. In is where the
// server says that readyReplicas are.
func validateTotals(in string, replicas int32, totals ...total) field.ErrorList {
	at := field.NewPath("status")
	all := nonNegative(at.Child("replicas"), replicas)
	var ready, available int64
	for _, t := range totals {
		all = append(all, nonNegative(at.Child(t.name), t.n)...)
		switch t.name {
		case "readyReplicas":
			ready = t.n
		case "availableReplicas":
			available = t.n
		}
	}
	for _, t := range totals {
		if t.of && t.n > int64(replicas) {
			all = append(all, field.Invalid(at.Child(t.name), int32(t.n), "cannot be greater than status.replicas")) //nolint:gosec // it was one
		}
	}
	if available > ready {
		all = append(all, field.Invalid(at.Child("availableReplicas"), int32(available), "cannot be greater than "+in+"readyReplicas")) //nolint:gosec // it was one
	}
	return all
}

// replicas is a total of those.
func replicas(name string, n int32) total { return total{name, int64(n), true} }

// decremented refuses a count of collisions that falls.
func decremented(now, old *int32) field.ErrorList {
	if old == nil || now != nil && *now >= *old {
		return nil
	}
	value := int32(0)
	if now != nil {
		value = *now
	}
	return field.ErrorList{field.Invalid(field.NewPath("status", "collisionCount"), value, "cannot be decremented")}
}

func defaultDeployment(d *appsv1.Deployment) {
	fillPointer(&d.Spec.Replicas, 1)
	s := &d.Spec.Strategy
	fill(&s.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if s.Type == appsv1.RollingUpdateDeploymentStrategyType {
		fillPointer(&s.RollingUpdate, appsv1.RollingUpdateDeployment{})
		fillPointer(&s.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		fillPointer(&s.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	fillPointer(&d.Spec.RevisionHistoryLimit, 10)
	fillPointer(&d.Spec.ProgressDeadlineSeconds, 600)
	defaultTemplate(&d.Spec.Template)
}

// internalStrategy and internalRolling are the server's types, which have no tags.
type internalStrategy struct {
	Type          string
	RollingUpdate *internalRolling
}
type internalRolling struct{ MaxUnavailable, MaxSurge intstr.IntOrString }

func validateDeployment(d *appsv1.Deployment) field.ErrorList {
	at, s := field.NewPath("spec"), &d.Spec
	all := optional(at.Child("replicas"), s.Replicas)
	all = append(all, required(at.Child("selector"), s.Selector, "deployment")...)
	all = append(all, selects(at.Child("template"), s.Selector, s.Template.Labels)...)
	all = append(all, validateTemplate(at.Child("template"), &s.Template, "ReplicaSet")...)
	how := at.Child("strategy")
	switch r := s.Strategy.RollingUpdate; s.Strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		if r != nil {
			all = append(all, field.Forbidden(how.Child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'"))
		}
	case appsv1.RollingUpdateDeploymentStrategyType:
		all = append(all, amount(how.Child("rollingUpdate", "maxUnavailable"), r.MaxUnavailable)...)
		if percent(*r.MaxSurge) <= 100 { // it may be more
			all = append(all, amount(how.Child("rollingUpdate", "maxSurge"), r.MaxSurge)...)
		}
		if percent(*r.MaxUnavailable) == 0 && percent(*r.MaxSurge) == 0 {
			all = append(all, field.Invalid(how.Child("rollingUpdate", "maxUnavailable"), *r.MaxUnavailable, "may not be 0 when `maxSurge` is 0"))
		}
	default:
		var rolling *internalRolling
		if r != nil && r.MaxUnavailable != nil && r.MaxSurge != nil {
			rolling = &internalRolling{*r.MaxUnavailable, *r.MaxSurge}
		}
		all = append(all, field.NotSupported(how, internalStrategy{string(s.Strategy.Type), rolling}, []appsv1.DeploymentStrategyType{appsv1.RecreateDeploymentStrategyType, appsv1.RollingUpdateDeploymentStrategyType}))
	}
	all = append(all, nonNegative(at.Child("minReadySeconds"), s.MinReadySeconds)...)
	all = append(all, optional(at.Child("revisionHistoryLimit"), s.RevisionHistoryLimit)...)
	if deadline := s.ProgressDeadlineSeconds; deadline != nil {
		all = append(all, nonNegative(at.Child("progressDeadlineSeconds"), *deadline)...)
		if *deadline <= s.MinReadySeconds {
			all = append(all, field.Invalid(at.Child("progressDeadlineSeconds"), *deadline, "must be greater than minReadySeconds"))
		}
	}
	return all
}

func changedDeploymentStatus(d, old *appsv1.Deployment) field.ErrorList {
	s := &d.Status
	all := nonNegative(field.NewPath("status", "observedGeneration"), s.ObservedGeneration)
	all = append(all, validateTotals("", s.Replicas, replicas("updatedReplicas", s.UpdatedReplicas), replicas("readyReplicas", s.ReadyReplicas),
		replicas("availableReplicas", s.AvailableReplicas), total{"unavailableReplicas", int64(s.UnavailableReplicas), false})...)
	return append(all, decremented(s.CollisionCount, old.Status.CollisionCount)...)
}

func defaultReplicaSet(r *appsv1.ReplicaSet) {
	fillPointer(&r.Spec.Replicas, 1)
	defaultTemplate(&r.Spec.Template)
}

func validateReplicaSet(r *appsv1.ReplicaSet) field.ErrorList {
	at, s := field.NewPath("spec"), &r.Spec
	all := optional(at.Child("replicas"), s.Replicas)
	all = append(all, nonNegative(at.Child("minReadySeconds"), s.MinReadySeconds)...)
	all = append(all, required(at.Child("selector"), s.Selector, "deployment")...) // so the server says
	all = append(all, selects(at.Child("template"), s.Selector, s.Template.Labels)...)
	return append(all, validateTemplate(at.Child("template"), &s.Template, "ReplicaSet")...)
}

func changedReplicaSetStatus(r, _ *appsv1.ReplicaSet) field.ErrorList {
	s := &r.Status
	return validateTotals("", s.Replicas, replicas("fullyLabeledReplicas", s.FullyLabeledReplicas), replicas("readyReplicas", s.ReadyReplicas),
		replicas("availableReplicas", s.AvailableReplicas), total{"observedGeneration", s.ObservedGeneration, false})
}

func defaultStatefulSet(s *appsv1.StatefulSet) {
	fill(&s.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	u := &s.Spec.UpdateStrategy
	if u.Type == "" {
		u.Type = appsv1.RollingUpdateStatefulSetStrategyType
		fillPointer(&u.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
	}
	if u.Type == appsv1.RollingUpdateStatefulSetStrategyType && u.RollingUpdate != nil {
		fillPointer(&u.RollingUpdate.Partition, 0)
	}
	fillPointer(&s.Spec.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
	fill(&s.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	fill(&s.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	fillPointer(&s.Spec.Replicas, 1)
	fillPointer(&s.Spec.RevisionHistoryLimit, 10)
	defaultTemplate(&s.Spec.Template)
	for i := range s.Spec.VolumeClaimTemplates {
		c := &s.Spec.VolumeClaimTemplates[i]
		c.APIVersion, c.Kind = "v1", "PersistentVolumeClaim"
		defaultClaim(c)
	}
}

func validateStatefulSet(set *appsv1.StatefulSet) field.ErrorList {
	at, s := field.NewPath("spec"), &set.Spec
	var all field.ErrorList
	if s.PodManagementPolicy != appsv1.OrderedReadyPodManagement && s.PodManagementPolicy != appsv1.ParallelPodManagement {
		all = append(all, field.Invalid(at.Child("podManagementPolicy"), s.PodManagementPolicy, "must be 'OrderedReady' or 'Parallel'"))
	}
	how, u := at.Child("updateStrategy"), s.UpdateStrategy
	switch {
	case u.Type == appsv1.OnDeleteStatefulSetStrategyType && u.RollingUpdate != nil:
		type internal struct { // the server's type, which has no tags
			Partition      *int32
			MaxUnavailable *intstr.IntOrString
		}
		all = append(all, field.Invalid(how.Child("rollingUpdate"), internal(*u.RollingUpdate), "only allowed for updateStrategy 'RollingUpdate'"))
	case u.Type == appsv1.RollingUpdateStatefulSetStrategyType && u.RollingUpdate != nil:
		all = append(all, optional(how.Child("rollingUpdate", "partition"), u.RollingUpdate.Partition)...)
		all = append(all, amount(how.Child("rollingUpdate", "maxUnavailable"), u.RollingUpdate.MaxUnavailable)...)
	case u.Type != appsv1.OnDeleteStatefulSetStrategyType && u.Type != appsv1.RollingUpdateStatefulSetStrategyType:
		all = append(all, field.Invalid(how, u, "must be 'RollingUpdate' or 'OnDelete'"))
	}
	keep, p := at.Child("persistentVolumeClaimRetentionPolicy"), s.PersistentVolumeClaimRetentionPolicy
	for _, w := range []struct {
		name  string
		value appsv1.PersistentVolumeClaimRetentionPolicyType
	}{{"whenDeleted", p.WhenDeleted}, {"whenScaled", p.WhenScaled}} {
		all = append(all, oneOf(keep.Child(w.name), w.value, appsv1.RetainPersistentVolumeClaimRetentionPolicyType, appsv1.DeletePersistentVolumeClaimRetentionPolicyType)...)
	}
	template := s.Template.DeepCopy()
	for i, c := range s.VolumeClaimTemplates {
		all = append(all, validateClaim(at.Child("volumeClaimTemplates").Index(i).Child("spec"), &c.Spec)...)
		template.Spec.Volumes = withClaim(template.Spec.Volumes, c.Name)
	}
	all = append(all, optional(at.Child("replicas"), s.Replicas)...)
	all = append(all, nonNegative(at.Child("minReadySeconds"), s.MinReadySeconds)...)
	if s.Ordinals != nil {
		all = append(all, nonNegative(at.Child("ordinals.start"), s.Ordinals.Start)...)
	}
	all = append(all, required(at.Child("selector"), s.Selector, "statefulset")...)
	all = append(all, selects(at.Child("template"), s.Selector, s.Template.Labels)...)
	return append(all, validateTemplate(at.Child("template"), template, "StatefulSet")...)
}

// withClaim is volumes with that of a claim template, which takes the place of one with
// its name.
func withClaim(volumes []corev1.Volume, name string) []corev1.Volume {
	out := []corev1.Volume{}
	for _, v := range volumes {
		if v.Name != name {
			out = append(out, v)
		}
	}
	return append(out, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
}

func changedStatefulSet(s, old *appsv1.StatefulSet) field.ErrorList {
	now, was := *s.Spec.DeepCopy(), old.Spec
	now.Replicas, now.Template, now.UpdateStrategy, now.MinReadySeconds = was.Replicas, was.Template, was.UpdateStrategy, was.MinReadySeconds
	now.Ordinals, now.RevisionHistoryLimit, now.PersistentVolumeClaimRetentionPolicy = was.Ordinals, was.RevisionHistoryLimit, was.PersistentVolumeClaimRetentionPolicy
	if equality.Semantic.DeepEqual(now, was) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec"), "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden")}
}

func changedStatefulSetStatus(set, old *appsv1.StatefulSet) field.ErrorList {
	s := &set.Status
	all := validateTotals("status.", s.Replicas, replicas("readyReplicas", s.ReadyReplicas), replicas("currentReplicas", s.CurrentReplicas),
		replicas("updatedReplicas", s.UpdatedReplicas), replicas("availableReplicas", s.AvailableReplicas), total{"observedGeneration", s.ObservedGeneration, false})
	return append(all, decremented(s.CollisionCount, old.Status.CollisionCount)...)
}

func defaultDaemonSet(d *appsv1.DaemonSet) {
	u := &d.Spec.UpdateStrategy
	fill(&u.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if u.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		fillPointer(&u.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		fillPointer(&u.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		fillPointer(&u.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	fillPointer(&d.Spec.RevisionHistoryLimit, 10)
	defaultTemplate(&d.Spec.Template)
	numberTemplate(d, templateNumber(d))
}

// numberTemplate notes how many templates a DaemonSet has had. The server's internal type
// has a field for it, the served one an annotation.
func numberTemplate(d *appsv1.DaemonSet, n int64) {
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, appsv1.DeprecatedTemplateGeneration, strconv.FormatInt(n, 10))
}

func templateNumber(d *appsv1.DaemonSet) int64 {
	n, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return 0 // as the server reads what is no number
	}
	return n
}

func updateDaemonSet(d, old *appsv1.DaemonSet) {
	n := templateNumber(old)
	if !equality.Semantic.DeepEqual(d.Spec.Template, old.Spec.Template) {
		n++
	}
	numberTemplate(d, n)
}

func changedDaemonSetStatus(d, old *appsv1.DaemonSet) field.ErrorList {
	at, s := field.NewPath("status"), &d.Status
	var all field.ErrorList
	for _, t := range []total{
		{"currentNumberScheduled", int64(s.CurrentNumberScheduled), false},
		{"numberMisscheduled", int64(s.NumberMisscheduled), false},
		{"desiredNumberScheduled", int64(s.DesiredNumberScheduled), false},
		{"numberReady", int64(s.NumberReady), false},
		{"observedGeneration", s.ObservedGeneration, false},
		{"updatedNumberScheduled", int64(s.UpdatedNumberScheduled), false},
		{"numberAvailable", int64(s.NumberAvailable), false},
		{"numberUnavailable", int64(s.NumberUnavailable), false},
	} {
		all = append(all, nonNegative(at.Child(t.name), t.n)...)
	}
	return append(all, decremented(s.CollisionCount, old.Status.CollisionCount)...)
}

func validateDaemonSet(d *appsv1.DaemonSet) field.ErrorList {
	at, s := field.NewPath("spec"), &d.Spec
	var all field.ErrorList
	if s.Selector != nil {
		all = required(at.Child("selector"), s.Selector, "daemonset")
	}
	all = append(all, selects(at.Child("template"), s.Selector, s.Template.Labels)...)
	all = append(all, validateTemplate(at.Child("template"), &s.Template, "DaemonSet")...)
	all = append(all, nonNegative(at.Child("minReadySeconds"), s.MinReadySeconds)...)
	how := at.Child("updateStrategy")
	switch r := s.UpdateStrategy.RollingUpdate; s.UpdateStrategy.Type {
	case appsv1.OnDeleteDaemonSetStrategyType:
	case appsv1.RollingUpdateDaemonSetStrategyType:
		all = append(all, amount(how.Child("rollingUpdate", "maxUnavailable"), r.MaxUnavailable)...)
		all = append(all, amount(how.Child("rollingUpdate", "maxSurge"), r.MaxSurge)...)
		switch away, more := percent(*r.MaxUnavailable) != 0, percent(*r.MaxSurge) != 0; {
		case away && more:
			all = append(all, field.Invalid(how.Child("rollingUpdate", "maxSurge"), *r.MaxSurge, "may not be set when maxUnavailable is non-zero"))
		case !away && !more:
			all = append(all, field.Required(how.Child("rollingUpdate", "maxUnavailable"), "cannot be 0 when maxSurge is 0"))
		}
	default:
		all = append(all, field.NotSupported(how, internalStrategy{Type: string(s.UpdateStrategy.Type)}, []appsv1.DaemonSetUpdateStrategyType{appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType}))
	}
	return append(all, optional(at.Child("revisionHistoryLimit"), s.RevisionHistoryLimit)...)
}

func bornRevision(r *appsv1.ControllerRevision) field.ErrorList {
	var all field.ErrorList
	at := field.NewPath("data")
	var v any
	switch err := json.Unmarshal(r.Data.Raw, &v); {
	case r.Data.Raw == nil || err == nil && v == nil:
		all = append(all, field.Required(at, "data is mandatory"))
	case err != nil:
		all = append(all, field.Invalid(at, "<value omitted>", fmt.Sprintf("error parsing data: %v", err)))
	default:
		if _, object := v.(map[string]any); !object {
			all = append(all, field.Required(at, "data must be a valid JSON object"))
		}
	}
	return all
}
