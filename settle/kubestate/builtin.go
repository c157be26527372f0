package kubestate

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/emicklei/go-restful/v3"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/client-go/applyconfigurations"
	client "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// builtin is a kind that kube-apiserver has without a definition. What its registry
// does there is not exported by any library; what is common to all is in strategy, and
// what is not is here. Each function may be nil.
type builtin struct {
	kind    schema.GroupVersionKind
	plural  string
	cluster bool
	// named says what is wrong with a name; nil: it has to be a DNS subdomain.
	named validation.ValidateNameFunc
	// counted is that whose changes the generation counts; nil: there are no
	// generations.
	counted func(runtime.Object) any
	// defaults sets what a user may leave out, in whatever is read of a request.
	defaults func(runtime.Object)
	// create sets what users may not, in an object that is new, and update in one that
	// is changed.
	create func(runtime.Object)
	update func(now, old runtime.Object)
	// validate says what is wrong with an object, born what else is with one that is new,
	// changed what is with a change of it, and statusChanged what is with one of its
	// status.
	validate      func(runtime.Object) field.ErrorList
	born          func(runtime.Object) field.ErrorList
	changed       func(now, old runtime.Object) field.ErrorList
	statusChanged func(now, old runtime.Object) field.ErrorList
	// statusUpdate sets what users may not when the status is changed, and kept are the
	// fields of the metadata that stay as they are then.
	statusUpdate func(now, old runtime.Object)
	kept         []string
	// graceful tells how many seconds a deletion takes, if so many were asked for; nil:
	// there is no such thing.
	graceful func(o runtime.Object, asked *int64) int64
	// fields are those that can be selected, beside name and namespace.
	fields func(runtime.Object) fields.Set
	// refused is the message for other fields, with one verb for the field.
	refused string
	// collected says what becomes of dependents if nobody says; empty: they are deleted.
	collected rest.GarbageCollectionPolicy
	// conditional: an update has to say which version it changes; upsert: it creates
	// what there is not; returned: a deletion answers with the object; bornWithStatus:
	// who creates it may set the status.
	conditional, upsert, returned, bornWithStatus bool
	// scaled: there is the subresource scale.
	scaled bool
	// storages replaces and adds storages.
	storages func(s *registry.Store, base strategy, to map[string]rest.Storage)
}

// unselectable is what most kinds say of a field that cannot be selected.
const unselectable = "field label not supported: %s"

// selectsFields has the scheme know which fields can be selected.
func (k builtin) selectsFields(s *runtime.Scheme) error {
	if k.fields == nil {
		return nil
	}
	o, err := s.New(k.kind)
	if err != nil {
		return err
	}
	known := k.selected(o)
	refused := k.refused
	if refused == "" {
		refused = unselectable
	}
	return s.AddFieldLabelConversionFunc(k.kind, func(label, value string) (string, string, error) {
		if !known.Has(label) {
			return "", "", fmt.Errorf(refused, label)
		}
		return label, value, nil
	})
}

// selected are the fields of an object that can be selected.
func (k builtin) selected(o runtime.Object) fields.Set {
	out := fields.Set{}
	if m, err := meta.Accessor(o); err == nil {
		out["metadata.name"] = m.GetName()
		if !k.cluster {
			out["metadata.namespace"] = m.GetNamespace()
		}
	}
	if k.fields != nil {
		for name, value := range k.fields(o) {
			out[name] = value
		}
	}
	return out
}

// attributes are what an object is selected by.
func (k builtin) attributes(o runtime.Object) (labels.Set, fields.Set, error) {
	m, err := meta.Accessor(o)
	if err != nil {
		return nil, nil, err
	}
	return m.GetLabels(), k.selected(o), nil
}

// servedScheme has each built-in type under its version and, since the handlers work on
// an internal version, under that too.
func servedScheme(kinds []builtin) (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	if err := client.AddToScheme(s); err != nil {
		return nil, err
	}
	for _, k := range kinds {
		for _, kind := range []string{k.kind.Kind, k.kind.Kind + "List"} {
			if err := internal(s, k.kind.GroupVersion().WithKind(kind)); err != nil {
				return nil, err
			}
		}
		if k.defaults != nil {
			o, err := s.New(k.kind)
			if err != nil {
				return nil, err
			}
			s.AddTypeDefaultingFunc(o, func(o any) { k.defaults(o.(runtime.Object)) })
		}
		if err := k.selectsFields(s); err != nil {
			return nil, err
		}
	}
	for _, kind := range []schema.GroupVersionKind{scaleKind, bindingKind} {
		if err := internal(s, kind); err != nil {
			return nil, err
		}
	}
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	return s, nil
}

