package environment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/rand"
)

// StatefulSets has each StatefulSet have its numbered pods with their claims, in order or all
// at once, and replaces them from the last to the first when the template changes.
//
// Not as in Kubernetes: a template that comes back does not get a new revision number, which
// would grow for ever; what users change in a pod's identity is not put back;
// rollingUpdate.maxUnavailable, a feature that is off by default, is one.
func StatefulSets() Actor { return statefulSetController{} }

type statefulSetController struct{}

func (statefulSetController) Name() string { return "statefulset controller" }
func (statefulSetController) Reads() []schema.GroupVersionKind {
	return reads(statefulSets, revisions, pods, claims)
}

func (statefulSetController) Steps(w World) (steps []Step) {
	for _, s := range list[*appsv1.StatefulSet](w, statefulSets, "") {
		members := keep(list[*corev1.Pod](w, pods, s.Namespace), func(p *corev1.Pod) bool { return ordinal(p, s) >= 0 })
		own, step := claim(pods, statefulSets, s, s.Spec.Selector, members)
		if step == nil {
			step = newOrdered(w, s, own).next()
		}
		if step != nil {
			step.Class = Path(statefulSets, s)
			steps = append(steps, *step)
		}
	}
	return steps
}

// ordinal is the number of a pod of a StatefulSet, by its name; -1 if it is none of it.
func ordinal(p *corev1.Pod, s *appsv1.StatefulSet) int {
	rest, found := strings.CutPrefix(p.Name, s.Name+"-")
	n, err := strconv.Atoi(rest)
	if !found || err != nil || n < 0 || strconv.Itoa(n) != rest {
		return -1
	}
	return n
}

// ordered is one look at a StatefulSet.
type ordered struct {
	world World
	s     *appsv1.StatefulSet
	// replicas are the pods that it is to have, by their places, nil where there is none;
	// condemned those that it is not to have, the last first.
	replicas  []*corev1.Pod
	condemned []*corev1.Pod
	own       []*corev1.Pod
	start     int
	// revisions are those there are; update is that of the template, and current that before it.
	revisions       []*appsv1.ControllerRevision
	update, current *appsv1.ControllerRevision
}

func newOrdered(w World, s *appsv1.StatefulSet, own []*corev1.Pod) *ordered {
	o := &ordered{world: w, s: s, own: own, replicas: make([]*corev1.Pod, value(s.Spec.Replicas, 1))}
	if s.Spec.Ordinals != nil {
		o.start = int(s.Spec.Ordinals.Start)
	}
	for _, p := range own {
		if at := ordinal(p, s) - o.start; at >= 0 && at < len(o.replicas) {
			o.replicas[at] = p
		} else {
			o.condemned = append(o.condemned, p)
		}
	}
	slices.SortFunc(o.condemned, func(a, b *corev1.Pod) int { return cmp.Compare(ordinal(b, s), ordinal(a, s)) })
	o.revisions = controlled(s, list[*appsv1.ControllerRevision](w, revisions, s.Namespace))
	for _, r := range o.revisions {
		if r.Name == s.Name+"-"+revisionHash(&s.Spec.Template) {
			o.update = r
		}
		if r.Name == s.Status.CurrentRevision {
			o.current = r
		}
	}
	o.current = cmp.Or(o.current, o.update)
	return o
}

// templatePatch is what a ControllerRevision has of a template.
func templatePatch(t *corev1.PodTemplateSpec) []byte {
	var fields map[string]any
	_ = json.Unmarshal(encode(t), &fields) // it was just made
	fields["$patch"] = "replace"
	return encode(map[string]any{"spec": map[string]any{"template": fields}})
}

func revisionHash(t *corev1.PodTemplateSpec) string {
	h := fnv.New32()
	_, _ = h.Write(append(templatePatch(t), '0')) // never fails
	return rand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))
}

// next is the next write, nil if there is none to make: updateStatefulSet of
// kube-controller-manager.
func (o *ordered) next() *Step {
	if o.update == nil {
		return o.revise()
	}
	if o.s.DeletionTimestamp == nil {
		if step := o.process(); step != nil {
			return step
		}
	}
	if step := o.report(); step != nil {
		return step
	}
	return o.forget()
}

// process is the next write to pods and claims, nil if there is none, or it has to wait.
func (o *ordered) process() *Step {
	monotonic := o.s.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
	waits := false
	for i := range o.replicas {
		step, wait := o.replica(i)
		if step != nil {
			return step
		}
		if waits = waits || wait; wait && monotonic {
			return nil
		}
	}
	for _, p := range o.condemned {
		if step := o.retain(p); step != nil {
			return step
		}
	}
	for _, p := range o.condemned {
		switch {
		case terminating(p) && monotonic:
			return nil
		case !terminating(p) && (!monotonic || ready(p) || p == o.firstUnavailable()):
			return o.remove(p)
		case monotonic:
			return nil
		}
	}
	if waits || o.s.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
		return nil
	}
	return o.replace()
}

func (o *ordered) remove(p *corev1.Pod) *Step {
	return &Step{Text: "delete " + Path(pods, p), Request: Delete(pods, p, "", nil)}
}

// replica has a pod be there; wait: those behind it are to wait for it, if they are ordered.
func (o *ordered) replica(i int) (step *Step, wait bool) {
	p := o.replicas[i]
	switch {
	case p == nil:
		wanted := o.pod(o.start + i)
		if step, wait := o.supply(wanted); step != nil || wait {
			return step, wait
		}
		return &Step{Text: "create " + Path(pods, wanted), Request: Create(pods, wanted)}, true
	case ended(p) && !terminating(p):
		return o.remove(p), true
	case ended(p):
		return nil, true
	case p.Status.Phase == corev1.PodPending:
		if step, _ := o.supply(p); step != nil {
			return step, true
		}
	}
	if terminating(p) || !ready(p) {
		return nil, true
	}
	return o.retain(p), false
}

