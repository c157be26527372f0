package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/apply"
)

// applying is a Deployment's manifest that an event or applier applies.
type applying struct {
	raw    []byte
	source *manifest.Source
	path   string
	// annotation is what the apply notes as applied last.
	annotation string
	into       *model.Apply
}

// applied resolves an apply or create of a manifest.
func (b *builder) applied(e *model.EventSpec) {
	path := e.Path + ".manifest"
	if r, other := b.rewrites[path]; other {
		e.Rewrite, e.Works = r, nil
		return
	}
	d, source := b.decode(e.Manifest, path)
	if d == nil {
		return
	}
	i := b.find("Deployment", d.Namespace, d.Name) // there, or brought
	e.Works = []int{i}
	if e.Type == scenario.EventApply {
		e.Apply = b.apply(i, d, e.Manifest, source, path)
		return
	}
	twice := slices.ContainsFunc(b.w.Events, func(o model.EventSpec) bool { return o.Type == scenario.EventCreate && slices.Contains(o.Works, i) })
	if !b.w.Workloads[i].Absent || twice {
		b.fail(b.w.ScenarioSource, path, "Deployment %s/%s is in the input already", d.Namespace, d.Name)
		return
	}
	e.Apply = &model.Apply{First: b.revision(i, &d.Spec.Template, source), FirstReplicas: *d.Spec.Replicas}
}

func (b *builder) appliers() {
	for k := range b.w.Scenario.Appliers {
		a := &b.w.Scenario.Appliers[k]
		path := fmt.Sprintf("spec.appliers[%d]", k)
		spec := model.ApplierSpec{Name: a.Name, Work: -1, Source: b.w.ScenarioSource, Path: path}
		if spec.Name == "" {
			spec.Name = "applier"
		}
		r, other := b.rewrites[path+".manifest"]
		if spec.Rewrite = r; !other {
			d, source := b.decode(a.Manifest, path+".manifest")
			if d == nil {
				continue
			}
			if spec.Work = b.find("Deployment", d.Namespace, d.Name); spec.Work < 0 {
				b.fail(b.w.ScenarioSource, path+".manifest", "no Deployment %s/%s in the input", d.Namespace, d.Name)
				continue
			}
			spec.Apply = b.apply(spec.Work, d, a.Manifest, source, path+".manifest")
		}
		b.w.Appliers = append(b.w.Appliers, spec)
	}
}

// apply notes an apply of Deployment i, which foresee completes; what it makes of
// the Deployment as given is known at once.
func (b *builder) apply(i int, d *appsv1.Deployment, raw []byte, source *manifest.Source, path string) *model.Apply {
	out := &model.Apply{Rev: map[model.Found]uint8{}}
	w := applying{raw: raw, source: source, path: path, into: out}
	m, err := b.merge(i, 0, b.w.Workloads[i].Deployment.Annotations[corev1.LastAppliedConfigAnnotation], &w)
	if err != nil {
		b.fail(b.w.ScenarioSource, path, "%v", err)
		return out
	}
	w.annotation = m.annotation
	if b.w.Workloads[i].Absent || b.deletes(i) {
		out.First, out.FirstReplicas = b.revision(i, &d.Spec.Template, source), *d.Spec.Replicas
	}
	if !b.w.Workloads[i].Absent {
		b.revision(i, m.template, source)
	}
	b.applies[i] = append(b.applies[i], w)
	return out
}

// merging is what an apply leaves.
type merging struct {
	template   *corev1.PodTemplateSpec
	replicas   func(int32) int32
	annotation string
	// changed are fields that a Deployment has for the whole check and the apply
	// would change.
	changed []string
}

