package manifest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// objects makes random objects; about half of them are valid.
type objects struct{ *rand.Rand }

func (g objects) one(in int) bool { return g.IntN(in) == 0 }

func pick[T any](g objects, options ...T) T { return options[g.IntN(len(options))] }

// spoil is now and then the bad option.
func spoil[T any](g objects, bad T, good ...T) T {
	if g.one(25) {
		return bad
	}
	return pick(g, good...)
}

func (g objects) object() (kind string, obj runtime.Object) {
	switch g.IntN(8) {
	case 0:
		return "Namespace", g.namespace()
	case 1, 2:
		return "ReplicaSet", g.replicaSet()
	}
	return "Pod", g.pod()
}

func (g objects) meta(name string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Name: name, Namespace: "default", Generation: g.Int64N(3), Labels: map[string]string{"app": "a"}}
	if g.one(2) {
		m.Labels["rev"] = pick(g, "r1", "r2", "")
	}
	if g.one(40) {
		m.Labels["rev"] = "not valid"
	}
	if g.one(40) {
		m.Name = pick(g, "", "Not_Valid", "a.b")
	}
	if g.one(60) {
		m.Namespace = ""
	}
	return m
}

func (g objects) namespace() *corev1.Namespace {
	n := &corev1.Namespace{ObjectMeta: g.meta("ns")}
	if !g.one(10) {
		n.Namespace = ""
	}
	n.Status.Phase = pick(g, "", corev1.NamespaceTerminating)
	for range g.IntN(3) {
		n.Spec.Finalizers = append(n.Spec.Finalizers, pick(g, corev1.FinalizerKubernetes, "example.com/keep", "example.com/keep", "not valid"))
	}
	return n
}

func (g objects) replicaSet() *appsv1.ReplicaSet {
	set := &appsv1.ReplicaSet{ObjectMeta: g.meta("set")}
	if !g.one(4) {
		set.Spec.Replicas = new(int32)
		*set.Spec.Replicas = int32(g.IntN(12)) - 1
	}
	set.Spec.Selector = spoil(g, pick(g, &metav1.LabelSelector{MatchLabels: map[string]string{"app": "b"}}, &metav1.LabelSelector{}, nil),
		&metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}})
	pod := g.pod()
	set.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels, Annotations: pod.Annotations}, Spec: pod.Spec}
	set.Spec.MinReadySeconds = spoil[int32](g, -1, 0, 5)
	set.Status.Replicas = int32(g.IntN(3))
	return set
}

func (g objects) pod() *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: g.meta("pod")}
	p.Status = corev1.PodStatus{Phase: pick(g, "", corev1.PodRunning), Message: pick(g, "", "old")}
	if g.one(4) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}}
	}
	for i := range 1 + g.IntN(2) {
		p.Spec.Containers = append(p.Spec.Containers, g.container(string(rune('a'+i))))
	}
	if g.one(4) {
		c := g.container(spoil(g, "a", "init"))
		c.RestartPolicy = pick(g, nil, new(corev1.ContainerRestartPolicy))
		if c.RestartPolicy != nil {
			*c.RestartPolicy = spoil(g, "Sometimes", corev1.ContainerRestartPolicyAlways)
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
	for i := range g.IntN(3) * g.IntN(2) {
		p.Spec.SchedulingGates = append(p.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: spoil(g, "example.com/g0", fmt.Sprintf("example.com/g%d", i))})
	}
	if g.one(12) {
		p.Spec.NodeName = "n1"
	}
	g.placement(&p.Spec)
	g.security(p)
	switch g.IntN(30) {
	case 9: // a template may leave the reference to its user
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{
			Reference: pick(g, "", "i"), PullPolicy: corev1.PullAlways,
		}}}}
	case 10: // of a feature that is off
		p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{}
	case 0:
		p.Spec.RestartPolicy = pick(g, corev1.RestartPolicyNever, "Once")
	case 1:
		p.Spec.HostNetwork = true
	case 2:
		p.Spec.TerminationGracePeriodSeconds = new(int64)
		*p.Spec.TerminationGracePeriodSeconds = -1
	case 3:
		p.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(pick(g, "100m", "4"))}}
	case 4:
		p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Operator: pick(g, corev1.TolerationOpExists, corev1.TolerationOpEqual, "Lt", "Like"), Value: pick(g, "", "5")}}
	case 5:
		p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", Image: "i"}}}
	case 6:
		p.Spec.Hostname, p.Spec.Subdomain = pick(g, "h", "H"), "s"
	case 7:
		p.Spec.HostUsers = new(bool)
	case 8:
		p.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m")}
	}
	return p
}

