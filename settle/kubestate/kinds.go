package kubestate

import "k8s.io/apimachinery/pkg/runtime/schema"

func kindOf(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

// builtins are the built-in kinds.
var builtins = []builtin{
	{kind: kindOf("", "v1", "ConfigMap"), plural: "configmaps", singular: "configmap"},
	{kind: kindOf("", "v1", "Secret"), plural: "secrets", singular: "secret"},
	{kind: kindOf("", "v1", "Namespace"), plural: "namespaces", singular: "namespace", cluster: true},
	{kind: kindOf("apps", "v1", "Deployment"), plural: "deployments", singular: "deployment", generation: true},
}
