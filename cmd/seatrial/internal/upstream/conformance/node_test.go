package conformance

import (
	"context"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	api "k8s.io/kubernetes/pkg/apis/core"
	k8sapiv1 "k8s.io/kubernetes/pkg/apis/core/v1"
	realnodelifecycle "k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/controller/tainteviction"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/kubelet"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
)

var taintKeys = []string{
	"a", "b", corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable,
	corev1.TaintNodeMemoryPressure, corev1.TaintNodeDiskPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeNetworkUnavailable,
}

var taintEffects = []corev1.TaintEffect{corev1.TaintEffectNoExecute, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule}

// randomNode has taints unlike in key and effect, as the API server demands.
func randomNode(r *rand.Rand, taintsMax int) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"zone": []string{"a", "b"}[r.IntN(2)], corev1.LabelOSStable: runtime.GOOS}}}
	node.Spec.Unschedulable = r.IntN(3) == 0
	for range r.IntN(taintsMax + 1) {
		taint := corev1.Taint{Key: taintKeys[r.IntN(len(taintKeys))], Value: []string{"", "v"}[r.IntN(2)], Effect: taintEffects[r.IntN(3)]}
		if r.IntN(3) > 0 {
			taint.Key, taint.Effect = taintKeys[r.IntN(3)], corev1.TaintEffectNoExecute
		}
		if len(taint.Key) > 1 {
			taint.Value = "" // the controllers' own taints have none
		}
		fresh := true
		for i := range node.Spec.Taints {
			fresh = fresh && !taint.MatchTaint(&node.Spec.Taints[i])
		}
		if fresh {
			node.Spec.Taints = append(node.Spec.Taints, taint)
		}
	}
	for _, kind := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodeReady, corev1.NodePIDPressure, corev1.NodeNetworkUnavailable} {
		if r.IntN(4) > 0 {
			status := []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown}[r.IntN(3)]
			node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: kind, Status: status})
		}
	}
	return node
}

func randomTolerations(r *rand.Rand) []corev1.Toleration {
	var tolerations []corev1.Toleration
	for range r.IntN(4) {
		toleration := corev1.Toleration{
			Key:      append([]string{""}, taintKeys[:4]...)[r.IntN(5)],
			Operator: []corev1.TolerationOperator{"", corev1.TolerationOpExists, corev1.TolerationOpEqual}[r.IntN(3)],
			Effect:   append([]corev1.TaintEffect{""}, taintEffects...)[r.IntN(4)],
		}
		if toleration.Key == "" {
			toleration.Operator = corev1.TolerationOpExists
		}
		if toleration.Operator != corev1.TolerationOpExists {
			toleration.Value = []string{"", "v"}[r.IntN(2)]
		}
		if r.IntN(2) == 0 {
			seconds := []int64{-5, 0, 60, 300, 3600, 9223372036, 9223372037, 1 << 62}[r.IntN(8)]
			toleration.TolerationSeconds = &seconds
		}
		tolerations = append(tolerations, toleration)
	}
	return tolerations
}

// taintOracle is the real taint eviction controller, whose deletions are counted.
type taintOracle struct {
	controller  *tainteviction.Controller
	queue       **tainteviction.TimedWorkerQueue
	nodes, pods cache.Indexer
}

