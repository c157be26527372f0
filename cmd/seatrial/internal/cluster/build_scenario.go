package cluster

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/hpa"
)

// loads gives every workload its initial load.
func (b *builder) loads() {
	for i := range b.w.Workloads {
		b.w.Workloads[i].Loads = []model.Load{b.defaultLoad(i)}
	}
	for k := range b.w.Scenario.Load {
		l := &b.w.Scenario.Load[k]
		path := fmt.Sprintf("spec.load[%d]", k)
		b.phases(l, path)
		if i := b.named(l.Workload, path+".workload"); i >= 0 {
			b.w.Workloads[i].Loads[0] = model.Load{Load: *l, Text: loadText(l)}
		}
	}
}

// phases refuses a start-up profile of more phases than Pod.Stage counts.
func (b *builder) phases(l *scenario.Load, path string) {
	if n := len(l.StartUp); n > math.MaxUint8+1 {
		b.fail(b.w.ScenarioSource, fmt.Sprintf("%s.startUp[%d]", path, math.MaxUint8+1), "a start-up profile of %d phases is too long to check (at most %d)", n, math.MaxUint8+1)
	}
}

// named returns the index of the workload that the scenario names at path. If
// there is none it says so and returns -1.
func (b *builder) named(w scenario.Workload, path string) int {
	kind := w.Kind
	if kind == "" {
		kind = "Deployment"
	}
	i := b.find(kind, w.Namespace, w.Name)
	if i < 0 {
		b.fail(b.w.ScenarioSource, path, "no %s %s in the input", kind, w.Name)
	}
	return i
}

// defaultLoad keeps an autoscaled workload exactly at its target at its
// initial size, as a total; others use nothing.
func (b *builder) defaultLoad(i int) model.Load {
	w := &b.w.Workloads[i]
	if w.HPA < 0 {
		return model.Load{Text: "none"}
	}
	revisions := b.w.HPAs[w.HPA].Revisions
	h := &revisions[slices.IndexFunc(revisions, func(r model.HPARevision) bool { return r.Work == i })]
	replicas := int64(min(max(1, *w.Deployment.Spec.Replicas, h.MinReplicas()), h.HPA.Spec.MaxReplicas))
	l := scenario.Load{Total: corev1.ResourceList{}}
	for _, m := range h.HPA.Spec.Metrics {
		b.loadAtTarget(&l, m, &w.Revisions[0], replicas)
	}
	return model.Load{Load: l, Text: loadText(&l) + " (the autoscaler's target)"}
}

// loadAtTarget adds to l what keeps metric m at its target with so many pods.
func (b *builder) loadAtTarget(l *scenario.Load, m autoscalingv2.MetricSpec, rev *model.Revision, replicas int64) {
	perPod := func(name corev1.ResourceName, t autoscalingv2.MetricTarget) {
		switch {
		case t.AverageUtilization != nil:
			l.Total[name] = *resource.NewMilliQuantity(model.Requested(rev.Pod, name)*int64(*t.AverageUtilization)*replicas/100, resource.DecimalSI)
		case t.AverageValue != nil:
			l.Total[name] = *resource.NewMilliQuantity(t.AverageValue.MilliValue()*replicas, resource.DecimalSI)
		}
	}
	value := func(t autoscalingv2.MetricTarget) resource.Quantity {
		if t.AverageValue != nil {
			return *resource.NewMilliQuantity(t.AverageValue.MilliValue()*replicas, resource.DecimalSI)
		}
		return *t.Value
	}
	put := func(to *map[string]resource.Quantity, name string, q resource.Quantity) {
		if *to == nil {
			*to = map[string]resource.Quantity{}
		}
		(*to)[name] = q
	}
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		perPod(m.Resource.Name, m.Resource.Target)
	case autoscalingv2.ContainerResourceMetricSourceType:
		perPod(m.ContainerResource.Name, m.ContainerResource.Target)
	case autoscalingv2.ExternalMetricSourceType:
		put(&l.External, m.External.Metric.Name, value(m.External.Target))
	case autoscalingv2.ObjectMetricSourceType:
		put(&l.Object, m.Object.Metric.Name, value(m.Object.Target))
	case autoscalingv2.PodsMetricSourceType:
		put(&l.Pods, m.Pods.Metric.Name, *m.Pods.Target.AverageValue)
	}
}

