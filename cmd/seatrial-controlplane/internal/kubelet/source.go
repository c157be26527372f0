package kubelet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/record"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/kubelet/events"
)

// sources are the ConfigMaps and Secrets that there are, with their keys.
type sources struct {
	configMaps corelisters.ConfigMapLister
	secrets    corelisters.SecretLister
}

func newSources(factory informers.SharedInformerFactory) sources {
	return sources{factory.Core().V1().ConfigMaps().Lister(), factory.Core().V1().Secrets().Lister()}
}

// slim drops what kubelets do not read: of ConfigMaps and Secrets only the keys
// count.
func slim(object any) (any, error) {
	switch o := object.(type) {
	case *corev1.ConfigMap:
		for key := range o.Data {
			o.Data[key] = ""
		}
		for key := range o.BinaryData {
			o.BinaryData[key] = nil
		}
	case *corev1.Secret:
		for key := range o.Data {
			o.Data[key] = nil
		}
	}
	return withoutManagedFields(object)
}

// named is a ConfigMap or a Secret that a pod needs, with the keys that it needs
// of it.
type named struct {
	secret bool
	name   string
	keys   []string
}

// missing says what is not there, nothing if all is. The key that is said to be
// missing is the second value.
func (s sources) missing(namespace string, want named) (message, key string) {
	has := map[string]bool{}
	kind := "configmap"
	var err error
	if want.secret {
		kind = "secret"
		var o *corev1.Secret
		if o, err = s.secrets.Secrets(namespace).Get(want.name); err == nil {
			for key := range o.Data {
				has[key] = true
			}
		}
	} else {
		var o *corev1.ConfigMap
		if o, err = s.configMaps.ConfigMaps(namespace).Get(want.name); err == nil {
			for key := range o.Data {
				has[key] = true
			}
			for key := range o.BinaryData {
				has[key] = true
			}
		}
	}
	if err != nil {
		return fmt.Sprintf("%s %q not found", kind, want.name), ""
	}
	for _, key := range want.keys {
		if !has[key] {
			return "", key
		}
	}
	return "", ""
}

// ofAPI is how the volume begins that the API server gives every pod. The
// certificates in it are published by a controller that does not run here.
const ofAPI = "kube-api-access-"

// unmounted says why a volume of a pod cannot be mounted, in the words of a
// kubelet; nothing if all can.
func (s sources) unmounted(pod *corev1.Pod) string {
	for i := range pod.Spec.Volumes {
		v := &pod.Spec.Volumes[i]
		for _, want := range volumeSources(v) {
			message, key := s.missing(pod.Namespace, want)
			switch {
			case key != "" && want.secret:
				message = "references non-existent secret key: " + key
			case key != "":
				message = "configmap references non-existent config key: " + key
			}
			if message != "" {
				return fmt.Sprintf("MountVolume.SetUp failed for volume %q : %s", v.Name, message)
			}
		}
	}
	return ""
}

// volumeSources are what a volume cannot be without.
func volumeSources(v *corev1.Volume) []named {
	var all []named
	add := func(secret bool, name string, items []corev1.KeyToPath, optional *bool) {
		if optional != nil && *optional {
			return
		}
		want := named{secret: secret, name: name}
		for _, item := range items {
			want.keys = append(want.keys, item.Key)
		}
		all = append(all, want)
	}
	switch {
	case v.ConfigMap != nil:
		add(false, v.ConfigMap.Name, v.ConfigMap.Items, v.ConfigMap.Optional)
	case v.Secret != nil:
		add(true, v.Secret.SecretName, v.Secret.Items, v.Secret.Optional)
	case v.Projected != nil && !strings.HasPrefix(v.Name, ofAPI):
		for _, p := range v.Projected.Sources {
			if p.ConfigMap != nil {
				add(false, p.ConfigMap.Name, p.ConfigMap.Items, p.ConfigMap.Optional)
			}
			if p.Secret != nil {
				add(true, p.Secret.Name, p.Secret.Items, p.Secret.Optional)
			}
		}
	}
	return all
}

