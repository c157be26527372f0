package scheduler

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// pluginName is the steering's in the profiles of the scheduler.
const pluginName = "SeatrialSteering"

// againEvery is how often pods that may be scheduled are put back into the queue:
// the scheduler itself would wait for something to change.
const againEvery = 2 * time.Millisecond

// Steering says which pods the scheduler may decide about, and which of the nodes
// that it could as well have chosen it has to choose. It never says what a node is
// worth or whether a pod fits: it only has the scheduler decide again. It outlives
// a scheduler, and is safe for concurrent use.
type Steering struct {
	mu      sync.Mutex
	on      bool
	pods    map[types.NamespacedName]*steered
	changed chan struct{}
	// generation grows with every decision of the scheduler.
	generation int64
}

// steered is a pod that may be scheduled.
type steered struct {
	admin.Steered
}

// NewSteering lets every pod be scheduled.
func NewSteering() *Steering {
	return &Steering{pods: map[types.NamespacedName]*steered{}, changed: make(chan struct{}), generation: 1}
}

// Steer replaces what the scheduler may do: anything, or schedule just these pods.
func (s *Steering) Steer(to admin.Steer) error {
	pods := map[types.NamespacedName]*steered{}
	for _, p := range to.Pods {
		if p.Name == "" {
			return fmt.Errorf("a pod to schedule has no name")
		}
		pods[types.NamespacedName{Namespace: p.Namespace, Name: p.Name}] = &steered{Steered: admin.Steered{Turn: p, Refused: map[string]int{}}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on, s.pods = to.On, pods
	s.change()
	return nil
}

// change wakes those who wait; s.mu is held.
func (s *Steering) change() {
	s.generation++
	close(s.changed)
	s.changed = make(chan struct{})
}

// Wait returns what the scheduler did with the pods that may be scheduled, when
// that is newer than a generation.
func (s *Steering) Wait(ctx context.Context, after int64) (admin.Turns, error) {
	for {
		s.mu.Lock()
		turns, changed := admin.Turns{Generation: s.generation}, s.changed
		for _, p := range s.pods {
			shown := p.Steered
			shown.Refused = maps.Clone(shown.Refused)
			turns.Pods = append(turns.Pods, shown)
		}
		s.mu.Unlock()
		if turns.Generation > after {
			return turns, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return turns, context.Cause(ctx)
		}
	}
}

// admit tells whether a pod may be scheduled now, and keeps it for its turn.
func (s *Steering) admit(pod *corev1.Pod) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.on {
		return true
	}
	p := s.pods[nameOf(pod)]
	if p == nil || p.Chosen != "" || p.spent() {
		return false
	}
	return true
}

// spent tells that the scheduler was refused as often as it may be.
func (p *steered) spent() bool {
	sum := 0
	for _, times := range p.Refused {
		sum += times
	}
	return p.Tries > 0 && sum >= p.Tries
}

// permit tells whether a pod may go to the node that the scheduler chose.
func (s *Steering) permit(pod *corev1.Pod, node string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.on {
		return true
	}
	p := s.pods[nameOf(pod)]
	if p == nil {
		return false
	}
	defer s.change()
	if p.Node != "" && p.Node != node {
		p.Refused[node]++
		return false
	}
	p.Chosen = node
	return true
}

// waiting are the pods to put back into the queue, all of them if the scheduler is
// not steered any more.
func (s *Steering) waiting(queued map[types.NamespacedName]*corev1.Pod) map[string]*corev1.Pod {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]*corev1.Pod{}
	for name, pod := range queued {
		if p := s.pods[name]; !s.on || p != nil && p.Chosen == "" && !p.spent() {
			found[name.String()] = pod
		}
	}
	return found
}

func nameOf(pod *corev1.Pod) types.NamespacedName {
	return types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
}

// plugin is the steering in one scheduler.
type plugin struct {
	steering *Steering
	handle   fwk.Handle

	mu     sync.Mutex
	queued map[types.NamespacedName]*corev1.Pod // held back or refused
}

var (
	_ fwk.PreEnqueuePlugin  = &plugin{}
	_ fwk.PermitPlugin      = &plugin{}
	_ fwk.EnqueueExtensions = &plugin{}
)

// factory makes the plugin of a scheduler that runs until the context ends.
func (s *Steering) factory(ctx context.Context, _ runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	p := &plugin{steering: s, handle: handle, queued: map[types.NamespacedName]*corev1.Pod{}}
	go p.again(ctx)
	return p, nil
}

// enable puts the plugin into every profile.
func enable(configuration *config.KubeSchedulerConfiguration) {
	for i := range configuration.Profiles {
		plugins := configuration.Profiles[i].Plugins
		if plugins == nil {
			plugins = &config.Plugins{}
			configuration.Profiles[i].Plugins = plugins
		}
		own := config.Plugin{Name: pluginName}
		plugins.PreEnqueue.Enabled = append(plugins.PreEnqueue.Enabled, own)
		plugins.Permit.Enabled = append(plugins.Permit.Enabled, own)
	}
}

func (s *Steering) registry() frameworkruntime.Registry {
	return frameworkruntime.Registry{pluginName: s.factory}
}

// Name is the plugin's.
func (p *plugin) Name() string { return pluginName }

// PreEnqueue holds back what may not be scheduled now.
func (p *plugin) PreEnqueue(_ context.Context, pod *corev1.Pod) *fwk.Status {
	if p.steering.admit(pod) {
		return nil
	}
	p.keep(pod)
	return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "held back")
}

// Permit refuses a node that was not asked for.
func (p *plugin) Permit(_ context.Context, _ fwk.CycleState, pod *corev1.Pod, node string) (*fwk.Status, time.Duration) {
	if p.steering.permit(pod, node) {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.queued, nameOf(pod))
		return nil, 0
	}
	p.keep(pod)
	return fwk.NewStatus(fwk.Unschedulable, "another node was asked for"), 0
}

// EventsToRegister is none: again puts pods back.
func (p *plugin) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	return nil, nil
}

func (p *plugin) keep(pod *corev1.Pod) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queued[nameOf(pod)] = pod
}

// again puts pods whose turn it is back into the queue, until the context ends.
// What is not in the queue, because it is being scheduled or is gone, stays so.
func (p *plugin) again(ctx context.Context) {
	ticker := time.NewTicker(againEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		p.mu.Lock()
		pods := p.steering.waiting(p.queued)
		p.mu.Unlock()
		if len(pods) > 0 {
			p.handle.Activate(klog.FromContext(ctx), pods)
		}
	}
}
