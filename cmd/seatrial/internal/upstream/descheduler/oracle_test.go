package descheduler_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/descheduler/cmd/descheduler/app/options"
	"sigs.k8s.io/descheduler/pkg/api"
	upstream "sigs.k8s.io/descheduler/pkg/descheduler"
	podutil "sigs.k8s.io/descheduler/pkg/descheduler/pod"
	"sigs.k8s.io/descheduler/pkg/features"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removeduplicates"
	frameworktypes "sigs.k8s.io/descheduler/pkg/framework/types"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// sight is what the oracle's caches show of a cycle's own evictions.
type sight int

const (
	sightLate   sight = iota // none before the end
	sightPrompt              // each at once
	sightMixed               // some more of them, in order, before some of the reads of a list
)

// draw is one cycle to run.
type draw struct {
	cluster descheduler.Cluster
	sight   sight
}

// oracle runs the real RunDeschedulerStrategies loop on a fake clientset. A
// marker plugin, the last of the last profile, ends each cycle: it reports the
// evictions asked for and puts the next draw's objects into the caches, anew and
// in another order, as a restart would. One run so serves many clusters.
type oracle struct {
	draw
	random *rand.Rand
	// report gets each cycle's evictions (namespace/name, repeats left out)
	// and says what to run next, or that it is enough.
	report func(evictions []string) (draw, bool)

	mu        sync.Mutex
	lag       int // one in how many reads finds news, in sightMixed
	factory   informers.SharedInformerFactory
	evictions []string
	shown     int // of the evictions, by the caches
	cancel    context.CancelFunc
	forget    func() // the client's record of actions
}

const markerName = "CycleMarker"

// oracles finds the run a plugin belongs to by its client.
var oracles sync.Map

type marker struct{ oracle *oracle }

func (marker) Name() string { return markerName }

func (m marker) Balance(context.Context, []*corev1.Node) *frameworktypes.Status {
	o := m.oracle
	o.forget()
	o.mu.Lock()
	defer o.mu.Unlock()
	next, more := o.report(o.evictions)
	o.evictions, o.shown, o.lag = nil, 0, 0
	if !more {
		o.cancel()
		return nil
	}
	o.draw = next
	refill(o.random, o.factory.Core().V1().Pods().Informer().GetIndexer(), o.cluster.Pods)
	refill(o.random, o.factory.Core().V1().Nodes().Informer().GetIndexer(), o.cluster.Nodes)
	return nil
}

func newMarker(_ context.Context, _ runtime.Object, handle frameworktypes.Handle) (frameworktypes.Plugin, error) {
	found, ok := oracles.Load(handle.ClientSet())
	if !ok {
		return nil, fmt.Errorf("no oracle for this client")
	}
	o := found.(*oracle)
	o.factory = handle.SharedInformerFactory()
	o.forget = handle.ClientSet().(*fake.Clientset).ClearActions
	return marker{o}, nil
}

// instrument adds the marker to the global registry and lets an oracle know of
// the lists that its plugins read. Plugins of no oracle are built as they were.
func instrument() {
	registry := pluginregistry.PluginRegistry
	if _, done := registry[markerName]; done {
		return
	}
	for name, entry := range registry {
		build := entry.PluginBuilder
		entry.PluginBuilder = func(ctx context.Context, args runtime.Object, handle frameworktypes.Handle) (frameworktypes.Plugin, error) {
			if found, ok := oracles.Load(handle.ClientSet()); ok {
				handle = watchedHandle{handle, found.(*oracle)}
			}
			return build(ctx, args, handle)
		}
		registry[name] = entry
	}
	pluginregistry.Register(markerName, newMarker, &marker{}, &removeduplicates.RemoveDuplicatesArgs{},
		func(runtime.Object) error { return nil }, func(runtime.Object) {}, registry)
}

// watchedHandle is the real handle, whose lists are the real ones, with news of
// the watch arriving in between.
type watchedHandle struct {
	frameworktypes.Handle
	oracle *oracle
}

func (h watchedHandle) GetPodsAssignedToNodeFunc() podutil.GetPodsAssignedToNodeFunc {
	list := h.Handle.GetPodsAssignedToNodeFunc()
	return func(node string, filter podutil.FilterFunc) ([]*corev1.Pod, error) {
		h.oracle.read()
		return list(node, filter)
	}
}