// unconfigured says why the environment of a container cannot be made, in the
// words of a kubelet; nothing if it can.
func (s sources) unconfigured(pod *corev1.Pod, c *corev1.Container) string {
	for _, want := range environmentSources(c) {
		message, key := s.missing(pod.Namespace, want)
		if key != "" {
			kind := "ConfigMap"
			if want.secret {
				kind = "Secret"
			}
			message = fmt.Sprintf("couldn't find key %s in %s %s/%s", key, kind, pod.Namespace, want.name)
		}
		if message != "" {
			return message
		}
	}
	return ""
}

// environmentSources are what a container's environment cannot be without.
func environmentSources(c *corev1.Container) []named {
	var all []named
	needed := func(optional *bool) bool { return optional == nil || !*optional }
	for _, from := range c.EnvFrom {
		if r := from.ConfigMapRef; r != nil && needed(r.Optional) {
			all = append(all, named{name: r.Name})
		}
		if r := from.SecretRef; r != nil && needed(r.Optional) {
			all = append(all, named{secret: true, name: r.Name})
		}
	}
	for _, variable := range c.Env {
		if variable.ValueFrom == nil {
			continue
		}
		if r := variable.ValueFrom.ConfigMapKeyRef; r != nil && needed(r.Optional) {
			all = append(all, named{name: r.Name, keys: []string{r.Key}})
		}
		if r := variable.ValueFrom.SecretKeyRef; r != nil && needed(r.Optional) {
			all = append(all, named{secret: true, name: r.Name, keys: []string{r.Key}})
		}
	}
	return all
}

// configError is why a container waits whose environment cannot be made.
const configError = "CreateContainerConfigError"

// lacks reports whether a container of the pod waits for a ConfigMap or Secret.
func lacks(pod *corev1.Pod) bool {
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			if w := list[i].State.Waiting; w != nil && w.Reason == configError {
				return true
			}
		}
	}
	return false
}

// untouched reports whether no container of the pod has begun, nor tried to: its
// volumes are mounted before.
func untouched(pod *corev1.Pod) bool {
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			w := list[i].State.Waiting
			if w == nil || w.Reason != containerCreating && w.Reason != podInitializing || list[i].LastTerminationState.Terminated != nil {
				return false
			}
		}
	}
	return true
}

// configured reports whether a container's environment can be made; if not, the
// container says so.
func (l *look) configured(c container) (step, bool) {
	message := l.unconfigured(l.pod, c.spec)
	if message == "" {
		return none, true
	}
	l.network()
	l.warn(events.FailedToCreateContainer, "Error: "+message)
	s := c.status
	if w := s.State.Waiting; w != nil && w.Reason == configError && w.Message == message {
		return none, false
	}
	if last := endedLast(s); last != nil {
		s.LastTerminationState = corev1.ContainerState{Terminated: last}
	}
	s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: configError, Message: message}}
	return backedOff, false
}

// warning is an Event that says why a pod does not go on.
type warning struct{ reason, message string }

func (l *look) warn(reason, message string) {
	if w := (warning{reason, message}); !slices.Contains(l.warnings, w) {
		l.warnings = append(l.warnings, w)
	}
}

// tell writes the Events of a look whose pod does not go on, once as long as their
// reasons are the same.
func (k *Kubelets) tell(l *look, r *known) {
	if podutil.IsPodPhaseTerminal(l.pod.Status.Phase) || slices.Equal(l.warnings, r.warned) {
		return
	}
	r.warned = l.warnings
	recorder := k.events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: l.pod.Spec.NodeName})
	for _, w := range l.warnings {
		recorder.Event(l.pod, corev1.EventTypeWarning, w.reason, w.message)
	}
}

// startEvents begins to write Events, until stop.
func startEvents(ctx context.Context, client kubernetes.Interface) (all record.EventBroadcaster, stop func()) {
	all = record.NewBroadcaster(record.WithContext(ctx))
	all.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: client.CoreV1().Events("")})
	return all, all.Shutdown
}
