package scheduler

import (
	"fmt"
	"math/rand/v2"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const extendedResource = corev1.ResourceName("example.com/gpu")

// generator makes random clusters that touch every part of the scheduler: small
// ones with few values of everything, so that objects meet.
type generator struct {
	*rand.Rand
	profiles []string
	// preempting makes fuller nodes and pods of more different priorities.
	preempting bool
}

func newGenerator(seed, i int) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(i))), profiles: []string{corev1.DefaultSchedulerName}}
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

func (g *generator) cluster() (*corev1.Pod, Cluster) {
	var c Cluster
	alike, model := g.chance(50), g.node("model")
	for i := range 1 + g.IntN(6) {
		node := g.node(fmt.Sprintf("n%d", i))
		if alike {
			name := node.Name
			node = model.DeepCopy()
			node.Name, node.Labels[corev1.LabelHostname] = name, name
		}
		c.Nodes = append(c.Nodes, node)
	}
	pods := g.IntN(13)
	if alike {
		pods = g.IntN(1 + len(c.Nodes))
	}
	if g.preempting {
		pods = len(c.Nodes) * (2 + g.IntN(3))
		for _, node := range c.Nodes {
			if g.chance(80) {
				node.Spec.Unschedulable, node.Spec.Taints = false, nil
				node.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("2")
			}
		}
	}
	for i := range pods {
		pod := g.pod(fmt.Sprintf("p%d", i))
		pod.Spec.NodeName = pick(g, c.Nodes...).Name
		if alike && i > 0 && g.chance(50) {
			// One more of a kind, on the next node.
			name := pod.Name
			pod = c.Pods[i-1].DeepCopy()
			pod.Name, pod.UID = name, types.UID("uid-"+name)
			pod.Spec.NodeName = c.Nodes[i%len(c.Nodes)].Name
		}
		if g.preempting && i < len(c.Nodes) {
			pod.Spec.NodeName = c.Nodes[i].Name // no node is empty
		}
		g.life(pod)
		c.Pods = append(c.Pods, pod)
	}
	if g.preempting && g.chance(50) {
		g.plain(c)
	}
	if g.chance(15) {
		for i := range 1 + g.IntN(2) {
			pod := g.pod(fmt.Sprintf("nominated%d", i))
			pod.Status.NominatedNodeName = pick(g, c.Nodes...).Name
			c.Nominated = append(c.Nominated, pod)
		}
	}
	pod := g.pod("pending")
	if g.chance(10) {
		pod.Status.NominatedNodeName = pick(g, "gone", pick(g, c.Nodes...).Name)
		c.Nominated = append(c.Nominated, pod)
	}
	if g.chance(2) {
		pod.Spec.NodeName = pick(g, c.Nodes...).Name // what the NodeName filter is for
	}
	if g.chance(30) {
		c.ReplicaSets = []*appsv1.ReplicaSet{}
	}
	for i := range g.IntN(3) {
		c.PDBs = append(c.PDBs, g.budget(fmt.Sprintf("pdb%d", i)))
	}
	return pod, c
}

// plain makes nodes and pods of few kinds, so that much is a tie.
func (g *generator) plain(c Cluster) {
	for _, node := range c.Nodes {
		node.Spec = corev1.NodeSpec{}
		node.Status.Allocatable = quantities("2", "8Gi")
		node.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("110")
	}
	for _, pod := range c.Pods {
		pod.Labels = map[string]string{"app": pick(g, "a", "a", "b")}
		pod.Spec = corev1.PodSpec{
			NodeName: pod.Spec.NodeName, SchedulerName: pod.Spec.SchedulerName, Priority: new(pick[int32](g, 0, 0, 0, 10)),
			Containers: []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{
				Requests: quantities(pick(g, "300m", "500m", "500m", "900m"), "64Mi"),
			}}},
		}
		if g.chance(50) {
			pod.Status = corev1.PodStatus{Phase: corev1.PodRunning}
		}
	}
}

func (g *generator) node(name string) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	if g.chance(85) {
		node.Labels[corev1.LabelTopologyZone] = pick(g, "a", "b", "c")
		node.Labels[corev1.LabelTopologyRegion] = "r"
	}
	if g.chance(50) {
		node.Labels["disk"] = pick(g, "ssd", "hdd")
	}
	if g.chance(30) {
		node.Labels["size"] = pick(g, "1", "5", "9")
	}
	node.Spec.Unschedulable = g.chance(6)
	if node.Spec.Unschedulable && g.chance(50) {
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	if g.chance(20) {
		node.Spec.Taints = append(node.Spec.Taints, g.taint())
	}
	node.Status.Allocatable = quantities(pick(g, "1", "2", "4", "4"), pick(g, "2Gi", "4Gi", "8Gi"))
	node.Status.Allocatable[corev1.ResourcePods] = resource.MustParse(pick(g, "2", "5", "110", "110", "110", "110"))
	node.Status.Allocatable[corev1.ResourceEphemeralStorage] = resource.MustParse("10Gi")
	if g.chance(40) {
		node.Status.Allocatable[extendedResource] = resource.MustParse(pick(g, "1", "2"))
	}
	node.Status.Capacity = node.Status.Allocatable.DeepCopy()
	sizes := map[string]int64{"web:1": 300 << 20, "web:2": 900 << 20, "db:1": 60 << 20}
	for _, image := range []string{"web:1", "web:2", "db:1"} {
		if g.chance(30) {
			node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{image}, SizeBytes: sizes[image]})
		}
	}
	return node
}

