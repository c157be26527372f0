// Package controller runs the controllers of the real kube-controller-manager as
// a part of this process.
package controller

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	controllersmetrics "k8s.io/component-base/metrics/prometheus/controllers"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	kcmconfig "k8s.io/kubernetes/pkg/controller/apis/config"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
)

// Options say which controllers to start.
type Options struct {
	// Config makes a client's configuration for an actor: a controller by its
	// name, or the informers that they share.
	Config func(actor string) *rest.Config
	// Controllers are names as --controllers takes them; none for the usual ones.
	Controllers []string
	// Flags are kube-controller-manager's own, without dashes.
	Flags map[string]string
	// SigningKey is the file that service account tokens are signed with.
	SigningKey string
}

// Manager is the controllers that run.
type Manager struct {
	typed    informers.SharedInformerFactory
	metadata metadatainformer.SharedInformerFactory
	cancel   context.CancelFunc
	ended    sync.WaitGroup
}

// shutdown is how long controllers may take to stop.
const shutdown = 5 * time.Second

// mapperEvery is how often the garbage collector looks for new kinds.
const mapperEvery = 30 * time.Second

// Start starts the controllers and waits until their informers have synced.
func Start(ctx context.Context, o Options) (*Manager, error) {
	config, err := configuration(o)
	if err != nil {
		return nil, spec.Wrong(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	m := &Manager{cancel: cancel}
	shared, err := m.contextFor(ctx, o, config)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start kube-controller-manager: %w", err)
	}
	controllers, err := build(ctx, shared, o)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start kube-controller-manager: %w", err)
	}
	m.typed.Start(ctx.Done())
	m.metadata.Start(ctx.Done())
	close(shared.InformersStarted)
	m.ended.Go(func() { app.RunControllers(ctx, shared, controllers, 0, shutdown) })
	m.typed.WaitForCacheSync(ctx.Done())
	return m, context.Cause(ctx)
}

// Stop ends the controllers and waits until they have.
func (m *Manager) Stop() {
	m.cancel()
	m.ended.Wait()
	m.typed.Shutdown()
	m.metadata.Shutdown()
}

// Informers are the typed ones that the controllers share.
func (m *Manager) Informers() informers.SharedInformerFactory { return m.typed }

// contextFor fills what the constructors of the controllers take.
func (m *Manager) contextFor(ctx context.Context, o Options, config *kcmconfig.KubeControllerManagerConfiguration) (app.ControllerContext, error) {
	var none app.ControllerContext
	client, err := kubernetes.NewForConfig(o.Config("shared-informers"))
	if err != nil {
		return none, err
	}
	partial, err := metadata.NewForConfig(o.Config("metadata-informers"))
	if err != nil {
		return none, err
	}
	resync := resyncs(config.Generic.MinResyncPeriod.Duration)
	m.typed = informers.NewSharedInformerFactoryWithOptions(client, resync(), informers.WithTransform(trim))
	m.metadata = metadatainformer.NewSharedInformerFactoryWithOptions(partial, resync(), metadatainformer.WithTransform(trim))
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	m.ended.Go(func() { resetEvery(ctx, mapper.Reset) })

	shared := app.ControllerContext{
		InformerFactory:                 m.typed,
		ObjectOrMetadataInformerFactory: informerfactory.NewInformerFactory(m.typed, m.metadata),
		ComponentConfig:                 *config,
		RESTMapper:                      mapper,
		InformersStarted:                make(chan struct{}),
		ResyncPeriod:                    resync,
		ControllerManagerMetrics:        controllersmetrics.NewControllerManagerMetrics("kube-controller-manager"),
	}
	if shared.IsControllerEnabled(app.NewControllerDescriptors()[names.GarbageCollectorController]) {
		ignored := map[schema.GroupResource]struct{}{}
		for _, r := range config.GarbageCollectorController.GCIgnoredResources {
			ignored[schema.GroupResource{Group: r.Group, Resource: r.Resource}] = struct{}{}
		}
		collector, err := metadata.NewForConfig(o.Config(names.GarbageCollectorController))
		if err != nil {
			return none, err
		}
		shared.GraphBuilder = garbagecollector.NewDependencyGraphBuilder(ctx, collector, mapper, ignored,
			shared.ObjectOrMetadataInformerFactory, shared.InformersStarted)
	}
	return shared, nil
}

// resyncs draws how often informers show their handlers everything again, as upstream
// does: once or twice in what --min-resync-period says.
func resyncs(least time.Duration) func() time.Duration {
	return func() time.Duration { return time.Duration(float64(least) * (1 + rand.Float64())) }
}

func resetEvery(ctx context.Context, reset func()) {
	ticker := time.NewTicker(mapperEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			reset()
		case <-ctx.Done():
			return
		}
	}
}

// trim drops what only the API server reads, as upstream's informers do.
func trim(object any) (any, error) {
	if accessor, err := apimeta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

// unobserved takes the health checks of controllers that nobody asks.
type unobserved struct{}

func (unobserved) AddHealthChecker(...healthz.HealthChecker) {}

// build makes the controllers one at a time, each with clients in its own name.
func build(ctx context.Context, shared app.ControllerContext, o Options) ([]app.Controller, error) {
	var all []app.Controller
	for _, name := range app.KnownControllers() {
		descriptor := app.NewControllerDescriptors()[name]
		own := shared
		own.ClientBuilder = clients{o.Config(name)}
		if !own.IsControllerEnabled(descriptor) {
			continue // BuildControllers would log that, and start those with special handling
		}
		made, err := app.BuildControllers(ctx, own, map[string]*app.ControllerDescriptor{name: descriptor}, nil, unobserved{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, made...)
	}
	return all, nil
}
