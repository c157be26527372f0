package input

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	campaignschema "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
	"github.com/seatrial/seatrial/history"
)

// Define takes the seed's CustomResourceDefinition from those of a plane, on which the operator
// has been started. Errors are as those of [Load].
func (i *Input) Define(crds []history.Object) error {
	file, line := i.place()
	p := experiment.Placed{Object: i.Seed, File: file, Line: line}
	l := &loader{}
	var all []string
	for _, o := range crds {
		crd, err := campaignschema.Decode(o)
		if err != nil {
			continue // of another version than the seed's needs to be
		}
		if of(crd, i.Seed) {
			l.define(i, crd, p)
			return l.failures()
		}
		all = append(all, crd.Name)
	}
	slices.Sort(all)
	text := "none at all"
	if len(all) > 0 {
		text = strings.Join(all, ", ")
	}
	gvk := kindOf(i.Seed)
	l.at(p, "the seed is a %s of %s, and the operator has brought no CustomResourceDefinition of it (there is %s): give its CRDs with --crd", gvk.Kind, gvk.GroupVersion(), text)
	return l.failures()
}

// place is where the seed stands.
func (i *Input) place() (file string, line int) {
	at := strings.LastIndexByte(i.SeedPlace, ':')
	if at < 0 {
		return i.SeedPlace, 0
	}
	_, _ = fmt.Sscan(i.SeedPlace[at+1:], &line)
	return i.SeedPlace[:at], line
}

// define checks the seed, the examples, and what is said of properties against a CRD.
func (l *loader) define(in *Input, crd *apiextensionsv1.CustomResourceDefinition, seed experiment.Placed) {
	d, err := campaignschema.Open(crd, in.Seed.Text("apiVersion"))
	if err != nil {
		l.at(seed, "%v", err)
		return
	}
	in.Definition = crd
	if err := place(d, in.Seed); err != nil {
		l.at(seed, "%v", err)
		return
	}
	if _, has := in.Seed["spec"]; !has && d.Spec() != nil {
		l.at(seed, "the seed %s has no spec: give it one, and be it empty", in.Seed.Text("metadata", "name"))
		return
	}
	for _, why := range d.Refuses(in.Seed, nil) {
		if strings.HasSuffix(why, campaignschema.Unchecked) {
			continue // it says to mend the others
		}
		l.at(seed, "the API server would not take the seed: %s", why)
	}
	for _, path := range d.Pruned(in.Seed) {
		l.at(seed, "the seed has %s, which the schema of %s does not have: take it out, or mend its spelling", path, d.Name)
	}
	for i := range in.Examples {
		_ = place(d, in.Examples[i]) // an example is a source of values
	}
	l.paths(d, "values", slices.Sorted(maps.Keys(in.Values)))
	l.paths(d, "kinds", slices.Sorted(maps.Keys(in.Kinds)))
}

// place gives a resource the namespace that kubectl would.
func place(d *campaignschema.Definition, o history.Object) error {
	metadata, _ := o["metadata"].(map[string]any)
	switch namespace := o.Text("metadata", "namespace"); {
	case metadata == nil:
		return errors.New("metadata is no object")
	case d.Namespaced && namespace == "":
		metadata["namespace"] = "default"
	case !d.Namespaced && namespace != "":
		return fmt.Errorf("it is in the namespace %s, and a %s is in none: take metadata.namespace out", namespace, d.Kind.Kind)
	}
	return nil
}

// paths names those that are no property. What is below one of which the schema does not say all
// is taken as it is.
func (l *loader) paths(d *campaignschema.Definition, key string, paths []string) {
	if len(paths) == 0 {
		return
	}
	var all, open []string
	var walk func(p *campaignschema.Property)
	walk = func(p *campaignschema.Property) {
		all = append(all, p.Path)
		if p.Opaque() {
			open = append(open, p.Path)
		}
		for _, child := range p.Children {
			walk(child)
		}
	}
	walk(d.Root)
	for _, path := range paths {
		if d.Find(path) != nil || slices.ContainsFunc(open, func(o string) bool { return strings.HasPrefix(path, o) }) {
			continue
		}
		hint := ""
		if near := spelling.Nearest(path, all); near != "" {
			hint = fmt.Sprintf(" (is it %s?)", near)
		}
		l.about(key, false, "%s: %s is no property of %s%s", key, path, d.Name, hint)
	}
}
