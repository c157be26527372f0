package kubestate

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// defaultPod sets what is left out of a pod, as opposed to a template of one.
func defaultPod(p *corev1.Pod) {
	defaultPodSpec(&p.Spec)
	fillPointer(&p.Spec.EnableServiceLinks, true)
	for _, list := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
		for i := range list {
			requestLimits(&list[i].Resources)
			for j := range list[i].Ports {
				if port := &list[i].Ports[j]; p.Spec.HostNetwork {
					fill(&port.HostPort, port.ContainerPort)
				}
			}
		}
	}
	switch s := &p.Status; {
	case len(s.PodIPs) > 0:
		s.PodIP = s.PodIPs[0].IP
	case s.PodIP != "":
		s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	}
}

// requestLimits has a pod request what it is limited to, if it says nothing else.
func requestLimits(r *corev1.ResourceRequirements) {
	if r.Limits == nil {
		return
	}
	if r.Requests == nil {
		r.Requests = corev1.ResourceList{}
	}
	for name, limit := range r.Limits {
		if _, said := r.Requests[name]; !said {
			r.Requests[name] = limit.DeepCopy()
		}
	}
}

// defaultTemplate sets what is left out of a pod template.
func defaultTemplate(t *corev1.PodTemplateSpec) { defaultPodSpec(&t.Spec) }

func defaultPodSpec(s *corev1.PodSpec) {
	fill(&s.DNSPolicy, corev1.DNSClusterFirst)
	fill(&s.RestartPolicy, corev1.RestartPolicyAlways)
	fillPointer(&s.SecurityContext, corev1.PodSecurityContext{})
	fillPointer(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	fill(&s.SchedulerName, corev1.DefaultSchedulerName)
	fill(&s.ServiceAccountName, s.DeprecatedServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
	for i := range s.Volumes {
		defaultVolume(&s.Volumes[i])
	}
	for i := range s.Containers {
		defaultContainer(&s.Containers[i])
	}
	for i := range s.InitContainers {
		defaultContainer(&s.InitContainers[i])
	}
	for i := range s.EphemeralContainers {
		c := corev1.Container(s.EphemeralContainers[i].EphemeralContainerCommon)
		defaultContainer(&c)
		s.EphemeralContainers[i].EphemeralContainerCommon = corev1.EphemeralContainerCommon(c)
	}
}

func defaultContainer(c *corev1.Container) {
	fill(&c.ImagePullPolicy, pullPolicy(c.Image))
	fill(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	fill(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		fill(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FieldRef != nil {
			fill(&from.FieldRef.APIVersion, "v1")
		}
	}
	roundUp(c.Resources.Limits)
	roundUp(c.Resources.Requests)
	for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		defaultProbe(p)
	}
	if c.Lifecycle != nil {
		for _, h := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if h != nil {
				defaultGet(h.HTTPGet)
			}
		}
	}
}

// pullPolicy is always for an image whose tag is latest, or that has neither a tag nor a
// digest.
func pullPolicy(image string) corev1.PullPolicy {
	name, _, digested := strings.Cut(image, "@")
	_, tag, tagged := strings.Cut(name[strings.LastIndex(name, "/")+1:], ":")
	if tag == "latest" || !tagged && !digested && image != "" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

// roundUp has a resource in thousandths at most.
func roundUp(list corev1.ResourceList) {
	for name, quantity := range list {
		quantity.RoundUp(resource.Milli)
		list[name] = quantity
	}
}

func defaultProbe(p *corev1.Probe) {
	if p == nil {
		return
	}
	fill(&p.TimeoutSeconds, 1)
	fill(&p.PeriodSeconds, 10)
	fill(&p.SuccessThreshold, 1)
	fill(&p.FailureThreshold, 3)
	defaultGet(p.HTTPGet)
	if p.GRPC != nil {
		fillPointer(&p.GRPC.Service, "")
	}
}

func defaultGet(a *corev1.HTTPGetAction) {
	if a != nil {
		fill(&a.Path, "/")
		fill(&a.Scheme, corev1.URISchemeHTTP)
	}
}

func defaultVolume(v *corev1.Volume) {
	if reflect.ValueOf(v.VolumeSource).IsZero() {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if s := v.Secret; s != nil {
		fillPointer(&s.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if s := v.ConfigMap; s != nil {
		fillPointer(&s.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if s := v.DownwardAPI; s != nil {
		fillPointer(&s.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		defaultFiles(s.Items)
	}
	if s := v.Projected; s != nil {
		fillPointer(&s.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
		for _, from := range s.Sources {
			if from.ServiceAccountToken != nil {
				fillPointer(&from.ServiceAccountToken.ExpirationSeconds, 60*60)
			}
			if from.DownwardAPI != nil {
				defaultFiles(from.DownwardAPI.Items)
			}
		}
	}
	if s := v.HostPath; s != nil {
		fillPointer(&s.Type, corev1.HostPathUnset)
	}
	if s := v.ISCSI; s != nil {
		fill(&s.ISCSIInterface, "default")
	}
	if s := v.Ephemeral; s != nil && s.VolumeClaimTemplate != nil {
		fillPointer(&s.VolumeClaimTemplate.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	}
	if s := v.Image; s != nil {
		fill(&s.PullPolicy, pullPolicy(s.Reference))
	}
}

func defaultFiles(files []corev1.DownwardAPIVolumeFile) {
	for i := range files {
		if files[i].FieldRef != nil {
			fill(&files[i].FieldRef.APIVersion, "v1")
		}
	}
}
