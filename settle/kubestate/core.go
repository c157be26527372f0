package kubestate

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

var coreKinds = []builtin{
	podKind, serviceKind, namespaceKind,
	{
		kind: kindOf("", "ConfigMap"), plural: "configmaps",
		validate: check(validateConfigMap), changed: change(changedConfigMap),
	},
	{
		kind: kindOf("", "Secret"), plural: "secrets", defaults: each(defaultSecret),
		validate: check(validateSecret), changed: change(changedSecret),
		fields: selectable(func(s *corev1.Secret) fields.Set { return fields.Set{"type": string(s.Type)} }),
	},
	{
		kind: kindOf("", "ServiceAccount"), plural: "serviceaccounts", returned: true,
		create: each(nameSecrets), update: both(func(a, _ *corev1.ServiceAccount) { nameSecrets(a) }),
	},
	{
		kind: kindOf("", "PersistentVolumeClaim"), plural: "persistentvolumeclaims", returned: true,
		defaults: each(defaultClaim),
		validate: check(func(c *corev1.PersistentVolumeClaim) field.ErrorList {
			return validateClaim(field.NewPath("spec"), &c.Spec)
		}),
		changed: change(changedClaim),
	},
	{
		kind: kindOf("", "PersistentVolume"), plural: "persistentvolumes", cluster: true, returned: true,
		defaults: each(defaultVolumeOfCluster), create: each(createVolume), statusUpdate: both(updateVolumeStatus),
		validate: check(validateVolume), changed: change(changedVolume),
	},
	{
		kind: kindOf("", "Node"), plural: "nodes", cluster: true, bornWithStatus: true,
		defaults: each(defaultNode), changed: change(changedNode),
		fields: selectable(func(n *corev1.Node) fields.Set {
			return fields.Set{"spec.unschedulable": fmt.Sprint(n.Spec.Unschedulable)}
		}),
	},
	{
		kind: kindOf("", "Event"), plural: "events", named: path.ValidatePathSegmentName, upsert: true,
		collected: rest.GarbageCollectionPolicy("Unsupported"), validate: check(validateEvent), fields: selectable(eventFields),
	},
	{
		kind: kindOf("", "Endpoints"), plural: "endpoints", upsert: true,
		defaults: each(defaultEndpoints), validate: check(validateEndpoints),
	},
}

func validateConfigMap(c *corev1.ConfigMap) field.ErrorList {
	var all field.ErrorList
	size := 0
	for _, k := range sorted(c.Data) {
		all = append(all, invalid(field.NewPath("data").Key(k), k, valid.IsConfigMapKey(k))...)
		if _, twice := c.BinaryData[k]; twice {
			all = append(all, field.Invalid(field.NewPath("data").Key(k), k, "duplicate of key present in binaryData"))
		}
		size += len(c.Data[k])
	}
	for _, k := range sorted(c.BinaryData) {
		all = append(all, invalid(field.NewPath("binaryData").Key(k), k, valid.IsConfigMapKey(k))...)
		size += len(c.BinaryData[k])
	}
	if size > corev1.MaxSecretSize {
		all = append(all, field.TooLong(field.NewPath(""), "", corev1.MaxSecretSize))
	}
	return all
}

func changedConfigMap(c, old *corev1.ConfigMap) field.ErrorList {
	if old.Immutable == nil || !*old.Immutable {
		return nil
	}
	var all field.ErrorList
	if c.Immutable == nil || !*c.Immutable {
		all = sealed("immutable", c.Immutable, old.Immutable)
	}
	if len(c.Data)+len(old.Data) > 0 { // kube-apiserver makes it empty if there is none
		all = append(all, sealed("data", c.Data, old.Data)...)
	}
	return append(all, sealed("binaryData", c.BinaryData, old.BinaryData)...)
}

func defaultSecret(s *corev1.Secret) {
	fill(&s.Type, corev1.SecretTypeOpaque)
	for k, v := range s.StringData {
		if s.Data == nil {
			s.Data = map[string][]byte{}
		}
		s.Data[k] = []byte(v)
	}
	s.StringData = nil // only written, never read
}

