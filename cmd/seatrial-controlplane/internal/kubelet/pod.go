package kubelet

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	statuspatch "k8s.io/kubernetes/pkg/util/pod"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// decidePod looks at a pod: what is written of it, if anything, and when it is to
// be looked at again. The lock is held.
func (k *Kubelets) decidePod(at key) (*write, time.Time) {
	pod := k.podOf(at)
	if pod == nil {
		k.forget(at)
		return nil, time.Time{}
	}
	node, err := k.nodes.Get(pod.Spec.NodeName)
	if err != nil || k.failed(pod.Spec.NodeName) || unserved(node) {
		return nil, time.Time{} // its node's return comes here again
	}
	r := k.recordOf(at, pod)
	if podutil.IsPodPhaseTerminal(pod.Status.Phase) {
		k.release(r)
		if pod.DeletionTimestamp == nil || r.gone {
			return nil, time.Time{}
		}
		return k.remove(pod, r), time.Time{}
	}
	l := k.lookAt(pod, node, r)
	l.run()
	k.tell(l, r)
	if equality.Semantic.DeepEqual(l.before, l.pod.Status) {
		r.memory = l.mem
		return nil, l.next
	}
	return k.patch(l, r), l.next
}

// podOf is the newest that is known of a pod.
func (k *Kubelets) podOf(at key) *corev1.Pod {
	object, exists, err := k.pods.GetIndexer().GetByKey(at.namespace + "/" + at.name)
	if err != nil || !exists {
		return nil
	}
	pod, ok := object.(*corev1.Pod)
	if !ok || pod.Spec.NodeName == "" {
		return nil
	}
	if r := k.records[at]; r != nil && r.latest != nil && r.latest.UID == pod.UID {
		if c, err := resourceversion.CompareResourceVersion(r.latest.ResourceVersion, pod.ResourceVersion); err == nil && c > 0 {
			return r.latest
		}
	}
	return pod
}

// recordOf is what is known of a pod, from its status if it is new here.
func (k *Kubelets) recordOf(at key, pod *corev1.Pod) *known {
	r := k.records[at]
	if r == nil || r.uid != string(pod.UID) {
		k.forget(at)
		r = &known{uid: string(pod.UID), memory: adopt(pod), node: pod.Spec.NodeName}
		k.records[at] = r
		if r.ip != "" {
			k.host(r.node).addresses.taken[r.ip] = true
			k.shared.taken[r.ip] = true
		}
	}
	return r
}

// forget drops a pod that is gone.
func (k *Kubelets) forget(at key) {
	if r := k.records[at]; r != nil {
		k.release(r)
		delete(k.records, at)
	}
}

// release gives a pod's address back.
func (k *Kubelets) release(r *known) {
	if r.ip != "" {
		delete(k.host(r.node).addresses.taken, r.ip)
		delete(k.shared.taken, r.ip)
		r.ip = ""
	}
}

func (k *Kubelets) lookAt(pod *corev1.Pod, node *corev1.Node, r *known) *look {
	now, host := k.clock.Now(), k.host(node.Name)
	if pod.DeletionTimestamp != nil && r.told.IsZero() {
		r.told = now
	}
	if r.ip == "" && !pod.Spec.HostNetwork && pod.Status.PodIP == "" {
		r.ip = host.addresses.take(&k.shared)
	}
	l := &look{
		now: now, pod: pod.DeepCopy(), before: pod.Status, mem: r.memory.clone(), rules: k.rules,
		hostIP: addressOf(node), podIP: r.ip,
		mounted: k.mounted, unmounted: k.sources.unmounted, unconfigured: k.sources.unconfigured,
		admit: func(pod *corev1.Pod) *rule.Refusal {
			return admit(pod, node, k.active(pod), rule.OfNode(k.rules, node.Name).Pressure)
		},
	}
	l.limit = l.end()
	r.ending, r.told = l.mem.ending, l.mem.told
	return l
}