func (g objects) container(name string) corev1.Container {
	c := corev1.Container{Name: name, Image: spoil(g, "", "nginx", "nginx:1")}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, "example.com/gpu"} {
		if !g.one(3) {
			continue
		}
		if name == "example.com/gpu" || g.one(2) {
			if c.Resources.Limits == nil {
				c.Resources.Limits = corev1.ResourceList{}
			}
			c.Resources.Limits[name] = resource.MustParse("2")
		}
		if g.one(2) {
			if c.Resources.Requests == nil {
				c.Resources.Requests = corev1.ResourceList{}
			}
			c.Resources.Requests[name] = resource.MustParse(spoil(g, pick(g, "1", "3"), "2"))
		}
	}
	if g.one(6) {
		c.Ports = []corev1.ContainerPort{{ContainerPort: spoil[int32](g, 0, 80), HostPort: spoil[int32](g, 80, 0)}}
	}
	if g.one(6) {
		c.SecurityContext = &corev1.SecurityContext{AppArmorProfile: g.profile()}
	}
	if g.one(12) {
		c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}, PeriodSeconds: spoil[int32](g, -1, 0, 5)}
	}
	return c
}

func (g objects) profile() *corev1.AppArmorProfile {
	local := spoil(g, "", "x", "y")
	return pick(g, nil, &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeRuntimeDefault},
		&corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeUnconfined},
		&corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeLocalhost, LocalhostProfile: &local})
}

// security sets what AppArmor's annotations are compared with.
func (g objects) security(p *corev1.Pod) {
	if g.one(4) {
		p.Spec.SecurityContext = &corev1.PodSecurityContext{AppArmorProfile: g.profile()}
	}
	if g.one(8) {
		p.Spec.OS = &corev1.PodOS{Name: spoil(g, "plan9", corev1.Linux, corev1.Windows)}
	}
	names := []string{spoil(g, "nowhere", "a")}
	for _, c := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers[1:]) {
		names = append(names, c.Name)
	}
	for _, name := range names {
		if g.one(5) {
			if p.Annotations == nil {
				p.Annotations = map[string]string{}
			}
			p.Annotations["container.apparmor.security.beta.kubernetes.io/"+name] = spoil(g, pick(g, "localhost/ x", "localhost/", "none"), "runtime/default", "unconfined", "localhost/x", "localhost/x")
		}
	}
}

func (g objects) selector() *metav1.LabelSelector {
	return spoil(g, pick(g, nil, &metav1.LabelSelector{MatchLabels: map[string]string{"rev": "r1"}}),
		&metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}},
		&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpExists}}})
}

func (g objects) keys() []string {
	return spoil(g, pick(g, []string{"rev", "rev"}, []string{"app"}, []string{""}),
		nil, []string{"rev"}, []string{"rev", "zone"}, []string{"zone"})
}

// placement sets affinity and topology spread constraints.
func (g objects) placement(spec *corev1.PodSpec) {
	term := func() corev1.PodAffinityTerm {
		t := corev1.PodAffinityTerm{TopologyKey: spoil(g, "", "zone"), LabelSelector: g.selector()}
		if g.one(4) {
			t.MismatchLabelKeys = g.keys()
		} else {
			t.MatchLabelKeys = g.keys()
		}
		if g.one(25) {
			t.MatchLabelKeys, t.MismatchLabelKeys = []string{"rev"}, g.keys()
		}
		return t
	}
	terms := func() (required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for range g.IntN(2) {
			required = append(required, term())
		}
		for range g.IntN(2) {
			preferred = append(preferred, corev1.WeightedPodAffinityTerm{Weight: spoil[int32](g, 101, 1, 100), PodAffinityTerm: term()})
		}
		return required, preferred
	}
	if g.one(3) {
		spec.Affinity = &corev1.Affinity{}
		if g.one(2) {
			near := &corev1.PodAffinity{}
			near.RequiredDuringSchedulingIgnoredDuringExecution, near.PreferredDuringSchedulingIgnoredDuringExecution = terms()
			spec.Affinity.PodAffinity = near
		}
		if g.one(2) {
			apart := &corev1.PodAntiAffinity{}
			apart.RequiredDuringSchedulingIgnoredDuringExecution, apart.PreferredDuringSchedulingIgnoredDuringExecution = terms()
			spec.Affinity.PodAntiAffinity = apart
		}
	}
	for i := range g.IntN(3) * g.IntN(2) {
		spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
			MaxSkew: spoil[int32](g, 0, 1, 2), TopologyKey: fmt.Sprintf("key%d", i), LabelSelector: g.selector(), MatchLabelKeys: g.keys(),
			WhenUnsatisfiable: pick(g, corev1.DoNotSchedule, corev1.ScheduleAnyway),
		})
	}
}