func validateSecret(s *corev1.Secret) field.ErrorList {
	var all field.ErrorList
	data := field.NewPath("data")
	size := 0
	for _, k := range sorted(s.Data) {
		all = append(all, invalid(data.Key(k), k, valid.IsConfigMapKey(k))...)
		size += len(s.Data[k])
	}
	if size > corev1.MaxSecretSize {
		all = append(all, field.TooLong(data, "", corev1.MaxSecretSize))
	}
	need := func(keys ...string) {
		for _, k := range keys {
			if _, ok := s.Data[k]; !ok {
				all = append(all, field.Required(data.Key(k), ""))
			}
		}
	}
	document := func(key string) {
		if need(key); s.Data[key] != nil && !json.Valid(s.Data[key]) {
			all = append(all, field.Invalid(data.Key(key), "<secret contents redacted>", "no JSON"))
		}
	}
	switch s.Type {
	case corev1.SecretTypeServiceAccountToken:
		if s.Annotations[corev1.ServiceAccountNameKey] == "" {
			all = append(all, field.Required(field.NewPath("metadata", "annotations").Key(corev1.ServiceAccountNameKey), ""))
		}
	case corev1.SecretTypeDockercfg:
		document(corev1.DockerConfigKey)
	case corev1.SecretTypeDockerConfigJson:
		document(corev1.DockerConfigJsonKey)
	case corev1.SecretTypeBasicAuth:
		if s.Data[corev1.BasicAuthUsernameKey] == nil && s.Data[corev1.BasicAuthPasswordKey] == nil {
			need(corev1.BasicAuthUsernameKey, corev1.BasicAuthPasswordKey)
		}
	case corev1.SecretTypeSSHAuth:
		need(corev1.SSHAuthPrivateKey)
	case corev1.SecretTypeTLS:
		need(corev1.TLSCertKey, corev1.TLSPrivateKeyKey)
	}
	return all
}

func changedSecret(s, old *corev1.Secret) field.ErrorList {
	all := immutable(field.NewPath("type"), s.Type, old.Type)
	if old.Immutable == nil || !*old.Immutable {
		return all
	}
	if s.Immutable == nil || !*s.Immutable {
		all = append(all, sealed("immutable", s.Immutable, old.Immutable)...)
	}
	return append(all, sealed("data", s.Data, old.Data)...)
}

// nameSecrets leaves of references to secrets their names.
func nameSecrets(a *corev1.ServiceAccount) {
	for i := range a.Secrets {
		a.Secrets[i] = corev1.ObjectReference{Name: a.Secrets[i].Name}
	}
}

