package descheduler_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// generator makes small random clusters, most of them very small, and policies.
type generator struct{ *rand.Rand }

func (g generator) percent(p int) bool { return g.IntN(100) < p }

func choose[T any](g generator, options ...T) T { return options[g.IntN(len(options))] }

func (g generator) cluster() descheduler.Cluster {
	var c descheduler.Cluster
	nodes, apps, pods := 2+g.IntN(2), 1+g.IntN(2), 3
	if g.percent(30) {
		nodes, apps, pods = 2+g.IntN(3), 1+g.IntN(3), 5
	}
	for i := range nodes {
		c.Nodes = append(c.Nodes, g.node(i))
	}
	for i, name := range []string{"default", "other"} {
		c.Namespaces = append(c.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"tier": fmt.Sprint(i)},
		}})
	}
	for app := range apps {
		c.Pods = append(c.Pods, g.app(string(rune('a'+app)), 1+g.IntN(pods), c.Nodes)...)
	}
	if g.percent(30) {
		c.PDBs = append(c.PDBs, &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"},
			Spec: policyv1.PodDisruptionBudgetSpec{
				MinAvailable: ptr.To(intstr.FromInt32(1)),
				Selector:     &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}},
			},
		})
	}
	return c
}

func (g generator) node(i int) *corev1.Node {
	n := node(fmt.Sprintf("n%d", i), choose[int64](g, 1000, 1000, 2000), choose[int64](g, 1, 1, 2), map[string]string{})
	if g.percent(80) {
		n.Labels["zone"] = choose(g, "z1", "z2")
	}
	if g.percent(50) {
		n.Labels["disk"] = choose(g, "ssd", "hdd")
	}
	if g.percent(20) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{
			Key: "dedicated", Value: "x",
			Effect: choose(g, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute),
		})
	}
	n.Spec.Unschedulable = g.percent(10)
	if g.percent(7) {
		n.Status.Conditions[0].Status = corev1.ConditionFalse
	}
	if g.percent(20) {
		n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("4")
	}
	return n
}

func (g generator) app(name string, replicas int, nodes []*corev1.Node) []*corev1.Pod {
	template := pod(name, 0, "", choose[int64](g, 0, 100, 200, 400), choose[int64](g, 0, 50, 100))
	template.Namespace = choose(g, "default", "default", "other")
	if g.percent(8) {
		template.OwnerReferences[0].Kind = "DaemonSet"
	} else if g.percent(5) {
		template.OwnerReferences = nil
	}
	spec := &template.Spec
	for _, key := range []string{corev1.LabelHostname, "zone"} {
		if g.percent(40) {
			spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, g.constraint(name, key))
		}
	}
	spec.Affinity = g.affinity(name)
	if g.percent(30) {
		spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Operator: corev1.TolerationOpExists}}
	}
	if g.percent(10) {
		spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	if g.percent(8) {
		spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	}
	if g.percent(30) {
		spec.Priority = ptr.To(choose[int32](g, 0, 100, 2000000000))
	}
	var pods []*corev1.Pod
	for i := range replicas {
		pods = append(pods, g.instance(template, i, nodes))
	}
	return pods
}

func (g generator) constraint(app, key string) corev1.TopologySpreadConstraint {
	c := corev1.TopologySpreadConstraint{
		MaxSkew: choose[int32](g, 1, 1, 2), TopologyKey: key,
		WhenUnsatisfiable: choose(g, corev1.DoNotSchedule, corev1.ScheduleAnyway),
		LabelSelector:     &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}},
	}
	if g.percent(20) {
		c.LabelSelector = &metav1.LabelSelector{}
	}
	if g.percent(20) {
		c.MatchLabelKeys = []string{"version"}
	}
	if g.percent(30) {
		c.NodeTaintsPolicy = ptr.To(corev1.NodeInclusionPolicyHonor)
	}
	return c
}

func (g generator) affinity(app string) *corev1.Affinity {
	affinity := &corev1.Affinity{}
	disk := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
		Key: "disk", Operator: corev1.NodeSelectorOpIn, Values: []string{"ssd"},
	}}}
	if g.percent(20) {
		affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": choose(g, "a", app)}},
			TopologyKey:   choose(g, corev1.LabelHostname, "zone"),
		}}}
	}
	if g.percent(20) {
		affinity.NodeAffinity = &corev1.NodeAffinity{}
		if g.percent(50) {
			affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{disk}}
		} else {
			affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: disk}}
		}
	}
	return affinity
}

