package hpa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Load is an amount of work that the ready pods of a workload share evenly.
type Load struct {
	// Pod is one pod of the workload: its containers' requests and limits.
	Pod *corev1.Pod
	// Resource is what the work uses.
	Resource corev1.ResourceName
	// Container does the work, the others are idle; empty: the first one.
	Container string
}

// PerPod is the usage of one of the ready pods, in milli units of the
// resource: the total divided by the pods, rounded down, and no more than the
// limit of the container that does the work, or of the pod. Without ready pods it is 0.
func (l Load) PerPod(total int64, ready int32) int64 {
	if ready <= 0 || total <= 0 {
		return 0
	}
	return min(total/int64(ready), l.ceiling())
}

// Usage is the sample of one of the ready pods.
func (l Load) Usage(total int64, ready int32) Usage {
	return l.usage(l.PerPod(total, ready))
}

// usage gives the worker its part and the other containers zero.
func (l Load) usage(milli int64) Usage {
	used := make(map[string]corev1.ResourceList)
	for _, container := range l.containers() {
		used[container.Name] = corev1.ResourceList{l.Resource: *resource.NewMilliQuantity(0, resource.DecimalSI)}
	}
	used[l.worker()] = corev1.ResourceList{l.Resource: *resource.NewMilliQuantity(milli, resource.DecimalSI)}
	return Usage{Containers: used}
}

// containers are those that run beside each other: the containers, and the
// init containers that are restarted for as long as the pod lives.
func (l Load) containers() []corev1.Container {
	if l.Pod == nil {
		return nil
	}
	all := slices.Clone(l.Pod.Spec.Containers)
	for _, container := range l.Pod.Spec.InitContainers {
		if policy := container.RestartPolicy; policy != nil && *policy == corev1.ContainerRestartPolicyAlways {
			all = append(all, container)
		}
	}
	return all
}

// worker is the name of the container that does the work.
func (l Load) worker() string {
	if all := l.containers(); l.Container == "" && len(all) > 0 {
		return all[0].Name
	}
	return l.Container
}

// ceiling is the limit of the worker or of the pod, whichever is less, in milli
// units; without either it is the largest number.
func (l Load) ceiling() int64 {
	ceiling := int64(math.MaxInt64)
	for _, container := range l.containers() {
		if limit, ok := container.Resources.Limits[l.Resource]; ok && container.Name == l.worker() {
			ceiling = min(ceiling, limit.MilliValue())
		}
	}
	if l.Pod != nil && l.Pod.Spec.Resources != nil {
		if limit, ok := l.Pod.Spec.Resources.Limits[l.Resource]; ok {
			ceiling = min(ceiling, limit.MilliValue())
		}
	}
	return ceiling
}

// LoadSteps gives the totals, in milli units, at which the answer of the HPA
// changes, with their neighbours: for every replica count from minReplicas to
// maxReplicas, all pods ready and warm, each total from which on the
// recommendation, held to the bounds, is another, and the totals one below and
// one above. Between two neighbours in the list that are more than 1 apart no
// recommendation changes, so these totals stand for all.
//
// Only the HPA's metrics on the load's resource are asked; if there is none, or
// the pods lack the request that the metric needs, no load changes anything and
// the list is empty. The list is ascending and has no duplicates. The cost
// grows with the number of steps and with maxReplicas: about 0.1 s for 20
// replicas.
func LoadSteps(ctx context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, load Load) ([]int64, error) {
	if errTolerances != nil {
		return nil, errTolerances
	}
	if hpa == nil {
		return nil, errNoHPA
	}
	if load.Pod == nil || len(load.Pod.Spec.Containers) == 0 {
		return nil, errors.New("hpa: a load needs a pod with a container")
	}
	hpa = defaulted(hpa).DeepCopy()
	hpa.Spec.Metrics = slices.DeleteFunc(hpa.Spec.Metrics, func(spec autoscalingv2.MetricSpec) bool {
		return (spec.Resource == nil || spec.Resource.Name != load.Resource) &&
			(spec.ContainerResource == nil || spec.ContainerResource.Name != load.Resource)
	})
	if len(hpa.Spec.Metrics) == 0 {
		return nil, nil
	}
	var steps []int64
	b := boundsOf(hpa)
	for replicas := max(b.min, 1); replicas <= b.max; replicas++ {
		l := newLoaded(hpa, b, load, replicas)
		changes, err := l.changes(ctx)
		if err != nil {
			return nil, err
		}
		for _, perPod := range changes {
			total := perPod * int64(replicas)
			steps = append(steps, total-1, total, total+1)
		}
	}
	slices.Sort(steps)
	return slices.Compact(steps), nil
}

// loaded is a workload of some size under a load.
type loaded struct {
	in   Input
	b    bounds
	load Load
}

// newLoaded makes the ready pods.
func newLoaded(hpa *autoscalingv2.HorizontalPodAutoscaler, b bounds, load Load, replicas int32) *loaded {
	const key = "load"
	l := &loaded{b: b, load: load, in: Input{
		HPA: hpa, SpecReplicas: replicas, StatusReplicas: replicas,
		Selector: labels.SelectorFromSet(labels.Set{key: ""}),
		Usage:    make(map[string]Usage, replicas),
	}}
	for i := range replicas {
		l.in.Pods = append(l.in.Pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: hpa.Namespace, Name: fmt.Sprintf("pod-%d", i), Labels: map[string]string{key: ""}},
			Spec:       load.Pod.Spec,
			Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue},
			}},
		})
	}
	return l
}

// desired is the recommendation, held to the bounds, if each pod uses this
// much; the present size if there is none.
func (l *loaded) desired(ctx context.Context, perPod int64) int32 {
	usage := l.load.usage(perPod)
	for _, pod := range l.in.Pods {
		l.in.Usage[pod.Name] = usage
	}
	r := recommend(ctx, l.in)
	if r.failed {
		return l.in.SpecReplicas
	}
	return min(max(r.replicas, l.b.min), l.b.max)
}

// changes gives the least usage per pod of each further answer, ascending. The
// answer never falls as usage rises: below the dead band it is the ratio's
// share of the pods, in it their number, above it more. So an interval with the
// same answer at both ends has no change inside.
func (l *loaded) changes(ctx context.Context) ([]int64, error) {
	// Sums of usage times 100 must stay in 64 bits (utilization.go).
	most := min(l.load.ceiling(), math.MaxInt64/200/int64(len(l.in.Pods)))
	high := min(int64(1), most)
	for high < most && l.desired(ctx, high) < l.b.max {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		high = min(high*2, most)
	}
	var (
		found  []int64
		search func(low, high int64, atLow, atHigh int32) error
	)
	search = func(low, high int64, atLow, atHigh int32) error {
		if err := ctx.Err(); err != nil || atLow == atHigh {
			return err
		}
		if high-low == 1 {
			found = append(found, high)
			return nil
		}
		middle := low + (high-low)/2
		at := l.desired(ctx, middle)
		if err := search(low, middle, atLow, at); err != nil {
			return err
		}
		return search(middle, high, at, atHigh)
	}
	err := search(0, high, l.desired(ctx, 0), l.desired(ctx, high))
	return found, err
}
