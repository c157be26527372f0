package scheduler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	realscheduler "k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// TestMain lets garbage grow to four times what is in use, which is little: the
// oracles spend a third less.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// oracle is a real scheduler object, with its real cache and queue. Only its
// informers are not fed by an API server: what its listers read is put into
// their indexes, and nodes and pods are handed to cache and queue as its event
// handlers would.
type oracle struct {
	*realscheduler.Scheduler
	ctx                     context.Context
	logger                  klog.Logger
	snapshot                *internalcache.Snapshot
	replicaSets, pods, pdbs cache.Indexer
	static                  Static
	cluster                 Cluster
	spies                   map[string]*victimSpy
}

func newOracle(t testing.TB, cfg *config.KubeSchedulerConfiguration, static Static, parallelism int32) *oracle {
	t.Helper()
	ctx := quiet(t.Context())
	client := fake.NewSimpleClientset()
	// Preemption withdraws nominations in the background, which nobody looks at.
	client.PrependReactor("*", "*", func(clienttesting.Action) (bool, apiruntime.Object, error) { return true, &corev1.Pod{}, nil })
	factory := informers.NewSharedInformerFactory(client, 0)
	recorders := profile.RecorderFactory(func(string) events.EventRecorderLogger { return &events.FakeRecorder{} })
	sched, err := realscheduler.New(ctx, client, factory, nil, recorders,
		realscheduler.WithProfiles(cfg.Profiles...),
		realscheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore),
		realscheduler.WithParallelism(parallelism))
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{
		Scheduler: sched, ctx: ctx, logger: klog.FromContext(ctx), static: static,
		replicaSets: factory.Apps().V1().ReplicaSets().Informer().GetIndexer(),
		pods:        factory.Core().V1().Pods().Informer().GetIndexer(),
		pdbs:        factory.Policy().V1().PodDisruptionBudgets().Informer().GetIndexer(),
		spies:       map[string]*victimSpy{},
	}
	must(t, factory.Core().V1().Namespaces().Informer().GetIndexer().Replace(objects(static.Namespaces), ""))
	must(t, factory.Core().V1().Services().Informer().GetIndexer().Replace(objects(static.Services), ""))
	for name, f := range sched.Profiles {
		o.snapshot = f.SnapshotSharedLister().(*internalcache.Snapshot)
		for _, plugin := range f.PreEnqueuePlugins() {
			if preemptor, ok := plugin.(*defaultpreemption.DefaultPreemption); ok {
				o.spies[name] = newVictimSpy(preemptor)
			}
		}
	}
	return o
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// load replaces everything the scheduler knows by c.
func (o *oracle) load(t testing.TB, c Cluster) {
	t.Helper()
	o.unload(t)
	o.cluster = c
	replicaSets := objects(o.static.ReplicaSets)
	if c.ReplicaSets != nil {
		replicaSets = objects(c.ReplicaSets)
	}
	must(t, o.replicaSets.Replace(replicaSets, ""))
	must(t, o.pdbs.Replace(objects(c.PDBs), ""))
	must(t, o.pods.Replace(append(objects(c.Pods), objects(c.Nominated)...), ""))
	for _, node := range c.Nodes {
		o.Cache.AddNode(o.logger, node)
	}
	for _, pod := range c.Pods {
		must(t, o.Cache.AddPod(o.logger, pod))
	}
	for _, pod := range c.Nominated {
		o.SchedulingQueue.Add(o.ctx, pod)
	}
	must(t, o.Cache.UpdateSnapshot(o.logger, o.snapshot))
	for _, node := range c.Nodes {
		want := 0
		for _, pod := range c.Nominated {
			if pod.Status.NominatedNodeName == node.Name && pod.Spec.NodeName == "" {
				want++
			}
		}
		for _, f := range o.Profiles {
			if got := len(f.NominatedPodsForNode(node.Name)); got != want {
				t.Fatalf("the queue has %d pods nominated for %s, want %d", got, node.Name, want)
			}
		}
	}
}

func (o *oracle) unload(t testing.TB) {
	t.Helper()
	for _, pod := range o.cluster.Pods {
		must(t, o.Cache.RemovePod(o.logger, pod))
	}
	for _, node := range o.cluster.Nodes {
		must(t, o.Cache.RemoveNode(o.logger, node))
	}
	for _, pod := range o.cluster.Nominated {
		o.SchedulingQueue.DeleteNominatedPodIfExists(pod)
		o.SchedulingQueue.Delete(pod)
	}
	o.cluster = Cluster{}
	must(t, o.Cache.UpdateSnapshot(o.logger, o.snapshot))
}

