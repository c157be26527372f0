package kubestate

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func validatePod(p *corev1.Pod) field.ErrorList {
	return validatePodSpec(field.NewPath("spec"), &p.Spec)
}

func bornPod(p *corev1.Pod) field.ErrorList {
	var all field.ErrorList
	if len(p.Spec.EphemeralContainers) > 0 {
		all = append(all, field.Forbidden(field.NewPath("spec", "ephemeralContainers"), "cannot be set on create"))
	}
	if p.Spec.NodeName != "" && len(p.Spec.SchedulingGates) > 0 {
		all = append(all, field.Forbidden(field.NewPath("spec", "nodeName"), "cannot be set until all schedulingGates have been cleared"))
	}
	return all
}

// validateTemplate says what is wrong with a pod template of a workload whose pods always
// restart; owner is its kind.
func validateTemplate(at *field.Path, t *corev1.PodTemplateSpec, owner string) field.ErrorList {
	all := validateAnyTemplate(at, t)
	if t.Spec.RestartPolicy != corev1.RestartPolicyAlways {
		all = append(all, field.NotSupported(at.Child("spec", "restartPolicy"), t.Spec.RestartPolicy, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if t.Spec.ActiveDeadlineSeconds != nil {
		all = append(all, field.Forbidden(at.Child("spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in "+owner+" is not Supported"))
	}
	return all
}

func validateAnyTemplate(at *field.Path, t *corev1.PodTemplateSpec) field.ErrorList {
	all := metavalidation.ValidateLabels(t.Labels, at.Child("labels"))
	return append(all, validatePodSpec(at.Child("spec"), &t.Spec)...)
}

func validatePodSpec(at *field.Path, s *corev1.PodSpec) field.ErrorList {
	all, volumes := validateVolumes(at.Child("volumes"), s.Volumes)
	names := map[string]bool{}
	containers := at.Child("containers")
	if len(s.Containers) == 0 {
		all = append(all, field.Required(containers, ""))
	}
	for i := range s.Containers {
		all = append(all, validateContainer(containers.Index(i), &s.Containers[i], names, volumes)...)
	}
	for i := range s.InitContainers {
		all = append(all, validateContainer(at.Child("initContainers").Index(i), &s.InitContainers[i], names, volumes)...)
	}
	all = append(all, oneOf(at.Child("restartPolicy"), s.RestartPolicy, corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever)...)
	all = append(all, oneOf(at.Child("dnsPolicy"), s.DNSPolicy, corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst, corev1.DNSDefault, corev1.DNSNone)...)
	all = append(all, metavalidation.ValidateLabels(s.NodeSelector, at.Child("nodeSelector"))...)
	for _, name := range []struct{ field, value string }{{"serviceAccountName", s.ServiceAccountName}, {"nodeName", s.NodeName}, {"priorityClassName", s.PriorityClassName}} {
		if name.value != "" {
			all = append(all, invalid(at.Child(name.field), name.value, valid.IsDNS1123Subdomain(name.value))...)
		}
	}
	for _, name := range []struct{ field, value string }{{"hostname", s.Hostname}, {"subdomain", s.Subdomain}} {
		if name.value != "" {
			all = append(all, dnsLabel(at.Child(name.field), name.value)...)
		}
	}
	if d := s.ActiveDeadlineSeconds; d != nil && (*d < 1 || *d > math.MaxInt32) {
		all = append(all, field.Invalid(at.Child("activeDeadlineSeconds"), *d, valid.InclusiveRangeError(1, math.MaxInt32)))
	}
	return all
}

// validateVolumes also gives the names of the volumes.
func validateVolumes(at *field.Path, volumes []corev1.Volume) (field.ErrorList, map[string]bool) {
	var all field.ErrorList
	names := map[string]bool{}
	for i, v := range volumes {
		name := at.Index(i).Child("name")
		switch {
		case v.Name == "":
			all = append(all, field.Required(name, ""))
		case names[v.Name]:
			all = append(all, field.Duplicate(name, v.Name))
		default:
			all = append(all, dnsLabel(name, v.Name)...)
		}
		names[v.Name] = true
		if c := v.PersistentVolumeClaim; c != nil && c.ClaimName == "" {
			all = append(all, field.Required(at.Index(i).Child("persistentVolumeClaim", "claimName"), ""))
		}
		if c := v.ConfigMap; c != nil && c.Name == "" {
			all = append(all, field.Required(at.Index(i).Child("configMap", "name"), ""))
		}
		if s := v.Secret; s != nil && s.SecretName == "" {
			all = append(all, field.Required(at.Index(i).Child("secret", "secretName"), ""))
		}
	}
	return all, names
}

// validateContainer notes its name in names.
func validateContainer(at *field.Path, c *corev1.Container, names, volumes map[string]bool) field.ErrorList {
	var all field.ErrorList
	name := at.Child("name")
	if c.Name == "" {
		all = append(all, field.Required(name, ""))
	} else {
		all = append(all, dnsLabel(name, c.Name)...)
	}
	if c.Image == "" {
		all = append(all, field.Required(at.Child("image"), ""))
	}
	all = append(all, validatePorts(at.Child("ports"), c.Ports)...)
	for i, e := range c.Env {
		if e.Name == "" {
			all = append(all, field.Required(at.Child("env").Index(i).Child("name"), ""))
		}
		if e.ValueFrom != nil && e.Value != "" {
			all = append(all, field.Invalid(at.Child("env").Index(i).Child("valueFrom"), "", "may not be specified when `value` is not empty"))
		}
	}
	all = append(all, validateMounts(at.Child("volumeMounts"), c.VolumeMounts, volumes)...)
	all = append(all, oneOf(at.Child("imagePullPolicy"), c.ImagePullPolicy, corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)...)
	requests := at.Child("resources", "requests")
	for _, k := range sorted(c.Resources.Requests) {
		request := c.Resources.Requests[k]
		if limit, ok := c.Resources.Limits[k]; ok && request.Cmp(limit) > 0 {
			all = append(all, field.Invalid(requests, request.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", k, limit.String())))
		}
	}
	if names[c.Name] {
		all = append(all, field.Duplicate(name, c.Name))
	}
	names[c.Name] = true
	return all
}

func validatePorts(at *field.Path, ports []corev1.ContainerPort) field.ErrorList {
	var all field.ErrorList
	names := map[string]bool{}
	for i, p := range ports {
		if p.Name != "" {
			wrong := invalid(at.Index(i).Child("name"), p.Name, valid.IsValidPortName(p.Name))
			if len(wrong) == 0 && names[p.Name] {
				wrong = append(wrong, field.Duplicate(at.Index(i).Child("name"), p.Name))
			}
			names[p.Name] = true
			all = append(all, wrong...)
		}
		if p.ContainerPort == 0 {
			all = append(all, field.Required(at.Index(i).Child("containerPort"), ""))
		} else {
			all = append(all, invalid(at.Index(i).Child("containerPort"), p.ContainerPort, valid.IsValidPortNum(int(p.ContainerPort)))...)
		}
		all = append(all, protocol(at.Index(i).Child("protocol"), p.Protocol)...)
	}
	return all
}

func protocol(at *field.Path, p corev1.Protocol) field.ErrorList {
	return oneOf(at, p, corev1.ProtocolSCTP, corev1.ProtocolTCP, corev1.ProtocolUDP)
}

func validateMounts(at *field.Path, mounts []corev1.VolumeMount, volumes map[string]bool) field.ErrorList {
	var all field.ErrorList
	paths := map[string]bool{}
	for i, m := range mounts {
		if m.Name == "" {
			all = append(all, field.Required(at.Index(i).Child("name"), ""))
		}
		if !volumes[m.Name] {
			all = append(all, field.NotFound(at.Index(i).Child("name"), m.Name))
		}
		path := at.Index(i).Child("mountPath")
		if m.MountPath == "" {
			all = append(all, field.Required(path, ""))
		}
		if paths[m.MountPath] {
			all = append(all, field.Invalid(path, m.MountPath, "must be unique"))
		}
		paths[m.MountPath] = true
	}
	return all
}

// changeable is what kube-apiserver names as the fields of a pod that can be changed. It
// adds a comparison, in a form that may change from one process to the next.
const changeable = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
	"`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

func changedPod(p, old *corev1.Pod) field.ErrorList {
	at := field.NewPath("spec")
	for _, l := range []struct {
		name     string
		now, old []corev1.Container
	}{{"containers", p.Spec.Containers, old.Spec.Containers}, {"initContainers", p.Spec.InitContainers, old.Spec.InitContainers}} {
		if len(l.now) != len(l.old) {
			return field.ErrorList{field.Forbidden(at.Child(l.name), "pod updates may not add or remove containers")}
		}
	}
	all := changedDeadline(at.Child("activeDeadlineSeconds"), p.Spec.ActiveDeadlineSeconds, old.Spec.ActiveDeadlineSeconds)
	for _, t := range old.Spec.Tolerations {
		same := func(now corev1.Toleration) bool {
			now.TolerationSeconds = t.TolerationSeconds
			return reflect.DeepEqual(now, t)
		}
		if !slices.ContainsFunc(p.Spec.Tolerations, same) {
			all = append(all, field.Forbidden(at.Child("tolerations"), "existing toleration can not be modified except its tolerationSeconds"))
			break
		}
	}
	for i, g := range p.Spec.SchedulingGates {
		if !slices.Contains(old.Spec.SchedulingGates, g) {
			all = append(all, field.Forbidden(at.Child("schedulingGates").Index(i).Child("name"), fmt.Sprintf("only deletion is allowed, but found new scheduling gate '%s'", g.Name)))
		}
	}
	if !equality.Semantic.DeepEqual(otherwise(p, old), old.Spec) {
		all = append(all, field.Forbidden(at, changeable))
	}
	return all
}

// otherwise is the spec of a pod with what can be changed as it was.
func otherwise(p, old *corev1.Pod) corev1.PodSpec {
	s := *p.Spec.DeepCopy()
	for i := range s.Containers {
		s.Containers[i].Image = old.Spec.Containers[i].Image
	}
	for i := range s.InitContainers {
		s.InitContainers[i].Image = old.Spec.InitContainers[i].Image
	}
	s.ActiveDeadlineSeconds, s.Tolerations, s.SchedulingGates = old.Spec.ActiveDeadlineSeconds, old.Spec.Tolerations, old.Spec.SchedulingGates
	if g, was := s.TerminationGracePeriodSeconds, old.Spec.TerminationGracePeriodSeconds; g != nil && was != nil && *g == 1 && *was < 0 {
		s.TerminationGracePeriodSeconds = was
	}
	if len(old.Spec.SchedulingGates) > 0 && within(old.Spec.NodeSelector, s.NodeSelector) {
		s.NodeSelector = old.Spec.NodeSelector
	}
	return s
}

// within tells whether all of a is in b.
func within(a, b map[string]string) bool {
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

func changedDeadline(at *field.Path, now, old *int64) field.ErrorList {
	switch {
	case now == nil && old != nil:
		return field.ErrorList{field.Invalid(at, now, "must not update from a positive integer to nil value")}
	case now != nil && (*now < 0 || *now > math.MaxInt32):
		return field.ErrorList{field.Invalid(at, *now, valid.InclusiveRangeError(0, math.MaxInt32))}
	case now != nil && old != nil && *old < *now:
		return field.ErrorList{field.Invalid(at, *now, "must be less than or equal to previous value")}
	}
	return nil
}

func changedPodStatus(p, old *corev1.Pod) field.ErrorList {
	at := field.NewPath("status")
	all := immutable(at.Child("qosClass"), p.Status.QOSClass, old.Status.QOSClass)
	if p.Spec.RestartPolicy == corev1.RestartPolicyAlways {
		return all
	}
	for i, was := range old.Status.ContainerStatuses {
		for _, now := range p.Status.ContainerStatuses {
			stays := was.State.Terminated != nil && (p.Spec.RestartPolicy == corev1.RestartPolicyNever || was.State.Terminated.ExitCode == 0)
			if was.Name == now.Name && stays && now.State.Terminated == nil {
				all = append(all, field.Forbidden(at.Child("containerStatuses").Index(i).Child("state"), "may not be transitioned to non-terminated state"))
			}
		}
	}
	return all
}
