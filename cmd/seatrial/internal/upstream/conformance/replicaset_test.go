package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	realreplicaset "k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/util/consistency"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/replicaset"
)

// replicaSetOracle is the real controller on listers that the test fills.
type replicaSetOracle struct {
	controller *realreplicaset.ReplicaSetController
	client     *fake.Clientset
	control    *controller.FakePodControl
	sets, pods cache.Indexer
}

func newReplicaSetOracle() *replicaSetOracle {
	o := &replicaSetOracle{client: echo(), control: &controller.FakePodControl{}}
	factory := informers.NewSharedInformerFactory(o.client, 0)
	sets, pods := factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods()
	o.controller = realreplicaset.NewBaseController(klog.Background(), sets, pods, o.client, realreplicaset.BurstReplicas,
		appsv1.SchemeGroupVersion.WithKind("ReplicaSet"), "replicaset_controller", "replicaset", o.control,
		record.NewBroadcaster(), realreplicaset.DefaultReplicaSetControllerFeatures(), consistency.NewNoopConsistencyStore())
	o.sets, o.pods = sets.Informer().GetIndexer(), pods.Informer().GetIndexer()
	return o
}

// randomPods are up to max pods of set on up to three nodes.
func randomPods(r *rand.Rand, set *appsv1.ReplicaSet, max int) []*corev1.Pod {
	var pods []*corev1.Pod
	for number := range r.IntN(max + 1) {
		pod := podOf(set, number, corev1.PodRunning)
		pod.Labels = set.Spec.Selector.MatchLabels
		pod.Spec.NodeName = []string{"a", "a", "b", "c"}[r.IntN(4)]
		ready := corev1.ConditionTrue
		switch r.IntN(16) {
		case 0:
			pod.Spec.NodeName, pod.Status.Phase, ready = "", corev1.PodPending, corev1.ConditionFalse
		case 1:
			pod.Status.Phase, ready = corev1.PodPending, corev1.ConditionFalse
		case 2:
			pod.Status.Phase = corev1.PodUnknown
		case 3:
			ready = corev1.ConditionFalse
		case 4:
			pod.Status.Phase = []corev1.PodPhase{corev1.PodFailed, corev1.PodSucceeded}[r.IntN(2)]
		}
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
		if r.IntN(12) == 0 {
			pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		}
		if r.IntN(8) == 0 {
			pod.Annotations = map[string]string{corev1.PodDeletionCost: []string{"-1", "0", "1", "x"}[r.IntN(4)]}
		}
		if r.IntN(4) == 0 {
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: r.Int32N(3)}}
		}
		pods = append(pods, pod)
	}
	return pods
}

// stamp gives pods times and UIDs by age, in log2 of seconds.
func stamp(r *rand.Rand, pods []*corev1.Pod, age func(*corev1.Pod) int) []*corev1.Pod {
	now := time.Now()
	stamped := make([]*corev1.Pod, len(pods))
	for i, pod := range pods {
		stamped[i] = pod.DeepCopy()
		stamped[i].UID = types.UID(fmt.Sprintf("%08x-%s", r.Uint32(), pod.Name))
		when := metav1.NewTime(now.Add(-3 * time.Second << age(pod) / 2))
		stamped[i].CreationTimestamp = when
		stamped[i].Status.Conditions[0].LastTransitionTime = when
	}
	r.Shuffle(len(stamped), func(i, j int) { stamped[i], stamped[j] = stamped[j], stamped[i] })
	return stamped
}

func podNames(pods []*corev1.Pod) []string {
	list := make([]string, len(pods))
	for i, pod := range pods {
		list[i] = pod.Name
	}
	slices.Sort(list)
	return list
}