func newTaintOracle(t *testing.T) *taintOracle {
	t.Helper()
	client := echo()
	factory := informers.NewSharedInformerFactory(client, 0)
	pods, nodes := factory.Core().V1().Pods(), factory.Core().V1().Nodes()
	err := pods.Informer().AddIndexers(cache.Indexers{"spec.nodeName": func(object any) ([]string, error) {
		return []string{object.(*corev1.Pod).Spec.NodeName}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	controller, err := tainteviction.New(context.Background(), client, pods, nodes, "taint-eviction-controller")
	if err != nil {
		t.Fatal(err)
	}
	field := reflect.ValueOf(controller).Elem().FieldByName("taintEvictionQueue")
	return &taintOracle{
		controller: controller,
		queue:      (**tainteviction.TimedWorkerQueue)(unsafe.Pointer(field.UnsafeAddr())),
		nodes:      nodes.Informer().GetIndexer(), pods: pods.Informer().GetIndexer(),
	}
}

// stay returns for how many seconds the real controller lets pod stay on node;
// nil is for ever.
func (o *taintOracle) stay(t *testing.T, pod *corev1.Pod, node *corev1.Node) *int64 {
	t.Helper()
	replace(t, o.nodes, node)
	replace(t, o.pods, pod)
	deleted := false
	queue := tainteviction.CreateWorkerQueue(func(context.Context, time.Time, *tainteviction.WorkArgs) error {
		deleted = true
		return nil
	})
	*o.queue = queue
	handleNodeUpdate(o.controller, context.Background(), struct{ nodeName string }{node.Name})
	worker := queue.GetWorkerUnsafe(pod.Namespace + "/" + pod.Name)
	queue.CancelAndWait()
	if deleted {
		return new(int64)
	}
	if worker == nil {
		return nil
	}
	seconds := int64(worker.FireAt.Sub(worker.CreatedAt) / time.Second)
	return &seconds
}

func TestTaintEvictionIsTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	o := newTaintOracle(t)
	timed, never, once := 0, 0, 0
	for i := range *inputs {
		node := randomNode(r, 3)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}}
		pod.Spec.NodeName, pod.Spec.Tolerations = "n", randomTolerations(r)
		want := o.stay(t, pod, node)
		ok, after := nodelifecycle.Tolerates(pod, node)
		if !cmp.Equal(want, after) || !ok && *after != 0 {
			t.Fatalf("input %d: real %v, ours %v, %v\ntaints %v\ntolerations %v", i, want, ok, after, node.Spec.Taints, pod.Spec.Tolerations)
		}
		switch {
		case want == nil:
			never++
		case *want == 0:
			once++
		default:
			timed++
		}
	}
	if min(timed, never, once) < *inputs/50 {
		t.Errorf("%d timed, %d never, %d at once: too few", timed, never, once)
	}
}

func TestDefaultTolerationsAreTheRealOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	plugin := defaulttolerationseconds.NewDefaultTolerationSeconds()
	plugin.InspectFeatureGates(nil)
	for i := range *inputs {
		pod := &corev1.Pod{}
		pod.Spec.Tolerations = randomTolerations(r)
		internal, want := &api.Pod{}, &corev1.Pod{}
		if err := k8sapiv1.Convert_v1_Pod_To_core_Pod(pod.DeepCopy(), internal, nil); err != nil {
			t.Fatal(err)
		}
		attributes := admission.NewAttributesRecord(internal, nil, api.Kind("Pod").WithVersion("version"), "ns", "p",
			api.Resource("pods").WithVersion("version"), "", admission.Create, nil, false, nil)
		if err := plugin.Admit(context.Background(), attributes, nil); err != nil {
			t.Fatal(err)
		}
		if err := k8sapiv1.Convert_core_Pod_To_v1_Pod(internal, want, nil); err != nil {
			t.Fatal(err)
		}
		nodelifecycle.WithDefaultTolerations(pod)
		if diff := cmp.Diff(want.Spec.Tolerations, pod.Spec.Tolerations, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("input %d (-real +ours):\n%s", i, diff)
		}
	}
}

func TestNodeTaintsAreTheRealOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	ctx := context.Background()
	client := fake.NewSimpleClientset(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}})
	factory := informers.NewSharedInformerFactory(client, 0)
	nodes := factory.Core().V1().Nodes()
	controller, err := realnodelifecycle.NewNodeLifecycleController(ctx, factory.Coordination().V1().Leases(), factory.Core().V1().Pods(),
		nodes, factory.Apps().V1().DaemonSets(), client, long, long, long, 1e9, 1e9, 50, 0.55)
	if err != nil {
		t.Fatal(err)
	}
	stored := func() *corev1.Node {
		t.Helper()
		node, err := client.CoreV1().Nodes().Get(ctx, "n", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		replace(t, nodes.Informer().GetIndexer(), node)
		return node
	}
	times := cmpopts.IgnoreFields(corev1.Taint{}, "TimeAdded")
	for i := range *inputs / 5 { // each is four writes through the fake clientset
		node := randomNode(r, 5)
		delete(node.Labels, "zone")
		if _, err := client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		client.ClearActions()
		addPodEvictorForNewZone(controller, klog.Background(), stored())
		if err := doNoScheduleTaintingPass(controller, ctx, "n"); err != nil {
			t.Fatal(err)
		}
		first := stored()
		if diff := cmp.Diff(first.Spec.Taints, nodelifecycle.NoSchedule(node), times, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("input %d: NoSchedule (-real +ours):\n%s", i, diff)
		}
		for _, condition := range first.Status.Conditions {
			if condition.Type == corev1.NodeReady {
				processTaintBaseEviction(controller, ctx, first, &condition)
				doNoExecuteTaintingPass(controller, ctx)
			}
		}
		if diff := cmp.Diff(stored().Spec.Taints, nodelifecycle.TaintsFor(node), times, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("input %d: NoExecute (-real +ours):\n%s", i, diff)
		}
	}
}

