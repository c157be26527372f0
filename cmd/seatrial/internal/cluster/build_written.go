package cluster

import (
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/apply"
)

// write is a manifest of an event, applier or rule that is no Deployment.
type write struct {
	raw    []byte
	object runtime.Object
	source *manifest.Source
	path   string
	// create: what is there already stays.
	create bool
	// patch: raw is one of object, as it was given; merge is its type.
	patch, merge bool
}

// written adds the autoscalers and budgets of the input and those that events and
// appliers bring, each with all versions that they may leave.
func (b *builder) written() {
	byObject := map[string][]write{}
	var order []string
	writes := b.writes()
	for _, w := range append(writes, b.writesByRules(writes)...) {
		id := objectID(w.object)
		if len(byObject[id]) == 0 {
			order = append(order, id)
		}
		byObject[id] = append(byObject[id], w)
	}
	for i := range b.in.Autoscalers {
		o := &b.in.Autoscalers[i]
		b.autoscaler(&model.Written{Object: o.Value, Source: o.Source}, byObject[objectID(o.Value)])
		delete(byObject, objectID(o.Value))
	}
	for i := range b.in.DisruptionBudgets {
		o := &b.in.DisruptionBudgets[i]
		b.budget(&model.Written{Object: o.Value, Source: o.Source}, byObject[objectID(o.Value)])
		delete(byObject, objectID(o.Value))
	}
	for _, id := range order {
		writes := byObject[id]
		if len(writes) == 0 {
			continue
		}
		switch writes[0].object.(type) {
		case *autoscalingv2.HorizontalPodAutoscaler:
			b.autoscaler(nil, writes)
		case *policyv1.PodDisruptionBudget:
			b.budget(nil, writes)
		}
	}
}

// objectID tells objects of the two kinds apart.
func objectID(o runtime.Object) string {
	m, err := meta.Accessor(o)
	if err != nil {
		return fmt.Sprintf("%T", o)
	}
	return fmt.Sprintf("%T %s/%s", o, m.GetNamespace(), m.GetName())
}

// writes are the manifests of autoscalers and budgets, events before appliers.
// What is wrong with others is said where they are resolved.
func (b *builder) writes() []write {
	var out []write
	add := func(raw []byte, path string, create bool) {
		o, source, err := b.in.Decode(raw, path)
		if err != nil {
			return
		}
		switch o.(type) {
		case *autoscalingv2.HorizontalPodAutoscaler, *policyv1.PodDisruptionBudget:
			out = append(out, write{raw: raw, object: o, source: source, path: path, create: create})
			b.rewrites[path] = nil
		}
	}
	for k, e := range b.w.Scenario.Events {
		if !b.dropped[k] && (e.Type == scenario.EventApply || e.Type == scenario.EventCreate) {
			add(e.Manifest, fmt.Sprintf("spec.events[%d].manifest", k), e.Type == scenario.EventCreate)
		}
	}
	for k, a := range b.w.Scenario.Appliers {
		add(a.Manifest, fmt.Sprintf("spec.appliers[%d].manifest", k), false)
	}
	return out
}

// autoscaler adds one autoscaler; given is nil for one that is brought.
func (b *builder) autoscaler(given *model.Written, writes []write) {
	h := b.history(given, writes)
	if h == nil {
		return
	}
	spec := model.HPASpec{Absent: given == nil, Deleted: b.deletesObject(h.versions[0].Object)}
	index := len(b.w.HPAs)
	for _, v := range h.versions {
		o := v.Object.(*autoscalingv2.HorizontalPodAutoscaler)
		spec.Revisions = append(spec.Revisions, model.HPARevision{Written: v, HPA: o, Work: b.target(o, index)})
	}
	b.w.HPAs = append(b.w.HPAs, spec)
	for i, w := range writes {
		b.rewritten(&w, &model.Rewrite{HPA: index, PDB: -1, Next: h.next[i], First: h.first[i], Source: w.source})
	}
}

