package live

// kind is a kind that is read.
type kind struct {
	version, name, resource string
	// cluster: it is in no namespace.
	cluster bool
	// need: without it there is nothing to check.
	need bool
	// everywhere: it is read in all namespaces, whichever are checked.
	everywhere bool
	// matters: a verdict may depend on what cannot be read, or be there.
	matters bool
}

// kinds are what of a cluster a check knows or can judge, in the order of the text.
// Those that are not modelled are read since they may matter: they make or refuse
// pods.
var kinds = []kind{
	{version: "v1", name: "Node", resource: "nodes", cluster: true, need: true},
	{version: "v1", name: "Namespace", resource: "namespaces", cluster: true},
	{version: "scheduling.k8s.io/v1", name: "PriorityClass", resource: "priorityclasses", cluster: true},
	{version: "apps/v1", name: "Deployment", resource: "deployments", need: true},
	{version: "apps/v1", name: "ReplicaSet", resource: "replicasets", need: true},
	{version: "v1", name: "Pod", resource: "pods", need: true, everywhere: true},
	{version: "autoscaling/v2", name: "HorizontalPodAutoscaler", resource: "horizontalpodautoscalers", matters: true},
	{version: "policy/v1", name: "PodDisruptionBudget", resource: "poddisruptionbudgets", matters: true},
	{version: "v1", name: "Service", resource: "services"},
	{version: "apps/v1", name: "DaemonSet", resource: "daemonsets"},
	{version: "apps/v1", name: "StatefulSet", resource: "statefulsets"},
	{version: "batch/v1", name: "Job", resource: "jobs"},
	{version: "batch/v1", name: "CronJob", resource: "cronjobs"},
	{version: "v1", name: "ReplicationController", resource: "replicationcontrollers"},
	{version: "v1", name: "LimitRange", resource: "limitranges", matters: true},
	{version: "v1", name: "ResourceQuota", resource: "resourcequotas", matters: true},
	{version: "admissionregistration.k8s.io/v1", name: "MutatingWebhookConfiguration", resource: "mutatingwebhookconfigurations", cluster: true},
	{version: "admissionregistration.k8s.io/v1", name: "ValidatingWebhookConfiguration", resource: "validatingwebhookconfigurations", cluster: true},
	{version: "keda.sh/v1alpha1", name: "ScaledObject", resource: "scaledobjects"},
	{version: "autoscaling.k8s.io/v1", name: "VerticalPodAutoscaler", resource: "verticalpodautoscalers"},
	{version: "karpenter.sh/v1", name: "NodePool", resource: "nodepools", cluster: true},
	{version: "argoproj.io/v1alpha1", name: "Application", resource: "applications"},
	{version: "kustomize.toolkit.fluxcd.io/v1", name: "Kustomization", resource: "kustomizations"},
	{version: "helm.toolkit.fluxcd.io/v2", name: "HelmRelease", resource: "helmreleases"},
}

// path is where a kind is listed, in one namespace or, if that is empty, everywhere.
func (k kind) path(namespace string) string {
	root := "/apis/" + k.version
	if k.version == "v1" {
		root = "/api/v1"
	}
	if k.cluster || namespace == "" {
		return root + "/" + k.resource
	}
	return root + "/namespaces/" + namespace + "/" + k.resource
}