// read comes before a list is read. A watch delivers in order.
func (o *oracle) read() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sight != sightMixed {
		return
	}
	if o.lag == 0 {
		// Tests of fit read many lists: with one lag for all cycles, either the
		// early news or the late would hardly ever come.
		o.lag = []int{1, 2, 4, 8, 32}[o.random.IntN(5)]
	}
	if pending := len(o.evictions) - o.shown; pending > 0 && o.random.IntN(o.lag) == 0 {
		o.show(1 + o.random.IntN(pending))
	}
}

// show lets the caches show so many more of the evictions.
func (o *oracle) show(more int) {
	for range more {
		name := o.evictions[o.shown]
		o.shown++
		for _, pod := range o.cluster.Pods {
			if pod.Namespace+"/"+pod.Name == name && pod.DeletionTimestamp == nil {
				deleted := *pod
				deleted.DeletionTimestamp = &metav1.Time{Time: epoch.Time}
				must(o.factory.Core().V1().Pods().Informer().GetIndexer().Update(&deleted))
			}
		}
	}
}

// evicted is the eviction API: it grants.
func (o *oracle) evicted(eviction *policyv1.Eviction) {
	name := eviction.Namespace + "/" + eviction.Name
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Contains(o.evictions, name) {
		return
	}
	o.evictions = append(o.evictions, name)
	if o.sight == sightPrompt {
		o.show(1)
	}
}

// run returns when report says so or, for a cluster of fewer than two usable
// nodes, in which no plugin ever runs, after one cycle.
func (o *oracle) run(policy *api.DeschedulerPolicy, skipped bool) error {
	policy.Profiles = append(policy.Profiles, api.DeschedulerProfile{
		Name:          "marker",
		PluginConfigs: []api.PluginConfig{{Name: markerName, Args: &removeduplicates.RemoveDuplicatesArgs{}}},
		Plugins:       api.Plugins{Balance: api.PluginSet{Enabled: []string{markerName}}},
	})
	client := fake.NewSimpleClientset(o.objects()...)
	// As on a cluster; the older API would have each event compared with others.
	client.Resources = []*metav1.APIResourceList{{GroupVersion: eventsv1.SchemeGroupVersion.String()}}
	client.PrependReactor("create", "events", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, action.(clienttesting.CreateAction).GetObject(), nil
	})
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if action.GetSubresource() != "eviction" {
			return false, nil, nil
		}
		o.evicted(action.(clienttesting.CreateAction).GetObject().(*policyv1.Eviction))
		return true, nil, nil
	})
	// Read past the caches where a node selector selects none.
	client.PrependReactor("list", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		list := &corev1.NodeList{}
		for _, node := range o.cluster.Nodes {
			list.Items = append(list.Items, *node)
		}
		return true, list, nil
	})
	oracles.Store(client, o)
	defer oracles.Delete(client)

	server, err := options.NewDeschedulerServer()
	if err != nil {
		return err
	}
	server.Client, server.EventClient = client, client
	server.DefaultFeatureGates = features.DefaultMutableFeatureGate
	server.DisableMetrics = true
	if !skipped {
		server.DeschedulingInterval = 1 // as good as none, but not "once"
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.cancel = cancel
	err = upstream.RunDeschedulerStrategies(ctx, server, policy, "policy/v1")
	if skipped && err == nil {
		o.report(o.evictions)
	}
	return err
}

func (o *oracle) objects() []runtime.Object {
	var objects []runtime.Object
	for _, node := range o.cluster.Nodes {
		objects = append(objects, node)
	}
	for _, pod := range o.cluster.Pods {
		objects = append(objects, pod)
	}
	for _, namespace := range o.cluster.Namespaces {
		objects = append(objects, namespace)
	}
	for _, pdb := range o.cluster.PDBs {
		objects = append(objects, pdb)
	}
	return objects
}

// refill gives a cache its objects anew, in a random order.
func refill[T any](random *rand.Rand, indexer cache.Indexer, objects []T) {
	for _, object := range indexer.List() {
		must(indexer.Delete(object))
	}
	for _, i := range random.Perm(len(objects)) {
		must(indexer.Add(objects[i]))
	}
}

// must turns an impossible failure of a test's own cache into a crash.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