// TestZonesStopEvictions: where too many nodes are lost, the controller keeps from
// evicting pods.
func TestZonesStopEvictions(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	ctx := context.Background()
	seen := map[nodelifecycle.Pace]int{}
	for i := range max(50, *inputs/50) {
		client := fake.NewSimpleClientset()
		informer := informers.NewSharedInformerFactory(client, 0)
		nodes := informer.Core().V1().Nodes()
		controller, err := realnodelifecycle.NewNodeLifecycleController(ctx, informer.Coordination().V1().Leases(), informer.Core().V1().Pods(),
			nodes, informer.Apps().V1().DaemonSets(), client, long, long, long, 1e9, 1e9, 50, 0.55)
		if err != nil {
			t.Fatal(err)
		}
		var all []*corev1.Node
		var zones []string
		conditions := map[string][]*corev1.NodeCondition{}
		for n := range 1 + r.IntN(9) {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: string(rune('a' + n)), Labels: map[string]string{corev1.LabelTopologyZone: []string{"x", "y"}[r.IntN(8)/7]}}}
			status := []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionUnknown, corev1.ConditionUnknown, corev1.ConditionFalse}[r.IntN(4)]
			node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}
			if status != corev1.ConditionTrue && r.IntN(4) == 0 {
				node.Spec.Taints = nodelifecycle.NoExecute(node)
			}
			if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := nodes.Informer().GetIndexer().Add(node); err != nil {
				t.Fatal(err)
			}
			all, zones = append(all, node), append(zones, nodelifecycle.Zone(node))
			conditions[nodelifecycle.Zone(node)] = append(conditions[nodelifecycle.Zone(node)], &node.Status.Conditions[0])
			addPodEvictorForNewZone(controller, klog.Background(), node)
		}
		handleDisruption(controller, ctx, conditions, all)
		paces := nodelifecycle.Paces(zones, func(n int) bool { return all[n].Status.Conditions[0].Status != corev1.ConditionTrue })
		for n, node := range all {
			now, err := client.CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := nodes.Informer().GetIndexer().Update(now); err != nil {
				t.Fatal(err)
			}
			processTaintBaseEviction(controller, ctx, now, &now.Status.Conditions[0])
			doNoExecuteTaintingPass(controller, ctx)
			if now, err = client.CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{}); err != nil {
				t.Fatal(err)
			}
			want, pace := nodelifecycle.NoExecute(node), paces[zones[n]]
			switch seen[pace]++; {
			case pace == nodelifecycle.Withdrawn:
				want = nil
			case pace == nodelifecycle.Stopped && len(node.Spec.Taints) == 0:
				want = nil
			}
			if diff := cmp.Diff(now.Spec.Taints, want, cmpopts.IgnoreFields(corev1.Taint{}, "TimeAdded"), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("cluster %d of %d nodes, %v, node %d (-real +ours):\n%s", i, len(all), zones, n, diff)
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("paces seen: %v", seen)
	}
}

func randomWorkload(r *rand.Rand, name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	pod.Spec.NodeName = "n"
	pod.Spec.Tolerations = randomTolerations(r)
	amount := func(list ...string) resource.Quantity { return resource.MustParse(list[r.IntN(len(list))]) }
	requests := func() corev1.ResourceList {
		list := corev1.ResourceList{}
		if r.IntN(3) > 0 {
			list[corev1.ResourceCPU] = amount("0", "100m", "500m", "1")
		}
		if r.IntN(3) > 0 {
			list[corev1.ResourceMemory] = amount("64Mi", "1Gi", "2Gi")
		}
		if r.IntN(8) == 0 {
			list[corev1.ResourceEphemeralStorage] = amount("1Gi", "20Gi")
		}
		if r.IntN(6) == 0 {
			list["example.com/gpu"] = amount("1", "2")
		}
		return list
	}
	for n := range 1 + r.IntN(2) {
		container := corev1.Container{Name: string(rune('a' + n)), Resources: corev1.ResourceRequirements{Requests: requests()}}
		if r.IntN(4) == 0 {
			container.Ports = []corev1.ContainerPort{{HostPort: 80 + r.Int32N(2), ContainerPort: 80, Protocol: corev1.ProtocolTCP}}
		}
		pod.Spec.Containers = append(pod.Spec.Containers, container)
	}
	if r.IntN(5) == 0 {
		pod.Spec.InitContainers = []corev1.Container{{Name: "init", Resources: corev1.ResourceRequirements{Requests: requests()}}}
	}
	return pod
}

