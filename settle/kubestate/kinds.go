package kubestate

import (
	"slices"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// builtins are the built-in kinds, those of each API group in a file of its own.
var builtins = slices.Concat(
	coreKinds, appsKinds, batchKinds, policyKinds, networkingKinds, rbacKinds,
	coordinationKinds, discoveryKinds, storageKinds, autoscalingKinds,
)

func kindOf(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
}

// The rest makes what is written for one kind into what the table has of every kind.

func each[T runtime.Object](f func(T)) func(runtime.Object) {
	return func(o runtime.Object) { f(o.(T)) }
}

func both[T runtime.Object](f func(now, old T)) func(now, old runtime.Object) {
	return func(now, old runtime.Object) { f(now.(T), old.(T)) }
}

func check[T runtime.Object](f func(T) field.ErrorList) func(runtime.Object) field.ErrorList {
	return func(o runtime.Object) field.ErrorList { return f(o.(T)) }
}

func change[T runtime.Object](f func(now, old T) field.ErrorList) func(now, old runtime.Object) field.ErrorList {
	return func(now, old runtime.Object) field.ErrorList { return f(now.(T), old.(T)) }
}

func selectable[T runtime.Object](f func(T) fields.Set) func(runtime.Object) fields.Set {
	return func(o runtime.Object) fields.Set { return f(o.(T)) }
}

// specOf is what counts for the generation of most kinds.
func specOf(o runtime.Object) any { return member(o, "Spec").Interface() }

// fill sets what is the zero value.
func fill[T comparable](to *T, v T) {
	var zero T
	if *to == zero {
		*to = v
	}
}

// fillPointer sets what is nil.
func fillPointer[T any](to **T, v T) {
	if *to == nil {
		*to = &v
	}
}
