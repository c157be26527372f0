package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// arrange lets through what leads to the start and nothing else, and binds the
// pods to the nodes where the trace has them.
func (r *run) arrange(ctx context.Context, pods []trace.Pod) error {
	var requests []request // that are parked, as of the last look
	for {
		if _, err := r.view.look(); err != nil {
			return err
		}
		if err := r.place(ctx, pods); err != nil {
			return err
		}
		if err := r.forsake(ctx); err != nil {
			return err
		}
		missing := r.missing(pods)
		queue, err := r.admin.Parked(ctx, r.plane, 0)
		if err != nil {
			return r.unarranged(ctx, err, missing, requests)
		}
		if requests, err = r.through(ctx, queue); err != nil {
			return r.unarranged(ctx, err, missing, requests)
		}
		let := false
		for _, q := range requests {
			if !r.leads(q, pods) {
				continue
			}
			let = true
			if err := r.admin.Release(ctx, r.plane, q.ID); err != nil && !admin.NotFound(err) {
				return err
			}
		}
		if !let {
			// What is written may have others write, a little later.
			_, quiet, err := r.parked(ctx, queue.Generation)
			if missing == "" && quiet && err == nil {
				return r.age(ctx, pods)
			}
		}
		if ctx.Err() != nil {
			return r.unarranged(ctx, ctx.Err(), missing, requests)
		}
	}
}

func (r *run) unarranged(ctx context.Context, err error, missing string, wanted []request) error {
	if errors.Is(context.Cause(ctx), errBuilt) {
		text := fmt.Sprintf("build the start: %s does not come about within %v", missing, builtWithin)
		for _, q := range wanted {
			text += "; " + r.shown(q) + " does not lead there"
		}
		return unsupported{text}
	}
	return err
}

// place binds and deletes pods as the trace has them.
func (r *run) place(ctx context.Context, pods []trace.Pod) error {
	for i := range pods {
		p := &pods[i]
		n, pod := r.real(p)
		if pod == nil {
			continue
		}
		if p.Node != "" && text(pod, "spec", "nodeName") == "" {
			binding := &corev1.Binding{
				ObjectMeta: metav1.ObjectMeta{Namespace: n.namespace, Name: n.name},
				Target:     corev1.ObjectReference{Kind: "Node", Name: p.Node},
			}
			err := r.client.CoreV1().Pods(n.namespace).Bind(ctx, binding, metav1.CreateOptions{})
			if err != nil && !apierrors.IsConflict(err) {
				return err
			}
		}
		if p.Terminating && !terminating(pod) && r.as(p, pod) {
			if err := r.client.CoreV1().Pods(n.namespace).Delete(ctx, n.name, metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// real is the pod of the plane that is a pod of the trace.
func (r *run) real(p *trace.Pod) (name, history.Object) {
	n, ok := r.pods.names[identityOf(p)]
	if !ok {
		return n, nil
	}
	return n, r.view.object("pods", n.namespace, n.name)
}

// as tells whether a pod is where and what the trace says, but for its deletion.
func (r *run) as(p *trace.Pod, pod history.Object) bool {
	phase := text(pod, "status", "phase")
	return text(pod, "spec", "nodeName") == p.Node && phase == p.Phase && (ready(pod) == p.Ready || p.Terminating)
}

// missing names something that is not as at the start, or nothing.
func (r *run) missing(pods []trace.Pod) string {
	for i := range pods {
		p := &pods[i]
		_, pod := r.real(p)
		if pod == nil || !r.as(p, pod) || terminating(pod) != p.Terminating {
			return podName(p)
		}
	}
	for _, w := range r.trace.Setup.Workloads {
		for _, revision := range w.Revisions {
			_, namespace, _ := named(w.Object)
			if revision.Replicas == nil || w.Absent || w.Held {
				continue
			}
			set := r.view.object("replicasets.apps", namespace, r.setName(namespace, revision.Set))
			if replicas, ok := whole(set, "spec", "replicas"); !ok || replicas != *revision.Replicas {
				return "ReplicaSet " + namespace + "/" + revision.Set
			}
		}
	}
	if set := r.unavailable(pods); set != "" {
		return "the availability of ReplicaSet " + set
	}
	for _, lost := range r.lost {
		if node := r.view.object("nodes", "", lost); !noticed(node) || forsaken(node) != r.forsakes() {
			return "Node " + lost + " without its machine"
		}
	}
	for key, object := range r.view.state {
		if key.Resource != "poddisruptionbudgets.policy" {
			continue
		}
		seen, _ := whole(object, "status", "observedGeneration")
		if generation, _ := whole(object, "metadata", "generation"); seen != generation {
			return "the status of PodDisruptionBudget " + key.Namespace + "/" + key.Name
		}
	}
	return ""
}

// unavailable names a ReplicaSet whose status does not count all pods that are Ready
// at the start: these have been so for minReadySeconds, where a trace begins.
func (r *run) unavailable(pods []trace.Pod) string {
	wanted := map[history.Key]int32{}
	for i := range pods {
		if _, pod := r.real(&pods[i]); pods[i].Ready && !pods[i].Terminating {
			if kind, set := controller(pod); kind == "ReplicaSet" {
				wanted[history.Key{Resource: "replicasets.apps", Namespace: pod.Text("metadata", "namespace"), Name: set}]++
			}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(wanted), history.Key.Compare) {
		set := r.view.state[key]
		if most, _ := whole(set, "spec", "minReadySeconds"); most > availableWithin {
			continue
		}
		if available, _ := whole(set, "status", "availableReplicas"); available < wanted[key] {
			return key.Namespace + "/" + key.Name
		}
	}
	return ""
}

// leads tells whether a request leads to the start.
func (r *run) leads(q request, pods []trace.Pod) bool {
	switch {
	case q.Actor == "disruption-controller", q.Actor == "node-lifecycle-controller":
		return true
	case q.Actor == "kubelet" && q.base() == "nodes":
		return true
	case q.Actor == "deployment-controller" && q.Verb == "create":
		owner, revision, ok := r.sets.of(q.body)
		replicas, _ := whole(q.body, "spec", "replicas")
		wanted := r.replicas(owner, revision)
		return ok && wanted != nil && *wanted == replicas
	case q.Actor == "replicaset-controller" && q.Verb == "create":
		owner, revision, ok := r.ownerOf(q)
		return ok && slices.ContainsFunc(r.expected, func(i identity) bool { return i.owner == owner && i.revision == revision })
	case q.Actor == "kubelet" && q.Resource == "pods/status":
		i, ok := r.pods.identities[q.pod()]
		index := slices.IndexFunc(pods, func(p trace.Pod) bool { return ok && identityOf(&p) == i })
		return index >= 0 && q.now != nil && !r.as(&pods[index], q.now) && !q.passes(&pods[index])
	}
	return false
}

// passes tells whether a pod's status would become more than what the pod is to be: the
// history may be behind a kubelet that goes on from its own write.
func (q request) passes(p *trace.Pod) bool {
	if p.Phase == "Pending" || !p.Ready && !p.Terminating && ready(q.body) {
		return true
	}
	phase := text(q.body, "status", "phase")
	return p.Phase == "Running" && phase != "" && phase != p.Phase
}