// TestVictimsAreThoseOfTheRealRanking: whatever the times, the real choice is
// one of ours; and for each of ours there are times with which it is the real
// choice.
func TestVictimsAreThoseOfTheRealRanking(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	d := randomDeployment(r)
	set, other := newSet(d, 0, 0), newSet(d, 1, 0)
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "set": "0"}}
	ties := 0
	for i := range *inputs {
		pods := randomPods(r, set, 6)
		related := append(slices.Clone(pods), randomPods(r, other, 4)...)
		var active []*corev1.Pod
		for _, pod := range pods {
			if controller.IsPodActive(pod) {
				active = append(active, pod)
			}
		}
		if len(active) == 0 {
			continue
		}
		n := 1 + r.IntN(len(active))
		victims := replicaset.Victims(set, pods, related, n, nil, nil)
		if len(victims) > 1 {
			ties++
		}
		for range 4 {
			stamped := stamp(r, active, func(*corev1.Pod) int { return r.IntN(4) })
			real := podNames(getPodsToDelete(stamped, related, n))
			if !slices.ContainsFunc(victims, func(set []string) bool { return slices.Equal(set, real) }) {
				t.Fatalf("input %d: the real choice %v is not in %v", i, real, victims)
			}
		}
		for _, wanted := range victims {
			stamped := stamp(r, active, func(pod *corev1.Pod) int {
				if slices.Contains(wanted, pod.Name) {
					return 1
				}
				return 6
			})
			if real := podNames(getPodsToDelete(stamped, related, n)); !slices.Equal(wanted, real) {
				t.Fatalf("input %d: %v cannot be chosen, the real choice is %v", i, wanted, real)
			}
		}
		compareClasses(t, pods, related, n, set, victims)
	}
	if ties < *inputs/10 {
		t.Errorf("only %d inputs with a tie", ties)
	}
}

// compareClasses checks the sets up to interchangeable pods against all sets:
// the same multisets of classes, each once.
func compareClasses(t *testing.T, pods, related []*corev1.Pod, n int, set *appsv1.ReplicaSet, all [][]string) {
	t.Helper()
	same := func(a, b *corev1.Pod) bool { return a.Spec.NodeName == b.Spec.NodeName }
	node := make(map[string]string)
	for _, pod := range pods {
		// Pods of different rank never stand for each other: the certain ones
		// are in every set, so the node alone tells the tied ones apart.
		node[pod.Name] = pod.Spec.NodeName
	}
	class := func(victims []string) string {
		nodes := make([]string, len(victims))
		for i, name := range victims {
			nodes[i] = node[name]
		}
		slices.Sort(nodes)
		return fmt.Sprint(nodes)
	}
	want := make(map[string]int)
	for _, victims := range all {
		want[class(victims)] = 1
	}
	got := make(map[string]int)
	for _, victims := range replicaset.Victims(set, pods, related, n, same, nil) {
		got[class(victims)]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("classes (-want +got):\n%s", diff)
	}
}

// TestReplicaSetSyncIsTheRealOne holds Delta, Victims and Status to whole
// reconciles of the real controller.
func TestReplicaSetSyncIsTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	o := newReplicaSetOracle()
	d := randomDeployment(r)
	d.Spec.MinReadySeconds = 0 // Ready is available
	for i := range *inputs {
		// A name of its own: the controller waits for what it has written to an
		// object to be seen.
		set, other := newSet(d, 2*i, r.Int32N(7)), newSet(d, 2*i+1, 0)
		set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "set": "0"}}
		set.Spec.Template.Labels = map[string]string{"app": "web", "set": "0"}
		other.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "set": "1"}}
		if r.IntN(20) == 0 {
			set.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		}
		pods, others := randomPods(r, set, 8), randomPods(r, other, 4)
		pods = stamp(r, pods, func(*corev1.Pod) int { return r.IntN(4) })
		related := append(slices.Clone(pods), others...)
		replace(t, o.sets, set, other)
		replace(t, o.pods, related...)
		o.client.ClearActions()
		o.control.Clear()
		if err := syncReplicaSet(o.controller, context.Background(), set.Namespace+"/"+set.Name); err != nil {
			t.Fatal(err)
		}
		slices.Sort(o.control.DeletePodName)
		created, deleted := len(o.control.Templates), o.control.DeletePodName
		if delta := replicaset.Delta(set, pods); delta != created-len(deleted) {
			t.Fatalf("input %d: delta %d, but %d created and %d deleted", i, delta, created, len(deleted))
		}
		if len(deleted) > 0 {
			victims := replicaset.Victims(set, pods, related, len(deleted), nil, nil)
			if !slices.ContainsFunc(victims, func(set []string) bool { return slices.Equal(set, deleted) }) {
				t.Fatalf("input %d: the real choice %v is not in %v", i, deleted, victims)
			}
		}
		want := set.Status
		for _, action := range o.client.Actions() {
			if action.GetResource().Resource == "replicasets" && action.GetSubresource() == "status" {
				want = action.(clienttesting.UpdateAction).GetObject().(*appsv1.ReplicaSet).Status
			}
		}
		if diff := cmp.Diff(want, replicaset.Status(set, pods, nil), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("input %d: status (-real +ours):\n%s", i, diff)
		}
	}
}
