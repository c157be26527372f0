package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

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
	e.Apply = &model.Apply{First: b.form(i, d, source), FirstReplicas: *d.Spec.Replicas}
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
	out := &model.Apply{Leaves: map[model.Found]model.Form{}}
	w := applying{raw: raw, source: source, path: path, into: out}
	m, err := b.merge(i, model.Form{}, b.w.Workloads[i].Deployment.Annotations[corev1.LastAppliedConfigAnnotation], &w)
	if err != nil {
		b.fail(b.w.ScenarioSource, path, "%v", err)
		return out
	}
	w.annotation = m.annotation
	if b.w.Workloads[i].Absent || b.deletes(i) {
		b.unchanged(b.w.Workloads[i].Deployment, d, path, "a manifest that creates it")
		out.First, out.FirstReplicas = b.form(i, d, source), *d.Spec.Replicas
	}
	if !b.w.Workloads[i].Absent {
		b.revision(i, &m.next.Spec.Template, source)
	}
	b.applies[i] = append(b.applies[i], w)
	return out
}

// merging is what an apply leaves.
type merging struct {
	current, next *appsv1.Deployment
	replicas      func(int32) int32
	annotation    string
}

// merge is a client-side apply to Deployment i in a form and with what was applied
// last. What the API server says of the result is for accepted.
func (b *builder) merge(i int, form model.Form, last string, w *applying) (*merging, error) {
	current := b.formed(i, form)
	delete(current.Annotations, corev1.LastAppliedConfigAnnotation)
	if last != "" {
		if current.Annotations == nil {
			current.Annotations = map[string]string{}
		}
		current.Annotations[corev1.LastAppliedConfigAnnotation] = last
	}
	out := &merging{current: current, next: &appsv1.Deployment{}}
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
	if err := json.Unmarshal(after, out.next); err != nil {
		return nil, err
	}
	out.annotation = out.next.Annotations[corev1.LastAppliedConfigAnnotation]
	return out, nil
}

// accepted tells whether the API server takes what an apply leaves; what it says
// against it is added to the problems.
func (b *builder) accepted(m *merging, w *applying) bool {
	err := b.in.Update(m.current, m.next, w.path)
	problems, ok := manifest.AsProblems(err)
	if !ok && err != nil {
		problems = manifest.Problems{{Location: b.w.ScenarioSource.Position(w.path), Message: err.Error()}}
	}
	for _, p := range problems {
		p.Message = "applied to what is there: " + p.Message
		b.problems = append(b.problems, p)
	}
	return err == nil
}

