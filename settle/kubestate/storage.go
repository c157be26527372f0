package kubestate

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var storageKinds = []builtin{{
	kind: kindOf("storage.k8s.io", "StorageClass"), plural: "storageclasses", cluster: true, returned: true,
	defaults: each(defaultStorageClass), validate: check(validateStorageClass), changed: change(changedStorageClass),
}}

func defaultStorageClass(c *storagev1.StorageClass) {
	fillPointer(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
	fillPointer(&c.VolumeBindingMode, storagev1.VolumeBindingImmediate)
}

func validateStorageClass(c *storagev1.StorageClass) field.ErrorList {
	at := field.NewPath("provisioner")
	var all field.ErrorList
	if c.Provisioner == "" {
		all = append(all, field.Required(at, ""))
	} else {
		all = append(all, invalid(at, strings.ToLower(c.Provisioner), valid.IsQualifiedName(strings.ToLower(c.Provisioner)))...)
	}
	all = append(all, oneOf(field.NewPath("reclaimPolicy"), *c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRetain)...)
	return append(all, oneOf(field.NewPath("volumeBindingMode"), *c.VolumeBindingMode, storagev1.VolumeBindingImmediate, storagev1.VolumeBindingWaitForFirstConsumer)...)
}

func changedStorageClass(c, old *storagev1.StorageClass) field.ErrorList {
	all := immutable(field.NewPath("parameters"), c.Parameters, old.Parameters)
	all = append(all, immutable(field.NewPath("provisioner"), c.Provisioner, old.Provisioner)...)
	all = append(all, immutable(field.NewPath("reclaimPolicy"), c.ReclaimPolicy, old.ReclaimPolicy)...)
	return append(all, immutable(field.NewPath("volumeBindingMode"), c.VolumeBindingMode, old.VolumeBindingMode)...)
}
