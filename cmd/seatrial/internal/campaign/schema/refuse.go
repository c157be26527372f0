package schema

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	crvalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/seatrial/seatrial/history"
)

// Refuses lists why the API server would not take a resource, as kube-apiserver says
// it: "spec.replicas: Invalid value: …"; nil if it would take it. With old it is an
// update of what is there, and rules that compare with what was are held to it; what is
// wrong already may stay so. Old is nil for a resource that is created. What a webhook or
// a policy of the cluster would say is not known.
func (d *Definition) Refuses(cr, old history.Object) []string {
	s, err := d.strategy()
	if err != nil {
		return []string{err.Error()}
	}
	o := copied(cr)
	if err := d.read(o); err != nil {
		return []string{err.Error()}
	}
	u := &unstructured.Unstructured{Object: o}
	if u.GetName() == "" && u.GetGenerateName() != "" {
		u.SetName(u.GetGenerateName() + "00000")
	}
	if namespaced := u.GetNamespace() != ""; namespaced != d.Namespaced {
		u.SetNamespace(map[bool]string{true: "default"}[d.Namespaced])
	}
	if old == nil {
		return reasons(s.create(u))
	}
	was, err := d.stored(copied(old))
	if err != nil {
		return []string{err.Error()}
	}
	return reasons(s.update(u, &unstructured.Unstructured{Object: was}))
}

