package descheduler_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	corev1 "k8s.io/api/core/v1"
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
	"sigs.k8s.io/descheduler/pkg/features"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removeduplicates"
	frameworktypes "sigs.k8s.io/descheduler/pkg/framework/types"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// sight is what the oracle's caches show of a cycle's own evictions.
type sight int

const (
	sightLate sight = iota
	sightPrompt
	sightRandom // each eviction is shown at once or not before the end
)

// oracle runs the real RunDeschedulerStrategies loop on a fake clientset. A
// marker plugin, the last of the last profile, ends each cycle: it reports the
// evictions asked for and hands the caches their objects anew in another
// order, as a restart would.
type oracle struct {
	cluster descheduler.Cluster
	sight   sight
	random  *rand.Rand
	// report gets each cycle's evictions (namespace/name, repeats left out)
	// and says whether to go on.
	report func(evictions []string) bool

	mu        sync.Mutex
	factory   informers.SharedInformerFactory
	evictions []string
	cancel    context.CancelFunc
	forget    func() // the client's record of actions
}

const markerName = "CycleMarker"

// oracles finds the run a marker belongs to by its client.
var oracles sync.Map

type marker struct{ oracle *oracle }

func (marker) Name() string { return markerName }

func (m marker) Balance(context.Context, []*corev1.Node) *frameworktypes.Status {
	o := m.oracle
	o.forget()
	o.mu.Lock()
	evictions := o.evictions
	o.evictions = nil
	o.mu.Unlock()
	if !o.report(evictions) {
		o.cancel()
	}
	o.shuffle()
	return nil
}

var registerMarker = sync.OnceFunc(func() {
	pluginregistry.Register(markerName,
		func(_ context.Context, _ runtime.Object, handle frameworktypes.Handle) (frameworktypes.Plugin, error) {
			found, ok := oracles.Load(handle.ClientSet())
			if !ok {
				return nil, fmt.Errorf("no oracle for this client")
			}
			o := found.(*oracle)
			o.factory = handle.SharedInformerFactory()
			o.forget = handle.ClientSet().(*fake.Clientset).ClearActions
			return marker{o}, nil
		}, &marker{}, &removeduplicates.RemoveDuplicatesArgs{},
		func(runtime.Object) error { return nil }, func(runtime.Object) {}, pluginregistry.PluginRegistry)
})

// run returns when report says so or, for a cluster of fewer than two usable
// nodes, in which no plugin ever runs, after one cycle.
func (o *oracle) run(policy *api.DeschedulerPolicy, skipped bool) error {
	registerMarker()
	policy.Profiles = append(policy.Profiles, api.DeschedulerProfile{
		Name:          "marker",
		PluginConfigs: []api.PluginConfig{{Name: markerName, Args: &removeduplicates.RemoveDuplicatesArgs{}}},
		Plugins:       api.Plugins{Balance: api.PluginSet{Enabled: []string{markerName}}},
	})
	client := fake.NewSimpleClientset(o.objects()...)
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

// evicted is the eviction API: it grants, and the watch shows it or not.
func (o *oracle) evicted(eviction *policyv1.Eviction) {
	name := eviction.Namespace + "/" + eviction.Name
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, known := range o.evictions {
		if known == name {
			return
		}
	}
	o.evictions = append(o.evictions, name)
	if o.sight == sightLate || o.sight == sightRandom && o.random.IntN(2) == 0 {
		return
	}
	for _, pod := range o.cluster.Pods {
		if pod.Namespace+"/"+pod.Name == name && pod.DeletionTimestamp == nil {
			deleted := *pod
			deleted.DeletionTimestamp = &metav1.Time{Time: epoch.Time}
			must(o.factory.Core().V1().Pods().Informer().GetIndexer().Update(&deleted))
		}
	}
}

// shuffle gives the caches their objects anew, in a random order.
func (o *oracle) shuffle() {
	refill(o.random, o.factory.Core().V1().Pods().Informer().GetIndexer(), o.cluster.Pods)
	refill(o.random, o.factory.Core().V1().Nodes().Informer().GetIndexer(), o.cluster.Nodes)
}

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
