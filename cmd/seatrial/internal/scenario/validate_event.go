package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func (s *Spec) validateEvents(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i := range s.Events {
		e := &s.Events[i]
		at := path.Index(i)
		errs = append(errs, unique(first, e.Name, i, at.Child("name"))...)
		errs = append(errs, e.validate(at)...)
	}
	return errs
}

func (e *Event) validate(path *field.Path) field.ErrorList {
	errs := atLeastOne(e.Budget, path.Child("budget"))
	if e.Budget != nil {
		errs = append(errs, atMost(*e.Budget, budgetMax, path.Child("budget"))...)
	}
	errs = append(errs, oneOf(e.After, path.Child("after"), "any", "rest")...)
	takes := e.Type.Fields()
	switch {
	case e.Type == "":
		return append(errs, field.Required(path.Child("type"), "what happens, such as drain"))
	case takes == nil:
		return append(errs, field.NotSupported(path.Child("type"), e.Type, EventTypes()))
	}
	for _, f := range e.fields() {
		needed, taken := takes[f.name]
		switch {
		case f.set && !taken:
			errs = append(errs, field.Forbidden(path.Child(f.name), fmt.Sprintf("an event of type %s does not take it", e.Type)))
		case !f.set && needed:
			errs = append(errs, field.Required(path.Child(f.name), fmt.Sprintf("an event of type %s needs it", e.Type)))
		}
	}
	if e.Type == EventLoad && (e.Load == nil) == (e.Range == nil) {
		errs = append(errs, field.Required(path.Child("load"), "exactly one of load and range"))
	}
	if e.Range != nil && e.Workload == nil {
		errs = append(errs, field.Required(path.Child("workload"), "a range needs it"))
	}
	if e.Workload != nil {
		errs = append(errs, e.Workload.validate(path.Child("workload"))...)
		ofDeployments := e.Type == EventScale || e.Type == EventRollout || e.Type == EventRollback
		if kind := e.Workload.WithDefaults().Kind; ofDeployments && (kind == "ReplicaSet" || kind == "Pod") {
			errs = append(errs, field.Invalid(path.Child("workload", "kind"), kind, fmt.Sprintf("an event of type %s is about a Deployment", e.Type)))
		}
	}
	if e.Load != nil {
		errs = append(errs, e.Load.validate(path.Child("load"))...)
		if e.Workload != nil && e.Load.Workload.Name != "" && e.Workload.String() != e.Load.Workload.String() {
			errs = append(errs, field.Invalid(path.Child("load", "workload"), e.Load.Workload.String(), "is not the event's workload, "+e.Workload.String()))
		}
	}
	if e.Range != nil {
		errs = append(errs, e.Range.validate(path.Child("range"))...)
	}
	if e.Replicas != nil {
		errs = append(errs, notNegative(int(*e.Replicas), path.Child("replicas"))...)
	}
	errs = append(errs, isObject(e.Manifest, path.Child("manifest"))...)
	if e.Then != nil && e.Type == EventCustom {
		errs = append(errs, e.Then.validate(path.Child("then"))...)
	}
	errs = append(errs, oneOf(e.Returns, path.Child("returns"), "maybe", "always", "never")...)
	return append(errs, oneOf(e.Template, path.Child("template"), "new", "current")...)
}

// eventField is a field that not every type takes.
type eventField struct {
	name string
	set  bool
}

func (e *Event) fields() []eventField {
	return []eventField{
		{"nodes", e.Nodes != nil},
		{"workload", e.Workload != nil},
		{"load", e.Load != nil},
		{"range", e.Range != nil},
		{"replicas", e.Replicas != nil},
		{"manifest", len(e.Manifest) > 0},
		{"returns", e.Returns != ""},
		{"template", e.Template != ""},
		{"when", e.When != ""},
		{"then", e.Then != nil},
	}
}

func (r *LoadRange) validate(path *field.Path) field.ErrorList {
	errs := usedResource(r.Resource, path.Child("resource"))
	errs = append(errs, quantityNotNegative(r.Min, path.Child("min"))...)
	errs = append(errs, quantityNotNegative(r.Max, path.Child("max"))...)
	if r.Min.Cmp(r.Max) > 0 {
		errs = append(errs, field.Invalid(path.Child("max"), r.Max.String(), "must not be less than min, "+r.Min.String()))
	}
	return errs
}

func oneOf(value string, path *field.Path, allowed ...string) field.ErrorList {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, value, allowed)}
}

func isObject(manifest json.RawMessage, path *field.Path) field.ErrorList {
	var object map[string]json.RawMessage
	if len(manifest) > 0 && (json.Unmarshal(manifest, &object) != nil || object == nil) {
		return field.ErrorList{field.TypeInvalid(path, "", "must be an object with apiVersion and kind")}
	}
	return nil
}

func (s *Spec) validateAppliers(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i, a := range s.Appliers {
		at := path.Index(i)
		errs = append(errs, unique(first, a.Name, i, at.Child("name"))...)
		if len(a.Manifest) == 0 {
			errs = append(errs, field.Required(at.Child("manifest"), "what it applies"))
		}
		errs = append(errs, isObject(a.Manifest, at.Child("manifest"))...)
	}
	return errs
}

func (s *Spec) validateProperties(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i := range s.Properties {
		p := &s.Properties[i]
		at := path.Index(i)
		errs = append(errs, unique(first, p.Name, i, at.Child("name"))...)
		errs = append(errs, p.validate(at)...)
	}
	return errs
}

func (p *Property) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	expressions := 0
	for _, set := range []bool{p.Always != "", p.EventuallyAlways != "", p.LeadsTo != nil} {
		if set {
			expressions++
		}
	}
	switch {
	case p.Rule == "" && p.Name == "" && expressions == 0:
		errs = append(errs, field.Required(path.Child("rule"), "a rule, or the name and the expression of a custom property"))
	case p.Rule != "" && (p.Name != "" || expressions > 0):
		errs = append(errs, field.Forbidden(path.Child("rule"), "either a rule or a custom property"))
	case p.Rule == "" && p.Name == "":
		errs = append(errs, field.Required(path.Child("name"), "a custom property has a name"))
	case p.Rule == "" && expressions != 1:
		errs = append(errs, field.Required(path, "exactly one of always, eventuallyAlways and leadsTo"))
	}
	if p.Rule == "" {
		for _, f := range []eventField{{"workload", p.Workload != nil}, {"node", p.Node != ""}, {"atLeast", p.AtLeast != nil}, {"when", p.When != ""}, {"soft", p.Soft}} {
			if f.set {
				errs = append(errs, field.Forbidden(path.Child(f.name), "only together with rule"))
			}
		}
	}
	if p.LeadsTo != nil && p.LeadsTo.From == "" {
		errs = append(errs, field.Required(path.Child("leadsTo", "from"), ""))
	}
	if p.LeadsTo != nil && p.LeadsTo.To == "" {
		errs = append(errs, field.Required(path.Child("leadsTo", "to"), ""))
	}
	if p.Workload != nil {
		errs = append(errs, p.Workload.validate(path.Child("workload"))...)
	}
	if p.AtLeast != nil {
		errs = append(errs, notNegative(int(*p.AtLeast), path.Child("atLeast"))...)
	}
	return append(errs, oneOf(p.When, path.Child("when"), "always", "rest")...)
}

// sorted are a map's keys in order.
func sorted[K ~string, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
