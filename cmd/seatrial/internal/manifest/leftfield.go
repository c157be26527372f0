package manifest

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// leftField is a field of a pod's spec that can change behaviour and is not
// modelled. indices lists where it stands: "" for the field itself, "[i]" for
// its items.
type leftField struct {
	path    string
	reason  string
	indices func(spec *corev1.PodSpec) []string
}

// podFields are the fields of a pod's spec that are left out. Every other
// field is modelled or cannot change what is checked: hostPath, emptyDir,
// secrets and config maps are always there; env, command, probes (a probe's
// outcome is an event), DNS, security context and service account decide
// nothing about placement or number.
var podFields = []leftField{
	{"volumes", "binding, zones and attach limits of volumes are not modelled", func(s *corev1.PodSpec) []string {
		return where(s.Volumes, bindsVolume)
	}},
	{"resourceClaims", "dynamic resource allocation is not modelled", func(s *corev1.PodSpec) []string {
		return where(s.ResourceClaims, func(corev1.PodResourceClaim) bool { return true })
	}},
	{"schedulingGates", "what removes a scheduling gate is not modelled", func(s *corev1.PodSpec) []string {
		return present(len(s.SchedulingGates) > 0)
	}},
	{"schedulingGroup", "scheduling pods as a group is not modelled", func(s *corev1.PodSpec) []string {
		return present(s.SchedulingGroup != nil)
	}},
	{"runtimeClassName", "overhead and scheduling rules of a RuntimeClass are not modelled", func(s *corev1.PodSpec) []string {
		return present(s.RuntimeClassName != nil && *s.RuntimeClassName != "")
	}},
	{"readinessGates", "what sets the condition of a readiness gate is not modelled", func(s *corev1.PodSpec) []string {
		return present(len(s.ReadinessGates) > 0)
	}},
	{"activeDeadlineSeconds", "a deadline after which the pod fails is not modelled", func(s *corev1.PodSpec) []string {
		return present(s.ActiveDeadlineSeconds != nil)
	}},
	{"restartPolicy", "pods that come to an end by themselves are not modelled", func(s *corev1.PodSpec) []string {
		return present(s.RestartPolicy == corev1.RestartPolicyNever || s.RestartPolicy == corev1.RestartPolicyOnFailure)
	}},
}

// bindsVolume says whether a volume ties the pod to nodes or counts against a
// node's limit.
func bindsVolume(v corev1.Volume) bool {
	return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.CSI != nil ||
		v.GCEPersistentDisk != nil || v.AWSElasticBlockStore != nil || v.AzureDisk != nil || v.Cinder != nil ||
		v.VsphereVolume != nil || v.PortworxVolume != nil || v.PhotonPersistentDisk != nil ||
		v.RBD != nil || v.ISCSI != nil || v.FC != nil || v.ScaleIO != nil || v.StorageOS != nil
}

func present(is bool) []string {
	if is {
		return []string{""}
	}
	return nil
}

func where[T any](items []T, is func(T) bool) []string {
	var out []string
	for i, item := range items {
		if is(item) {
			out = append(out, fmt.Sprintf("[%d]", i))
		}
	}
	return out
}

func (in *Input) leaveField(source *Source, path, reason string) {
	in.LeftOut = append(in.LeftOut, LeftOut{
		Name: source.identity() + ":" + path, Location: source.Position(path), Reason: reason,
		Kind: source.Kind, Namespace: source.Namespace, Field: path,
	})
}

