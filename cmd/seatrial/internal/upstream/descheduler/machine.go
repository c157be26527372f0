package descheduler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"sigs.k8s.io/descheduler/pkg/api"
	"sigs.k8s.io/descheduler/pkg/descheduler/evictions"
	nodeutil "sigs.k8s.io/descheduler/pkg/descheduler/node"
	podutil "sigs.k8s.io/descheduler/pkg/descheduler/pod"
	"sigs.k8s.io/descheduler/pkg/features"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/defaultevictor"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingnodeaffinity"
	frameworkprofile "sigs.k8s.io/descheduler/pkg/framework/profile"
	frameworktypes "sigs.k8s.io/descheduler/pkg/framework/types"
)

// machine holds the real plugins of a policy and the evictor and indexers
// they use. The indexers are filled directly: no informer is started.
type machine struct {
	factory      informers.SharedInformerFactory
	nodeSelector labels.Selector
	podEvictor   *evictions.PodEvictor
	ownerIndex   bool // some evictor counts pods by owner in the pod indexer
	limited      bool // the number of evictions is, in some way
	stages       []stage

	session *session // of the run under way
}

// stage is one plugin at one extension point of one profile.
type stage struct {
	profile, plugin string
	args            runtime.Object
	index           int // among the stages
	run             func(context.Context, []*corev1.Node) *frameworktypes.Status
}

// request is one accepted eviction request. pod is the snapshot's object.
type request struct {
	pod             *corev1.Pod
	stage           int
	profile, plugin string
	reason          string
}

// mode says what a plugin's eviction calls meet.
type mode int

const (
	live     mode = iota // the real evictor with its limits
	grant                // every call granted and recorded, nothing counted
	grantAll             // the same, and no filter before eviction
	refuse               // every call refused with an error no plugin acts on
)

var errRefused = errors.New("eviction refused by the probe")

// session is one run of one stage.
type session struct {
	snapshot *snapshot
	stage    int
	view     lists
	mode     mode
	replay   bool
	refused  bool          // a limit refused an eviction
	requests []request     // live: accepted in this run
	calls    []*corev1.Pod // not live: asked for in this run
	trace    []*corev1.Pod // pods tested for evictability outside listing
	listing  atomic.Int32  // plugins list concurrently when they test node fit
	opts     evictions.EvictOptions
}

func newMachine(policy *api.DeschedulerPolicy) (*machine, error) {
	m := &machine{
		nodeSelector: labels.Everything(),
		limited:      policy.MaxNoOfPodsToEvictPerNode != nil || policy.MaxNoOfPodsToEvictPerNamespace != nil || policy.MaxNoOfPodsToEvictTotal != nil,
	}
	if policy.NodeSelector != nil {
		selector, err := labels.Parse(*policy.NodeSelector)
		if err != nil {
			return nil, fmt.Errorf("parse nodeSelector: %w", err)
		}
		m.nodeSelector = selector
	}
	client := &evictionClient{Interface: fake.NewSimpleClientset(), capture: m.capture}
	m.factory = informers.NewSharedInformerFactory(client, 0)
	// A zero logger is silent; what the real code sends to the global klog is
	// the process's to silence.
	ctx := klog.NewContext(context.Background(), klog.Logger{})
	var err error
	m.podEvictor, err = evictions.NewPodEvictor(ctx, client, silentRecorder{},
		m.factory.Core().V1().Pods().Informer(), features.DefaultMutableFeatureGate,
		evictions.NewOptions().
			WithMaxPodsToEvictPerNode(policy.MaxNoOfPodsToEvictPerNode).
			WithMaxPodsToEvictPerNamespace(policy.MaxNoOfPodsToEvictPerNamespace).
			WithMaxPodsToEvictTotal(policy.MaxNoOfPodsToEvictTotal).
			WithGracePeriodSeconds(policy.GracePeriodSeconds))
	if err != nil {
		return nil, fmt.Errorf("build pod evictor: %w", err)
	}
	return m, m.addProfiles(ctx, policy, client)
}

