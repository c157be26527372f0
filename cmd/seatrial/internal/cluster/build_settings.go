package cluster

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// settingsMax is how many settings of one Deployment are told apart.
const settingsMax = 100

// settings adds those of d, whose lines source has, to Deployment i, or finds the
// equal ones. Base is what d was made of; nil for an object that is given or
// created.
func (b *builder) settings(i int, d *appsv1.Deployment, source *manifest.Source, base *model.Written) uint8 {
	spec := &b.w.Workloads[i]
	next := model.SettingsOf(d)
	if at := slices.IndexFunc(spec.Settings, func(s model.Settings) bool { return equality.Semantic.DeepEqual(s.Deployment, next) }); at >= 0 {
		return uint8(at)
	}
	if len(spec.Settings) == settingsMax {
		b.fail(source, "spec", "the orders of events leave more than %d different settings of %s: use fewer manifests", settingsMax, spec.Object())
		return 0
	}
	spec.Settings = append(spec.Settings, model.Settings{
		Written: &model.Written{Object: next, Source: source, Base: base}, Deployment: next,
	})
	return uint8(len(spec.Settings) - 1)
}

// form is what a manifest makes of Deployment i where there is none.
func (b *builder) form(i int, d *appsv1.Deployment, source *manifest.Source) model.Form {
	return model.Form{Rev: b.revision(i, &d.Spec.Template, source), Settings: b.settings(i, d, source, nil)}
}

// formed is Deployment i as it was given, but for its form.
func (b *builder) formed(i int, form model.Form) *appsv1.Deployment {
	spec := &b.w.Workloads[i]
	d := spec.Deployment.DeepCopy()
	d.APIVersion, d.Kind = appsv1.SchemeGroupVersion.String(), "Deployment"
	spec.Settings[form.Settings].Onto(d)
	d.Spec.Template = *spec.Revisions[form.Rev].Set.Spec.Template.DeepCopy()
	delete(d.Spec.Template.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return d
}

// waits gathers the values that the minReadySeconds of each workload and its
// ReplicaSets may have. Given pods that are Ready have been so for any of them.
func (b *builder) waits() {
	if len(b.problems) > 0 {
		return // not all that was begun is there
	}
	for i := range b.w.Workloads {
		spec := &b.w.Workloads[i]
		all := []int32{spec.Deployment.Spec.MinReadySeconds}
		for _, s := range spec.Settings {
			all = append(all, s.Deployment.Spec.MinReadySeconds)
		}
		for r := range spec.GivenSets {
			all = append(all, spec.Revisions[r].Set.Spec.MinReadySeconds)
		}
		slices.Sort(all)
		spec.Waits = slices.Compact(all)
		if len(spec.Waits) > model.SpanMax {
			b.fail(spec.Source, "spec.minReadySeconds", "minReadySeconds of %s and its ReplicaSets may have more than %d different values, which is too many to check",
				spec.Object(), model.SpanMax)
			return
		}
		for g := range spec.Given {
			p := &spec.Given[g].Pod
			p.ReadyFor = min(p.ReadyFor, model.Span(len(spec.Waits)))
		}
	}
}