// end notes that the kubelet ends the pod by itself, if it is time, and returns
// when it will be.
func (l *look) end() time.Time {
	s := &l.pod.Status
	if l.mem.ending != nil || s.StartTime == nil || l.pod.DeletionTimestamp != nil {
		return time.Time{}
	}
	if seconds := l.pod.Spec.ActiveDeadlineSeconds; seconds != nil && l.reached(l.mem.created, time.Duration(*seconds)*time.Second) {
		l.finish(&ending{reason: "DeadlineExceeded", message: "Pod was active on the node longer than the specified deadline", grace: graceOf(l.pod)})
		return time.Time{}
	}
	if e := rule.OfPod(l.rules, l.pod).Evict; e != nil && l.reached(l.mem.created, e.After) {
		l.finish(eviction(e.Reason, e.Message))
		return time.Time{}
	}
	return l.next
}

func (l *look) finish(e *ending) { l.mem.ending, l.mem.told = e, l.now }

func eviction(reason, message string) *ending {
	if reason == "" {
		reason = evicted
	}
	if message == "" {
		message = "The node was low on resource: memory. "
	}
	return &ending{reason: reason, message: message, disruption: message}
}

func graceOf(pod *corev1.Pod) time.Duration {
	if pod.Spec.TerminationGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(*pod.Spec.TerminationGracePeriodSeconds) * time.Second
}

// active are the other pods of the node that were admitted and have not ended.
func (k *Kubelets) active(pod *corev1.Pod) []*corev1.Pod {
	var out []*corev1.Pod
	for _, other := range k.podsOf(pod.Spec.NodeName) {
		at := keyOf(other)
		if other = k.podOf(at); other == nil || other.UID == pod.UID || podutil.IsPodPhaseTerminal(other.Status.Phase) {
			continue
		}
		if r := k.records[at]; other.Status.StartTime != nil || r != nil && r.writing && r.uid == string(other.UID) {
			out = append(out, other)
		}
	}
	return out
}

// mounted reports whether all claims of the pod are bound.
func (k *Kubelets) mounted(pod *corev1.Pod) bool {
	for i := range pod.Spec.Volumes {
		name := ""
		switch v := &pod.Spec.Volumes[i]; {
		case v.PersistentVolumeClaim != nil:
			name = v.PersistentVolumeClaim.ClaimName
		case v.Ephemeral != nil:
			name = pod.Name + "-" + v.Name
		default:
			continue
		}
		claim, err := k.claims.PersistentVolumeClaims(pod.Namespace).Get(name)
		if err != nil || claim.Status.Phase != corev1.ClaimBound || claim.DeletionTimestamp != nil && pod.Status.PodIP == "" {
			return false
		}
	}
	return true
}

// patch writes the status that a look made.
func (k *Kubelets) patch(l *look, r *known) *write {
	r.writing = true
	var latest *corev1.Pod
	return &write{
		do: func(ctx context.Context) (err error) {
			latest, _, _, err = statuspatch.PatchPodStatus(ctx, k.client, l.pod.Namespace, l.pod.Name, l.pod.UID, l.before, l.pod.Status)
			return err
		},
		passed: func() {
			now := k.clock.Now()
			l.mem.moved(l.now, now)
			// What was decided meanwhile stays.
			l.mem.ending, l.mem.told, l.mem.ip = r.ending, r.told, r.ip
			r.memory, r.latest, r.writing = l.mem, latest, false
		},
		failed: func() { r.writing = false },
	}
}

// remove deletes a pod that has stopped, as its kubelet does: without grace, and
// only that pod.
func (k *Kubelets) remove(pod *corev1.Pod, r *known) *write {
	return &write{
		do: func(ctx context.Context) error {
			var now int64
			err := k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
				GracePeriodSeconds: &now, Preconditions: metav1.NewUIDPreconditions(string(pod.UID)),
			})
			if apierrors.IsNotFound(err) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("delete pod %s/%s: %w", pod.Namespace, pod.Name, err)
			}
			return nil
		},
		passed: func() { r.gone = true },
	}
}