// loadText is a load in words.
func loadText(l *scenario.Load) string {
	var parts []string
	metrics := func(what string, m map[string]resource.Quantity) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			q := m[name]
			parts = append(parts, fmt.Sprintf("%s metric %s %s", what, name, q.String()))
		}
	}
	list := func(what string, r corev1.ResourceList) {
		for _, name := range slices.Sorted(maps.Keys(r)) {
			q := r[name]
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s", q.String(), name, what)))
		}
	}
	list("in all", l.Total)
	list("idle per pod", l.Idle)
	list("per pod", l.PerPod)
	if l.Requests {
		parts = append(parts, "what each pod requests")
	}
	for i, p := range l.StartUp {
		list(fmt.Sprintf("per pod in phase %d", i+1), p.Use)
	}
	metrics("external", l.External)
	metrics("object", l.Object)
	metrics("pods", l.Pods)
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func (b *builder) events() {
	s := b.w.Scenario
	total := 0
	for k := range s.Events {
		if b.dropped[k] {
			continue
		}
		e := model.EventSpec{Event: s.Events[k], Budget: uint8(given(s.Events[k].Budget, 1)), Path: fmt.Sprintf("spec.events[%d]", k)}
		b.targets(&e)
		b.effect(&e)
		b.w.Events = append(b.w.Events, e)
		total += int(e.Budget)
	}
	b.w.MaxEvents, b.w.InFlight = total, given(s.InFlight, 1)
	if s.MaxEvents != nil {
		b.w.MaxEvents = *s.MaxEvents
	}
}

// ofAnyKind are the events that are about pods, whoever makes them; held pods are
// as they are given.
var ofAnyKind = map[scenario.EventType]bool{
	scenario.EventLoad: true, scenario.EventPodCrash: true, scenario.EventReadinessFlap: true, scenario.EventNeverReady: true,
}

// targets resolves the nodes and workloads that an event is about.
func (b *builder) targets(e *model.EventSpec) {
	for i := range b.w.Nodes {
		if b.w.AboutNode(e.Event.Nodes, i) {
			e.Nodes = append(e.Nodes, i)
		}
	}
	if w := e.Workload; w != nil {
		if i := b.named(*w, e.Path+".workload"); i >= 0 {
			e.Works = []int{i}
		}
		return
	}
	for i := range b.w.Workloads {
		if ofAnyKind[e.Type] && b.w.Workloads[i].Held == "" || b.w.Workloads[i].Kind == "Deployment" {
			e.Works = append(e.Works, i)
		}
	}
}

// effect resolves what an event changes.
func (b *builder) effect(e *model.EventSpec) {
	switch e.Type {
	case scenario.EventLoad:
		b.levels(e)
	case scenario.EventScale:
		if e.Event.Replicas != nil {
			n := *e.Event.Replicas
			e.Replicas = func(int32) int32 { return n }
		}
	case scenario.EventRollout:
		b.rollout(e)
	case scenario.EventApply, scenario.EventCreate:
		b.applied(e)
	case scenario.EventCustom:
		if rule := b.rule(e.Title(), e.Rule(), e.Path); rule != nil {
			e.Writer = rule
		}
	case scenario.EventNeverReady:
		if e.Template == "new" {
			for _, i := range e.Works {
				b.newTemplate(i)
			}
		}
	}
}

// rollout gives each workload the template that the event brings.
func (b *builder) rollout(e *model.EventSpec) {
	if len(e.Manifest) > 0 {
		d, source := b.decode(e.Manifest, e.Path+".manifest")
		if d == nil {
			return
		}
		i := b.find("Deployment", d.Namespace, d.Name)
		if i < 0 {
			b.fail(b.w.ScenarioSource, e.Path+".manifest", "no Deployment %s/%s in the input to roll out", d.Namespace, d.Name)
			return
		}
		e.Works, e.Rev = []int{i}, []uint8{b.revision(i, &d.Spec.Template, source)}
		return
	}
	for _, i := range e.Works {
		e.Rev = append(e.Rev, b.newTemplate(i))
	}
}

