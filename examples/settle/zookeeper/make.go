package zookeeper

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	children "github.com/seatrial/seatrial/examples/settle/resource"
)

var (
	config   = children.Child[*Cluster]{Make: configMap, Noted: true}
	services = children.Children[*Cluster]{{Make: headlessService}, {Make: clientService}, {Make: adminService}, config}
)

// configVersion is the annotation by which pods are replaced when the configuration changes.
const configVersion = "zookeeper.example.com/config-version"

// sizeMark is the annotation that says how many servers there are to be, before they know.
const sizeMark = "zookeeper.example.com/size"

func size(c *Cluster) string { return strconv.Itoa(int(c.Spec.Replicas)) }

func configName(c *Cluster) string { return c.Name + "-config" }

func selector(c *Cluster) map[string]string {
	return map[string]string{"app": c.Name, "kind": "zookeeper"}
}

func labels(c *Cluster) map[string]string {
	out := maps.Clone(c.Spec.Labels)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, selector(c))
	return out
}

func meta(c *Cluster, name string) metav1.ObjectMeta {
	out := children.Meta(c, kind, name, labels(c))
	out.Annotations = maps.Clone(c.Spec.Annotations)
	return out
}

func service(c *Cluster, suffix, address string, ports ...corev1.ServicePort) client.Object {
	for i := range ports {
		ports[i].TargetPort = intstr.FromInt32(ports[i].Port)
	}
	return &corev1.Service{ObjectMeta: meta(c, c.Name+suffix), Spec: corev1.ServiceSpec{ClusterIP: address, Selector: selector(c), Ports: ports}}
}

// headlessService is for the servers themselves, each of which has a name of its own.
func headlessService(c *Cluster, _ children.Versions) client.Object {
	p := c.Spec.Ports
	return service(c, "-headless", corev1.ClusterIPNone,
		corev1.ServicePort{Name: "tcp-client", Port: p.Client}, corev1.ServicePort{Name: "tcp-quorum", Port: p.Quorum},
		corev1.ServicePort{Name: "tcp-leader-election", Port: p.LeaderElection}, corev1.ServicePort{Name: "tcp-metrics", Port: p.Metrics},
		corev1.ServicePort{Name: "tcp-admin-server", Port: p.AdminServer})
}

func clientService(c *Cluster, _ children.Versions) client.Object {
	return service(c, "-client", "", corev1.ServicePort{Name: "tcp-client", Port: c.Spec.Ports.Client})
}

func adminService(c *Cluster, _ children.Versions) client.Object {
	return service(c, "-admin-server", "", corev1.ServicePort{Name: "tcp-admin-server", Port: c.Spec.Ports.AdminServer})
}

func configMap(c *Cluster, _ children.Versions) client.Object {
	p := c.Spec.Ports
	return &corev1.ConfigMap{ObjectMeta: meta(c, configName(c)), Data: map[string]string{
		"zoo.cfg": c.Spec.Config.text(p),
		"env.sh": fmt.Sprintf("DOMAIN=%s-headless.%s.svc.cluster.local\nCLUSTER_NAME=%s\nCLIENT_PORT=%d\nQUORUM_PORT=%d\nLEADER_PORT=%d\n",
			c.Name, c.Namespace, c.Name, p.Client, p.Quorum, p.LeaderElection),
	}}
}

