package kubestate

import (
	"fmt"
	"strings"

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
	config := genericapiserver.DefaultOpenAPIV3Config(openapi.GetOpenAPIDefinitions, namer.NewDefinitionNamer(apiserver.Scheme))
	known := openapi.GetOpenAPIDefinitions(func(string) spec.Ref { return spec.Ref{} })
	// They have the names of their packages, or since Kubernetes 1.35 those of their models.
	var names []string
	for _, kind := range []string{"ObjectMeta", "ListMeta", "DeleteOptions", "Status", "Patch", "WatchEvent"} {
		for name := range known {
			if strings.HasSuffix(strings.ReplaceAll(name, "/", "."), ".apimachinery.pkg.apis.meta.v1."+kind) {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("k8s.io/apiextensions-apiserver has no schema of %s: this release of Kubernetes' libraries is not supported", kind)
		}
	}
	return builder3.BuildOpenAPIDefinitionsForResources(config, names...)
}