// firstUnavailable is the first pod that is not ready, those that are to go behind the others;
// nil if all are.
func (o *ordered) firstUnavailable() *corev1.Pod {
	behind := slices.Clone(o.condemned)
	slices.Reverse(behind)
	for _, p := range slices.Concat(o.replicas, behind) {
		if p == nil || !ready(p) || terminating(p) {
			return p
		}
	}
	return nil
}

// replace deletes the last pod that is of another revision, as soon as all behind it are ready.
func (o *ordered) replace() *Step {
	least := 0
	if r := o.s.Spec.UpdateStrategy.RollingUpdate; r != nil {
		least = int(value(r.Partition, 0)) - o.start
	}
	for i := len(o.replicas) - 1; i >= max(least, 0); i-- {
		p := o.replicas[i]
		if p == nil {
			return nil
		}
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] != o.update.Name && !terminating(p) {
			return o.remove(p)
		}
		if !ready(p) || terminating(p) {
			return nil
		}
	}
	return nil
}

// pod is a pod as it is created: with the template of the update, or with that of before
// where the partition says so.
func (o *ordered) pod(n int) *corev1.Pod {
	template, revision := &o.s.Spec.Template, o.update
	if u := o.s.Spec.UpdateStrategy.RollingUpdate; u != nil && n < o.start+int(value(u.Partition, 0)) {
		var patch struct {
			Spec struct{ Template corev1.PodTemplateSpec }
		}
		if json.Unmarshal(o.current.Data.Raw, &patch) == nil {
			template, revision = &patch.Spec.Template, o.current
		}
	}
	p := podOf(template, o.s, statefulSets)
	p.Name = fmt.Sprintf("%s-%d", o.s.Name, n)
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Labels[appsv1.StatefulSetPodNameLabel], p.Labels[appsv1.PodIndexLabel] = p.Name, strconv.Itoa(n)
	p.Labels[appsv1.ControllerRevisionHashLabelKey] = revision.Name
	p.Spec.Hostname, p.Spec.Subdomain = p.Name, o.s.Spec.ServiceName
	for _, c := range slices.Backward(o.s.Spec.VolumeClaimTemplates) {
		p.Spec.Volumes = slices.DeleteFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == c.Name })
		p.Spec.Volumes = slices.Insert(p.Spec.Volumes, 0, corev1.Volume{Name: c.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: c.Name + "-" + p.Name},
		}})
	}
	return p
}

// revise makes the revision of the template.
func (o *ordered) revise() *Step {
	hash := revisionHash(&o.s.Spec.Template)
	r := &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: templatePatch(&o.s.Spec.Template)}, Revision: 1}
	for _, old := range o.revisions {
		r.Revision = max(r.Revision, old.Revision+1)
	}
	r.Name, r.Namespace = o.s.Name+"-"+hash, o.s.Namespace
	r.Labels, r.Annotations = maps.Clone(o.s.Spec.Template.Labels), maps.Clone(o.s.Annotations)
	if r.Labels == nil {
		r.Labels = map[string]string{}
	}
	r.Labels["controller.kubernetes.io/hash"] = hash
	r.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(o.s, statefulSets.Kind)}
	return &Step{Text: "create " + Path(revisions, r), Request: Create(revisions, r)}
}

// report updates the status, nil if it is what it should be.
func (o *ordered) report() *Step {
	s := o.s.DeepCopy()
	t := &s.Status
	t.ObservedGeneration, t.CollisionCount = s.Generation, pointer(value(t.CollisionCount, 0))
	t.CurrentRevision, t.UpdateRevision = o.current.Name, o.update.Name
	of := func(r *appsv1.ControllerRevision) func(*corev1.Pod) bool {
		return func(p *corev1.Pod) bool {
			return !terminating(p) && p.Labels[appsv1.ControllerRevisionHashLabelKey] == r.Name
		}
	}
	running := func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning && ready(p) }
	t.Replicas = count(o.own, func(*corev1.Pod) bool { return true })
	t.ReadyReplicas, t.AvailableReplicas = count(o.own, running), count(o.own, running)
	t.CurrentReplicas, t.UpdatedReplicas = count(o.own, of(o.current)), count(o.own, of(o.update))
	if n := value(s.Spec.Replicas, 1); s.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType &&
		t.UpdatedReplicas == n && t.ReadyReplicas == n && t.Replicas == n {
		t.CurrentReplicas, t.CurrentRevision = t.UpdatedReplicas, t.UpdateRevision
	}
	if equality.Semantic.DeepEqual(o.s.Status, s.Status) {
		return nil
	}
	return &Step{Text: "update the status of " + Path(statefulSets, s), Request: Update(statefulSets, s, "status")}
}

// forget deletes the oldest revision that no pod is of, beyond the limit of history.
func (o *ordered) forget() *Step {
	history := keep(o.revisions, func(r *appsv1.ControllerRevision) bool {
		return r != o.update && r != o.current && r.DeletionTimestamp == nil &&
			!slices.ContainsFunc(o.own, func(p *corev1.Pod) bool { return p.Labels[appsv1.ControllerRevisionHashLabelKey] == r.Name })
	})
	if len(history) <= int(value(o.s.Spec.RevisionHistoryLimit, 10)) {
		return nil
	}
	r := slices.MinFunc(history, func(a, b *appsv1.ControllerRevision) int { return cmp.Compare(a.Revision, b.Revision) })
	return &Step{Text: "delete " + Path(revisions, r), Request: Delete(revisions, r, "", nil)}
}
