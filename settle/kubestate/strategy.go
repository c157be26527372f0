package kubestate

import (
	"context"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// strategy is what kube-apiserver's registries have in common.
type strategy struct {
	// What is not below is that of definitions: by it updates create nothing and have to have a
	// version. Kubernetes 1.37 asks for both with a context more, so that no type answers it and
	// earlier releases. See builtin.change.
	rest.RESTUpdateStrategy
	names.NameGenerator
	builtin
}

// member is a field of the struct that o points to; invalid if it has none of that name.
func member(o runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(o).Elem().FieldByName(name)
}

// NamespaceScoped is part of rest.RESTCreateStrategy.
func (s strategy) NamespaceScoped() bool     { return !s.cluster }
func (strategy) Canonicalize(runtime.Object) {}

// DefaultGarbageCollectionPolicy is part of rest.GarbageCollectionDeleteStrategy.
func (s strategy) DefaultGarbageCollectionPolicy(context.Context) rest.GarbageCollectionPolicy {
	if s.collected == "" {
		return rest.DeleteDependents
	}
	return s.collected
}

// PrepareForCreate is part of rest.RESTCreateStrategy.
func (s strategy) PrepareForCreate(ctx context.Context, o runtime.Object) {
	m, err := meta.Accessor(o)
	if err != nil {
		return // the registry has found it
	}
	// The registry has drawn one, and some kinds copy it to other fields.
	m.SetUID(transactionOf(ctx).nextUID())
	if status := member(o, "Status"); status.IsValid() && !s.bornWithStatus {
		status.SetZero()
	}
	if s.counted != nil {
		m.SetGeneration(1)
	}
	if s.builtin.create != nil {
		s.builtin.create(o)
	}
	if s.defaults != nil {
		s.defaults(o) // as when the server reads what it has stored
	}
}

// PrepareForUpdate is part of rest.RESTUpdateStrategy.
func (s strategy) PrepareForUpdate(_ context.Context, o, old runtime.Object) {
	if status := member(o, "Status"); status.IsValid() {
		status.Set(member(old, "Status"))
	}
	if s.builtin.update != nil {
		s.builtin.update(o, old)
	}
	if m, err := meta.Accessor(o); err == nil && s.counted != nil && !equality.Semantic.DeepEqual(s.counted(o), s.counted(old)) {
		m.SetGeneration(m.GetGeneration() + 1)
	}
}

// Validate is part of rest.RESTCreateStrategy.
func (s strategy) Validate(_ context.Context, o runtime.Object) field.ErrorList {
	m, err := meta.Accessor(o)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	name := s.named
	if name == nil {
		name = validation.NameIsDNSSubdomain
	}
	all := append(validation.ValidateObjectMetaAccessor(m, !s.cluster, name, field.NewPath("metadata")), validateFinalizers(m)...)
	if s.validate != nil {
		all = append(all, s.validate(o)...)
	}
	if s.born != nil {
		all = append(all, s.born(o)...)
	}
	return all
}

// ValidateUpdate is part of rest.RESTUpdateStrategy. What is common to all kinds the
// registry has looked at.
// validateFinalizers wants names with a domain, but for those of Kubernetes itself; custom
// resources may have any.
func validateFinalizers(m metav1.Object) field.ErrorList {
	var all field.ErrorList
	for i, name := range m.GetFinalizers() {
		switch {
		case strings.Contains(name, "/"), name == "kubernetes", name == metav1.FinalizerOrphanDependents, name == metav1.FinalizerDeleteDependents:
		default:
			path := field.NewPath("metadata", "finalizers").Index(i)
			all = append(all, field.Invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return all
}

func (s strategy) ValidateUpdate(_ context.Context, o, old runtime.Object) field.ErrorList {
	m, err := meta.Accessor(o)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	all := validateFinalizers(m)
	if s.validate != nil {
		all = append(all, s.validate(o)...)
	}
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
	return s.reset(fieldpath.MakePathOrDie("status"))
}

func (s strategy) reset(paths ...fieldpath.Path) map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(s.kind.GroupVersion().String()): fieldpath.NewSet(paths...)}
}

// statusStrategy lets the status be changed and nothing else.
type statusStrategy struct{ strategy }

// PrepareForUpdate is part of rest.RESTUpdateStrategy.
func (s statusStrategy) PrepareForUpdate(_ context.Context, o, old runtime.Object) {
	if spec := member(o, "Spec"); spec.IsValid() {
		spec.Set(member(old, "Spec"))
	}
	for _, name := range s.kept {
		member(o, "ObjectMeta").FieldByName(name).Set(member(old, "ObjectMeta").FieldByName(name))
	}
	if s.statusUpdate != nil {
		s.statusUpdate(o, old)
	}
}

// ValidateUpdate is part of rest.RESTUpdateStrategy.
func (s statusStrategy) ValidateUpdate(_ context.Context, o, old runtime.Object) field.ErrorList {
	if s.statusChanged == nil {
		return nil
	}
	return s.statusChanged(o, old)
}

// GetResetFields is part of rest.ResetFieldsStrategy.
func (s statusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	paths := []fieldpath.Path{fieldpath.MakePathOrDie("spec")}
	for _, name := range s.kept {
		paths = append(paths, fieldpath.MakePathOrDie("metadata", strings.ToLower(name[:1])+name[1:]))
	}
	return s.reset(paths...)
}

// graceful is a strategy of a kind whose deletion takes time.
type graceful struct{ strategy }

// CheckGracefulDelete is part of rest.RESTGracefulDeleteStrategy.
func (g graceful) CheckGracefulDelete(_ context.Context, o runtime.Object, options *metav1.DeleteOptions) bool {
	period := g.graceful(o, options.GracePeriodSeconds)
	options.GracePeriodSeconds = &period
	return true
}
