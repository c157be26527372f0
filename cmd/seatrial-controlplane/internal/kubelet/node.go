package kubelet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// Version is what the nodes say that their kubelets are.
const Version = "v1.36.3"

// Unserved is an annotation of nodes that have a kubelet of their own, or are to
// have none.
const Unserved = "seatrial.dev/no-kubelet"

var everything = labels.Everything()

// host is what is known of one node.
type host struct {
	failed bool
	// lost ends when the node fails, and with it the writes that are under way.
	lost      context.Context
	fail      context.CancelFunc
	addresses addresses
	// reported is when its status was written last, renewed when its lease was.
	reported, renewed time.Time
	// evictedAt is when it evicted a pod last.
	evictedAt time.Time
}

func newHost(number int) *host {
	h := &host{addresses: addresses{node: number, taken: make(map[string]bool)}}
	h.lost, h.fail = context.WithCancel(context.Background())
	return h
}

func unserved(node *corev1.Node) bool {
	_, is := node.Annotations[Unserved]
	return is
}

func addressOf(node *corev1.Node) string {
	for _, a := range node.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			return a.Address
		}
	}
	return ""
}

func (k *Kubelets) failed(node string) bool {
	h := k.hosts[node]
	return h != nil && h.failed
}

// host is what is known of a node. A new one gets the number that its network of
// pods says, or the lowest that no other has.
func (k *Kubelets) host(name string) *host {
	if h := k.hosts[name]; h != nil {
		return h
	}
	h := newHost(-1)
	if node, err := k.nodes.Get(name); err == nil {
		if n, ok := numberOf(node.Spec.PodCIDR); ok {
			h.addresses.node = n
		}
	}
	if h.addresses.node < 0 {
		h.addresses.node = k.freeNumber()
	}
	k.hosts[name] = h
	return h
}

// freeNumber is the lowest number that no node has.
func (k *Kubelets) freeNumber() int {
	taken := make(map[int]bool, len(k.hosts))
	for _, h := range k.hosts {
		taken[h.addresses.node] = true
	}
	if nodes, err := k.nodes.List(everything); err == nil {
		for _, node := range nodes {
			if n, ok := numberOf(node.Spec.PodCIDR); ok {
				taken[n] = true
			}
		}
	}
	for n := 0; ; n++ {
		if !taken[n] {
			return n
		}
	}
}

// DefaultNodes are n nodes for a plane of which nobody said what they are: node-1
// and following, 4 cpu, 16Gi memory and room for 110 pods each.
func DefaultNodes(n int) []*corev1.Node {
	out := make([]*corev1.Node, n)
	for i := range out {
		out[i] = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", i+1)}}
	}
	return out
}

// AddNode creates a node, with everything that a kubelet registers and that the
// object leaves out: labels, capacity, addresses, conditions. Nodes that others
// create are served too. The error is the API server's.
func (k *Kubelets) AddNode(ctx context.Context, node *corev1.Node) error {
	out := node.DeepCopy()
	k.mu.Lock()
	n, ok := numberOf(out.Spec.PodCIDR)
	if !ok {
		n = k.freeNumber()
	}
	if out.Spec.PodCIDR == "" && n < numbersMax {
		out.Spec.PodCIDR, out.Spec.PodCIDRs = podRange(n), []string{podRange(n)}
	}
	if k.hosts[out.Name] == nil {
		k.hosts[out.Name] = newHost(n)
	}
	out.Status = k.statusOf(out, n)
	k.mu.Unlock()
	out.Labels = registered(out)
	if _, err := k.client.CoreV1().Nodes().Create(ctx, out, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("add node %s: %w", out.Name, err)
	}
	return nil
}

// registered are a node's labels with those that its kubelet gives it.
func registered(node *corev1.Node) map[string]string {
	out := map[string]string{
		corev1.LabelHostname: node.Name, corev1.LabelOSStable: linux, corev1.LabelArchStable: "amd64",
		"beta.kubernetes.io/os": linux, "beta.kubernetes.io/arch": "amd64",
	}
	for name, value := range node.Labels {
		out[name] = value
	}
	return out
}