// leaveFields lists what is left out of objects that are modelled otherwise.
func (in *Input) leaveFields() {
	in.leaveHeld()
	schedulers, known := in.schedulerNames(), in.owners()
	// What is listed for a controller is not listed again for what it owns.
	listed := map[string]bool{}
	leavePod := func(source *Source, base string, spec *corev1.PodSpec, finalizers []string, owner string) {
		for _, f := range podFields {
			for _, index := range f.indices(spec) {
				listed[source.identity()+":"+f.path+index] = true
				if !listed[owner+":"+f.path+index] {
					in.leaveField(source, joinPath(base, "spec."+f.path+index), f.reason)
				}
			}
		}
		if len(finalizers) > 0 {
			in.leaveField(source, joinPath(base, "metadata.finalizers"), "what removes a finalizer is not modelled")
		}
		if spec.NodeName == "" && !schedulers[spec.SchedulerName] {
			in.leaveField(source, joinPath(base, "spec.schedulerName"), "the scheduler configuration has no profile of this name")
		}
	}
	for _, o := range in.Deployments {
		leavePod(o.Source, "spec.template", &o.Value.Spec.Template.Spec, o.Value.Spec.Template.Finalizers, "")
		in.leaveDeletion(o.Source, o.Value)
		in.leaveOwner(o.Source, o.Value, known)
	}
	for _, o := range in.ReplicaSets {
		owner := ownerIdentity(o.Value)
		if owner != "" && known[owner] && *o.Value.Spec.Replicas == 0 && o.Value.Status.Replicas == 0 {
			continue // what is left of a rollout of the past
		}
		leavePod(o.Source, "spec.template", &o.Value.Spec.Template.Spec, o.Value.Spec.Template.Finalizers, owner)
		in.leaveDeletion(o.Source, o.Value)
		in.leaveOwner(o.Source, o.Value, known)
	}
	for _, o := range in.Pods {
		if HeldBy(o.Value) != nil || Ended(o.Value) {
			continue // its controller is listed, and the fields are about pods that start
		}
		leavePod(o.Source, "", &o.Value.Spec, o.Value.Finalizers, ownerIdentity(o.Value))
		in.leaveOwner(o.Source, o.Value, known)
	}
	for _, o := range in.Autoscalers {
		in.leaveDeletion(o.Source, o.Value)
	}
	for _, o := range in.DisruptionBudgets {
		in.leaveDeletion(o.Source, o.Value)
	}
	for _, o := range in.Nodes {
		in.leaveDeletion(o.Source, o.Value)
	}
	for _, o := range in.Namespaces {
		in.leaveDeletion(o.Source, o.Value)
	}
	if c := in.SchedulerConfig; c != nil && len(c.Value.Extenders) > 0 {
		in.leaveField(c.Source, "extenders", "scheduler extenders are programs of their own and not modelled")
	}
}

// ownerIdentity is the identity of an object's controller; empty if it has none.
func ownerIdentity(o metav1.Object) string {
	owner := metav1.GetControllerOf(o)
	if owner == nil {
		return ""
	}
	id := Source{Kind: owner.Kind, Namespace: o.GetNamespace(), Name: owner.Name}
	return id.identity()
}

func (in *Input) leaveDeletion(source *Source, o metav1.Object) {
	if o.GetDeletionTimestamp() != nil {
		in.leaveField(source, "metadata.deletionTimestamp", "an object that is being deleted is modelled as staying")
	}
}

// leaveOwner lists a controller that is not there or not modelled. One that is
// left out itself stands in the list already.
func (in *Input) leaveOwner(source *Source, o metav1.Object, known map[string]bool) {
	owner := metav1.GetControllerOf(o)
	if owner == nil || owner.Kind == "Node" {
		return
	}
	id := Source{Kind: owner.Kind, Namespace: o.GetNamespace(), Name: owner.Name}
	if known[id.identity()] || owner.Kind == "ReplicaSet" && in.inDeployment(o, owner.Name) {
		return
	}
	in.leaveField(source, "metadata.ownerReferences", "its controller "+id.object()+" is not in the input")
}

// inDeployment tells whether a pod belongs to a Deployment of the input by the
// name of its ReplicaSet and its labels, though the ReplicaSet is not there.
func (in *Input) inDeployment(pod metav1.Object, replicaSet string) bool {
	return slices.ContainsFunc(in.Deployments, func(d Object[*appsv1.Deployment]) bool {
		return d.Value.Namespace == pod.GetNamespace() && strings.HasPrefix(replicaSet, d.Value.Name+"-") &&
			selectorOf(d.Value.Spec.Selector).Matches(labels.Set(pod.GetLabels()))
	})
}

// owners are the identities of the controllers in the input, those that are
// left out included.
func (in *Input) owners() map[string]bool {
	known := map[string]bool{}
	for _, o := range in.Deployments {
		known[o.Source.identity()] = true
	}
	for _, o := range in.ReplicaSets {
		known[o.Source.identity()] = true
	}
	for _, left := range in.LeftOut {
		known[left.Name] = true
	}
	return known
}

// schedulerNames are the names that pods can ask for.
func (in *Input) schedulerNames() map[string]bool {
	if in.SchedulerConfig == nil {
		return map[string]bool{corev1.DefaultSchedulerName: true}
	}
	out := map[string]bool{}
	for _, p := range in.SchedulerConfig.Value.Profiles {
		out[profileName(p)] = true
	}
	return out
}

func profileName(p schedulerconfig.KubeSchedulerProfile) string {
	if p.SchedulerName == "" {
		return corev1.DefaultSchedulerName
	}
	return p.SchedulerName
}