func (g *generator) taint() corev1.Taint {
	return corev1.Taint{
		Key: pick(g, "dedicated", "flaky"), Value: pick(g, "", "x"),
		Effect: pick(g, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute),
	}
}

func (g *generator) toleration() corev1.Toleration {
	t := corev1.Toleration{Key: pick(g, "dedicated", "flaky", corev1.TaintNodeUnschedulable, ""), Operator: corev1.TolerationOpExists}
	if t.Key != "" && g.chance(40) {
		t.Operator, t.Value = corev1.TolerationOpEqual, pick(g, "", "x")
	}
	t.Effect = pick(g, "", "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute)
	return t
}

func (g *generator) pod(name string) *corev1.Pod {
	app, yes := pick(g, "a", "b"), true
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pick(g, "blue", "blue", "green"), Name: name, UID: types.UID("uid-" + name),
			Labels: map[string]string{"app": app, "pod-template-hash": pick(g, "1", "2")},
		},
		Spec: corev1.PodSpec{SchedulerName: pick(g, g.profiles...)},
	}
	if g.chance(70) {
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app, Controller: &yes}}
	}
	g.containers(pod)
	g.nodePreference(pod)
	if g.chance(30) {
		pod.Spec.Affinity = g.podAffinity(pod.Spec.Affinity)
	}
	for range g.IntN(3) {
		if g.chance(40) {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, g.toleration())
		}
	}
	if g.chance(30) {
		g.spread(pod)
	}
	g.volumes(pod)
	if priority := pick[int32](g, 0, 0, 10, 100); g.preempting || g.chance(40) {
		pod.Spec.Priority = &priority
	}
	return pod
}

func (g *generator) containers(pod *corev1.Pod) {
	always := corev1.ContainerRestartPolicyAlways
	container := func(name string) corev1.Container {
		c := corev1.Container{Name: name, Image: pick(g, "web:1", "web:2", "db:1", "web:1")}
		if g.chance(85) {
			c.Resources.Requests = quantities(pick(g, "0", "100m", "500m", "500m", "1"), pick(g, "0", "128Mi", "512Mi", "1Gi"))
		}
		if g.chance(10) {
			c.Resources.Requests = corev1.ResourceList{extendedResource: resource.MustParse("1")}
			c.Resources.Limits = c.Resources.Requests
		}
		if g.chance(12) {
			c.Ports = []corev1.ContainerPort{{
				ContainerPort: 80, HostPort: pick[int32](g, 80, 81), HostIP: pick(g, "", "127.0.0.1", "10.0.0.1"),
				Protocol: pick(g, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolTCP),
			}}
		}
		return c
	}
	for i := range 1 + g.IntN(2) {
		pod.Spec.Containers = append(pod.Spec.Containers, container(fmt.Sprintf("c%d", i)))
	}
	for i := range g.IntN(3) {
		if g.chance(30) {
			c := container(fmt.Sprintf("i%d", i))
			if g.chance(40) {
				c.RestartPolicy = &always
			}
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
		}
	}
	if g.chance(5) {
		pod.Spec.Overhead = quantities("250m", "64Mi")
	}
}

func (g *generator) nodeTerm() corev1.NodeSelectorTerm {
	switch g.IntN(5) {
	case 0:
		return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{
			Key: metav1.ObjectNameField, Operator: pick(g, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn), Values: []string{pick(g, "n0", "n1")},
		}}}
	case 1:
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
			Key: "size", Operator: pick(g, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt), Values: []string{pick(g, "3", "7")},
		}}}
	case 2:
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
			Key: pick(g, "disk", "size"), Operator: pick(g, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist),
		}}}
	default:
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
			Key: corev1.LabelTopologyZone, Operator: pick(g, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn), Values: []string{pick(g, "a", "b", "c"), "a"},
		}}}
	}
}

func (g *generator) nodePreference(pod *corev1.Pod) {
	if g.chance(10) {
		pod.Spec.NodeSelector = map[string]string{"disk": pick(g, "ssd", "hdd")}
	}
	if !g.chance(30) {
		return
	}
	affinity := &corev1.NodeAffinity{}
	if g.chance(40) {
		terms := []corev1.NodeSelectorTerm{g.nodeTerm()}
		if g.chance(40) {
			terms = append(terms, g.nodeTerm())
		}
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: terms}
	}
	for range g.IntN(3) {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution,
			corev1.PreferredSchedulingTerm{Weight: pick[int32](g, 1, 10, 100), Preference: g.nodeTerm()})
	}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: affinity}
}