// instance is one pod of an app; a few differ from their siblings.
func (g generator) instance(template *corev1.Pod, i int, nodes []*corev1.Node) *corev1.Pod {
	p := template.DeepCopy()
	p.Name = fmt.Sprintf("%s-%d", template.Labels["app"], i)
	p.UID = types.UID("uid-" + p.Name)
	if g.percent(95) {
		p.Spec.NodeName = choose(g, nodes...).Name
	} else {
		p.Status.Phase = corev1.PodPending
	}
	if g.percent(25) {
		p.Labels["version"] = choose(g, "1", "2")
	}
	switch {
	case g.percent(7):
		p.DeletionTimestamp, p.Finalizers = &epoch, []string{"test/keep"}
	case g.percent(7):
		p.Status.Phase = corev1.PodFailed
		p.Status.Reason = "Evicted"
	case g.percent(10):
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: int32(g.IntN(5))}}
	case g.percent(10):
		p.Annotations = map[string]string{choose(g, "descheduler.alpha.kubernetes.io/evict", "descheduler.alpha.kubernetes.io/prefer-no-eviction"): ""}
	}
	if g.percent(5) {
		p.CreationTimestamp = metav1.NewTime(epoch.AddDate(1, 0, 0))
	}
	return p
}

func (g generator) policy() string {
	var settings []string
	if g.percent(10) {
		settings = append(settings, "nodeSelector: disk in (ssd,hdd)")
	}
	for _, limit := range []string{"PerNode", "PerNamespace", "Total"} {
		if g.percent(12) {
			settings = append(settings, fmt.Sprintf("maxNoOfPodsToEvict%s: %d", limit, 1+g.IntN(3)))
		}
	}
	var profiles []string
	for i := range 1 + g.IntN(2) {
		profiles = append(profiles, g.profile(fmt.Sprintf("p%d", i)))
	}
	return policy(strings.Join(settings, "\n"), profiles...)
}

func (g generator) profile(name string) string {
	deschedule := []string{
		"RemovePodsViolatingInterPodAntiAffinity", "RemovePodsViolatingNodeTaints", "RemoveFailedPods",
		"RemovePodsViolatingNodeAffinity {nodeAffinityType: [requiredDuringSchedulingIgnoredDuringExecution, preferredDuringSchedulingIgnoredDuringExecution]}",
		"PodLifeTime {maxPodLifeTimeSeconds: 3600}", "RemovePodsHavingTooManyRestarts {podRestartThreshold: 2}",
		"RemovePodsViolatingNodeTaints {includePreferNoSchedule: true}",
	}
	balance := []string{
		duplicates, hardSpread, bothSpread, "RemovePodsViolatingTopologySpreadConstraint {topologyBalanceNodeFit: false}",
		"LowNodeUtilization {thresholds: {cpu: 20, memory: 20}, targetThresholds: {cpu: 40, memory: 40}}",
		"LowNodeUtilization {thresholds: {pods: 2}, targetThresholds: {pods: 3}}",
		"LowNodeUtilization {useDeviationThresholds: true, thresholds: {cpu: 10}, targetThresholds: {cpu: 10}}",
		"HighNodeUtilization {thresholds: {cpu: 40, memory: 40}}", "HighNodeUtilization {thresholds: {pods: 3}}",
	}
	pick := func(options []string, most int) (configs, enabled []string) {
		known := map[string]bool{}
		for range g.IntN(most + 1) {
			plugin, args, ok := strings.Cut(choose(g, options...), " ")
			if !ok {
				args = "{}"
			}
			if !known[plugin] {
				known[plugin] = true
				configs = append(configs, fmt.Sprintf("{name: %s, args: %s}", plugin, args))
				enabled = append(enabled, plugin)
			}
		}
		return configs, enabled
	}
	evictor := choose(g, "{}", "{}", "{nodeFit: true}", "{minReplicas: 3}", "{nodeFit: true, nodeSelector: disk=ssd}",
		"{labelSelector: {matchLabels: {app: a}}}", "{namespaceLabelSelector: {matchLabels: {tier: \"0\"}}}",
		"{priorityThreshold: {value: 100}}", "{evictLocalStoragePods: true, evictDaemonSetPods: true, evictFailedBarePods: true}",
		"{noEvictionPolicy: Mandatory}", "{podProtections: {extraEnabled: [PodsWithoutPDB]}}")
	first, descheduled := pick(deschedule, 2)
	second, balanced := pick(balance, 2)
	configs := append([]string{"{name: DefaultEvictor, args: " + evictor + "}"}, append(first, second...)...)
	return fmt.Sprintf("{name: %s, pluginConfig: [%s], plugins: {deschedule: {enabled: [%s]}, balance: {enabled: [%s]}}}",
		name, strings.Join(configs, ", "), strings.Join(descheduled, ", "), strings.Join(balanced, ", "))
}