func defaultClaim(c *corev1.PersistentVolumeClaim) {
	fill(&c.Status.Phase, corev1.ClaimPending)
	fillPointer(&c.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
}

func validateClaim(at *field.Path, s *corev1.PersistentVolumeClaimSpec) field.ErrorList {
	var all field.ErrorList
	if len(s.AccessModes) == 0 {
		all = append(all, field.Required(at.Child("accessModes"), "at least 1 access mode is required"))
	}
	for _, mode := range s.AccessModes {
		all = append(all, accessMode(at.Child("accessModes"), mode)...)
	}
	if s.Selector != nil {
		all = append(all, validSelector(at.Child("selector"), s.Selector)...)
	}
	size := at.Child("resources").Key(string(corev1.ResourceStorage))
	if q, ok := s.Resources.Requests[corev1.ResourceStorage]; !ok {
		all = append(all, field.Required(size, ""))
	} else if q.Sign() <= 0 {
		all = append(all, field.Invalid(size, q.String(), "must be greater than zero"))
	}
	if s.StorageClassName != nil && *s.StorageClassName != "" {
		all = append(all, invalid(at.Child("storageClassName"), *s.StorageClassName, valid.IsDNS1123Subdomain(*s.StorageClassName))...)
	}
	return all
}

func accessMode(at *field.Path, mode corev1.PersistentVolumeAccessMode) field.ErrorList {
	return oneOf(at, mode, corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOnce, corev1.ReadWriteOncePod)
}

// changedClaim refuses a change of the spec other than being bound once, getting a class
// for the first time, and being expanded when bound.
func changedClaim(c, old *corev1.PersistentVolumeClaim) field.ErrorList {
	now, was := c.Spec.DeepCopy(), old.Spec.DeepCopy()
	if was.VolumeName == "" {
		was.VolumeName = now.VolumeName
	}
	if was.StorageClassName == nil && now.StorageClassName != nil {
		was.StorageClassName = now.StorageClassName
	}
	if c.Status.Phase == corev1.ClaimBound {
		if now.Resources.Requests != nil {
			now.Resources.Requests[corev1.ResourceStorage] = old.Spec.Resources.Requests[corev1.ResourceStorage]
		}
		now.VolumeAttributesClassName = was.VolumeAttributesClassName
	}
	var all field.ErrorList
	if !equality.Semantic.DeepEqual(now, was) {
		all = append(all, field.Forbidden(field.NewPath("spec"), "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"))
	}
	size, before, there := c.Spec.Resources.Requests[corev1.ResourceStorage], old.Spec.Resources.Requests[corev1.ResourceStorage], old.Status.Capacity[corev1.ResourceStorage]
	if size.Cmp(before) < 0 && size.Cmp(there) <= 0 {
		all = append(all, field.Forbidden(field.NewPath("spec", "resources", "requests", "storage"), "field can not be less than status.capacity"))
	}
	return append(all, immutable(field.NewPath("volumeMode"), c.Spec.VolumeMode, old.Spec.VolumeMode)...)
}

func defaultVolumeOfCluster(v *corev1.PersistentVolume) {
	fill(&v.Status.Phase, corev1.VolumePending)
	fill(&v.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
	fillPointer(&v.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	if s := v.Spec.HostPath; s != nil {
		fillPointer(&s.Type, corev1.HostPathUnset)
	}
}

func createVolume(v *corev1.PersistentVolume) {
	now := metav1.NewTime(Epoch)
	v.Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending, LastPhaseTransitionTime: &now}
}

func updateVolumeStatus(v, old *corev1.PersistentVolume) {
	now := metav1.NewTime(Epoch)
	t, was := v.Status.LastPhaseTransitionTime, old.Status.LastPhaseTransitionTime
	switch {
	case v.Status.Phase == old.Status.Phase && t == nil:
		v.Status.LastPhaseTransitionTime = was
	case v.Status.Phase != old.Status.Phase && (t == nil || t.Equal(was)):
		v.Status.LastPhaseTransitionTime = &now
	}
}

func validateVolume(v *corev1.PersistentVolume) field.ErrorList {
	var all field.ErrorList
	at := field.NewPath("spec")
	if len(v.Spec.AccessModes) == 0 {
		all = append(all, field.Required(at.Child("accessModes"), ""))
	}
	for _, mode := range v.Spec.AccessModes {
		all = append(all, accessMode(at.Child("accessModes"), mode)...)
	}
	if len(v.Spec.Capacity) == 0 {
		all = append(all, field.Required(at.Child("capacity"), ""))
	}
	if _, ok := v.Spec.Capacity[corev1.ResourceStorage]; !ok || len(v.Spec.Capacity) > 1 {
		all = append(all, field.NotSupported(at.Child("capacity"), v.Spec.Capacity, []corev1.ResourceName{corev1.ResourceStorage}))
	}
	if reflect.ValueOf(v.Spec.PersistentVolumeSource).IsZero() {
		all = append(all, field.Required(at, "must specify a volume type"))
	}
	return append(all, oneOf(at.Child("persistentVolumeReclaimPolicy"), v.Spec.PersistentVolumeReclaimPolicy,
		corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRecycle, corev1.PersistentVolumeReclaimRetain)...)
}

func changedVolume(v, old *corev1.PersistentVolume) field.ErrorList {
	var all field.ErrorList
	if !equality.Semantic.DeepEqual(v.Spec.PersistentVolumeSource, old.Spec.PersistentVolumeSource) {
		all = append(all, field.Forbidden(field.NewPath("spec", "persistentvolumesource"), "spec.persistentvolumesource is immutable after creation"))
	}
	return append(all, immutable(field.NewPath("volumeMode"), v.Spec.VolumeMode, old.Spec.VolumeMode)...)
}

func defaultNode(n *corev1.Node) {
	if n.Status.Allocatable == nil {
		n.Status.Allocatable = maps.Clone(n.Status.Capacity)
	}
}

func changedNode(n, old *corev1.Node) field.ErrorList {
	var all field.ErrorList
	if len(old.Spec.PodCIDRs) > 0 && !equality.Semantic.DeepEqual(n.Spec.PodCIDRs, old.Spec.PodCIDRs) {
		all = append(all, field.Forbidden(field.NewPath("spec", "podCIDRs"), `node updates may not change podCIDR except from "" to valid`))
	}
	if old.Spec.ProviderID != "" && n.Spec.ProviderID != old.Spec.ProviderID {
		all = append(all, field.Forbidden(field.NewPath("spec", "providerID"), `node updates may not change providerID except from "" to valid`))
	}
	return all
}

func validateEvent(e *corev1.Event) field.ErrorList {
	var all field.ErrorList
	of := field.NewPath("involvedObject", "namespace")
	if e.EventTime.IsZero() {
		if other := e.InvolvedObject.Namespace; other != e.Namespace && (other != "" || e.Namespace != metav1.NamespaceDefault) {
			all = append(all, field.Invalid(of, other, "does not match event.namespace"))
		}
		return all
	}
	if e.InvolvedObject.Namespace == "" && e.Namespace != metav1.NamespaceDefault && e.Namespace != metav1.NamespaceSystem {
		all = append(all, field.Invalid(of, "", "does not match event.namespace"))
	}
	for _, need := range []struct{ name, value string }{
		{"reportingComponent", e.ReportingController}, {"reportingInstance", e.ReportingInstance}, {"action", e.Action}, {"reason", e.Reason},
	} {
		if need.value == "" {
			all = append(all, field.Required(field.NewPath(need.name), ""))
		}
		if need.name == "reportingComponent" {
			all = append(all, invalid(field.NewPath(need.name), need.value, valid.IsQualifiedName(need.value))...)
		}
	}
	return all
}

func eventFields(e *corev1.Event) fields.Set {
	source := e.Source.Component
	fill(&source, e.ReportingController)
	of := e.InvolvedObject
	return fields.Set{
		"involvedObject.kind": of.Kind, "involvedObject.namespace": of.Namespace, "involvedObject.name": of.Name, "involvedObject.uid": string(of.UID),
		"involvedObject.apiVersion": of.APIVersion, "involvedObject.resourceVersion": of.ResourceVersion, "involvedObject.fieldPath": of.FieldPath,
		"reason": e.Reason, "reportingComponent": e.ReportingController, "source": source, "type": e.Type,
	}
}

func defaultEndpoints(e *corev1.Endpoints) { //nolint:staticcheck // deprecated, and served
	for _, s := range e.Subsets {
		for i := range s.Ports {
			fill(&s.Ports[i].Protocol, corev1.ProtocolTCP)
		}
	}
}

func validateEndpoints(e *corev1.Endpoints) field.ErrorList { //nolint:staticcheck // deprecated, and served
	var all field.ErrorList
	for i, s := range e.Subsets {
		at := field.NewPath("subsets").Index(i)
		if len(s.Addresses) == 0 && len(s.NotReadyAddresses) == 0 {
			all = append(all, field.Required(at, "must specify `addresses` or `notReadyAddresses`"))
		}
		for j, p := range s.Ports {
			if p.Name == "" && len(s.Ports) > 1 {
				all = append(all, field.Required(at.Child("ports").Index(j).Child("name"), ""))
			}
			all = append(all, invalid(at.Child("ports").Index(j).Child("port"), p.Port, valid.IsValidPortNum(int(p.Port)))...)
		}
	}
	return all
}