// arrive lets the nodes arrive anew, in that order.
func (o *oracle) arrive(t testing.TB, order []*corev1.Node) {
	t.Helper()
	for _, node := range order {
		must(t, o.Cache.RemoveNode(o.logger, node))
	}
	must(t, o.Cache.UpdateSnapshot(o.logger, o.snapshot))
	for _, node := range order {
		o.Cache.AddNode(o.logger, node)
	}
	must(t, o.Cache.UpdateSnapshot(o.logger, o.snapshot))
}

// draw schedules the pod once.
func (o *oracle) draw(pod *corev1.Pod) (realscheduler.ScheduleResult, fwk.CycleState, *framework.FitError, error) {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return realscheduler.ScheduleResult{}, nil, nil, err
	}
	state := framework.NewCycleState()
	// No signature: that leaves opportunistic batching out.
	result, err := o.SchedulePod(o.ctx, o.Profiles[pod.Spec.SchedulerName], state, &framework.QueuedPodInfo{PodInfo: info})
	var fit *framework.FitError
	if errors.As(err, &fit) {
		return result, state, fit, nil
	}
	return result, state, nil, err
}

// preempt draws once, post filters included, and gives the outcome; none if the
// pod is schedulable or nothing can be preempted.
func (o *oracle) preempt(pod *corev1.Pod, g *generator) (*Preemption, error) {
	_, state, fit, err := o.draw(pod)
	if err != nil || fit == nil {
		return nil, err
	}
	spy := o.spies[pod.Spec.SchedulerName]
	spy.reset()
	f := o.Profiles[pod.Spec.SchedulerName]
	result, status := f.RunPostFilterPlugins(o.ctx, state, pod, shuffled{fit.Diagnosis.NodeToStatus, g})
	if !status.IsSuccess() {
		return nil, nil
	}
	for spy.plugin.Executor.IsPodRunningPreemption(pod.UID) {
		runtime.Gosched() // the background part ends by itself; it bars the pod from the queue
	}
	victims := spy.victims[result.NominatedNodeName]
	if len(victims) == 0 {
		return nil, fmt.Errorf("node %q nominated without victims", result.NominatedNodeName)
	}
	return &Preemption{Node: result.NominatedNodeName, Victims: podNames(victims)}, nil
}

// shuffled gives the nodes that preemption looks at in a drawn order. Upstream
// takes them from a map, whose order Go leaves open; left alone, the runtime comes
// up with rotations of the order of insertion, and the workers of a dry run with
// few of the orders in which they could race.
type shuffled struct {
	fwk.NodeToStatusReader
	*generator
}

func (s shuffled) NodesForStatusCode(lister fwk.NodeInfoLister, code fwk.Code) ([]fwk.NodeInfo, error) {
	nodes, err := s.NodeToStatusReader.NodesForStatusCode(lister, code)
	nodes = slices.Clone(nodes)
	s.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	return nodes, err
}

// victimSpy stands between the preemption evaluator and its plugin, to see which
// victims each node of a dry run had; it changes nothing. Nobody is deleted.
type victimSpy struct {
	preemption.Interface
	plugin  *defaultpreemption.DefaultPreemption
	mu      sync.Mutex
	victims map[string][]*corev1.Pod
}

func newVictimSpy(plugin *defaultpreemption.DefaultPreemption) *victimSpy {
	spy := &victimSpy{Interface: plugin.Evaluator.Interface, plugin: plugin}
	plugin.Evaluator.Interface = spy
	plugin.Executor.PreemptPod = func(context.Context, preemption.Candidate, preemption.ExecutorPreemptor, *corev1.Pod, string) error {
		return nil
	}
	return spy
}

func (s *victimSpy) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.victims = map[string][]*corev1.Pod{}
}

func (s *victimSpy) SelectVictimsOnNode(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo, pdbs []*policyv1.PodDisruptionBudget) ([]*corev1.Pod, int, *fwk.Status) {
	victims, violations, status := s.Interface.SelectVictimsOnNode(ctx, state, pod, node, pdbs)
	if status.IsSuccess() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.victims[node.Node().Name] = victims
	}
	return victims, violations, status
}

func podNames(pods []*corev1.Pod) []string {
	var out []string
	for _, pod := range pods {
		out = append(out, podName(pod))
	}
	slices.Sort(out)
	return out
}
