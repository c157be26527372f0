package rabbitmq

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/resource"
)

// children are all that a Broker has. Servers read their plugins and their configuration when they
// begin, so that those are before the StatefulSet.
var children = resource.Children[*Broker]{
	{Make: nodesService},
	{Make: clientService},
	{Make: cookie},
	{Make: defaultUser},
	{Make: pluginsConfig, Noted: true},
	{Make: serverConfig, Noted: true},
	{Make: serviceAccount},
	{Make: role},
	{Make: roleBinding},
	{Make: statefulSet},
}

// configVersions are the annotations by which pods are replaced when their configuration changes.
const (
	pluginsVersion = "rabbitmq.example.com/plugins-version"
	serverVersion  = "rabbitmq.example.com/server-version"
)

func selector(b *Broker) map[string]string {
	return map[string]string{"app.kubernetes.io/name": b.Name, "app.kubernetes.io/component": "rabbitmq"}
}

func labels(b *Broker) map[string]string {
	out := maps.Clone(b.Spec.Labels)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, selector(b))
	return out
}

func meta(b *Broker, suffix string) metav1.ObjectMeta {
	out := resource.Meta(b, kind, b.Name+suffix, labels(b))
	out.Annotations = maps.Clone(b.Spec.Annotations)
	return out
}

func port(name string, n int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: n, TargetPort: intstr.FromInt32(n)}
}

// nodesService is for the servers themselves, each of which has a name of its own.
func nodesService(b *Broker, _ resource.Versions) client.Object {
	return &corev1.Service{ObjectMeta: meta(b, "-nodes"), Spec: corev1.ServiceSpec{
		ClusterIP: corev1.ClusterIPNone, Selector: selector(b), PublishNotReadyAddresses: true,
		Ports: []corev1.ServicePort{port("epmd", 4369), port("cluster-rpc", 25672)},
	}}
}

func clientService(b *Broker, _ resource.Versions) client.Object {
	return &corev1.Service{ObjectMeta: meta(b, "-client"), Spec: corev1.ServiceSpec{
		Selector: selector(b), Ports: []corev1.ServicePort{port("amqp", 5672), port("management", 15672)},
	}}
}

// secret is drawn from the UID of a Broker, so that it is the same every time. A real
// operator draws it by chance, and keeps what is there.
func secret(b *Broker, of string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(of+string(b.UID))))[:24]
}

// cookie is what servers know each other by.
func cookie(b *Broker, _ resource.Versions) client.Object {
	return &corev1.Secret{ObjectMeta: meta(b, "-erlang-cookie"), Data: map[string][]byte{".erlang.cookie": []byte(secret(b, "cookie"))}}
}

func defaultUser(b *Broker, _ resource.Versions) client.Object {
	user, password := "default_user", secret(b, "user")
	return &corev1.Secret{ObjectMeta: meta(b, "-default-user"), Data: map[string][]byte{
		"username": []byte(user), "password": []byte(password), "host": []byte(b.Name + "-client." + b.Namespace + ".svc"), "port": []byte("5672"),
		"default_user.conf": fmt.Appendf(nil, "default_user = %s\ndefault_pass = %s\n", user, password),
	}}
}

func pluginsConfig(b *Broker, _ resource.Versions) client.Object {
	plugins := append([]string{"rabbitmq_peer_discovery_k8s", "rabbitmq_management", "rabbitmq_prometheus"}, b.Spec.Config.Plugins...)
	return &corev1.ConfigMap{ObjectMeta: meta(b, "-plugins"), Data: map[string]string{"enabled_plugins": "[" + strings.Join(plugins, ",") + "]."}}
}

func serverConfig(b *Broker, _ resource.Versions) client.Object {
	data := map[string]string{
		"operatorDefaults.conf": "cluster_formation.peer_discovery_backend = rabbit_peer_discovery_k8s\n" +
			"cluster_formation.k8s.host = kubernetes.default\ncluster_formation.k8s.address_type = hostname\n" +
			"cluster_partition_handling = pause_minority\nqueue_master_locator = min-masters\ncluster_name = " + b.Name + "\n",
		"userDefined.conf": b.Spec.Config.Additional,
	}
	if text := b.Spec.Config.Advanced; text != "" {
		data["advanced.config"] = text
	}
	if text := b.Spec.Config.Env; text != "" {
		data["rabbitmq-env.conf"] = text
	}
	return &corev1.ConfigMap{ObjectMeta: meta(b, "-server"), Data: data}
}

