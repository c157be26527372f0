package environment

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// Kubelet runs the pods that are bound to a node: each is running and ready in one write as
// soon as its claims are bound and its ConfigMaps and Secrets are there, pods of Jobs
// succeed, and one that is deleted is gone at once when its turn comes. It is the kubelet of
// every node.
//
// Not as in Kubernetes: what a pod waits for is not in its status, nor that it is ending; init
// containers and probes are not looked at, nor keys of what is mounted.
func Kubelet() Actor { return kubelet{} }

// FailingKubelet is a Kubelet with which any pod that runs may fail, as often as it likes:
// evicted for want of memory, so that it does not run again.
func FailingKubelet() Actor { return kubelet{fails: true} }

type kubelet struct{ fails bool }

func (kubelet) Name() string                     { return "kubelet" }
func (kubelet) Reads() []schema.GroupVersionKind { return reads(pods, claims, configMaps, secrets) }

func (k kubelet) Steps(w World) (steps []Step) {
	for _, p := range list[*corev1.Pod](w, pods, "") {
		add := func(what string, change func(*corev1.Pod)) {
			p := p.DeepCopy()
			change(p)
			steps = append(steps, Step{Class: Path(pods, p), Text: what + " " + Path(pods, p), Request: Update(pods, p, "status")})
		}
		switch runs := p.Status.Phase == corev1.PodRunning; {
		case p.Spec.NodeName == "":
		case terminating(p):
			if value(p.DeletionGracePeriodSeconds, 0) > 0 || len(p.Finalizers) == 0 {
				steps = append(steps, Step{Class: Path(pods, p), Text: "end " + Path(pods, p), Request: Delete(pods, p, "", pointer(int64(0)))})
			}
		case ended(p):
		case !runs:
			if supplied(w, p) {
				add("start", start)
			}
		default:
			if owner := metav1.GetControllerOfNoCopy(p); owner != nil && owner.Kind == jobs.Kind.Kind && p.Spec.RestartPolicy != corev1.RestartPolicyAlways {
				add("complete", func(p *corev1.Pod) { end(p, corev1.PodSucceeded, 0, "Completed") })
			}
			if k.fails {
				add("evict", func(p *corev1.Pod) {
					end(p, corev1.PodFailed, 137, "Error")
					p.Status.Reason, p.Status.Message = "Evicted", "The node was low on resource: memory."
				})
				steps[len(steps)-1].Class = "" // it may happen or not
			}
		}
	}
	return steps
}

// supplied tells whether what a pod mounts or reads is there.
func supplied(w World, p *corev1.Pod) bool {
	for _, v := range p.Spec.Volumes {
		switch {
		case v.PersistentVolumeClaim != nil:
			o := w.Get(claims.Prefix(p.Namespace) + v.PersistentVolumeClaim.ClaimName)
			if o == nil {
				return false
			}
			if c, ok := o.Value().(*corev1.PersistentVolumeClaim); !ok || c.Status.Phase != corev1.ClaimBound {
				return false
			}
		case v.ConfigMap != nil && !has(w, configMaps, p, v.ConfigMap.Name, "", v.ConfigMap.Optional),
			v.Secret != nil && !has(w, secrets, p, v.Secret.SecretName, "", v.Secret.Optional):
			return false
		}
	}
	for _, c := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
		for _, e := range c.EnvFrom {
			if r := e.ConfigMapRef; r != nil && !has(w, configMaps, p, r.Name, "", r.Optional) {
				return false
			}
			if r := e.SecretRef; r != nil && !has(w, secrets, p, r.Name, "", r.Optional) {
				return false
			}
		}
		for _, e := range c.Env {
			from := value(e.ValueFrom, corev1.EnvVarSource{})
			if r := from.ConfigMapKeyRef; r != nil && !has(w, configMaps, p, r.Name, r.Key, r.Optional) {
				return false
			}
			if r := from.SecretKeyRef; r != nil && !has(w, secrets, p, r.Name, r.Key, r.Optional) {
				return false
			}
		}
	}
	return true
}

// has tells whether a ConfigMap or Secret is there, and has a key if one is asked for.
func has(w World, r kubestate.Resource, p *corev1.Pod, name, key string, optional *bool) bool {
	o := w.Get(r.Prefix(p.Namespace) + name)
	switch {
	case value(optional, false):
		return true
	case o == nil || key == "":
		return o != nil
	}
	found := false
	switch v := o.Value().(type) {
	case *corev1.ConfigMap:
		_, text := v.Data[key]
		_, found = v.BinaryData[key]
		found = found || text
	case *corev1.Secret:
		_, found = v.Data[key]
	}
	return found
}

// start has a pod be running and ready.
func start(p *corev1.Pod) {
	s := &p.Status
	s.Phase, s.StartTime = corev1.PodRunning, pointer(now())
	s.PodIP = address(p)
	s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	for _, t := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		set(p, t, corev1.ConditionTrue, "")
	}
	s.ContainerStatuses = nil
	for _, c := range p.Spec.Containers {
		s.ContainerStatuses = append(s.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, Started: pointer(true), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now()}},
		})
	}
}

// address is that of a pod, by its name.
func address(p *corev1.Pod) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.Namespace + "/" + p.Name)) // never fails
	n := h.Sum32()
	return fmt.Sprintf("10.%d.%d.%d", n>>16&0xff, n>>8&0xff, n&0xff)
}

// end has all containers of a pod be over.
func end(p *corev1.Pod, phase corev1.PodPhase, code int32, reason string) {
	p.Status.Phase = phase
	why := map[corev1.PodPhase]string{corev1.PodSucceeded: "PodCompleted", corev1.PodFailed: "PodFailed"}[phase]
	for _, t := range []corev1.PodConditionType{corev1.ContainersReady, corev1.PodReady} {
		set(p, t, corev1.ConditionFalse, why)
	}
	set(p, corev1.PodReadyToStartContainers, corev1.ConditionFalse, "")
	if phase == corev1.PodSucceeded {
		set(p, corev1.PodInitialized, corev1.ConditionTrue, why)
	}
	for i := range p.Status.ContainerStatuses {
		c := &p.Status.ContainerStatuses[i]
		c.Ready, c.Started = false, pointer(false)
		c.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, StartedAt: now(), FinishedAt: now()}}
	}
}

// set sets a condition, which are in the order of their types.
func set(p *corev1.Pod, t corev1.PodConditionType, is corev1.ConditionStatus, reason string) {
	c := corev1.PodCondition{Type: t, Status: is, Reason: reason, LastTransitionTime: now()}
	if old := condition(p, t); old != nil {
		*old = c
		return
	}
	p.Status.Conditions = append(p.Status.Conditions, c)
	slices.SortFunc(p.Status.Conditions, func(a, b corev1.PodCondition) int { return cmp.Compare(a.Type, b.Type) })
}