// foresee completes the applies: what each leaves of everything that it can find.
func (b *builder) foresee() {
	for i := range b.w.Workloads {
		b.w.Workloads[i].New = uint8(len(b.w.Workloads[i].Revisions) - 1)
	}
	for _, i := range slices.Sorted(maps.Keys(b.applies)) {
		f := &foresight{builder: b, work: i, writes: b.applies[i], known: map[model.Found]bool{}, merged: map[asked]*merging{}, left: map[asked]uint8{}}
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
	// merged are the merges that were made, left the revision or settings that each
	// leaves.
	merged map[asked]*merging
	left   map[asked]uint8
	// found is what an apply may find, in the order of discovery; known has the same.
	found []model.Found
	known map[model.Found]bool
}

// asked is half of what a write finds: a revision or settings. What it makes of one
// does not depend on the other.
type asked struct {
	settings       bool
	applied, index uint8
	write          int
}

func halves(found model.Found, k int) [2]asked {
	return [2]asked{{false, found.Applied, found.Rev, k}, {true, found.Applied, found.Settings, k}}
}

// revisionsMax is how many templates of one Deployment are told apart.
const revisionsMax = 100

// explore finds what applies, rollouts and rollbacks lead to.
func (f *foresight) explore() {
	spec := &f.w.Workloads[f.work]
	if !spec.Absent {
		f.add(model.Found{})
		if spec.GivenBefore > 0 && f.rolledBack(spec) {
			f.add(model.Found{Form: model.Form{Rev: spec.GivenBefore}})
		}
	}
	for k := range f.writes {
		if spec.Absent || f.deletes(f.work) {
			f.add(model.Found{Applied: uint8(k + 1), Form: f.writes[k].into.First})
		}
	}
	f.created()
	for at := 0; at < len(f.found); at++ {
		for k := range f.writes {
			form, ok := f.leaves(f.found[at], k)
			if !ok {
				return
			}
			f.writes[k].into.Leaves[f.found[at]] = form
			f.add(model.Found{Applied: uint8(k + 1), Form: form})
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
	if !f.known[found] {
		f.known[found] = true
		f.found = append(f.found, found)
	}
}

// created adds what creates make.
func (f *foresight) created() {
	for k := range f.w.Events {
		if e := &f.w.Events[k]; e.Type == scenario.EventCreate && e.Apply != nil && slices.Contains(e.Works, f.work) {
			f.add(model.Found{Form: e.Apply.First})
		}
	}
	for _, c := range f.creates {
		if c.Work == f.work {
			f.add(model.Found{Form: c.Form})
		}
	}
}

// others adds where rollouts, rollbacks and patches lead from what is found: they
// leave what was applied last.
func (f *foresight) others(from model.Found) {
	for _, p := range f.patches {
		if result := p.Results[f.work]; result != nil {
			if f.patched(p, f.work, from.Form); len(f.problems) > 0 {
				return
			}
			f.add(model.Found{Applied: from.Applied, Form: model.Form{Rev: result.Rev[from.Rev], Settings: result.Settings[from.Settings]}})
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
			to := from
			if to.Rev = e.Rev[index]; to == from {
				to.Rev = 0
			}
			f.add(to)
		case scenario.EventRollback: // to any that was there before
			for _, other := range slices.Clone(f.found) {
				mine, its := from, other
				mine.Rev, its.Rev = other.Rev, from.Rev
				f.add(mine)
				f.add(its)
			}
		}
	}
}

// leaves is what a write leaves of what it finds; false is a problem, which is
// noted.
func (f *foresight) leaves(found model.Found, k int) (model.Form, bool) {
	h, w := halves(found, k), &f.writes[k]
	rev, template := f.left[h[0]]
	settings, others := f.left[h[1]]
	if template && others {
		return model.Form{Rev: rev, Settings: settings}, true
	}
	m := f.merge(found, k)
	if m == nil || !f.accepted(m, w) {
		return model.Form{}, false
	}
	out := model.Form{
		Rev:      f.revision(f.work, &m.next.Spec.Template, w.source),
		Settings: f.settings(f.work, m.next, w.source, f.w.Workloads[f.work].Settings[found.Settings].Written),
	}
	f.left[h[0]], f.left[h[1]] = out.Rev, out.Settings
	return out, true
}

// merge is the merge of a write with what it finds; nil is a problem, which is
// noted.
func (f *foresight) merge(found model.Found, k int) *merging {
	last := f.w.Workloads[f.work].Deployment.Annotations[corev1.LastAppliedConfigAnnotation]
	if found.Applied > 0 {
		last = f.writes[found.Applied-1].annotation
	}
	m, err := f.builder.merge(f.work, found.Form, last, &f.writes[k])
	if err != nil {
		f.fail(f.w.ScenarioSource, f.writes[k].path, "%v", err)
		return nil
	}
	for _, h := range halves(found, k) {
		if f.merged[h] == nil {
			f.merged[h] = m
		}
	}
	return m
}

// fill writes what was found into the applies. What was applied last is told
// apart only where some apply makes something else of it.
func (f *foresight) fill() {
	class := f.classes()
	for k := range f.writes {
		a := f.writes[k].into
		a.After = class[k+1]
		leaves := map[model.Found]model.Form{}
		for found, to := range a.Leaves {
			found.Applied = class[found.Applied]
			leaves[found] = to
		}
		a.Leaves = leaves
		a.Replicas = make([]func(int32) int32, len(class))
		for _, found := range f.found {
			if m := f.merged[halves(found, k)[0]]; m != nil && a.Replicas[class[found.Applied]] == nil {
				a.Replicas[class[found.Applied]] = m.replicas
			}
		}
	}
}

// classes gives, for each of what may have been applied last, the first that
// every apply treats alike.
func (f *foresight) classes() []uint8 {
	var revs, settings []model.Form
	for _, found := range f.found {
		if rev := (model.Form{Rev: found.Rev}); !slices.Contains(revs, rev) {
			revs = append(revs, rev)
		}
		if s := (model.Form{Settings: found.Settings}); !slices.Contains(settings, s) {
			settings = append(settings, s)
		}
	}
	var signatures []string
	out := make([]uint8, len(f.writes)+1)
	for applied := range out {
		signature := f.signature(uint8(applied), 0, revs, func(d *appsv1.Deployment) any { return d.Spec.Template }) +
			f.signature(uint8(applied), 1, settings, func(d *appsv1.Deployment) any { return model.SettingsOf(d) })
		if len(f.problems) > 0 {
			return out // so that nothing is checked
		}
		signatures = append(signatures, signature)
		out[applied] = uint8(slices.Index(signatures, signature))
	}
	return out
}

// signature says what every write makes of one half of some forms and of the
// replicas, where one manifest was applied last.
func (f *foresight) signature(applied uint8, half int, forms []model.Form, of func(*appsv1.Deployment) any) string {
	out := ""
	for _, form := range forms {
		for k := range f.writes {
			found := model.Found{Applied: applied, Form: form}
			m := f.merged[halves(found, k)[half]]
			if m == nil {
				m = f.merge(found, k)
			}
			if m == nil {
				return ""
			}
			left, err := json.Marshal(of(m.next))
			if err != nil {
				f.fail(f.w.ScenarioSource, f.writes[k].path, "%v", err)
			}
			out += fmt.Sprintln(string(left), m.replicas(0), m.replicas(1))
		}
	}
	return out
}
