package scheduler

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"k8s.io/kubernetes/pkg/scheduler/profile"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

// Static holds the objects that plugins look up while they decide and that a
// scheduler keeps for its life. The default topology spread takes its selector
// from Services and ReplicaSets: without them there is, silently, no default
// spread. Pod affinity with a namespaceSelector reads the labels of Namespaces
// (the API server puts kubernetes.io/metadata.name on each; so must the caller).
type Static struct {
	Namespaces      []*corev1.Namespace
	Services        []*corev1.Service
	ReplicaSets     []*appsv1.ReplicaSet
	PriorityClasses []*schedulingv1.PriorityClass
}

// Scheduler decides for the pods of one KubeSchedulerConfiguration. It is not
// safe for concurrent use: use one per goroutine. It owns no goroutine and
// nothing that has to be closed.
type Scheduler struct {
	frameworks profile.Map
	// plugins are the plugin objects of each framework, by their name.
	plugins map[fwk.Handle]map[string]fwk.Plugin
	// postFilter are the names of the post filter plugins of each profile, in
	// the order in which the framework runs them.
	postFilter map[string][]string

	snapshot  *snapshotLister
	nominator *nominator

	replicaSets        cache.Indexer
	staticReplicaSets  []any
	replicaSetsStatic  bool
	scorePercentGlobal int32
	fewOrders          int
}

// New builds a scheduler for cfg, the internal type with its defaults set; nil
// stands for the default configuration. It fails if the configuration has
// extenders, which are programs of the user's that cannot be called as a
// function, or if a profile is invalid. ctx is only used while New runs.
func New(ctx context.Context, cfg *config.KubeSchedulerConfiguration, static Static) (*Scheduler, error) {
	if cfg == nil {
		var err error
		if cfg, err = latest.Default(); err != nil {
			return nil, fmt.Errorf("default scheduler configuration: %w", err)
		}
	}
	if len(cfg.Extenders) > 0 {
		return nil, errors.New("scheduler extenders are not supported")
	}
	if len(cfg.Profiles) == 0 {
		return nil, errors.New("scheduler configuration has no profile")
	}
	metrics.Register()
	s := &Scheduler{
		plugins:           map[fwk.Handle]map[string]fwk.Plugin{},
		postFilter:        map[string][]string{},
		snapshot:          &snapshotLister{Snapshot: internalcache.NewEmptySnapshot()},
		nominator:         &nominator{},
		replicaSetsStatic: true,
		fewOrders:         fewOrders,
	}
	if cfg.PercentageOfNodesToScore != nil {
		s.scorePercentGlobal = *cfg.PercentageOfNodesToScore
	}
	client, err := refusingClient()
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	if err := s.fill(factory, static); err != nil {
		return nil, err
	}
	if err := s.build(quiet(ctx), cfg, client, factory); err != nil {
		return nil, fmt.Errorf("build scheduler: %w", err)
	}
	return s, nil
}

// fill puts the static objects into the informers' indexes. The informers are
// never started: what they hold is what is put here.
func (s *Scheduler) fill(factory informers.SharedInformerFactory, static Static) error {
	s.replicaSets = factory.Apps().V1().ReplicaSets().Informer().GetIndexer()
	s.staticReplicaSets = objects(static.ReplicaSets)
	for _, kind := range []struct {
		indexer cache.Indexer
		objects []any
	}{
		{factory.Core().V1().Namespaces().Informer().GetIndexer(), objects(static.Namespaces)},
		{factory.Core().V1().Services().Informer().GetIndexer(), objects(static.Services)},
		{factory.Scheduling().V1().PriorityClasses().Informer().GetIndexer(), objects(static.PriorityClasses)},
		{s.replicaSets, s.staticReplicaSets},
	} {
		if err := kind.indexer.Replace(kind.objects, ""); err != nil {
			return fmt.Errorf("index scheduler objects: %w", err)
		}
	}
	return nil
}

// build makes one framework per profile, with the same shared parts that
// pkg/scheduler.New hands to them.
func (s *Scheduler) build(ctx context.Context, cfg *config.KubeSchedulerConfiguration, client kubernetes.Interface, factory informers.SharedInformerFactory) error {
	// The framework's metrics recorder runs a goroutine until its context ends.
	// Nothing is recorded here, so it ends with this function.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	slices, err := tracker.StartTracker(ctx, tracker.Options{SliceInformer: factory.Resource().V1().ResourceSlices()})
	if err != nil {
		return err
	}
	claims := assumecache.NewAssumeCache(klog.FromContext(ctx), factory.Resource().V1().ResourceClaims().Informer(), "ResourceClaim", "", nil)
	s.frameworks, err = profile.NewMap(ctx, cfg.Profiles, s.registry(), discardEvents,
		frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(factory),
		frameworkruntime.WithSnapshotSharedLister(s.snapshot),
		frameworkruntime.WithPodNominator(s.nominator),
		// One worker: the goroutines of more would cost more than they save on
		// the cluster sizes of a model, and they are what makes order random.
		frameworkruntime.WithParallelism(1),
		frameworkruntime.WithSharedDRAManager(dynamicresources.NewDRAManager(ctx, claims, slices, factory)),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister())),
		frameworkruntime.WithMetricsRecorder(&metrics.MetricAsyncRecorder{}),
		frameworkruntime.WithLogger(logr.Discard()),
	)
	if err != nil {
		return err
	}
	for name, f := range s.frameworks {
		for _, enabled := range f.ListPlugins().PostFilter.Enabled {
			s.postFilter[name] = append(s.postFilter[name], enabled.Name)
		}
	}
	return nil
}

// registry is the in-tree registry, each factory wrapped so that the plugin it
// makes can be found again by the framework it was made for: the framework
// itself does not give its plugins away.
func (s *Scheduler) registry() frameworkruntime.Registry {
	registry := plugins.NewInTreeRegistry()
	for name, factory := range registry {
		registry[name] = func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
			plugin, err := factory(ctx, args, handle)
			if err != nil {
				return nil, err
			}
			if s.plugins[handle] == nil {
				s.plugins[handle] = map[string]fwk.Plugin{}
			}
			s.plugins[handle][name] = plugin
			return plugin, nil
		}
	}
	return registry
}

// Handles reports whether a profile has that scheduler name. Pods of other
// names are not this scheduler's to schedule.
func (s *Scheduler) Handles(schedulerName string) bool {
	return s.frameworks.HandlesSchedulerName(schedulerName)
}

func objects[T any](list []T) []any {
	out := make([]any, len(list))
	for i, object := range list {
		out[i] = object
	}
	return out
}

// quiet is ctx with upstream's logging off: what the plugins have to say is in
// the statuses they return, and only one package may write to the terminal.
func quiet(ctx context.Context) context.Context {
	return klog.NewContext(ctx, logr.Discard())
}

func discardEvents(string) events.EventRecorderLogger { return nil }

var errNoRequests = errors.New("a scheduling decision makes no API requests")

type refuse struct{}

func (refuse) RoundTrip(*http.Request) (*http.Response, error) { return nil, errNoRequests }

// refusingClient is the client that plugins ask for when they are made. Deciding
// makes no request; one that were made would fail without touching a network.
var refusingClient = sync.OnceValues(func() (kubernetes.Interface, error) {
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://invalid."}, &http.Client{Transport: refuse{}})
	if err != nil {
		return nil, fmt.Errorf("scheduler client: %w", err)
	}
	return client, nil
})
