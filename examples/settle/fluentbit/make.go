package fluentbit

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/resource"
)

// These are all that a Collector has, and a Config.
var (
	collectorChildren = resource.Children[*Collector]{{Make: serviceAccount}, {Make: role}, {Make: roleBinding}, {Make: service}, {Make: daemonSet}}
	configChildren    = resource.Children[*Config]{{Make: secret}}
)

func selector(c *Collector) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "fluentbit", "app.kubernetes.io/instance": c.Name}
}

func labels(c *Collector) map[string]string {
	out := maps.Clone(c.Spec.Labels)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, selector(c))
	return out
}

func meta(c *Collector) metav1.ObjectMeta {
	out := resource.Meta(c, collectorKind, c.Name, labels(c))
	out.Annotations = maps.Clone(c.Spec.Annotations)
	return out
}

func serviceAccount(c *Collector, _ resource.Versions) client.Object {
	return &corev1.ServiceAccount{ObjectMeta: meta(c)}
}

func role(c *Collector, _ resource.Versions) client.Object {
	return &rbacv1.Role{ObjectMeta: meta(c), Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get"}}}}
}

func roleBinding(c *Collector, _ resource.Versions) client.Object {
	return &rbacv1.RoleBinding{
		ObjectMeta: meta(c), RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: c.Name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: c.Namespace, Name: c.Name}},
	}
}

func service(c *Collector, _ resource.Versions) client.Object {
	return &corev1.Service{ObjectMeta: meta(c), Spec: corev1.ServiceSpec{Selector: selector(c), Ports: []corev1.ServicePort{
		{Name: "metrics", Port: c.Spec.MetricsPort, TargetPort: intstr.FromString("metrics")},
	}}}
}

// daemonSet reads the logs of its node, and its configuration whenever that changes.
func daemonSet(c *Collector, _ resource.Versions) client.Object {
	s := c.Spec
	host := func(name, path string) corev1.Volume {
		return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: path}}}
	}
	return &appsv1.DaemonSet{ObjectMeta: meta(c), Spec: appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: selector(c)},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels(c), Annotations: s.Annotations}, Spec: corev1.PodSpec{
			ServiceAccountName: c.Name, Affinity: s.Affinity, Tolerations: s.Tolerations, NodeSelector: s.NodeSelector,
			PriorityClassName: s.PriorityClass, HostNetwork: s.HostNetwork,
			Volumes: []corev1.Volume{
				host("logs", s.ContainerLogs), host("system", "/var/log"), host("journal", "/run/log/journal"),
				{Name: "config", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: s.Config}}},
			},
			Containers: []corev1.Container{{
				Name: "fluent-bit", Image: s.Image, ImagePullPolicy: corev1.PullIfNotPresent, Args: s.Args, Resources: s.Resources,
				Env:   []corev1.EnvVar{{Name: "NODE_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"}}}},
				Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: s.MetricsPort}},
				VolumeMounts: []corev1.VolumeMount{
					{Name: "logs", MountPath: s.ContainerLogs, ReadOnly: true},
					{Name: "system", MountPath: "/var/log/", ReadOnly: true},
					{Name: "journal", MountPath: "/var/log/journal", ReadOnly: true},
					{Name: "config", MountPath: "/fluent-bit/config", ReadOnly: true},
				},
			}},
		}},
	}}
}

func secret(c *Config, _ resource.Versions) client.Object {
	return &corev1.Secret{ObjectMeta: resource.Meta(c, configKind, c.Name, nil), Data: map[string][]byte{
		"fluent-bit.conf": []byte(c.Spec.FluentBit), "parsers.conf": []byte(c.Spec.Parsers),
	}}
}