// reasons are errors as the API server spells each of them, without those that are said
// twice; in the order of their fields, where that of the API server is another each time.
func reasons(found field.ErrorList) []string {
	slices.SortStableFunc(found, func(a, b *field.Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Detail, b.Detail))
	})
	var all []string
	for _, e := range found {
		text := e.ErrorBody()
		if e.Field != "" && e.Field != "<nil>" {
			text = e.Field + ": " + text
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// strategy validates as the strategy of custom resources does (strategy.go and
// validator.go in pkg/registry/customresource of k8s.io/apiextensions-apiserver), and what
// calls it (pkg/registry/rest of k8s.io/apiserver), with the same libraries. Those packages
// themselves would bring a client of etcd with them, and log; a test holds both equal.
type strategy struct {
	*Definition
	schema crvalidation.SchemaValidator
	rules  *cel.Validator
}

func (d *Definition) newStrategy() (*strategy, error) {
	internal, err := internalSchema(d.crd, d.Kind.Version)
	if err != nil {
		return nil, err
	}
	validator, _, err := crvalidation.NewSchemaValidator(internal)
	if err != nil {
		return nil, err
	}
	return &strategy{Definition: d, schema: validator, rules: cel.NewValidator(d.structurals[d.Kind.Version], true, celconfig.PerCallLimit)}, nil
}

// create is what is wrong with a resource that is created. It changes it.
func (s *strategy) create(u *unstructured.Unstructured) field.ErrorList {
	if s.Status {
		delete(u.Object, "status")
	}
	u.SetGeneration(1)
	found := s.validateType(u)
	if len(found) == 0 {
		found = append(found, metavalidation.ValidateObjectMetaAccessor(u, s.Namespaced, metavalidation.NameIsDNSSubdomain, metadata)...)
		found = append(found, crvalidation.ValidateCustomResource(nil, u.Object, s.schema)...)
		found = append(found, s.validateScale(u)...)
	}
	own := s.structurals[s.Kind.Version]
	found = append(found, objectmeta.Validate(nil, u.Object, own, false)...)
	found = append(found, listtype.ValidateListSetsAndMaps(nil, own, u.Object)...)
	return s.validateRules(found, u.Object, nil)
}

// update is what is wrong with a resource that takes the place of another. It changes
// both.
func (s *strategy) update(u, was *unstructured.Unstructured) field.ErrorList {
	if s.Status {
		delete(u.Object, "status")
		if status, ok := was.Object["status"]; ok {
			u.Object["status"] = status
		}
	}
	was.SetNamespace(u.GetNamespace())
	if was.GetResourceVersion() == "" {
		was.SetResourceVersion("1") // a resource that was never stored has none
	}
	u.SetResourceVersion(was.GetResourceVersion())
	u.SetGeneration(was.GetGeneration())
	u.SetUID(was.GetUID())
	u.SetCreationTimestamp(was.GetCreationTimestamp())
	u.SetDeletionTimestamp(was.GetDeletionTimestamp())
	u.SetDeletionGracePeriodSeconds(was.GetDeletionGracePeriodSeconds())

	own := s.structurals[s.Kind.Version]
	both := common.NewCorrelatedObject(u.Object, was.Object, &model.Structural{Structural: own})
	found := metavalidation.ValidateObjectMetaAccessor(u, s.Namespaced, pathSegment, metadata)
	found = append(found, metavalidation.ValidateObjectMetaAccessorUpdate(u, was, metadata)...)
	if wrong := s.validateType(u); len(wrong) > 0 {
		found = append(found, wrong...)
	} else {
		found = append(found, crvalidation.ValidateCustomResourceUpdate(nil, u.Object, was.Object, s.schema, crvalidation.WithRatcheting(both))...)
		found = append(found, s.validateScale(u)...)
	}
	found = append(found, objectmeta.Validate(nil, u.Object, own, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, own, was.Object)) == 0 {
		found = append(found, listtype.ValidateListSetsAndMaps(nil, own, u.Object)...)
	}
	return s.validateRules(found, u.Object, was.Object, cel.WithRatcheting(both))
}

var metadata = field.NewPath("metadata")

// Unchecked ends what [Definition.Refuses] says beside other reasons, where rules were not looked at because of them.
const Unchecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// pathSegment is what all names have to be.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// validateRules adds what x-kubernetes-validations say, if all is well enough formed for them.
func (s *strategy) validateRules(found field.ErrorList, o, old map[string]any, options ...cel.Option) field.ErrorList {
	if s.rules == nil {
		return found
	}
	for _, e := range found {
		switch e.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return append(found, field.Invalid(nil, nil, Unchecked))
		}
	}
	var was any
	if old != nil {
		was = old
	}
	more, _ := s.rules.Validate(context.Background(), nil, s.structurals[s.Kind.Version], o, was, celconfig.RuntimeCELCostBudget, options...)
	return append(found, more...)
}

func (s *strategy) validateType(u *unstructured.Unstructured) field.ErrorList {
	var found field.ErrorList
	if u.GetKind() != s.Kind.Kind {
		found = append(found, field.Invalid(field.NewPath("kind"), u.GetKind(), fmt.Sprintf("must be %v", s.Kind.Kind)))
	}
	if v := s.Kind.GroupVersion().String(); u.GetAPIVersion() != v {
		found = append(found, field.Invalid(field.NewPath("apiVersion"), u.GetAPIVersion(), fmt.Sprintf("must be %v", v)))
	}
	return found
}

const maxReplicas = 1<<31 - 1

// validateScale is the validation of what a scale subresource shows.
func (s *strategy) validateScale(u *unstructured.Unstructured) field.ErrorList {
	sub := s.scale
	if sub == nil {
		return nil
	}
	var found field.ErrorList
	for _, path := range []string{sub.SpecReplicasPath, sub.StatusReplicasPath} {
		n, _, err := unstructured.NestedInt64(u.Object, strings.Split(strings.TrimPrefix(path, "."), ".")...)
		switch {
		case err != nil:
			found = append(found, field.Invalid(field.NewPath(path), n, err.Error()))
		case n < 0:
			found = append(found, field.Invalid(field.NewPath(path), n, "should be a non-negative integer"))
		case n > maxReplicas:
			found = append(found, field.Invalid(field.NewPath(path), n, fmt.Sprintf("should be less than or equal to %v", maxReplicas)))
		}
	}
	if sub.LabelSelectorPath != nil {
		selector, _, err := unstructured.NestedString(u.Object, strings.Split(strings.TrimPrefix(*sub.LabelSelectorPath, "."), ".")...)
		if err != nil {
			found = append(found, field.Invalid(field.NewPath(*sub.LabelSelectorPath), selector, err.Error()))
		}
	}
	return found
}