// particular gives pod one of the properties that the kubelet asks for beside
// resources and taints.
func particular(r *rand.Rand, pod *corev1.Pod) {
	switch r.IntN(16) {
	case 0:
		pod.Spec.NodeSelector = map[string]string{"zone": "a"}
	case 1:
		pod.Spec.NodeSelector = map[string]string{corev1.LabelOSStable: runtime.GOOS}
	case 2:
		pod.Labels = map[string]string{corev1.LabelOSStable: []string{runtime.GOOS, "plan9"}[r.IntN(2)]}
	case 3:
		pod.Spec.OS = &corev1.PodOS{Name: []corev1.OSName{corev1.OSName(runtime.GOOS), "plan9"}[r.IntN(2)]}
	case 4:
		pod.Spec.NodeName = "other"
	case 5:
		pod.Annotations = map[string]string{kubelettypes.ConfigSourceAnnotationKey: []string{kubelettypes.FileSource, kubelettypes.ApiserverSource}[r.IntN(2)]}
	case 6:
		policy := []corev1.SupplementalGroupsPolicy{corev1.SupplementalGroupsPolicyStrict, corev1.SupplementalGroupsPolicyMerge}[r.IntN(2)]
		pod.Spec.SecurityContext = &corev1.PodSecurityContext{SupplementalGroupsPolicy: &policy}
	case 7:
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{"b"}}}}},
		}}}
	}
}

func TestKubeletAdmissionIsTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 1))
	reasons := make(map[string]int)
	for i := range *inputs {
		node := randomNode(r, 1)
		if r.IntN(2) == 0 {
			node.Spec.Taints = nil
		}
		node.Status.Allocatable = corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: *resource.NewQuantity(1+r.Int64N(4), resource.DecimalSI),
			corev1.ResourceEphemeralStorage: resource.MustParse("10Gi"),
		}
		if r.IntN(2) == 0 {
			node.Status.Allocatable["example.com/gpu"] = resource.MustParse("2")
		}
		if r.IntN(2) == 0 {
			supported := r.IntN(2) == 0
			node.Status.Features = &corev1.NodeFeatures{SupplementalGroupsPolicy: &supported}
		}
		if runtime.GOOS == "linux" && r.IntN(3) == 0 {
			delete(node.Labels, corev1.LabelOSStable)
		}
		pod := randomWorkload(r, "p")
		particular(r, pod)
		var others []*corev1.Pod
		for n := range r.IntN(4) {
			others = append(others, randomWorkload(r, string(rune('q'+n))))
		}
		ok, reason, message := kubelet.Admit(pod, node, others)
		handler := lifecycle.NewPredicateAdmitHandler(
			func(context.Context, bool) (*corev1.Node, error) { return node.DeepCopy(), nil },
			lifecycle.NewAdmissionFailureHandlerStub(),
			func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil })
		real := handler.Admit(&lifecycle.PodAdmitAttributes{Pod: pod, OtherPods: others, Operation: lifecycle.AddOperation})
		if ok != real.Admit || reason != real.Reason || message != real.Message {
			t.Fatalf("input %d: real %+v, ours %v, %q, %q", i, real, ok, reason, message)
		}
		reasons[reason]++
	}
	for _, reason := range []string{
		"", "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage", "OutOfexample.com/gpu", "NodeAffinity", "NodeName", "NodePorts", "TaintToleration",
		lifecycle.PodOSSelectorNodeLabelDoesNotMatch, lifecycle.PodOSNotSupported, lifecycle.SupplementalGroupsPolicyNotSupported,
	} {
		if reasons[reason] == 0 {
			t.Errorf("no input with reason %q", reason)
		}
	}
}
