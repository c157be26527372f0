package kubestate

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	namer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// staticSchemas are those that the schemas of definitions refer to, by which what is
// applied is merged.
func staticSchemas() (map[string]*spec.Schema, error) {
	const meta = "k8s.io/apimachinery/pkg/apis/meta/v1."
	config := genericapiserver.DefaultOpenAPIV3Config(openapi.GetOpenAPIDefinitions, namer.NewDefinitionNamer(apiserver.Scheme))
	return builder3.BuildOpenAPIDefinitionsForResources(config, meta+"ObjectMeta", meta+"ListMeta", meta+"DeleteOptions", meta+"Status", meta+"Patch", meta+"WatchEvent")
}