// target finds what an autoscaler, the index-th, scales, or returns -1.
func (b *builder) target(o *autoscalingv2.HorizontalPodAutoscaler, index int) int {
	ref := o.Spec.ScaleTargetRef
	i := -1
	for k := range b.w.Workloads {
		w := &b.w.Workloads[k]
		if w.Kind != ref.Kind || w.Name != ref.Name || w.Namespace != o.Namespace {
			continue
		}
		i = k
		for g := range w.Given { // their autoscaler was not known when they were read
			w.Given[g].Pod.EverReady = w.Given[g].Pod.EverReady || w.Given[g].Pod.Ready
		}
		if w.HPA < 0 {
			w.HPA = index
		}
	}
	return i
}

// budget adds one budget; given is nil for one that is brought.
func (b *builder) budget(given *model.Written, writes []write) {
	h := b.history(given, writes)
	if h == nil {
		return
	}
	spec := model.PDBSpec{Absent: given == nil, Deleted: b.deletesObject(h.versions[0].Object)}
	if given != nil {
		o := given.Object.(*policyv1.PodDisruptionBudget)
		if selector, err := metav1.LabelSelectorAsSelector(o.Spec.Selector); err == nil {
			spec.Given = b.givenStatus(o, selector)
		}
	}
	for _, v := range h.versions {
		o := v.Object.(*policyv1.PodDisruptionBudget)
		selector := labels.Nothing()
		if o.Spec.Selector != nil {
			var err error
			if selector, err = metav1.LabelSelectorAsSelector(o.Spec.Selector); err != nil {
				b.fail(v.Source, "spec.selector", "%v", err)
				return
			}
		}
		spec.Revisions = append(spec.Revisions, model.PDBRevision{Written: v, PDB: o, Selector: selector})
	}
	index := len(b.w.PDBs)
	b.w.PDBs = append(b.w.PDBs, spec)
	for i, w := range writes {
		b.rewritten(&w, &model.Rewrite{HPA: -1, PDB: index, Next: h.next[i], First: h.first[i], Source: w.source})
	}
}

// history is what writes may make of one object, each after any others.
type history struct {
	versions []*model.Written
	// next is, by write, the version it leaves by the one that is there; first the
	// one that it makes of nothing.
	next  [][]uint8
	first []uint8
}

// versionsMax is how many versions of one object are told apart.
const versionsMax = 200

// history follows the writes from the given object, or from none, until they
// leave nothing new. An apply is merged with what is there and with what was
// applied last, so the order of the writes matters. Versions that differ in
// nothing that shows, now or after any further writes, are one. It returns nil if
// a write would be refused, which is a problem.
func (b *builder) history(given *model.Written, writes []write) *history {
	if len(writes) == 0 {
		return &history{versions: []*model.Written{given}}
	}
	var all []*model.Written
	known := map[string]int{}
	add := func(v *model.Written) int {
		id := contents(typed(v.Object))
		i, there := known[id]
		if !there {
			i = len(all)
			known[id], all = i, append(all, v)
		}
		return i
	}
	first := make([]int, len(writes))
	if given != nil {
		add(given)
	}
	if given == nil || b.deletesObject(given.Object) {
		for i := range writes {
			if writes[i].patch { // of nothing makes nothing
				continue
			}
			v := b.wrote(&writes[i], nil)
			if v == nil {
				return nil
			}
			first[i] = add(v)
		}
	}
	next := make([][]int, len(writes))
	for at := 0; at < len(all); at++ {
		for i := range writes {
			if writes[i].create {
				continue
			}
			v := b.wrote(&writes[i], all[at])
			if v == nil {
				return nil
			}
			next[i] = append(next[i], add(v))
		}
		if len(all) > versionsMax {
			b.fail(b.w.ScenarioSource, writes[0].path, "the orders of applying %s leave more than %d different objects: use fewer manifests", writes[0].source.Kind, versionsMax)
			return nil
		}
	}
	return merged(all, next, first)
}

// contents is all of an object that a merge reads.
func contents(o runtime.Object) string {
	raw, err := json.Marshal(o)
	if err != nil {
		return fmt.Sprintf("%+v", o) // an API object always has JSON
	}
	return string(raw)
}

