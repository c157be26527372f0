package input

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	campaignschema "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// manifests are everything that was named, as it stands in files.
type manifests struct{ crds, setup, seed, examples []experiment.Placed }

// manifests reads what the file and the flags name. The CRDs and the seed of flags take the place
// of the file's.
func (l *loader) manifests(f Flags) manifests {
	d := &l.file
	if len(f.CRDs) > 0 {
		d.CRDs = experiment.Manifests{}
	}
	var seed []string
	if f.Seed != "" {
		d.Seed, seed = experiment.Manifests{}, []string{f.Seed}
	}
	m := manifests{
		crds: l.read("crds", d.CRDs, f.CRDs), setup: l.read("setup", d.Setup, f.Setup),
		seed: l.read("seed", d.Seed, seed), examples: l.read("examples", d.Examples, f.Examples),
	}
	if len(m.seed) == 0 && len(l.others) == 0 && l.Count() == 0 {
		l.plain(fmt.Errorf("%s: there is no seed: give the custom resource that the campaign begins with, with --seed cr.yaml", l.File))
	}
	return m
}

// defined is a CRD that was given.
type defined struct {
	crd    *apiextensionsv1.CustomResourceDefinition
	placed experiment.Placed
	// own: it is one of those that were given as the operator's.
	own bool
}

// objects finds the seed, and sorts everything else.
func (l *loader) objects(in *Input, m manifests) {
	var definitions []defined
	var setup []experiment.Placed
	for i, p := range slices.Concat(m.crds, m.setup) {
		if isCRD(p.Object) {
			crd, err := campaignschema.Decode(p.Object)
			if err == nil {
				err = campaignschema.Validate(crd)
			}
			if invalid := (*campaignschema.InvalidError)(nil); errors.As(err, &invalid) {
				p.Line = lineIn(p, invalid.Field)
			}
			if err != nil {
				l.at(p, "%v", err)
				continue
			}
			definitions = append(definitions, defined{crd, p, i < len(m.crds)})
		}
		setup = append(setup, p)
	}
	if len(l.others) > 0 {
		return
	}
	if len(m.crds) > 0 && !slices.ContainsFunc(definitions, func(d defined) bool { return d.own }) {
		l.at(m.crds[0], "there is no CustomResourceDefinition in what was given as such: a %s", m.crds[0].Object.Text("kind"))
		return
	}
	seed := l.seed(definitions, m.seed)
	if seed == nil {
		return
	}
	in.Seed, in.SeedPlace = history.Object(seed.Object), fmt.Sprintf("%s:%d", seed.File, seed.Line)
	for _, p := range m.seed {
		if p.Line != seed.Line || p.File != seed.File || !same(p.Object, seed.Object) {
			setup = append(setup, p)
		}
	}
	for _, p := range m.examples {
		switch {
		case kindOf(p.Object).GroupKind() == kindOf(in.Seed).GroupKind():
			in.Examples = append(in.Examples, p.Object)
		case !isCRD(p.Object):
			setup = append(setup, p)
		}
	}
	if len(m.examples) > 0 && len(in.Examples) == 0 {
		l.at(m.examples[0], "there is no %s, which is the seed's kind, among the examples", kindOf(in.Seed).Kind)
	}
	for _, d := range definitions {
		if of(d.crd, in.Seed) {
			l.define(in, d.crd, *seed)
			break
		}
	}
	for _, p := range setup {
		if !builtIn(p.Object) && !slices.ContainsFunc(definitions, func(d defined) bool { return of(d.crd, p.Object) }) {
			gvk := kindOf(p.Object)
			l.at(p, "the %s %s is there before the operator, and nothing says what a %s of %s is: give its CustomResourceDefinition with --setup", gvk.Kind, p.Object.Text("metadata", "name"), gvk.Kind, gvk.GroupVersion())
		}
	}
	l.setup(in, setup)
}

// same tells whether two objects of a file are one.
func same(a, b history.Object) bool {
	return kindOf(a) == kindOf(b) && a.Text("metadata", "name") == b.Text("metadata", "name") && a.Text("metadata", "namespace") == b.Text("metadata", "namespace")
}