func (g *generator) selector() *metav1.LabelSelector {
	switch g.IntN(6) {
	case 0:
		return &metav1.LabelSelector{}
	case 1:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: []string{"a", "b"}}}}
	default:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": pick(g, "a", "b")}}
	}
}

func (g *generator) affinityTerm() corev1.PodAffinityTerm {
	term := corev1.PodAffinityTerm{LabelSelector: g.selector(), TopologyKey: pick(g, corev1.LabelHostname, corev1.LabelTopologyZone, "disk")}
	switch g.IntN(5) {
	case 0:
		term.Namespaces = []string{pick(g, "blue", "green")}
	case 1:
		term.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": pick(g, "x", "y")}}
	case 2:
		term.NamespaceSelector = &metav1.LabelSelector{}
	}
	if g.chance(10) {
		term.MatchLabelKeys = []string{"pod-template-hash"}
	}
	return term
}

func (g *generator) podAffinity(affinity *corev1.Affinity) *corev1.Affinity {
	if affinity == nil {
		affinity = &corev1.Affinity{}
	}
	if g.chance(50) {
		affinity.PodAffinity = &corev1.PodAffinity{}
		if g.chance(50) {
			affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{g.affinityTerm()}
		}
		if g.chance(50) {
			affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.WeightedPodAffinityTerm{{Weight: pick[int32](g, 1, 100), PodAffinityTerm: g.affinityTerm()}}
		}
	}
	if g.chance(60) {
		affinity.PodAntiAffinity = &corev1.PodAntiAffinity{}
		if g.chance(50) {
			affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{g.affinityTerm()}
		}
		if g.chance(50) {
			affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.WeightedPodAffinityTerm{{Weight: pick[int32](g, 1, 100), PodAffinityTerm: g.affinityTerm()}}
		}
	}
	return affinity
}

func (g *generator) spread(pod *corev1.Pod) {
	for _, key := range []string{corev1.LabelTopologyZone, corev1.LabelHostname} {
		if !g.chance(60) {
			continue
		}
		constraint := corev1.TopologySpreadConstraint{
			MaxSkew: 1 + g.Int32N(2), TopologyKey: key, LabelSelector: g.selector(),
			WhenUnsatisfiable: pick(g, corev1.DoNotSchedule, corev1.ScheduleAnyway),
		}
		if constraint.WhenUnsatisfiable == corev1.DoNotSchedule && g.chance(30) {
			constraint.MinDomains = new(1 + g.Int32N(4))
		}
		if g.chance(40) {
			constraint.NodeAffinityPolicy = new(pick(g, corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore))
		}
		if g.chance(40) {
			constraint.NodeTaintsPolicy = new(pick(g, corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore))
		}
		if g.chance(30) {
			constraint.MatchLabelKeys = []string{"pod-template-hash"}
		}
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, constraint)
	}
}

func (g *generator) volumes(pod *corev1.Pod) {
	if g.chance(4) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "disk", VolumeSource: corev1.VolumeSource{
			GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{PDName: pick(g, "d1", "d2")},
		}})
	}
	if g.chance(2) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "claim", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "missing"},
		}})
	}
}

var testEpoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// life gives an assigned pod its status.
func (g *generator) life(pod *corev1.Pod) {
	pod.Status.Phase = pick(g, corev1.PodPending, corev1.PodRunning, corev1.PodRunning)
	if g.chance(70) {
		pod.Status.StartTime = &metav1.Time{Time: testEpoch.Add(time.Duration(g.IntN(3)) * time.Second)}
	}
	if g.chance(12) {
		pod.DeletionTimestamp = &metav1.Time{Time: testEpoch}
		if g.chance(50) {
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler}}
		}
	}
}

func (g *generator) budget(name string) *policyv1.PodDisruptionBudget {
	pdb := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: pick(g, "blue", "green"), Name: name},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: g.selector()},
		Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: g.Int32N(3)},
	}
	if g.chance(15) {
		pdb.Status.DisruptedPods = map[string]metav1.Time{fmt.Sprintf("p%d", g.IntN(4)): {Time: testEpoch}}
	}
	return pdb
}

// testStatic are the listers' objects that the generated pods refer to.
func testStatic() Static {
	var static Static
	for namespace, team := range map[string]string{"blue": "x", "green": "y"} {
		static.Namespaces = append(static.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: map[string]string{"team": team}}})
		static.Services = append(static.Services, &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "a"},
			Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "a"}},
		})
		for _, app := range []string{"a", "b"} {
			static.ReplicaSets = append(static.ReplicaSets, &appsv1.ReplicaSet{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: app},
				Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
			})
		}
	}
	return static
}
