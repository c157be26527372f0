package kubelet

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (w *world) node(name string) *corev1.Node {
	w.t.Helper()
	node, err := w.client.CoreV1().Nodes().Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return node
}

func (w *world) addNodes(nodes ...*corev1.Node) {
	w.t.Helper()
	for _, node := range nodes {
		if err := w.kubelet.AddNode(context.Background(), node); err != nil {
			w.t.Fatal(err)
		}
	}
	synctest.Wait()
}

func TestAddNodeFillsInWhatIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		given := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "big", Labels: map[string]string{corev1.LabelArchStable: "arm64", corev1.LabelTopologyZone: "a"}}}
		given.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("64")}
		w.addNodes(append(DefaultNodes(2), given)...)
		usual, big := w.node("node-1"), w.node("big")
		if c := usual.Status.Allocatable; c.Cpu().Value() != 4 || c.Memory().String() != "16Gi" || c.Pods().Value() != 110 {
			t.Errorf("room %v", c)
		}
		if big.Status.Allocatable.Cpu().Value() != 64 || big.Status.Capacity.Cpu().Value() != 64 || big.Status.Allocatable.Memory().String() != "16Gi" {
			t.Errorf("room %v of %v", big.Status.Allocatable, big.Status.Capacity)
		}
		if l := big.Labels; l[corev1.LabelArchStable] != "arm64" || l[corev1.LabelHostname] != "big" || l[corev1.LabelOSStable] != "linux" || l[corev1.LabelTopologyZone] != "a" {
			t.Errorf("labels %v", l)
		}
		if got := saidOfNode(usual); got != "node node-1 [Ready=True]" || len(usual.Status.Conditions) != 4 {
			t.Errorf("%s, %d conditions", got, len(usual.Status.Conditions))
		}
		if usual.Spec.PodCIDR != "10.244.0.0/24" || big.Spec.PodCIDR != "10.244.2.0/24" || len(big.Spec.Taints) != 0 {
			t.Errorf("pods %s and %s, taints %v", usual.Spec.PodCIDR, big.Spec.PodCIDR, big.Spec.Taints)
		}
		if addressOf(usual) == "" || addressOf(usual) == addressOf(big) || usual.Status.NodeInfo.KubeletVersion != Version {
			t.Errorf("addresses %q and %q, version %q", addressOf(usual), addressOf(big), usual.Status.NodeInfo.KubeletVersion)
		}
		if err := w.kubelet.AddNode(context.Background(), given); err == nil {
			t.Error("the same node twice")
		}
	})
}

// TestNodesOfOthersAreServed: a node that somebody created gets its status and
// its lease, unless it says that it has a kubelet.
func TestNodesOfOthersAreServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{}, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "there"}},
			&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "own", Annotations: map[string]string{Unserved: ""}}})
		if got := saidOfNode(w.node("there")); got != "node there [Ready=True]" || w.node("there").Status.Allocatable.Cpu().Value() != 4 {
			t.Error(got)
		}
		if got := saidOfNode(w.node("own")); got != "node own []" {
			t.Error(got)
		}
		leases, err := w.client.CoordinationV1().Leases("kube-node-lease").List(context.Background(), metav1.ListOptions{})
		if err != nil || len(leases.Items) != 1 {
			t.Errorf("%d leases, %v", len(leases.Items), err)
		}
	})
}

// TestLeases: a lease is renewed in time, stands still while its node is lost, and
// is renewed at once when the node returns.
func TestLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Lease: 4 * time.Second, LeaseDuration: 16 * time.Second, Heartbeat: time.Minute})
		w.addNodes(DefaultNodes(1)...)
		age := func() time.Duration {
			lease, err := w.client.CoordinationV1().Leases("kube-node-lease").Get(context.Background(), "node-1", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if *lease.Spec.HolderIdentity != "node-1" || *lease.Spec.LeaseDurationSeconds != 16 || lease.OwnerReferences[0].UID != w.node("node-1").UID {
				t.Errorf("lease %+v", lease)
			}
			return time.Since(lease.Spec.RenewTime.Time).Round(time.Second)
		}
		for _, row := range []struct {
			passes time.Duration
			does   func(string)
			age    time.Duration
		}{
			{0, nil, 0},
			{3 * time.Second, nil, 3 * time.Second},
			{2 * time.Second, nil, time.Second},
			{time.Second, w.kubelet.FailNode, 2 * time.Second},
			{40 * time.Second, nil, 42 * time.Second},
			{0, w.kubelet.HealNode, 0},
			{5 * time.Second, nil, time.Second},
		} {
			w.advance(row.passes)
			if row.does != nil {
				row.does("node-1")
				synctest.Wait()
			}
			if got := age(); got != row.age {
				t.Errorf("after %v: %v old, want %v", row.passes, got, row.age)
			}
		}
		// The lease was deleted: it is made again. The status is reported each minute.
		if err := w.client.CoordinationV1().Leases("kube-node-lease").Delete(context.Background(), "node-1", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		w.advance(8 * time.Second)
		age()
		if got := w.advance(time.Minute); got == "" {
			t.Error("the status was not reported")
		}
		if a := w.kubelet.Idle(); a.Writing != 0 || !a.Next.IsZero() {
			t.Errorf("heartbeats count as work: %+v", a)
		}
	})
}