// statusOf is the status that the kubelet of a node reports: what is there, and
// what is missing. The lock is held.
func (k *Kubelets) statusOf(node *corev1.Node, number int) corev1.NodeStatus {
	s := *node.Status.DeepCopy()
	if len(s.Capacity) == 0 {
		s.Capacity = s.Allocatable.DeepCopy()
	}
	if s.Capacity == nil {
		s.Capacity = corev1.ResourceList{}
	}
	for name, quantity := range map[corev1.ResourceName]string{
		corev1.ResourceCPU: "4", corev1.ResourceMemory: "16Gi", corev1.ResourcePods: "110", corev1.ResourceEphemeralStorage: "100Gi",
	} {
		if _, ok := s.Capacity[name]; !ok {
			s.Capacity[name] = resource.MustParse(quantity)
		}
	}
	if s.Allocatable == nil {
		s.Allocatable = corev1.ResourceList{}
	}
	for name, quantity := range s.Capacity {
		if _, ok := s.Allocatable[name]; !ok {
			s.Allocatable[name] = quantity
		}
	}
	if len(s.Addresses) == 0 {
		s.Addresses = []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: nodeAddress(number)}, {Type: corev1.NodeHostName, Address: node.Name},
		}
	}
	if s.NodeInfo.KubeletVersion == "" {
		s.NodeInfo = corev1.NodeSystemInfo{
			KubeletVersion: Version, OperatingSystem: linux, Architecture: "amd64", KernelVersion: "6.12.0", OSImage: "seatrial",
			ContainerRuntimeVersion: "containerd://2.1.0", MachineID: identifier(node.Name)[:32],
			SystemUUID: identifier(node.Name)[:32], BootID: identifier(node.Name, "boot")[:32],
		}
	}
	s.Conditions = k.conditionsOf(node)
	return s
}

