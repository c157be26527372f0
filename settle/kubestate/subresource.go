package kubestate

import (
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// partStorage is that of a subresource with which a part of the object is changed.
type partStorage struct {
	store *registry.Store
	kind  builtin
}

// narrowed is s for updates by another strategy.
func (s strategy) narrowed(of *registry.Store, by interface {
	rest.RESTUpdateStrategy
	rest.ResetFieldsStrategy
},
) *partStorage {
	part := *of
	part.UpdateStrategy, part.ResetFieldsStrategy = by, by
	return &partStorage{&part, s.builtin}
}

func (s *partStorage) New() runtime.Object { return s.store.New() }
func (s *partStorage) Destroy()            {}
func (s *partStorage) Get(ctx context.Context, name string, o *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, o)
}

func (s *partStorage) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, _ bool, o *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.kind.change(ctx, s.store, name, info, create, update, false, o)
}

func (s *partStorage) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}

func (s *partStorage) ConvertToTable(ctx context.Context, o, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, o, options)
}

var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// scaleStorage is that of the scale subresource, for kinds with spec.replicas,
// spec.selector and status.replicas.
type scaleStorage struct {
	store *registry.Store
	kind  builtin
}

// New is part of rest.Storage.
func (s *scaleStorage) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy is part of rest.Storage.
func (s *scaleStorage) Destroy() {}

// GroupVersionKind is part of rest.GroupVersionKindProvider.
func (s *scaleStorage) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return scaleKind
}

// Get is part of rest.Getter.
func (s *scaleStorage) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	o, err := s.store.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return scaleOf(o)
}

// Update is part of rest.Updater.
func (s *scaleStorage) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	created := func(ctx context.Context, o runtime.Object) error {
		scale, err := scaleOf(o)
		if err != nil {
			return err
		}
		return create(ctx, scale)
	}
	changed := func(ctx context.Context, o, old runtime.Object) error {
		now, err := scaleOf(o)
		if err != nil {
			return err
		}
		was, err := scaleOf(old)
		if err != nil {
			return err
		}
		return update(ctx, now, was)
	}
	o, _, err := s.kind.change(ctx, s.store, name, &scaleInfo{info, s.kind}, created, changed, false, options)
	if err != nil {
		return nil, false, err
	}
	scale, err := scaleOf(o)
	return scale, false, err
}

// ConvertToTable is part of rest.TableConvertor.
func (s *scaleStorage) ConvertToTable(ctx context.Context, o, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, o, options)
}

// scaleOf is the scale of a workload.
func scaleOf(o runtime.Object) (*autoscalingv1.Scale, error) {
	m := member(o, "ObjectMeta").Interface().(metav1.ObjectMeta)
	spec, status := member(o, "Spec"), member(o, "Status")
	wanted, _ := spec.FieldByName("Replicas").Interface().(*int32)
	there, _ := status.FieldByName("Replicas").Interface().(int32)
	by, _ := spec.FieldByName("Selector").Interface().(*metav1.LabelSelector)
	selector, err := metav1.LabelSelectorAsSelector(by)
	if err != nil {
		return nil, err
	}
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: m.Name, Namespace: m.Namespace, UID: m.UID, ResourceVersion: m.ResourceVersion, CreationTimestamp: m.CreationTimestamp},
		Status:     autoscalingv1.ScaleStatus{Replicas: there, Selector: selector.String()},
	}
	if wanted != nil {
		scale.Spec.Replicas = *wanted
	}
	return scale, nil
}

// scaleInfo makes of a change of a scale one of its workload.
type scaleInfo struct {
	scale rest.UpdatedObjectInfo
	kind  builtin
}

// Preconditions is part of rest.UpdatedObjectInfo.
func (i *scaleInfo) Preconditions() *metav1.Preconditions { return i.scale.Preconditions() }

// UpdatedObject is part of rest.UpdatedObjectInfo.
func (i *scaleInfo) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	o := old.DeepCopyObject()
	m := member(o, "ObjectMeta").Addr().Interface().(*metav1.ObjectMeta)
	if m.UID == "" {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: i.kind.kind.Group, Resource: i.kind.plural + "/scale"}, m.Name)
	}
	gv := i.kind.kind.GroupVersion()
	fields := managedfields.NewScaleHandler(m.ManagedFields, gv, managedfields.ResourcePathMappings{gv.String(): fieldpath.MakePathOrDie("spec", "replicas")})
	was, err := scaleOf(o)
	if err != nil {
		return nil, err
	}
	if was.ManagedFields, err = fields.ToSubresource(); err != nil {
		return nil, err
	}
	changed, err := i.scale.UpdatedObject(ctx, was)
	if err != nil {
		return nil, err
	}
	now, ok := changed.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("wrong object passed to Scale update: %v", changed))
	}
	if wrong := validateScale(now); len(wrong) > 0 {
		return nil, apierrors.NewInvalid(scaleKind.GroupKind(), m.Name, wrong)
	}
	if now.UID != "" && now.UID != m.UID {
		return nil, apierrors.NewConflict(schema.GroupResource{Group: gv.Group, Resource: i.kind.plural + "/scale"}, m.Name,
			fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", now.UID, m.UID)) //nolint:staticcheck // the server's own words
	}
	if m.ManagedFields, err = fields.ToParent(now.ManagedFields); err != nil {
		return nil, err
	}
	m.ResourceVersion = now.ResourceVersion
	replicas, _ := member(o, "Spec").FieldByName("Replicas").Addr().Interface().(**int32)
	*replicas = &now.Spec.Replicas
	return o, nil
}

func validateScale(s *autoscalingv1.Scale) field.ErrorList {
	all := validation.ValidateObjectMeta(&s.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	return append(all, nonNegative(field.NewPath("spec", "replicas"), s.Spec.Replicas)...)
}
