package kubestate

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
)

// resourceStorage is a kind's own storage.
type resourceStorage struct {
	*registry.Store
	kind builtin
}

// Update is part of rest.Updater.
func (s *resourceStorage) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, force bool, o *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.kind.change(ctx, s.Store, name, info, create, update, force, o)
}

// change has a store update an object, and does what the strategies of kube-apiserver's own kinds
// say of it: with upsert it may create one, and unless it is conditional it needs no version.
func (k builtin) change(ctx context.Context, s *registry.Store, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, force bool, o *metav1.UpdateOptions) (runtime.Object, bool, error) {
	if !k.conditional {
		info = latest{info}
	}
	return s.Update(ctx, name, info, create, update, force || k.upsert, o)
}

// latest is an update that is of the version that there is, if it does not say which.
type latest struct{ rest.UpdatedObjectInfo }

// UpdatedObject is part of rest.UpdatedObjectInfo.
func (l latest) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	o, err := l.UpdatedObjectInfo.UpdatedObject(ctx, old)
	if err != nil {
		return nil, err
	}
	if version, err := (storage.APIObjectVersioner{}).ObjectResourceVersion(o); err != nil || version != 0 {
		return o, nil //nolint:nilerr // the store finds it, and says so
	}
	was, err := meta.Accessor(old)
	if err != nil {
		return nil, err
	}
	now, err := meta.Accessor(o)
	if err != nil {
		return nil, err
	}
	now.SetResourceVersion(was.GetResourceVersion())
	return o, nil
}