// newTemplate is the present template with an annotation, as kubectl rollout
// restart makes it: a new revision that differs in nothing that matters.
func (b *builder) newTemplate(i int) uint8 {
	spec := &b.w.Workloads[i]
	if spec.Kind != "Deployment" {
		return 0
	}
	template := spec.Deployment.Spec.Template.DeepCopy()
	if template.Annotations == nil {
		template.Annotations = map[string]string{}
	}
	template.Annotations["kubectl.kubernetes.io/restartedAt"] = "rollout"
	return b.revision(i, template, spec.Source)
}

// decode reads a manifest of the scenario, which must be a Deployment. What is
// wrong with it is added to the problems, and nil returned.
func (b *builder) decode(raw []byte, path string) (*appsv1.Deployment, *manifest.Source) {
	o, source, err := b.in.Decode(raw, path)
	if err != nil {
		if p, ok := manifest.AsProblems(err); ok {
			b.problems = append(b.problems, p...)
		} else {
			b.fail(b.w.ScenarioSource, path, "%v", err)
		}
		return nil, nil
	}
	d, ok := o.(*appsv1.Deployment)
	if !ok {
		b.fail(b.w.ScenarioSource, path, "only a Deployment can be rolled out")
		return nil, nil
	}
	return d, source
}

// levels are the loads that a load event may set.
func (b *builder) levels(e *model.EventSpec) {
	add := func(i int, l scenario.Load) {
		w := &b.w.Workloads[i]
		w.Loads = append(w.Loads, model.Load{Load: l, Text: loadText(&l)})
		e.Levels = append(e.Levels, uint16(len(w.Loads)-1))
	}
	if e.Event.Load != nil {
		l := *e.Event.Load
		b.phases(&l, e.Path+".load")
		if e.Workload == nil {
			i := b.named(l.Workload, e.Path+".load.workload")
			if i < 0 {
				return
			}
			e.Works = []int{i}
		}
		add(e.Works[0], l)
		return
	}
	if e.Range == nil || len(e.Works) != 1 {
		b.fail(b.w.ScenarioSource, e.Path, "a load event names a load, or a workload and a range")
		return
	}
	name := e.Range.Resource
	if name == "" {
		name = corev1.ResourceCPU
	}
	for _, v := range b.totals(e.Works[0], name, e.Range.Min.MilliValue(), e.Range.Max.MilliValue()) {
		add(e.Works[0], scenario.Load{Total: corev1.ResourceList{name: *resource.NewMilliQuantity(v, resource.DecimalSI)}})
	}
}

// totals are the loads in all, between low and high (milli units), that a load
// event may set: those at which the answer of an autoscaler, in any of its
// revisions, changes, one below and above, and the two ends.
func (b *builder) totals(i int, name corev1.ResourceName, low, high int64) []int64 {
	out := []int64{low}
	for h := range b.w.HPAs {
		for _, rev := range b.w.HPAs[h].Revisions {
			if rev.Work != i || h != b.w.Workloads[i].HPA && !b.w.HPAs[h].Varies() {
				continue // of two that stay, the first one's steps have to do
			}
			all, err := hpa.LoadSteps(b.ctx, rev.HPA, hpa.Load{Resource: name, Pod: b.w.Workloads[i].Revisions[0].Pod})
			if err != nil {
				b.fail(rev.Source, "spec.metrics", "%v", err)
			}
			for _, v := range all {
				if v > low && v < high {
					out = append(out, v)
				}
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if high > low {
		out = append(out, high)
	}
	return out
}

// kube builds the real parts.
func (b *builder) kube() error {
	var policy *descheduler.Policy
	if d := b.w.Descheduler; d != nil {
		var err error
		if policy, err = descheduler.LoadPolicy(d.Value); err != nil {
			return manifest.Problems{{Location: d.Source.Mentioned(err.Error()), Message: err.Error()}}
		}
		b.w.PluginPaths, b.w.Clocked = pluginPaths(d.Value), policy.Clocked()
	}
	var err error
	if b.w.Kube, err = model.NewKube(b.w, policy, b.memo); err != nil {
		if d := b.w.Descheduler; errors.Is(err, model.ErrPolicy) {
			return manifest.Problems{{Location: d.Source.Mentioned(err.Error()), Message: err.Error()}}
		}
		if c := b.in.SchedulerConfig; c != nil {
			return manifest.Problems{{Location: c.Source.Mentioned(err.Error()), Message: err.Error()}}
		}
	}
	return err
}

// given is what a scenario says, or the default.
func given(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}