// conditionsOf are the conditions of a node as its kubelet reports them
// (pkg/kubelet/nodestatus/setters.go), after those that are not its own.
func (k *Kubelets) conditionsOf(node *corev1.Node) []corev1.NodeCondition {
	now := metav1.NewTime(k.clock.Now()).Rfc3339Copy()
	short := rule.OfNode(k.rules, node.Name).Pressure
	own := []corev1.NodeCondition{
		{Type: corev1.NodeMemoryPressure, Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
		{Type: corev1.NodeDiskPressure, Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
		{Type: corev1.NodePIDPressure, Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
		{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
	}
	for i, pressed := range [][2]string{
		{"KubeletHasInsufficientMemory", "kubelet has insufficient memory available"},
		{"KubeletHasDiskPressure", "kubelet has disk pressure"},
		{"KubeletHasInsufficientPID", "kubelet has insufficient PID available"},
	} {
		own[i].Status = corev1.ConditionFalse
		if slices.Contains(short, own[i].Type) {
			own[i].Status, own[i].Reason, own[i].Message = corev1.ConditionTrue, pressed[0], pressed[1]
		}
	}
	var out []corev1.NodeCondition
	for _, c := range node.Status.Conditions {
		if !slices.ContainsFunc(own, func(o corev1.NodeCondition) bool { return o.Type == c.Type }) {
			out = append(out, c)
		}
	}
	for _, c := range own {
		c.LastHeartbeatTime, c.LastTransitionTime = now, now
		for _, old := range node.Status.Conditions {
			if old.Type == c.Type && old.Status == c.Status {
				c.LastTransitionTime = old.LastTransitionTime
			}
		}
		out = append(out, c)
	}
	return out
}

// FailNode makes a node as good as lost: its lease and its status stand still, and
// its pods are left alone, the deleted ones too. Writes that are under way, a held
// one too, are given up. A node that there is not can fail in advance.
func (k *Kubelets) FailNode(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	h := k.host(name)
	h.failed = true
	h.fail()
}

// HealNode brings a node back: it renews its lease, reports its status and sees to
// its pods at once.
func (k *Kubelets) HealNode(name string) {
	k.mu.Lock()
	h := k.host(name)
	if h.failed {
		h.lost, h.fail = context.WithCancel(context.Background())
	}
	h.failed, h.renewed, h.reported = false, time.Time{}, time.Time{}
	k.mu.Unlock()
	k.soon(key{leaseKind, "", name})
	k.soon(key{nodeKind, "", name})
	k.soonOn(name, true)
}

// decideNode looks at a node: whether its status is what its kubelet says, and
// whether it is time to say it again, or to evict a pod. The lock is held.
func (k *Kubelets) decideNode(at key) (*write, time.Time) {
	node, err := k.nodes.Get(at.name)
	if err != nil || k.failed(at.name) || unserved(node) {
		return nil, time.Time{}
	}
	h, now := k.host(at.name), k.clock.Now()
	if h.renewed.IsZero() {
		k.soon(key{leaseKind, "", at.name})
	}
	next := k.relieve(node, h, now)
	wanted := k.statusOf(node, h.addresses.node)
	due := h.reported.Add(k.options.Heartbeat)
	if same(node.Status, wanted) && (h.reported.IsZero() || now.Before(due)) {
		if h.reported.IsZero() {
			h.reported = now
			due = now.Add(k.options.Heartbeat)
		}
		if next.IsZero() || due.Before(next) {
			next = due
		}
		return nil, next
	}
	changed := node.DeepCopy()
	changed.Status = wanted
	again := now.Add(k.options.Heartbeat)
	if !next.IsZero() && next.Before(again) {
		again = next
	}
	return &write{
		do:     func(ctx context.Context) error { return k.report(ctx, node, changed) },
		passed: func() { h.reported = k.clock.Now() },
	}, again
}

// same reports whether a node's status says what its kubelet would, but for when.
func same(a, b corev1.NodeStatus) bool {
	timeless := func(s corev1.NodeStatus) corev1.NodeStatus {
		s.Conditions = slices.Clone(s.Conditions)
		for i := range s.Conditions {
			s.Conditions[i].LastHeartbeatTime, s.Conditions[i].LastTransitionTime = metav1.Time{}, metav1.Time{}
		}
		slices.SortFunc(s.Conditions, func(a, b corev1.NodeCondition) int { return cmp.Compare(a.Type, b.Type) })
		return s
	}
	return equality.Semantic.DeepEqual(timeless(a), timeless(b))
}

func (k *Kubelets) report(ctx context.Context, from, to *corev1.Node) error {
	before, err := json.Marshal(corev1.Node{Status: from.Status})
	if err != nil {
		return fmt.Errorf("node %s: %w", from.Name, err)
	}
	after, err := json.Marshal(corev1.Node{ObjectMeta: metav1.ObjectMeta{UID: from.UID}, Status: to.Status})
	if err != nil {
		return fmt.Errorf("node %s: %w", from.Name, err)
	}
	patch, err := strategicpatch.CreateTwoWayMergePatch(before, after, corev1.Node{})
	if err != nil {
		return fmt.Errorf("node %s: %w", from.Name, err)
	}
	if _, err := k.client.CoreV1().Nodes().Patch(ctx, from.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		return fmt.Errorf("report node %s: %w", from.Name, err)
	}
	return nil
}

// relieve has a node under pressure evict a pod, if it is time, and returns when
// it will be.
func (k *Kubelets) relieve(node *corev1.Node, h *host, now time.Time) time.Time {
	r := rule.OfNode(k.rules, node.Name)
	if len(r.Pressure) == 0 || *r.EvictEvery == rule.Never {
		return time.Time{}
	}
	if due := h.evictedAt.Add(*r.EvictEvery); due.After(now) && !h.evictedAt.IsZero() {
		return due
	}
	victim := k.victim(node.Name)
	if victim == nil {
		return now.Add(max(*r.EvictEvery, time.Second))
	}
	h.evictedAt = now
	at := keyOf(victim)
	record := k.recordOf(at, victim)
	record.ending = eviction(evicted, fmt.Sprintf("The node was low on resource: %s. ", lacking[r.Pressure[0]]))
	record.told = now
	k.soon(at)
	return now.Add(max(*r.EvictEvery, time.Second))
}

var lacking = map[corev1.NodeConditionType]string{
	corev1.NodeMemoryPressure: "memory", corev1.NodeDiskPressure: "ephemeral-storage", corev1.NodePIDPressure: "pids",
}

// victim is the pod that a node under pressure evicts first: without requests
// before with, then by priority. What a pod uses is not known.
func (k *Kubelets) victim(node string) *corev1.Pod {
	rank := map[corev1.PodQOSClass]int{corev1.PodQOSBestEffort: 0, corev1.PodQOSBurstable: 1, corev1.PodQOSGuaranteed: 2}
	priority := func(p *corev1.Pod) int32 {
		if p.Spec.Priority == nil {
			return 0
		}
		return *p.Spec.Priority
	}
	var out []*corev1.Pod
	for _, pod := range k.podsOf(node) {
		at := keyOf(pod)
		if pod = k.podOf(at); pod == nil || phaseOf(pod) != corev1.PodRunning || pod.DeletionTimestamp != nil || kubelettypes.IsCriticalPod(pod) {
			continue
		}
		if r := k.records[at]; r == nil || r.ending == nil {
			out = append(out, pod)
		}
	}
	slices.SortStableFunc(out, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(rank[qos.GetPodQOS(a)], rank[qos.GetPodQOS(b)]), cmp.Compare(priority(a), priority(b)))
	})
	if len(out) == 0 {
		return nil
	}
	return out[0]
}

const leases = "kube-node-lease"

// decideLease renews a node's lease, if it is time. The lock is held.
func (k *Kubelets) decideLease(at key) (*write, time.Time) {
	node, err := k.nodes.Get(at.name)
	if err != nil || k.failed(at.name) || unserved(node) {
		return nil, time.Time{}
	}
	h, now := k.host(at.name), k.clock.Now()
	if due := h.renewed.Add(k.options.Lease); !h.renewed.IsZero() && due.After(now) {
		return nil, due
	}
	first := h.renewed.IsZero()
	h.renewed = now
	return &write{
		do:     func(ctx context.Context) error { return k.renew(ctx, node, first) },
		failed: func() { h.renewed = time.Time{} },
	}, now.Add(k.options.Lease)
}

func (k *Kubelets) renew(ctx context.Context, node *corev1.Node, first bool) error {
	client := k.client.CoordinationV1().Leases(leases)
	now, seconds := metav1.NewMicroTime(k.clock.Now()), int32(max(k.options.LeaseDuration/time.Second, 1))
	spec := coordinationv1.LeaseSpec{HolderIdentity: &node.Name, LeaseDurationSeconds: &seconds, RenewTime: &now}
	patch, err := json.Marshal(map[string]any{"spec": spec})
	if err != nil {
		return fmt.Errorf("lease of node %s: %w", node.Name, err)
	}
	create := func() error {
		_, err := client.Create(ctx, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: node.Name, OwnerReferences: []metav1.OwnerReference{
				{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID},
			}},
			Spec: spec,
		}, metav1.CreateOptions{})
		return err
	}
	if first {
		if err = create(); err == nil || !apierrors.IsAlreadyExists(err) {
			return wrap(err, node.Name)
		}
	}
	_, err = client.Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		err = create()
	}
	return wrap(err, node.Name)
}

func wrap(err error, node string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lease of node %s: %w", node, err)
}
