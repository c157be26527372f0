package kubestate

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/emicklei/go-restful/v3"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/client-go/applyconfigurations"
	client "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// builtin is a kind that kube-apiserver has without a definition. What its registry
// does there is not exported by any library; what is common to all is in strategy, and
// what is not is here.
type builtin struct {
	kind             schema.GroupVersionKind
	plural, singular string
	cluster          bool
	// generation: changes of the spec are counted.
	generation bool
	// defaults sets what a user may leave out; nil for nothing.
	defaults func(runtime.Object)
	// validate says what is wrong with an object, and changed with a change of it; nil
	// for nothing.
	validate func(runtime.Object) field.ErrorList
	changed  func(now, old runtime.Object) field.ErrorList
	// graceful tells how many seconds a deletion takes; nil for none.
	graceful func(runtime.Object) int64
}

// servedScheme has each built-in type under its version and, since the handlers work on
// an internal version, under that too.
func servedScheme(kinds []builtin) *runtime.Scheme {
	s := runtime.NewScheme()
	if err := client.AddToScheme(s); err != nil {
		panic(err) // of the library's own types
	}
	for _, k := range kinds {
		hub := schema.GroupVersion{Group: k.kind.Group, Version: runtime.APIVersionInternal}
		for _, kind := range []string{k.kind.Kind, k.kind.Kind + "List"} {
			o, err := s.New(k.kind.GroupVersion().WithKind(kind))
			if err != nil {
				panic(err) // of the table below
			}
			s.AddKnownTypeWithName(hub.WithKind(kind), o)
		}
		if k.defaults != nil {
			o, _ := s.New(k.kind)
			s.AddTypeDefaultingFunc(o, func(o any) { k.defaults(o.(runtime.Object)) })
		}
	}
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	return s
}

// builtins serves the built-in kinds.
func builtinResources(kinds []builtin) (http.Handler, error) {
	scheme := servedScheme(kinds)
	codecs := serializer.NewCodecFactory(scheme)
	parameters := runtime.NewParameterCodec(scheme)
	typed := applyconfigurations.NewTypeConverter(scheme)
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
			Namer: runtime.Namer(meta.NewAccessor()), UnsafeConvertor: runtime.UnsafeObjectConvertor(scheme), TypeConverter: typed,
			EquivalentResourceRegistry: runtime.NewEquivalentResourceRegistry(), Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
			MinRequestTimeout: requestTimeout, MaxRequestBodyBytes: maxBody,
		}
		if _, _, err := group.InstallREST(container); err != nil {
			return nil, fmt.Errorf("%s: %w", gv, err)
		}
	}
	return container, nil
}

// install adds the storages of a kind and its subresources.
func (k builtin) install(scheme *runtime.Scheme, codec runtime.Codec, to map[string]rest.Storage) error {
	base := strategy{ObjectTyper: scheme, NameGenerator: names.SimpleNameGenerator, builtin: k}
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
		SingularQualifiedResource: schema.GroupResource{Group: k.kind.Group, Resource: k.singular},
		CreateStrategy:            base, UpdateStrategy: base, DeleteStrategy: base, ResetFieldsStrategy: base,
		TableConvertor: rest.NewDefaultTableConvertor(resource),
	}
	if k.graceful != nil {
		g := graceful{base}
		s.CreateStrategy, s.UpdateStrategy, s.DeleteStrategy = g, g, g
	}
	if err := s.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options{codec}}); err != nil {
		return err
	}
	to[k.plural] = &resourceStorage{s}
	if member(s.NewFunc(), "Status").IsValid() {
		status := *s
		narrow := statusStrategy{base}
		status.UpdateStrategy, status.ResetFieldsStrategy = narrow, narrow
		to[k.plural+"/status"] = &statusStorage{&status}
	}
	return nil
}

// resourceStorage is a kind's own storage.
type resourceStorage struct{ *registry.Store }

// statusStorage is that of the status subresource.
type statusStorage struct{ store *registry.Store }

func (s *statusStorage) New() runtime.Object { return s.store.New() }
func (s *statusStorage) Destroy()            {}
func (s *statusStorage) Get(ctx context.Context, name string, o *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, o)
}

func (s *statusStorage) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, _ bool, o *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.store.Update(ctx, name, info, create, update, false, o)
}

func (s *statusStorage) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}

func (s *statusStorage) ConvertToTable(ctx context.Context, o, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, o, options)
}

// member is a field of the struct that o points to; invalid if it has none of that name.
func member(o runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(o).Elem().FieldByName(name)
}

// strategy is what kube-apiserver's registries have in common.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	builtin
}

func (s strategy) NamespaceScoped() bool        { return !s.cluster }
func (strategy) AllowCreateOnUpdate() bool      { return false }
func (strategy) AllowUnconditionalUpdate() bool { return true }
func (strategy) Canonicalize(runtime.Object)    {}

// PrepareForCreate is part of rest.RESTCreateStrategy.
func (s strategy) PrepareForCreate(_ context.Context, o runtime.Object) {
	if status := member(o, "Status"); status.IsValid() {
		status.SetZero()
	}
	if m, err := meta.Accessor(o); err == nil && s.generation {
		m.SetGeneration(1)
	}
}

// PrepareForUpdate is part of rest.RESTUpdateStrategy.
func (s strategy) PrepareForUpdate(_ context.Context, o, old runtime.Object) {
	if status := member(o, "Status"); status.IsValid() {
		status.Set(member(old, "Status"))
	}
	m, err := meta.Accessor(o)
	if spec := member(o, "Spec"); err == nil && s.generation && spec.IsValid() && !equality.Semantic.DeepEqual(spec.Interface(), member(old, "Spec").Interface()) {
		m.SetGeneration(m.GetGeneration() + 1)
	}
}

func (s strategy) Validate(_ context.Context, o runtime.Object) field.ErrorList {
	if s.validate == nil {
		return nil
	}
	return s.validate(o)
}

func (s strategy) ValidateUpdate(ctx context.Context, o, old runtime.Object) field.ErrorList {
	all := s.Validate(ctx, o)
	if s.changed != nil {
		all = append(all, s.changed(o, old)...)
	}
	return all
}

func (strategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (strategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// GetResetFields is part of rest.ResetFieldsStrategy.
func (s strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.reset("status")
}

func (s strategy) reset(name string) map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(s.kind.GroupVersion().String()): fieldpath.NewSet(fieldpath.MakePathOrDie(name))}
}

// statusStrategy lets the status be changed and nothing else.
type statusStrategy struct{ strategy }

// PrepareForUpdate is part of rest.RESTUpdateStrategy.
func (s statusStrategy) PrepareForUpdate(_ context.Context, o, old runtime.Object) {
	if spec := member(o, "Spec"); spec.IsValid() {
		spec.Set(member(old, "Spec"))
	}
	m, err := meta.Accessor(o)
	was, err2 := meta.Accessor(old)
	if err == nil && err2 == nil {
		m.SetLabels(was.GetLabels())
	}
}

func (statusStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}

// GetResetFields is part of rest.ResetFieldsStrategy.
func (s statusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.reset("spec")
}

// graceful is a strategy of a kind whose deletion takes time.
type graceful struct{ strategy }

// CheckGracefulDelete is part of rest.RESTGracefulDeleteStrategy.
func (g graceful) CheckGracefulDelete(_ context.Context, o runtime.Object, options *metav1.DeleteOptions) bool {
	period := g.graceful(o)
	if options.GracePeriodSeconds != nil {
		period = *options.GracePeriodSeconds
	}
	options.GracePeriodSeconds = &period
	return true
}
