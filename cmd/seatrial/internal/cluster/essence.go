package cluster

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// essence is what a check reads of a pod that has a node: the part in which two
// pods have to agree to be counted as the same. Images, commands, mounts and
// what a node or a controller adds to one pod alone are not in it.
func essence(p *corev1.Pod) *corev1.Pod {
	out := &corev1.Pod{}
	out.Namespace, out.Labels, out.Annotations = p.Namespace, map[string]string{}, map[string]string{}
	for k, v := range p.Labels {
		if !slices.Contains(individualLabels, k) {
			out.Labels[k] = v
		}
	}
	for k, v := range p.Annotations {
		switch {
		case strings.HasPrefix(k, "descheduler.alpha.kubernetes.io/"), k == corev1.PodDeletionCost:
			out.Annotations[k] = v
		case k == corev1.MirrorPodAnnotationKey, k == "kubernetes.io/config.source":
			out.Annotations[k] = "file" // a mirror pod, whatever its hash
		}
	}
	s, t := p.Spec.DeepCopy(), &out.Spec
	t.Containers, t.InitContainers = essential(s.Containers), essential(s.InitContainers)
	t.NodeSelector, t.Affinity, t.Tolerations = s.NodeSelector, s.Affinity, s.Tolerations
	t.TopologySpreadConstraints = s.TopologySpreadConstraints
	t.Priority, t.PriorityClassName, t.PreemptionPolicy = s.Priority, s.PriorityClassName, s.PreemptionPolicy
	t.SchedulerName, t.HostNetwork, t.OS = s.SchedulerName, s.HostNetwork, s.OS
	t.Overhead, t.Resources, t.RuntimeClassName = s.Overhead, s.Resources, s.RuntimeClassName
	t.RestartPolicy, t.TerminationGracePeriodSeconds = s.RestartPolicy, s.TerminationGracePeriodSeconds
	t.SchedulingGates, t.ReadinessGates = s.SchedulingGates, s.ReadinessGates
	for i, v := range s.Volumes {
		if v.Projected != nil || v.ConfigMap != nil || v.Secret != nil || v.DownwardAPI != nil {
			continue
		}
		if v.PersistentVolumeClaim != nil {
			v.PersistentVolumeClaim.ClaimName = "claim"
		}
		v.Name = "volume-" + string(rune('a'+i%26))
		t.Volumes = append(t.Volumes, v)
	}
	if a := t.Affinity; p.Spec.NodeName != "" && a != nil && a.NodeAffinity != nil {
		// A DaemonSet's controller names the node there; it has done its work.
		if r := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; r != nil && slices.ContainsFunc(r.NodeSelectorTerms,
			func(t corev1.NodeSelectorTerm) bool { return len(t.MatchFields) > 0 }) {
			a.NodeAffinity = nil
		}
		if equality.Semantic.DeepEqual(a, &corev1.Affinity{}) {
			t.Affinity = nil
		}
	}
	return out
}

// individualLabels are those that the API server or a controller gives one pod
// and not its like.
var individualLabels = []string{
	corev1.LabelTopologyZone, corev1.LabelTopologyRegion,
	"apps.kubernetes.io/pod-index", "statefulset.kubernetes.io/pod-name", "batch.kubernetes.io/job-completion-index",
}

// essential is what a check reads of containers.
func essential(containers []corev1.Container) []corev1.Container {
	var out []corev1.Container
	for _, c := range containers {
		e := corev1.Container{Name: c.Name, Image: "image", Resources: c.Resources, RestartPolicy: c.RestartPolicy}
		for _, port := range c.Ports {
			if port.HostPort > 0 {
				e.Ports = append(e.Ports, port)
			}
		}
		if probe := c.ReadinessProbe; probe != nil {
			e.ReadinessProbe = &corev1.Probe{InitialDelaySeconds: probe.InitialDelaySeconds}
		}
		out = append(out, e)
	}
	return out
}

// difference is a field in which two essences differ, as its path in the pod;
// empty if there is none.
func difference(a, b *corev1.Pod) string {
	s, t := &a.Spec, &b.Spec
	if len(s.Containers) == len(t.Containers) {
		for i := range s.Containers {
			if !equality.Semantic.DeepEqual(s.Containers[i].Resources, t.Containers[i].Resources) {
				return "spec.containers[" + strconv.Itoa(i) + "].resources"
			}
		}
	}
	for _, f := range []struct {
		path string
		a, b any
	}{
		{"metadata.labels", hashless(a.Labels), hashless(b.Labels)},
		{"metadata.annotations", a.Annotations, b.Annotations},
		{"spec.containers", s.Containers, t.Containers},
		{"spec.initContainers", s.InitContainers, t.InitContainers},
		{"spec.nodeSelector", s.NodeSelector, t.NodeSelector},
		{"spec.affinity", s.Affinity, t.Affinity},
		{"spec.topologySpreadConstraints", s.TopologySpreadConstraints, t.TopologySpreadConstraints},
		{"spec.priority", s.Priority, t.Priority},
		{"spec.preemptionPolicy", s.PreemptionPolicy, t.PreemptionPolicy},
		{"spec.schedulerName", s.SchedulerName, t.SchedulerName},
		{"spec.hostNetwork", s.HostNetwork, t.HostNetwork},
		{"spec.overhead", s.Overhead, t.Overhead},
		{"spec.resources", s.Resources, t.Resources},
		{"spec.runtimeClassName", s.RuntimeClassName, t.RuntimeClassName},
		{"spec.restartPolicy", s.RestartPolicy, t.RestartPolicy},
		{"spec.terminationGracePeriodSeconds", s.TerminationGracePeriodSeconds, t.TerminationGracePeriodSeconds},
		{"spec.readinessGates", s.ReadinessGates, t.ReadinessGates},
		{"spec.volumes", s.Volumes, t.Volumes},
	} {
		if !equality.Semantic.DeepEqual(f.a, f.b) {
			return f.path
		}
	}
	if !within(s.Tolerations, t.Tolerations) || !within(t.Tolerations, s.Tolerations) {
		return "spec.tolerations"
	}
	return ""
}

// hashless are labels without the hash of the template, which is another one
// where the ReplicaSet is not in the input.
func hashless(labels map[string]string) map[string]string {
	out := maps.Clone(labels)
	delete(out, appsv1.DefaultDeploymentUniqueLabelKey)
	return out
}

// within tells whether all contains some.
func within(some, all []corev1.Toleration) bool {
	return !slices.ContainsFunc(some, func(t corev1.Toleration) bool {
		return !slices.ContainsFunc(all, func(u corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, u) })
	})
}