// text is zoo.cfg.
func (c Config) text(p Ports) string {
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%s=%v\n", name, value) }
	line("4lw.commands.whitelist", "cons, envi, conf, crst, srvr, stat, mntr, ruok")
	line("dataDir", "/data")
	line("standaloneEnabled", false)
	line("reconfigEnabled", true)
	line("skipACL", "yes")
	line("metricsProvider.className", "org.apache.zookeeper.metrics.prometheus.PrometheusMetricsProvider")
	line("metricsProvider.httpPort", p.Metrics)
	line("admin.serverPort", p.AdminServer)
	line("initLimit", c.InitLimit)
	line("tickTime", c.TickTime)
	line("syncLimit", c.SyncLimit)
	line("globalOutstandingLimit", c.GlobalOutstandingLimit)
	line("preAllocSize", c.PreAllocSize)
	line("snapCount", c.SnapCount)
	line("commitLogCount", c.CommitLogCount)
	line("snapSizeLimitInKb", c.SnapSizeLimitInKb)
	line("maxCnxns", c.MaxCnxns)
	line("maxClientCnxns", c.MaxClientCnxns)
	line("minSessionTimeout", c.MinSessionTimeout)
	line("maxSessionTimeout", c.MaxSessionTimeout)
	line("autopurge.snapRetainCount", c.SnapRetainCount)
	line("autopurge.purgeInterval", c.PurgeInterval)
	line("fsync.warningthresholdms", c.FsyncWarningThresholdMs)
	line("maxResponseCacheSize", c.MaxResponseCacheSize)
	line("quorumListenOnAllIPs", c.QuorumListenOnAllIPs)
	return b.String()
}

// statefulSet has the servers. Its claims and its selector cannot be changed, and so have none of the
// labels of users.
func statefulSet(c *Cluster, versions children.Versions) client.Object {
	annotations := maps.Clone(c.Spec.PodAnnotations)
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[configVersion] = versions[configName(c)]
	volumes := []corev1.Volume{{Name: "conf", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: configName(c)},
	}}}}
	var claims []corev1.PersistentVolumeClaim
	if p := c.Spec.Persistence; p.Enabled == nil || *p.Enabled {
		size := resource.MustParse(p.StorageSize)
		claims = append(claims, corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Labels: selector(c)}, Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: p.StorageClassName,
			Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: size}},
		}})
	} else {
		volumes = append(volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	}
	replicas, named := c.Spec.Replicas, meta(c, c.Name)
	metav1.SetMetaDataAnnotation(&named, sizeMark, size(c))
	return &appsv1.StatefulSet{ObjectMeta: named, Spec: appsv1.StatefulSetSpec{
		Replicas: &replicas, ServiceName: c.Name + "-headless", Selector: &metav1.LabelSelector{MatchLabels: selector(c)}, VolumeClaimTemplates: claims,
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels(c), Annotations: annotations}, Spec: corev1.PodSpec{
			Containers: []corev1.Container{server(c)}, Volumes: volumes,
			Affinity: c.Spec.Affinity, Tolerations: c.Spec.Tolerations, NodeSelector: c.Spec.NodeSelector,
		}},
	}}
}

// server is the container of each pod. Its hook takes a server that the node of the cluster does not
// count any more out of the ensemble, before it ends.
func server(c *Cluster) corev1.Container {
	p := c.Spec.Ports
	script := func(name string) *corev1.ExecAction {
		return &corev1.ExecAction{Command: []string{"/usr/local/bin/" + name}}
	}
	return corev1.Container{
		Name: "zookeeper", Image: c.Spec.Image, ImagePullPolicy: corev1.PullIfNotPresent, Resources: c.Spec.Resources, Command: []string{"/usr/local/bin/zookeeperStart.sh"},
		Ports: []corev1.ContainerPort{
			{Name: "client", ContainerPort: p.Client},
			{Name: "quorum", ContainerPort: p.Quorum},
			{Name: "leader-election", ContainerPort: p.LeaderElection},
			{Name: "metrics", ContainerPort: p.Metrics},
			{Name: "admin-server", ContainerPort: p.AdminServer},
		},
		VolumeMounts:   []corev1.VolumeMount{{Name: "data", MountPath: "/data"}, {Name: "conf", MountPath: "/conf"}},
		Lifecycle:      &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: script("zookeeperTeardown.sh")}},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: script("zookeeperReady.sh")}, InitialDelaySeconds: 10},
		LivenessProbe:  &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: script("zookeeperLive.sh")}, InitialDelaySeconds: 10},
	}
}