// addProfiles builds every profile with the real NewProfile and queues its
// plugins as the real cycle runs them: all deschedule points first, then all
// balance points (descheduler#979).
func (m *machine) addProfiles(ctx context.Context, policy *api.DeschedulerPolicy, client *evictionClient) error {
	var balance []stage
	for i, profile := range policy.Profiles {
		built := map[string]frameworktypes.Plugin{}
		_, err := frameworkprofile.NewProfile(ctx, profile, m.registry(profile.Name, built),
			frameworkprofile.WithClientSet(client),
			frameworkprofile.WithSharedInformerFactory(m.factory),
			frameworkprofile.WithPodEvictor(m.podEvictor),
			frameworkprofile.WithGetPodsAssignedToNodeFnc(m.podsOnNode),
			frameworkprofile.WithProfileInstanceID(fmt.Sprint(i)))
		if err != nil {
			return fmt.Errorf("build profile %q: %w", profile.Name, err)
		}
		args := map[string]runtime.Object{}
		for _, config := range profile.PluginConfigs {
			if _, ok := args[config.Name]; !ok { // the first one counts
				args[config.Name] = config.Args
			}
			if evictor, ok := config.Args.(*defaultevictor.DefaultEvictorArgs); ok && evictor.MinReplicas > 1 {
				m.ownerIndex = true
			}
		}
		for _, name := range profile.Plugins.Deschedule.Enabled {
			plugin := built[name].(frameworktypes.DeschedulePlugin)
			m.stages = append(m.stages, passes(stage{profile: profile.Name, plugin: name, args: args[name], run: plugin.Deschedule})...)
		}
		for _, name := range profile.Plugins.Balance.Enabled {
			plugin := built[name].(frameworktypes.BalancePlugin)
			balance = append(balance, stage{profile: profile.Name, plugin: name, args: args[name], run: plugin.Balance})
		}
	}
	m.stages = append(m.stages, balance...)
	for i := range m.stages {
		m.stages[i].index = i
	}
	return nil
}

// passes splits the one plugin that reads the lists more than once, a pass for each
// type of node affinity, so that a stage reads each list once.
func passes(st stage) []stage {
	args, ok := st.args.(*removepodsviolatingnodeaffinity.RemovePodsViolatingNodeAffinityArgs)
	if !ok || len(args.NodeAffinityType) < 2 {
		return []stage{st}
	}
	types := args.NodeAffinityType
	stages := make([]stage, len(types))
	for i := range types {
		stages[i] = st
		stages[i].run = func(ctx context.Context, nodes []*corev1.Node) *frameworktypes.Status {
			defer func() { args.NodeAffinityType = types }()
			args.NodeAffinityType = types[i : i+1]
			return st.run(ctx, nodes)
		}
	}
	return stages
}

// registry is the real one, with builders that hand each plugin the machine's
// handle and keep what they build.
func (m *machine) registry(profile string, built map[string]frameworktypes.Plugin) pluginregistry.Registry {
	registry := maps.Clone(pluginregistry.PluginRegistry)
	for name, entry := range registry {
		build := entry.PluginBuilder
		entry.PluginBuilder = func(ctx context.Context, args runtime.Object, inner frameworktypes.Handle) (frameworktypes.Plugin, error) {
			plugin, err := build(ctx, args, &handle{Handle: inner, machine: m, profile: profile})
			built[name] = plugin
			return plugin, err
		}
		registry[name] = entry
	}
	return registry
}

// handle is the real handle with an evictor that can be watched.
type handle struct {
	frameworktypes.Handle
	machine *machine
	profile string
}

func (h *handle) Evictor() frameworktypes.Evictor {
	return &evictor{Evictor: h.Handle.Evictor(), machine: h.machine, profile: h.profile}
}

type evictor struct {
	frameworktypes.Evictor
	machine *machine
	profile string
}

func (e *evictor) Filter(pod *corev1.Pod) bool {
	if s := e.machine.session; s.listing.Load() == 0 {
		s.trace = append(s.trace, pod)
	}
	return e.Evictor.Filter(pod)
}

