package rule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// TestSpreadCountsAsTheSchedulerDoes: on random clusters the real scheduler's
// spread plugin rejects exactly the nodes on which one more pod would exceed
// the skew that the rule's counts give.
func TestSpreadCountsAsTheSchedulerDoes(t *testing.T) {
	const clusters = 1500
	rejected, admitted := 0, 0
	for seed := range uint64(clusters) {
		r := rand.New(rand.NewPCG(seed, 7))
		w, s := randomSpread(r)
		kube, err := model.NewKube(w, nil, model.NewMemo(0, nil))
		if err != nil {
			t.Fatal(err)
		}
		d := kube.Schedule(w, s, model.Unassigned, model.Pod{})
		if err := kube.Err(); err != nil {
			t.Fatal(err)
		}
		c := &Context{Vector: &model.Vector{World: w}, Property: scenario.Property{}}
		spreads := c.counted(s, 0)
		for i := range s.Nodes {
			node := w.Node(i, s.Nodes[i])
			why := d.Rejected(w)[node.Name].Plugin
			if why != "" && why != "PodTopologySpread" {
				continue // another plugin was asked before
			}
			want := exceeds(w.Workloads[0].Revisions[0].Pod, node, spreads)
			if got := why != ""; got != want {
				t.Fatalf("seed %d: node %s: the scheduler rejects it: %v; the rule's counts: %v\n%v", seed, node.Name, got, want, spreads)
			}
			if want {
				rejected++
			} else {
				admitted++
			}
		}
	}
	if rejected < 300 || admitted < 300 {
		t.Errorf("%d nodes were rejected and %d admitted: too few to mean anything", rejected, admitted)
	}
}

// exceeds tells whether one more such pod on the node would break a constraint.
func exceeds(pod *corev1.Pod, node *corev1.Node, spreads []spread) bool {
	for _, k := range spreads {
		domain, ok := node.Labels[k.constraint.TopologyKey]
		if !ok {
			return true
		}
		n := k.counts[domain] - k.least()
		if k.selector.Matches(labels.Set(pod.Labels)) {
			n++
		}
		if n > int(k.constraint.MaxSkew) {
			return true
		}
	}
	return false
}

// randomSpread is a cluster of three workloads of which the first has hard
// spread constraints; the third lives in another namespace.
func randomSpread(r *rand.Rand) (*model.World, *model.State) {
	w := &model.World{Scenario: &scenario.Spec{}}
	s := &model.State{Env: &model.Env{}}
	for i := range 3 {
		pod := &corev1.Pod{Spec: corev1.PodSpec{SchedulerName: corev1.DefaultSchedulerName, Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
		pod.Namespace, pod.Labels = "default", map[string]string{"app": pick(r, "a", "b"), "hash": pick(r, "1", "2")}
		if i == 2 {
			pod.Namespace = "other"
		}
		if i == 0 {
			constrain(r, pod)
		}
		one := int32(1)
		w.Workloads = append(w.Workloads, model.WorkloadSpec{
			Kind: "Pod", Namespace: pod.Namespace, Name: fmt.Sprint("w", i), Deployment: &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: &one}},
			Revisions: []model.Revision{{Pod: pod}}, HPA: -1,
		})
		s.Work = append(s.Work, &model.Workload{Exists: true, Replicas: 1, Sets: make([]model.Set, 1)})
	}
	for i := range 2 + r.IntN(4) {
		spec := randomNode(r, i)
		w.Nodes = append(w.Nodes, model.NodeSpec{Node: spec, Class: i})
		n := &model.Node{Up: true, Ready: true}
		for range r.IntN(4) {
			p := model.Pod{Work: uint16(r.IntN(3)), Phase: model.Phase(r.IntN(3))}
			p.Terminating = p.Phase == model.Running && r.IntN(4) == 0
			n.Pods = n.Pods.Add(p, 1)
		}
		s.Nodes = append(s.Nodes, n)
	}
	w.Pools = []string{"pool"}
	return w, s
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomNode(r *rand.Rand, i int) *corev1.Node {
	n := &corev1.Node{}
	n.Name = fmt.Sprint("n", i)
	n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	if r.IntN(6) > 0 {
		n.Labels["zone"] = pick(r, "x", "y", "z")
	}
	if r.IntN(3) > 0 {
		n.Labels["disk"] = "ssd"
	}
	if r.IntN(4) == 0 {
		n.Spec.Taints = []corev1.Taint{{Key: "k", Effect: pick(r, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)}}
	}
	n.Status.Allocatable = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("8Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}
	return n
}

func constrain(r *rand.Rand, pod *corev1.Pod) {
	if r.IntN(3) == 0 {
		pod.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	if r.IntN(3) == 0 {
		pod.Spec.Tolerations = []corev1.Toleration{{Key: "k", Operator: corev1.TolerationOpExists}}
	}
	keys := []string{corev1.LabelHostname, "zone"}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys[:1+r.IntN(2)] {
		t := corev1.TopologySpreadConstraint{
			MaxSkew: int32(1 + r.IntN(2)), TopologyKey: key, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: pick(r, &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}, &metav1.LabelSelector{}, nil),
		}
		if r.IntN(3) == 0 {
			m := int32(1 + r.IntN(4))
			t.MinDomains = &m
		}
		if t.LabelSelector != nil && r.IntN(3) == 0 {
			t.MatchLabelKeys = []string{pick(r, "hash", "absent")}
		}
		policies := []corev1.NodeInclusionPolicy{corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore}
		if r.IntN(2) == 0 {
			t.NodeAffinityPolicy = &policies[r.IntN(2)]
		}
		if r.IntN(2) == 0 {
			t.NodeTaintsPolicy = &policies[r.IntN(2)]
		}
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, t)
	}
}