// wrote is the object that a write leaves of base, or makes if that is nil. What
// the API server would say against it is added to the problems, and nil returned.
func (b *builder) wrote(w *write, base *model.Written) *model.Written {
	refuse := func(err error) *model.Written {
		problems, ok := manifest.AsProblems(err)
		if !ok {
			b.fail(b.w.ScenarioSource, w.path, "%v", err)
			return nil
		}
		for _, p := range problems {
			p.Message = map[bool]string{false: "applied to what is there: ", true: "after the patch: "}[w.patch] + p.Message
			b.problems = append(b.problems, p)
		}
		return nil
	}
	if base == nil && w.create {
		return &model.Written{Object: typed(w.object), Source: w.source}
	}
	if w.patch {
		o, err := b.patchObject(w, base)
		if err != nil {
			return refuse(err)
		}
		return &model.Written{Object: o, Source: w.source, Base: base}
	}
	if v := headerVersion(w.raw); v != apiVersion(w.object).String() {
		b.fail(b.w.ScenarioSource, w.path+".apiVersion", "an apply of %s is not modelled: write the manifest as %s", v, apiVersion(w.object))
		return nil
	}
	raw, last := "", ""
	if base != nil {
		raw = contents(typed(base.Object))
		m, err := meta.Accessor(base.Object)
		if err != nil {
			return refuse(err)
		}
		last = m.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	}
	merged, err := apply.ThreeWay([]byte(raw), []byte(last), w.raw, schemaOf(w.object))
	if err != nil {
		return refuse(err)
	}
	o, _, err := b.in.Decode(merged, w.path)
	if err != nil {
		return refuse(err)
	}
	return &model.Written{Object: o, Source: w.source, Base: base}
}

// headerVersion is the apiVersion that stands in a manifest.
func headerVersion(raw []byte) string {
	var h metav1.TypeMeta
	if json.Unmarshal(raw, &h) != nil {
		return "" // it was decoded before
	}
	return h.APIVersion
}

// apiVersion is the version in which the model has an object's kind.
func apiVersion(o runtime.Object) schema.GroupVersion {
	switch o.(type) {
	case *autoscalingv2.HorizontalPodAutoscaler:
		return autoscalingv2.SchemeGroupVersion
	case *policyv1.PodDisruptionBudget:
		return policyv1.SchemeGroupVersion
	}
	return appsv1.SchemeGroupVersion
}

// schemaOf is an empty object of the same type.
func schemaOf(o runtime.Object) runtime.Object {
	switch o.(type) {
	case *autoscalingv2.HorizontalPodAutoscaler:
		return &autoscalingv2.HorizontalPodAutoscaler{}
	default:
		return &policyv1.PodDisruptionBudget{}
	}
}

// typed is o with the kind and version that decoding may have dropped.
func typed(o runtime.Object) runtime.Object {
	o = o.DeepCopyObject()
	kind := "PodDisruptionBudget"
	if _, ok := o.(*autoscalingv2.HorizontalPodAutoscaler); ok {
		kind = "HorizontalPodAutoscaler"
	}
	o.GetObjectKind().SetGroupVersionKind(apiVersion(o).WithKind(kind))
	return o
}

// shows is what anybody but a later apply reads of an object.
func shows(o runtime.Object) string {
	o = o.DeepCopyObject()
	if m, err := meta.Accessor(o); err == nil {
		m.SetAnnotations(nil)
	}
	return contents(typed(o))
}

// merged makes one version of those that no further writes tell apart: the
// coarsest partition that what shows and every write respect.
func merged(all []*model.Written, next [][]int, first []int) *history {
	class := make([]int, len(all))
	count := 0
	for {
		ids := map[string]int{}
		refined := make([]int, len(all))
		for i, v := range all {
			key := fmt.Sprint(class[i], "\x00", shows(v.Object))
			for _, to := range next {
				if len(to) > 0 {
					key += fmt.Sprint("\x00", class[to[i]])
				}
			}
			if _, there := ids[key]; !there {
				ids[key] = len(ids)
			}
			refined[i] = ids[key]
		}
		class = refined
		if len(ids) == count {
			break
		}
		count = len(ids)
	}
	h := &history{next: make([][]uint8, len(next)), first: make([]uint8, len(first))}
	for c := range count {
		of := slices.Index(class, c)
		h.versions = append(h.versions, all[of])
		for i, to := range next {
			if len(to) > 0 {
				h.next[i] = append(h.next[i], uint8(class[to[of]]))
			}
		}
	}
	for i := range first {
		h.first[i] = uint8(class[first[i]])
	}
	return h
}
