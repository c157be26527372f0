package kubestate

import "k8s.io/apimachinery/pkg/runtime/schema"

func kindOf(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
}

// builtins are the built-in kinds.
var builtins = []builtin{
	{kind: kindOf("", "ConfigMap"), plural: "configmaps", singular: "configmap"},
	{kind: kindOf("", "Secret"), plural: "secrets", singular: "secret"},
	{kind: kindOf("", "Namespace"), plural: "namespaces", singular: "namespace", cluster: true},
	{kind: kindOf("apps", "Deployment"), plural: "deployments", singular: "deployment", generation: true},
}