func serviceAccount(b *Broker, _ resource.Versions) client.Object {
	return &corev1.ServiceAccount{ObjectMeta: meta(b, "-server")}
}

func role(b *Broker, _ resource.Versions) client.Object {
	return &rbacv1.Role{ObjectMeta: meta(b, "-peer-discovery"), Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"endpoints"}, Verbs: []string{"get"}},
		{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create"}},
	}}
}

func roleBinding(b *Broker, _ resource.Versions) client.Object {
	return &rbacv1.RoleBinding{
		ObjectMeta: meta(b, "-server"),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: b.Name + "-peer-discovery"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: b.Namespace, Name: b.Name + "-server"}},
	}
}

func statefulSet(b *Broker, versions resource.Versions) client.Object {
	replicas, account := b.Spec.Replicas, b.Name+"-server"
	template := metav1.ObjectMeta{Labels: labels(b), Annotations: map[string]string{
		pluginsVersion: versions[b.Name+"-plugins"], serverVersion: versions[b.Name+"-server"],
	}}
	return &appsv1.StatefulSet{ObjectMeta: meta(b, "-server"), Spec: appsv1.StatefulSetSpec{
		Replicas: &replicas, ServiceName: b.Name + "-nodes", Selector: &metav1.LabelSelector{MatchLabels: selector(b)},
		PodManagementPolicy: b.Spec.PodManagement, PersistentVolumeClaimRetentionPolicy: b.Spec.Retention,
		VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
			ObjectMeta: metav1.ObjectMeta{Name: "persistence", Labels: selector(b)}, // cannot be changed, and so has no labels of users
			Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: b.Spec.Persistence.StorageClassName,
				Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: quantity.MustParse(b.Spec.Persistence.Storage)}},
			},
		}},
		Template: corev1.PodTemplateSpec{ObjectMeta: template, Spec: corev1.PodSpec{
			ServiceAccountName: account, Affinity: b.Spec.Affinity, Tolerations: b.Spec.Tolerations,
			Containers: []corev1.Container{server(b)}, Volumes: volumes(b),
		}},
	}}
}

func server(b *Broker) corev1.Container {
	return corev1.Container{
		Name: "rabbitmq", Image: b.Spec.Image, ImagePullPolicy: corev1.PullIfNotPresent, Resources: b.Spec.Resources,
		Env: []corev1.EnvVar{
			{Name: "MY_POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
			{Name: "RABBITMQ_USE_LONGNAME", Value: "true"},
			{Name: "RABBITMQ_NODENAME", Value: fmt.Sprintf("rabbit@$(MY_POD_NAME).%s-nodes.%s", b.Name, b.Namespace)},
		},
		Ports: []corev1.ContainerPort{{Name: "epmd", ContainerPort: 4369}, {Name: "amqp", ContainerPort: 5672}, {Name: "management", ContainerPort: 15672}},
		VolumeMounts: []corev1.VolumeMount{
			{Name: "persistence", MountPath: "/var/lib/rabbitmq/mnesia"},
			{Name: "plugins", MountPath: "/operator"},
			{Name: "server", MountPath: "/etc/rabbitmq/conf.d"},
			{Name: "cookie", MountPath: "/var/lib/rabbitmq/cookie"},
		},
		ReadinessProbe: &corev1.Probe{InitialDelaySeconds: 10, ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("amqp")}}},
	}
}

func volumes(b *Broker) []corev1.Volume {
	config := func(name string) *corev1.ConfigMapVolumeSource {
		return &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: b.Name + "-" + name}}
	}
	return []corev1.Volume{
		{Name: "plugins", VolumeSource: corev1.VolumeSource{ConfigMap: config("plugins")}},
		{Name: "server", VolumeSource: corev1.VolumeSource{ConfigMap: config("server")}},
		{Name: "cookie", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: b.Name + "-erlang-cookie"}}},
	}
}