func (e *evictor) PreEvictionFilter(pod *corev1.Pod) bool {
	return e.machine.session.mode == grantAll || e.Evictor.PreEvictionFilter(pod)
}

func (e *evictor) Evict(ctx context.Context, pod *corev1.Pod, opts evictions.EvictOptions) error {
	s := e.machine.session
	switch s.mode {
	case grant, grantAll:
		s.calls = append(s.calls, s.snapshot.byUID[pod.UID])
		return nil
	case refuse:
		s.calls = append(s.calls, s.snapshot.byUID[pod.UID])
		return errRefused
	}
	opts.ProfileName = e.profile
	return e.machine.evict(ctx, pod, opts)
}

// evict asks the real evictor, limits and all.
func (m *machine) evict(ctx context.Context, pod *corev1.Pod, opts evictions.EvictOptions) error {
	s := m.session
	s.opts = opts
	if err := m.podEvictor.EvictPod(ctx, pod, opts); err != nil {
		s.refused = true // nothing but a limit refuses: the API grants
		return err
	}
	return nil
}

// capture is where the eviction API would be.
func (m *machine) capture(eviction *policyv1.Eviction) {
	s := m.session
	if s.replay {
		return
	}
	for _, pod := range s.snapshot.pods {
		if pod.Name == eviction.Name && pod.Namespace == eviction.Namespace {
			s.requests = append(s.requests, request{
				pod: pod, stage: s.stage, profile: s.opts.ProfileName, plugin: s.opts.StrategyName,
				reason: eviction.Annotations["reason"],
			})
			return
		}
	}
}

// podsOnNode stands for the real function of the pod informer's node index,
// with an order that can be chosen.
func (m *machine) podsOnNode(node string, filter podutil.FilterFunc) ([]*corev1.Pod, error) {
	s := m.session
	s.listing.Add(1)
	defer s.listing.Add(-1)
	listed := s.view[node]
	pods := make([]*corev1.Pod, 0, len(listed))
	for _, pod := range listed {
		if filter == nil || filter(pod) {
			pods = append(pods, pod)
		}
	}
	return pods, nil
}

// load fills the indexers and keeps the nodes a cycle works on.
func (m *machine) load(c Cluster, s *snapshot) error {
	all := make([]any, len(s.nodes))
	selected := make([]any, 0, len(s.nodes))
	for i, node := range s.nodes {
		all[i] = node
		if m.nodeSelector.Matches(labels.Set(node.Labels)) {
			selected = append(selected, node)
		}
	}
	namespaces := make([]any, len(c.Namespaces))
	for i, namespace := range c.Namespaces {
		namespaces[i] = namespace
	}
	core := m.factory.Core().V1()
	if err := fill(core.Nodes().Informer(), all); err != nil {
		return err
	}
	if err := fill(core.Namespaces().Informer(), namespaces); err != nil {
		return err
	}
	if m.ownerIndex {
		pods := make([]any, len(s.pods))
		for i, pod := range s.pods {
			pods[i] = pod
		}
		if err := fill(core.Pods().Informer(), pods); err != nil {
			return err
		}
	}
	var err error
	s.nodes, err = nodeutil.ReadyNodesFromInterfaces(selected)
	return err
}

func fill(informer cache.SharedIndexInformer, objects []any) error {
	if err := informer.GetIndexer().Replace(objects, ""); err != nil {
		return fmt.Errorf("fill indexer: %w", err)
	}
	return nil
}

// begin starts a run: the counters stand where the earlier requests of the
// cycle left them.
func (m *machine) begin(ctx context.Context, s *session, prior []request) error {
	m.session = s
	m.podEvictor.ResetCounters()
	s.replay = true
	for _, r := range prior {
		if err := m.podEvictor.EvictPod(ctx, r.pod, evictions.EvictOptions{}); err != nil {
			return fmt.Errorf("replay eviction of %s: %w", podName(r.pod), err)
		}
	}
	s.replay = false
	return nil
}
