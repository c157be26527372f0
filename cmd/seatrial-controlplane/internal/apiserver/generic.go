package apiserver

import (
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/filters"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"
	"k8s.io/kubernetes/pkg/kubeapiserver"
	rbacrest "k8s.io/kubernetes/pkg/registry/rbac/rest"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/credential"
)

// informersEvery is the server's resync of its own informers, as upstream's.
const informersEvery = 10 * time.Minute

// configs are those of the three servers. It is upstream's app.NewConfig but for
// one thing: upstream makes two RSA keys at every start for the server's
// connections to itself, which is a tenth of all that a start computes; here they
// trust the certificate that there is.
func configs(s options.CompletedOptions, c *credential.Credential) (*app.Config, error) {
	generic, shared, storage, err := genericConfig(s, c)
	if err != nil {
		return nil, err
	}
	kube, resolver, initializers, err := app.CreateKubeAPIServerConfig(s, generic, shared, storage)
	if err != nil {
		return nil, err
	}
	plane := &kube.ControlPlane
	authentication := webhook.NewDefaultAuthenticationInfoResolverWrapper(plane.ProxyTransport, plane.Generic.EgressSelector,
		plane.Generic.LoopbackClientConfig, plane.Generic.TracerProvider)
	extensions, err := controlplaneserver.CreateAPIExtensionsConfig(*plane.Generic, plane.VersionedInformers, initializers,
		s.CompletedOptions, s.MasterCount, resolver, authentication)
	if err != nil {
		return nil, err
	}
	aggregator, err := controlplaneserver.CreateAggregatorConfig(*plane.Generic, s.CompletedOptions, plane.VersionedInformers,
		resolver, plane.ProxyTransport, plane.PeerProxy, initializers)
	if err != nil {
		return nil, err
	}
	return &app.Config{Options: s, KubeAPIs: kube, ApiExtensions: extensions, Aggregator: aggregator}, nil
}

// genericConfig is what the three servers share, in the order of upstream's
// BuildGenericConfig: each part reads what those before it have set.
func genericConfig(s options.CompletedOptions, c *credential.Credential) (*server.Config, informers.SharedInformerFactory, *serverstorage.DefaultStorageFactory, error) {
	g := server.NewConfig(legacyscheme.Codecs)
	g.Flagz, g.MergedResourceConfig = s.Flagz, controlplane.DefaultAPIResourceConfigSource()
	if err := s.GenericServerRunOptions.ApplyTo(g); err != nil {
		return nil, nil, nil, err
	}
	client, err := loopback(s, c, g)
	if err != nil {
		return nil, nil, nil, err
	}
	shared := informers.NewSharedInformerFactoryWithOptions(client, informersEvery, informers.WithTransform(trim))
	if err := s.Features.ApplyTo(g, client, shared); err != nil {
		return nil, nil, nil, err
	}
	if err := s.APIEnablement.ApplyTo(g, g.MergedResourceConfig, legacyscheme.Scheme); err != nil {
		return nil, nil, nil, err
	}
	if err := s.EgressSelector.ApplyTo(g); err != nil {
		return nil, nil, nil, err
	}
	if err := s.Traces.ApplyTo(g.EgressSelector, g); err != nil {
		return nil, nil, nil, err
	}
	publish(g)
	g.LongRunningFunc = filters.BasicLongRunningRequestCheck(sets.NewString("watch", "proxy"),
		sets.NewString("attach", "exec", "proxy", "log", "portforward"))
	storage, err := store(s, g)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := admit(s, g, client, shared); err != nil {
		return nil, nil, nil, err
	}
	if err := s.Audit.ApplyTo(g); err != nil {
		return nil, nil, nil, err
	}
	g.AggregatedDiscoveryGroupManager = aggregated.NewResourceManager("apis")
	return g, shared, storage, nil
}

// loopback is the client of the server to itself.
func loopback(s options.CompletedOptions, c *credential.Credential, g *server.Config) (kubernetes.Interface, error) {
	if err := s.SecureServing.SecureServingOptions.ApplyTo(&g.SecureServing); err != nil {
		return nil, err
	}
	token, err := credential.Token()
	if err != nil {
		return nil, err
	}
	if g.LoopbackClientConfig, err = g.SecureServing.NewLoopbackClientConfig(token, c.Authority); err != nil {
		return nil, err
	}
	g.LoopbackClientConfig.ContentType = runtime.ContentTypeProtobuf
	g.LoopbackClientConfig.DisableCompression = true
	return kubernetes.NewForConfig(g.LoopbackClientConfig)
}

// publish says what the schemas are.
func publish(g *server.Config) {
	definitions := openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	namer := openapinamer.NewDefinitionNamer(legacyscheme.Scheme, apiextensions.Scheme, aggregatorscheme.Scheme)
	const title = "Kubernetes"
	g.OpenAPIConfig = server.DefaultOpenAPIConfig(definitions, namer)
	g.OpenAPIConfig.Info.Title = title
	g.OpenAPIV3Config = server.DefaultOpenAPIV3Config(definitions, namer)
	g.OpenAPIV3Config.Info.Title = title
}

// store says where objects are kept.
func store(s options.CompletedOptions, g *server.Config) (*serverstorage.DefaultStorageFactory, error) {
	if g.EgressSelector != nil {
		s.Etcd.StorageConfig.Transport.EgressLookup = g.EgressSelector.Lookup
	}
	s.Etcd.StorageConfig.Transport.TracerProvider = g.TracerProvider
	factory := kubeapiserver.NewStorageFactoryConfigEffectiveVersion(g.EffectiveVersion)
	factory.APIResourceConfig = g.MergedResourceConfig
	factory.DefaultResourceEncoding.SetEffectiveVersion(g.EffectiveVersion)
	storage, err := factory.Complete(s.Etcd).New()
	if err != nil {
		return nil, err
	}
	storage.StorageConfig.StorageObjectCountTracker = g.StorageObjectCountTracker
	return storage, s.Etcd.ApplyWithStorageFactoryTo(storage, g)
}

// admit says who may do what.
func admit(s options.CompletedOptions, g *server.Config, client kubernetes.Interface, shared informers.SharedInformerFactory) error {
	ctx := wait.ContextForChannel(g.DrainedNotify())
	if err := s.Authentication.ApplyTo(ctx, &g.Authentication, g.SecureServing, g.EgressSelector, g.OpenAPIConfig,
		g.OpenAPIV3Config, client, shared, g.APIServerID); err != nil {
		return err
	}
	authorizer, resolver, rbac, err := controlplaneserver.BuildAuthorizer(ctx, s.CompletedOptions, g.EgressSelector, g.APIServerID, shared)
	if err != nil {
		return err
	}
	g.Authorization.Authorizer, g.RuleResolver = authorizer, resolver
	if !rbac {
		g.DisabledPostStartHooks.Insert(rbacrest.PostStartHookName)
	}
	return nil
}

// trim drops what informers do not read, as upstream's do.
func trim(object any) (any, error) {
	if accessor, err := apimeta.Accessor(object); err == nil && accessor.GetManagedFields() != nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}