// merge is a client-side apply to Deployment i with a revision of its template and
// with what was applied last.
func (b *builder) merge(i int, rev uint8, last string, w *applying) (*merging, error) {
	spec := &b.w.Workloads[i]
	current := spec.Deployment.DeepCopy()
	current.APIVersion, current.Kind = appsv1.SchemeGroupVersion.String(), "Deployment"
	current.Spec.Template = *spec.Revisions[rev].Set.Spec.Template.DeepCopy()
	delete(current.Spec.Template.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	delete(current.Annotations, corev1.LastAppliedConfigAnnotation)
	if last != "" {
		if current.Annotations == nil {
			current.Annotations = map[string]string{}
		}
		current.Annotations[corev1.LastAppliedConfigAnnotation] = last
	}
	out := &merging{}
	var err error
	if out.replicas, err = apply.Replicas(current, w.raw); err != nil {
		return nil, err
	}
	before, err := json.Marshal(current)
	if err != nil {
		return nil, err
	}
	after, err := apply.ThreeWay(before, []byte(last), w.raw, &appsv1.Deployment{})
	if err != nil {
		return nil, err
	}
	next := &appsv1.Deployment{}
	if err := json.Unmarshal(after, next); err != nil {
		return nil, err
	}
	out.template, out.annotation = &next.Spec.Template, next.Annotations[corev1.LastAppliedConfigAnnotation]
	for _, f := range []struct {
		name string
		same bool
	}{
		{"strategy", equality.Semantic.DeepEqual(current.Spec.Strategy, next.Spec.Strategy)},
		{"minReadySeconds", current.Spec.MinReadySeconds == next.Spec.MinReadySeconds},
		{"paused", current.Spec.Paused == next.Spec.Paused},
	} {
		if !f.same {
			out.changed = append(out.changed, f.name)
		}
	}
	return out, nil
}

// foresee completes the applies: what each leaves of everything that it can find.
func (b *builder) foresee() {
	for i := range b.w.Workloads {
		b.w.Workloads[i].New = uint8(len(b.w.Workloads[i].Revisions) - 1)
	}
	for _, i := range slices.Sorted(maps.Keys(b.applies)) {
		f := &foresight{builder: b, work: i, writes: b.applies[i], merged: map[asked]*merging{}}
		f.explore()
		if len(b.problems) == 0 {
			f.fill()
		}
	}
}

// foresight follows the applies of one Deployment. What was applied last is 0 for
// the annotation as given and 1 + the index of a write else.
type foresight struct {
	*builder
	work   int
	writes []applying
	merged map[asked]*merging
	// found are the pairs that an apply may find, in the order of their discovery.
	found []model.Found
}

type asked struct {
	found model.Found
	write int
}

// revisionsMax is how many templates of one Deployment are told apart.
const revisionsMax = 100

// explore finds what applies, rollouts and rollbacks lead to.
func (f *foresight) explore() {
	spec := &f.w.Workloads[f.work]
	if !spec.Absent {
		f.add(model.Found{})
		if spec.GivenBefore > 0 && f.rolledBack(spec) {
			f.add(model.Found{Rev: spec.GivenBefore})
		}
	}
	for k := range f.writes {
		if spec.Absent || f.deletes(f.work) {
			f.add(model.Found{Applied: uint8(k + 1), Rev: f.writes[k].into.First})
		}
	}
	f.created()
	for at := 0; at < len(f.found); at++ {
		for k := range f.writes {
			m := f.ask(f.found[at], k)
			if m == nil {
				return
			}
			for _, field := range m.changed {
				f.refuse(k, "spec."+field)
			}
			rev := f.revision(f.work, m.template, f.writes[k].source)
			f.writes[k].into.Rev[f.found[at]] = rev
			f.add(model.Found{Applied: uint8(k + 1), Rev: rev})
		}
		f.others(f.found[at])
		if len(spec.Revisions) > revisionsMax {
			f.fail(f.w.ScenarioSource, f.writes[0].path, "the orders of events leave more than %d different pod templates of %s: use fewer manifests", revisionsMax, spec.Object())
		}
		if len(f.problems) > 0 {
			return
		}
	}
}

func (f *foresight) add(found model.Found) {
	if !slices.Contains(f.found, found) {
		f.found = append(f.found, found)
	}
}

// refuse says once that a write changes a field that it may not.
func (f *foresight) refuse(k int, field string) {
	at := f.w.ScenarioSource.Position(f.writes[k].path + "." + field)
	if !slices.ContainsFunc(f.problems, func(p manifest.Problem) bool { return p.Location == at }) {
		f.fail(f.w.ScenarioSource, f.writes[k].path+"."+field, "an apply that changes %s is not modelled", field)
	}
}

// created adds what creates make.
func (f *foresight) created() {
	for k := range f.w.Events {
		if e := &f.w.Events[k]; e.Type == scenario.EventCreate && e.Apply != nil && slices.Contains(e.Works, f.work) {
			f.add(model.Found{Rev: e.Apply.First})
		}
	}
	for _, c := range f.creates {
		if c.Work == f.work {
			f.add(model.Found{Rev: c.Rev})
		}
	}
}

// others adds where rollouts, rollbacks and patches lead from what is found: they
// leave what was applied last.
func (f *foresight) others(from model.Found) {
	for _, p := range f.patches {
		if result := p.Results[f.work]; result != nil {
			if f.patched(p, f.work, from.Rev); len(f.problems) > 0 {
				return
			}
			f.add(model.Found{Applied: from.Applied, Rev: result.Rev[from.Rev]})
		}
	}
	for k := range f.w.Events {
		e := &f.w.Events[k]
		index := slices.Index(e.Works, f.work)
		if index < 0 {
			continue
		}
		switch e.Type {
		case scenario.EventRollout:
			if e.Rev[index] == from.Rev {
				f.add(model.Found{Applied: from.Applied})
			} else {
				f.add(model.Found{Applied: from.Applied, Rev: e.Rev[index]})
			}
		case scenario.EventRollback: // to any that was there before
			for _, other := range slices.Clone(f.found) {
				f.add(model.Found{Applied: from.Applied, Rev: other.Rev})
				f.add(model.Found{Applied: other.Applied, Rev: from.Rev})
			}
		}
	}
}

// ask merges once; nil is a problem, which is noted.
func (f *foresight) ask(found model.Found, k int) *merging {
	if m, known := f.merged[asked{found, k}]; known {
		return m
	}
	last := f.w.Workloads[f.work].Deployment.Annotations[corev1.LastAppliedConfigAnnotation]
	if found.Applied > 0 {
		last = f.writes[found.Applied-1].annotation
	}
	m, err := f.merge(f.work, found.Rev, last, &f.writes[k])
	if err != nil {
		f.fail(f.w.ScenarioSource, f.writes[k].path, "%v", err)
		return nil
	}
	f.merged[asked{found, k}] = m
	return m
}

// fill writes what was found into the applies. What was applied last is told
// apart only where some apply makes something else of it.
func (f *foresight) fill() {
	class := f.classes()
	for k := range f.writes {
		a := f.writes[k].into
		a.After = class[k+1]
		rev := map[model.Found]uint8{}
		for found, to := range a.Rev {
			rev[model.Found{Applied: class[found.Applied], Rev: found.Rev}] = to
		}
		a.Rev = rev
		a.Replicas = make([]func(int32) int32, len(class))
		for _, found := range f.found {
			if m := f.merged[asked{found, k}]; m != nil && a.Replicas[class[found.Applied]] == nil {
				a.Replicas[class[found.Applied]] = m.replicas
			}
		}
	}
}

// classes gives, for each of what may have been applied last, the first that
// every apply treats alike.
func (f *foresight) classes() []uint8 {
	revs := map[uint8]bool{}
	for _, found := range f.found {
		revs[found.Rev] = true
	}
	var signatures []string
	out := make([]uint8, len(f.writes)+1)
	for applied := range out {
		signature := ""
		for _, rev := range slices.Sorted(maps.Keys(revs)) {
			for k := range f.writes {
				m := f.ask(model.Found{Applied: uint8(applied), Rev: rev}, k)
				if m == nil {
					return out // a problem, so that nothing is checked
				}
				template, err := json.Marshal(m.template)
				if err != nil {
					f.fail(f.w.ScenarioSource, f.writes[k].path, "%v", err)
					return out
				}
				signature += fmt.Sprintln(string(template), m.replicas(0), m.replicas(1))
			}
		}
		signatures = append(signatures, signature)
		out[applied] = uint8(slices.Index(signatures, signature))
	}
	return out
}