// internal has the scheme know a type as that of the internal version, too.
func internal(s *runtime.Scheme, kind schema.GroupVersionKind) error {
	o, err := s.New(kind)
	if err != nil {
		return err
	}
	s.AddKnownTypeWithName(schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal}.WithKind(kind.Kind), o)
	return nil
}

// builtinResources serves the built-in kinds.
func builtinResources(kinds []builtin) (http.Handler, error) {
	scheme, err := servedScheme(kinds)
	if err != nil {
		return nil, err
	}
	codecs := serializer.NewCodecFactory(scheme)
	parameters := runtime.NewParameterCodec(scheme)
	converter := typeConverter{applyconfigurations.NewTypeConverter(scheme), managedfields.NewDeducedTypeConverter()}
	container := restful.NewContainer()
	groups := map[schema.GroupVersion]map[string]rest.Storage{}
	var order []schema.GroupVersion
	for _, k := range kinds {
		gv := k.kind.GroupVersion()
		if groups[gv] == nil {
			groups[gv] = map[string]rest.Storage{}
			order = append(order, gv)
		}
		if err := k.install(scheme, codecs.LegacyCodec(gv), groups[gv]); err != nil {
			return nil, fmt.Errorf("%s: %w", k.plural, err)
		}
	}
	for _, gv := range order {
		root := "/apis"
		if gv.Group == "" {
			root = "/api"
		}
		group := endpoints.APIGroupVersion{
			Storage: groups[gv], Root: root, GroupVersion: gv, Serializer: codecs, ParameterCodec: parameters,
			Typer: scheme, Creater: scheme, Convertor: scheme, ConvertabilityChecker: scheme, Defaulter: scheme,
			Namer: runtime.Namer(meta.NewAccessor()), UnsafeConvertor: runtime.UnsafeObjectConvertor(scheme), TypeConverter: converter,
			EquivalentResourceRegistry: runtime.NewEquivalentResourceRegistry(), Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
			Admit: lifecycle{}, MinRequestTimeout: requestTimeout, MaxRequestBodyBytes: maxBody,
		}
		if _, _, err := group.InstallREST(container); err != nil {
			return nil, fmt.Errorf("%s: %w", gv, err)
		}
	}
	return container, nil
}

// typeConverter knows the types of what the library has a configuration for, and takes
// those of the rest, the bodies of subresources, from what they contain.
type typeConverter struct {
	managedfields.TypeConverter
	deduced managedfields.TypeConverter
}

// ObjectToTyped is part of managedfields.TypeConverter.
func (c typeConverter) ObjectToTyped(o runtime.Object, options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	switch o.GetObjectKind().GroupVersionKind() {
	case scaleKind, bindingKind:
		return c.deduced.ObjectToTyped(o, options...)
	}
	return c.TypeConverter.ObjectToTyped(o, options...)
}

// install adds the storages of a kind and its subresources.
func (k builtin) install(scheme *runtime.Scheme, codec runtime.Codec, to map[string]rest.Storage) error {
	base := strategy{RESTUpdateStrategy: customresourcedefinition.NewStrategy(scheme), NameGenerator: names.SimpleNameGenerator, builtin: k}
	resource := schema.GroupResource{Group: k.kind.Group, Resource: k.plural}
	list := k.kind.GroupVersion().WithKind(k.kind.Kind + "List")
	fresh := func(kind schema.GroupVersionKind) func() runtime.Object {
		return func() runtime.Object {
			o, err := scheme.New(kind)
			if err != nil {
				panic(err) // registered above
			}
			return o
		}
	}
	s := &registry.Store{
		NewFunc: fresh(k.kind), NewListFunc: fresh(list), DefaultQualifiedResource: resource,
		SingularQualifiedResource: schema.GroupResource{Group: k.kind.Group, Resource: strings.ToLower(k.kind.Kind)},
		CreateStrategy:            base, UpdateStrategy: base, DeleteStrategy: base, ResetFieldsStrategy: base,
		TableConvertor: rest.NewDefaultTableConvertor(resource), ReturnDeletedObject: k.returned,
	}
	if k.graceful != nil {
		g := graceful{base}
		s.CreateStrategy, s.UpdateStrategy, s.DeleteStrategy = g, g, g
	}
	if err := s.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options{codec}, AttrFunc: k.attributes}); err != nil {
		return err
	}
	to[k.plural] = &resourceStorage{s, k}
	if member(s.NewFunc(), "Status").IsValid() {
		to[k.plural+"/status"] = base.narrowed(s, statusStrategy{base})
	}
	if k.scaled {
		to[k.plural+"/scale"] = &scaleStorage{s, k}
	}
	if k.storages != nil {
		k.storages(s, base, to)
	}
	return nil
}