// TestUnknownBecomesReady: what the node lifecycle controller wrote of a lost node
// is put right when it returns.
func TestUnknownBecomesReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		w.addNodes(DefaultNodes(1)...)
		w.kubelet.FailNode("node-1")
		node := w.node("node-1")
		for i := range node.Status.Conditions {
			node.Status.Conditions[i].Status = corev1.ConditionUnknown
		}
		if _, err := w.client.CoreV1().Nodes().UpdateStatus(context.Background(), node, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := w.advance(time.Hour); got != "" {
			t.Errorf("a lost node wrote %s", got)
		}
		w.kubelet.HealNode("node-1")
		synctest.Wait()
		if got := saidOfNode(w.node("node-1")); got != "node node-1 [Ready=True]" {
			t.Error(got)
		}
	})
}

func TestAddressesAreUnique(t *testing.T) {
	shared := addresses{taken: map[string]bool{}}
	seen := map[string]bool{}
	nodes := []*addresses{{node: 0, taken: map[string]bool{}}, {node: 300, taken: map[string]bool{}}}
	for range 400 {
		for _, node := range nodes {
			ip := node.take(&shared)
			if seen[ip] {
				t.Fatalf("%s twice", ip)
			}
			seen[ip] = true
		}
	}
	for _, ip := range []string{"10.244.0.1", "10.244.0.254", "10.245.44.1", "172.16.0.1", "172.16.1.35"} {
		if !seen[ip] {
			t.Errorf("%s was not handed out", ip)
		}
	}
	// One that is free again comes after the ones that were not used yet.
	fresh := &addresses{taken: map[string]bool{}}
	first := fresh.take(&shared)
	delete(fresh.taken, first)
	if again := fresh.take(&shared); again == first {
		t.Errorf("%s is used again at once", again)
	}
	for n := range numbersMax {
		if got, ok := numberOf(podRange(n)); !ok || got != n {
			t.Fatalf("%s is of node %d, not %d", podRange(n), got, n)
		}
	}
	for _, other := range []string{"", "10.0.0.0/24", "10.244.0.0/16", "fd00::/64", "11.244.0.0/24"} {
		if _, ok := numberOf(other); ok {
			t.Errorf("%q is taken for one of ours", other)
		}
	}
}

// TestManyPods: each has its own address, and all are written in the order in
// which they came.
func TestManyPods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		w.addNodes(DefaultNodes(3)...)
		want := ""
		for i := range 60 {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprintf("p%02d", (i*7)%60)}}
			pod.Spec.NodeName = fmt.Sprintf("node-%d", i%3+1)
			pod.Spec.HostNetwork = i == 59
			pod.Spec.Containers = []corev1.Container{{Name: "main"}}
			w.create(pod)
			want += fmt.Sprintf("    0s  %s Running [Initialized Ready] main=ready\n", pod.Name)
		}
		if got := w.written() + "\n"; got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		ips := map[string]bool{}
		for i := range 60 {
			pod := w.pod(fmt.Sprintf("p%02d", i))
			if pod.Status.PodIP == "" || ips[pod.Status.PodIP] {
				t.Errorf("%s has %q", pod.Name, pod.Status.PodIP)
			}
			ips[pod.Status.PodIP] = true
			if pod.Spec.HostNetwork && pod.Status.PodIP != pod.Status.HostIP {
				t.Errorf("%s of the host's network has %s", pod.Name, pod.Status.PodIP)
			}
		}
	})
}

// TestANewPodOfTheSameNameIsAnother: a write that was meant for its predecessor is
// refused by its UID.
func TestANewPodOfTheSameNameIsAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		w.addNodes(DefaultNodes(1)...)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "db-0"}}
		pod.Spec.NodeName = "node-1"
		pod.Spec.Containers = []corev1.Container{{Name: "main"}}
		held := make(chan error)
		w.store.hold["db-0"] = held
		w.create(pod)
		w.advance(time.Second)
		if err := w.store.Delete(podResource, "ns", "db-0", *metav1.NewDeleteOptions(0)); err != nil {
			t.Fatal(err)
		}
		pod.UID = "another"
		w.create(pod)
		held <- nil // the first pod's start
		w.advance(time.Second)
		if phase := w.pod("db-0").Status.Phase; phase != corev1.PodPending {
			t.Errorf("the new pod is %s by its predecessor's write", phase)
		}
		held <- nil
		w.advance(time.Second)
		if got := w.pod("db-0"); got.Status.Phase != corev1.PodRunning || got.UID != "another" {
			t.Errorf("the new pod is %s", got.Status.Phase)
		}
	})
}

var podResource = corev1.SchemeGroupVersion.WithResource("pods")
