package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// loads are what pods use: of workloads, and of pods in a phase of their start.
type loads struct {
	workloads map[string]*scenario.Load
	pods      map[identity]*scenario.Load
	said      string
}

var _ = register("load", verb{
	perform: func(ctx context.Context, r *run, a *trace.Act) error {
		var load scenario.Load
		if err := json.Unmarshal(a.Load, &load); err != nil {
			return Unusable{fmt.Sprintf("the load of %s: %v", sentence(a), err)}
		}
		r.glance()
		if a.Pod != nil {
			r.loads.pods[identityOf(a.Pod)] = &load
		} else {
			r.loads.workloads[a.Object] = &load
		}
		return r.use(ctx)
	},
})

// begin reads the loads of the start.
func (l *loads) begin(workloads []trace.Workload) error {
	l.workloads, l.pods = map[string]*scenario.Load{}, map[identity]*scenario.Load{}
	for _, w := range workloads {
		if len(w.Load) == 0 {
			continue
		}
		var load scenario.Load
		if err := json.Unmarshal(w.Load, &load); err != nil {
			return Unusable{fmt.Sprintf("the load of %s: %v", w.Object, err)}
		}
		l.workloads[w.Object] = &load
	}
	return nil
}

// use tells the metrics APIs what every pod uses now.
func (r *run) use(ctx context.Context) error {
	if len(r.loads.workloads) == 0 && len(r.loads.pods) == 0 {
		return nil
	}
	var all []admin.Usage
	for _, owner := range slices.Sorted(maps.Keys(r.loads.workloads)) {
		all = append(all, r.usageOf(owner, r.loads.workloads[owner])...)
	}
	said, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if string(said) == r.loads.said {
		return nil
	}
	r.loads.said = string(said)
	return r.admin.SetUsage(ctx, r.plane, all...)
}

// usageOf is what the pods of a workload use, and its metrics.
func (r *run) usageOf(owner string, load *scenario.Load) []admin.Usage {
	_, namespace, _ := named(owner)
	var out []admin.Usage
	var running []identity
	readyPods := 0
	objects := map[identity]map[string]any{}
	for i, n := range r.pods.names {
		pod := r.view.object("pods", n.namespace, n.name)
		if i.owner != owner || text(pod, "status", "phase") != "Running" || !measured(pod) {
			continue
		}
		objects[i] = pod
		running = append(running, i)
		if ready(pod) && !terminating(pod) {
			readyPods++
		}
	}
	slices.SortFunc(running, func(a, b identity) int { return strings.Compare(a.String(), b.String()) })
	for _, i := range running {
		own := load
		if phase := r.loads.pods[i]; phase != nil {
			own = phase
		}
		used := share(own, objects[i], readyPods)
		if len(used) > 0 {
			out = append(out, admin.Usage{Namespace: namespace, Pod: r.pods.names[i].name, Resources: used})
		}
	}
	for metric, value := range load.Pods {
		out = append(out, admin.Usage{Namespace: namespace, Metric: metric, Value: value.String()})
	}
	for metric, value := range load.Object {
		out = append(out, admin.Usage{Namespace: namespace, Metric: metric, Object: "*", Value: value.String()})
	}
	for metric, value := range load.External {
		out = append(out, admin.Usage{Namespace: namespace, Metric: metric, External: true, Value: value.String()})
	}
	slices.SortFunc(out[len(out)-len(load.Pods)-len(load.Object)-len(load.External):], func(a, b admin.Usage) int { return strings.Compare(a.Metric, b.Metric) })
	return out
}

// measured tells whether a kubelet says what a pod uses: its containers run.
func measured(pod history.Object) bool {
	statuses, _ := pod.At("status", "containerStatuses").([]any)
	for _, each := range statuses {
		if status, ok := each.(map[string]any); ok && history.Object(status).At("state", "running") == nil {
			return false
		}
	}
	return true
}

// share is what each container of a pod uses.
func share(load *scenario.Load, pod map[string]any, readyPods int) map[string]string {
	containers, _ := history.Object(pod).At("spec", "containers").([]any)
	if len(containers) == 0 {
		return nil
	}
	used := corev1.ResourceList{}
	add := func(list corev1.ResourceList, parts int64) {
		for name, quantity := range list {
			sum := used[name]
			sum.Add(*resource.NewMilliQuantity(quantity.MilliValue()/parts, quantity.Format))
			used[name] = sum
		}
	}
	add(load.PerPod, 1)
	add(load.Idle, 1)
	if len(load.StartUp) > 0 {
		add(load.StartUp[0].Use, 1)
	}
	if ready(pod) && !terminating(pod) && readyPods > 0 {
		add(load.Total, int64(readyPods))
	}
	if load.Requests {
		add(requests(containers), 1)
	}
	out := map[string]string{}
	for name, quantity := range used {
		each := resource.NewMilliQuantity(quantity.MilliValue()/int64(len(containers)), quantity.Format)
		out[string(name)] = each.String()
	}
	return out
}

// requests are what the containers of a pod ask for together.
func requests(containers []any) corev1.ResourceList {
	out := corev1.ResourceList{}
	for _, each := range containers {
		container, _ := each.(map[string]any)
		asked, _ := history.Object(container).At("resources", "requests").(map[string]any)
		for resourceName, value := range asked {
			quantity, err := resource.ParseQuantity(fmt.Sprint(value))
			if err != nil {
				continue // the API server took it
			}
			sum := out[corev1.ResourceName(resourceName)]
			sum.Add(quantity)
			out[corev1.ResourceName(resourceName)] = sum
		}
	}
	return out
}