// seed is the custom resource among objects: the one of a CRD that was given, or of no kind that
// Kubernetes has. Beside an error it is nil.
func (l *loader) seed(definitions []defined, objects []experiment.Placed) *experiment.Placed {
	var own, known, custom []experiment.Placed
	for _, p := range objects {
		i := slices.IndexFunc(definitions, func(d defined) bool { return of(d.crd, p.Object) })
		switch {
		case i >= 0 && definitions[i].own:
			own = append(own, p)
		case i >= 0:
			known = append(known, p)
		case !builtIn(p.Object):
			custom = append(custom, p)
		}
	}
	candidates := own
	if len(own) == 0 {
		candidates = slices.Concat(known, custom)
	}
	switch {
	case len(candidates) == 0:
		l.at(objects[0], "there is no custom resource in it, and the seed is one: there is %s", names(objects))
		return nil
	case len(candidates) > 1:
		l.at(candidates[1], "there are %d custom resources, and the seed is one: %s. Move to --setup what is only to be there, and to --example what is only to be tried", len(candidates), names(candidates))
		return nil
	}
	p := candidates[0]
	gvk := kindOf(p.Object)
	if len(custom) > 0 && len(own) == 0 && len(definitions) > 0 {
		var all []string
		for _, d := range definitions {
			all = append(all, d.crd.Name)
		}
		l.at(p, "the seed is a %s of %s, and no CustomResourceDefinition of it is among those that were given: %s", gvk.Kind, gvk.GroupVersion(), strings.Join(all, ", "))
		return nil
	}
	if p.Object.Text("metadata", "name") == "" {
		l.at(p, "the seed has no metadata.name: it needs one, so that it can be changed")
		return nil
	}
	return &p
}

// names are those of objects, for people.
func names(objects []experiment.Placed) string {
	const most = 5
	var all []string
	for i, p := range objects {
		if i == most {
			return strings.Join(append(all, fmt.Sprintf("and %d more", len(objects)-most)), ", ")
		}
		all = append(all, strings.TrimSpace(p.Object.Text("kind")+" "+p.Object.Text("metadata", "name")))
	}
	return strings.Join(all, ", ")
}

func isCRD(o history.Object) bool {
	return o.Text("kind") == "CustomResourceDefinition" && strings.HasPrefix(o.Text("apiVersion"), "apiextensions.k8s.io/")
}

func kindOf(o history.Object) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(o.Text("apiVersion"), o.Text("kind"))
}

// of tells whether an object is of a CRD, of whatever version.
func of(crd *apiextensionsv1.CustomResourceDefinition, o history.Object) bool {
	gvk := kindOf(o)
	return crd.Spec.Group == gvk.Group && crd.Spec.Names.Kind == gvk.Kind
}

// builtIn tells whether a kind is of a group that Kubernetes has itself.
func builtIn(o history.Object) bool {
	group := kindOf(o).Group
	return scheme.Scheme.IsGroupRegistered(group) || group == "apiextensions.k8s.io" || group == "apiregistration.k8s.io"
}

// Busy tells whether the operator may have something to do before the seed is there: with custom resources of Setup.
func (i *Input) Busy() bool {
	return slices.ContainsFunc(i.Setup.Objects, func(o history.Object) bool { return !builtIn(o) })
}

// usualClass is where volumes come from that say nothing of it, as in every cluster that people use.
const (
	usualClass       = "standard"
	usualProvisioner = "seatrial.example/volumes"
)

// Given is Setup without what only planes need, since clusters have something of the kind.
func (i *Input) Given() []history.Object {
	return slices.DeleteFunc(slices.Clone(i.Setup.Objects), func(o history.Object) bool { return o.Text("provisioner") == usualProvisioner })
}

// setup is what is there before, with the namespaces that anything is in, and a StorageClass if
// none was given.
func (l *loader) setup(in *Input, placed []experiment.Placed) {
	classes := 0
	there := map[string]bool{"default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true}
	wanted := []string{in.Seed.Text("metadata", "namespace")}
	for _, p := range placed {
		in.Setup.Include(p)
		if kindOf(p.Object).String() == "/v1, Kind=Namespace" {
			there[p.Object.Text("metadata", "name")] = true
		}
		if kindOf(p.Object).GroupKind().String() == "StorageClass.storage.k8s.io" {
			classes++
		}
		wanted = append(wanted, p.Object.Text("metadata", "namespace"))
	}
	if namespace, _, ok := strings.Cut(in.Controller.ServiceAccount, "/"); ok {
		wanted = append(wanted, namespace)
	}
	for _, o := range in.Examples {
		wanted = append(wanted, o.Text("metadata", "namespace"))
	}
	slices.SortFunc(wanted, cmp.Compare)
	for _, name := range slices.Compact(wanted) {
		if name != "" && !there[name] {
			in.Setup.Objects = append(in.Setup.Objects, history.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
		}
	}
	if classes == 0 {
		in.Setup.Objects = append(in.Setup.Objects, history.Object{
			"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
			"metadata":    map[string]any{"name": usualClass, "annotations": map[string]any{"storageclass.kubernetes.io/is-default-class": "true"}},
			"provisioner": usualProvisioner, "allowVolumeExpansion": true,
		})
	}
}
