package cluster

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

func (b *builder) workloads() {
	taken := map[*appsv1.ReplicaSet]bool{}
	for i := range b.in.Deployments {
		o := &b.in.Deployments[i]
		b.givenSets(b.deployment(o.Value, o.Source, false), taken)
	}
	for i := range b.in.ReplicaSets {
		if o := &b.in.ReplicaSets[i]; !taken[o.Value] {
			b.replicaSet(o)
		}
	}
	for i := range b.in.Pods {
		b.givenPod(&b.in.Pods[i])
	}
	b.brought()
	b.namespaces()
}

// brought adds the Deployments that events bring, so that autoscalers, loads and
// other events find them. What is wrong with a manifest is said by its event.
func (b *builder) brought() {
	for k, e := range b.w.Scenario.Events {
		if e.Type != scenario.EventCreate && e.Type != scenario.EventApply {
			continue
		}
		o, source, err := b.in.Decode(e.Manifest, fmt.Sprintf("spec.events[%d].manifest", k))
		if d, ok := o.(*appsv1.Deployment); err == nil && ok && b.find("Deployment", d.Namespace, d.Name) < 0 {
			b.deployment(d, source, true)
		}
	}
	b.broughtByRules()
}

// deployment adds a Deployment with its present template, and returns its index.
func (b *builder) deployment(d *appsv1.Deployment, source *manifest.Source, absent bool) int {
	spec := model.WorkloadSpec{
		Kind: "Deployment", Namespace: d.Namespace, Name: d.Name, Source: source,
		Deployment: d, Absent: absent, HPA: -1,
	}
	if _, ok := d.Annotations[appsv1.DeprecatedRollbackTo]; ok {
		b.fail(source, "metadata.annotations", "the annotation %s is not modelled", appsv1.DeprecatedRollbackTo)
	}
	var err error
	if spec.Selector, err = metav1.LabelSelectorAsSelector(d.Spec.Selector); err != nil {
		b.fail(source, "spec.selector", "%v", err)
		spec.Selector = labels.Nothing()
	}
	b.w.Workloads = append(b.w.Workloads, spec)
	i := len(b.w.Workloads) - 1
	b.form(i, d, source)
	return i
}

// revision adds a pod template, spec.template in source, to workload i, or finds
// the equal one.
func (b *builder) revision(i int, template *corev1.PodTemplateSpec, source *manifest.Source) uint8 {
	spec := &b.w.Workloads[i]
	for r := range spec.Revisions {
		if deploymentutil.EqualIgnoreHash(&spec.Revisions[r].Set.Spec.Template, template) {
			return uint8(r)
		}
	}
	template = stored(template)
	hash := controller.ComputeHash(template, nil)
	set := &appsv1.ReplicaSet{}
	set.Namespace, set.Name = spec.Namespace, spec.Name+"-"+hash
	set.UID = types.UID(set.Name)
	set.CreationTimestamp = createdAt(len(spec.Revisions))
	set.Spec.Template = *template.DeepCopy()
	set.Spec.Selector = spec.Deployment.Spec.Selector.DeepCopy()
	if spec.Kind == "Deployment" {
		metav1.SetMetaDataLabel(&set.Spec.Template.ObjectMeta, appsv1.DefaultDeploymentUniqueLabelKey, hash)
		set.Spec.Selector.MatchLabels = labels.Merge(set.Spec.Selector.MatchLabels, labels.Set{appsv1.DefaultDeploymentUniqueLabelKey: hash})
	} else {
		set.Name = spec.Name
	}
	set.Labels = set.Spec.Template.Labels
	set.Spec.MinReadySeconds = spec.Deployment.Spec.MinReadySeconds
	pod := manifest.PodOf(&set.Spec.Template, spec.Namespace, spec.Name)
	return b.addRevision(i, set, pod, source, "spec.template")
}

// stored is a pod template as it comes back from the API server, by which the hash is
// computed: an empty map or list is none.
func stored(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	out := &corev1.PodTemplateSpec{}
	raw, err := template.Marshal()
	if err == nil {
		err = out.Unmarshal(raw)
	}
	if err != nil {
		return template // one that cannot be written is no server's
	}
	return out
}

// createdAt is the time by which the model orders the ReplicaSets of a workload.
func createdAt(n int) metav1.Time { return metav1.Unix(int64(n), 0) }

// addRevision adds a template as the API server would admit its pods, and returns
// its number; set is nil for a pod of its own.
func (b *builder) addRevision(i int, set *appsv1.ReplicaSet, pod *corev1.Pod, source *manifest.Source, path string) uint8 {
	return b.append(i, b.revisionOf(set, pod, source, path))
}

// append adds a revision of its own, and returns its number.
func (b *builder) append(i int, r model.Revision) uint8 {
	spec := &b.w.Workloads[i]
	if len(spec.Revisions) == model.RevisionsMax {
		b.fail(r.Source, r.Path, "%s has more than %d different pod templates, which is too many to check", spec.Object(), model.RevisionsMax)
		return 0
	}
	r.Of = uint8(len(spec.Revisions))
	spec.Revisions = append(spec.Revisions, r)
	return r.Of
}

// revisionOf is a template as the API server would admit its pods.
func (b *builder) revisionOf(set *appsv1.ReplicaSet, pod *corev1.Pod, source *manifest.Source, path string) model.Revision {
	if err := b.admission.Admit(pod); err != nil {
		b.fail(source, path, "%v", err)
	}
	return revision(set, pod, source, path)
}

// revision is a template whose pods have been admitted.
func revision(set *appsv1.ReplicaSet, pod *corev1.Pod, source *manifest.Source, path string) model.Revision {
	probed, delay := false, int32(0)
	for _, c := range pod.Spec.Containers {
		if p := c.ReadinessProbe; p != nil {
			probed, delay = true, max(delay, p.InitialDelaySeconds)
		}
	}
	grace := pod.Spec.TerminationGracePeriodSeconds
	return model.Revision{
		Set: set, Pod: pod, Source: source, Path: path, Probed: probed, ProbeDelay: delay, Grace: grace == nil || *grace > 0,
	}
}

// replicaSet adds a ReplicaSet that no Deployment of the input owns.
func (b *builder) replicaSet(o *manifest.Object[*appsv1.ReplicaSet]) {
	rs := o.Value
	d := &appsv1.Deployment{ObjectMeta: *rs.ObjectMeta.DeepCopy()}
	d.Spec.Replicas, d.Spec.Selector, d.Spec.Template = rs.Spec.Replicas, rs.Spec.Selector, rs.Spec.Template
	d.Spec.MinReadySeconds = rs.Spec.MinReadySeconds
	i := b.deployment(d, o.Source, false)
	b.w.Workloads[i].Kind = "ReplicaSet"
	set := b.w.Workloads[i].Revisions[0].Set
	set.Name, set.UID = rs.Name, types.UID(rs.Name)
	set.Spec.Selector, set.Spec.Template = rs.Spec.Selector, rs.Spec.Template
	b.w.Workloads[i].Revisions = nil
	b.addRevision(i, set, manifest.PodOf(&rs.Spec.Template, rs.Namespace, rs.Name), o.Source, "spec.template")
}

// find returns the index of a workload, or -1. No namespace means default.
func (b *builder) find(kind, namespace, name string) int {
	if namespace == "" {
		namespace = "default"
	}
	return slices.IndexFunc(b.w.Workloads, func(w model.WorkloadSpec) bool {
		return w.Kind == kind && w.Namespace == namespace && w.Name == name
	})
}
