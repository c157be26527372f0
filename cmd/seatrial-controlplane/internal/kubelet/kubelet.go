// Package kubelet stands for the kubelets of all nodes of a plane: it admits,
// starts, readies and ends pods, and keeps their nodes alive, through the API
// only. Where the real kubelet's decisions can be called they are: its admission
// and its conditions. What containers do is said by rules.
package kubelet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/agenda"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/volume"
)

// Options say how kubelets behave. The zero value is the usual.
type Options struct {
	// Rules come before the built-in ones.
	Rules []rule.Rule
	// Clock is the real one if nil.
	Clock clock.Clock
	// Lease is how often a node renews its lease, 10 s if zero; LeaseDuration is
	// how long one lasts, 40 s if zero.
	Lease, LeaseDuration time.Duration
	// Heartbeat is how often a node reports a status that did not change: 5 min if
	// zero.
	Heartbeat time.Duration
	// Retry is how long after a failed or refused write its object is looked at
	// afresh: 100 ms if zero.
	Retry time.Duration
	// Patience is how long one write is waited for before the next begins: 20 ms if
	// zero. Within it, writes happen in the order of what is due; one that takes
	// longer, because it is held, no longer stops the others.
	Patience time.Duration
	// Volumes says how volumes are provisioned.
	Volumes volume.Options
	// Report gets the errors of writes, which are tried again. It may be nil.
	Report func(error)
}

// Kubelets are the kubelets of all nodes of a plane. Make them with New.
type Kubelets struct {
	client  kubernetes.Interface
	options Options
	clock   clock.Clock
	agenda  *agenda.Agenda[key]

	factory informers.SharedInformerFactory
	pods    cache.SharedIndexInformer
	nodes   corelisters.NodeLister
	claims  corelisters.PersistentVolumeClaimLister
	volumes *volume.Volumes
	sources sources
	events  record.EventBroadcaster

	// synced is closed when the informers hold what there is.
	synced chan struct{}
	stop   func()

	mu      sync.Mutex
	rules   []rule.Rule
	records map[key]*known
	hosts   map[string]*host
	shared  addresses
}

// key names what is looked at: a pod, a node, or a node's lease.
type key struct {
	kind            kind
	namespace, name string
}

type kind byte

const (
	podKind kind = iota
	nodeKind
	leaseKind
)

// known is what is known of one pod.
type known struct {
	uid string
	memory
	node string
	// writing: its start is under way, so that it takes its room.
	writing bool
	// gone: its last DELETE passed.
	gone bool
	// warned are the Events that say why it does not go on.
	warned []warning
	// latest is what the last write returned, which the informer may not have yet.
	latest *corev1.Pod
}

const byNode = "node"

// New makes kubelets whose every request goes through config, which should not
// limit them (QPS -1). Nothing happens before Run.
func New(config *rest.Config, options Options) (*Kubelets, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("kubelets: %w", err)
	}
	return newFor(client, options)
}

func newFor(client kubernetes.Interface, options Options) (*Kubelets, error) {
	k := &Kubelets{
		client: client, options: options, clock: options.Clock,
		agenda:  agenda.New(func(k key) bool { return k.kind != podKind }),
		records: make(map[key]*known), hosts: make(map[string]*host),
		shared: addresses{taken: make(map[string]bool)}, synced: make(chan struct{}),
	}
	if k.clock == nil {
		k.clock = clock.RealClock{}
	}
	for _, d := range []struct {
		value *time.Duration
		usual time.Duration
	}{
		{&k.options.Lease, 10 * time.Second},
		{&k.options.LeaseDuration, 40 * time.Second},
		{&k.options.Heartbeat, 5 * time.Minute},
		{&k.options.Retry, 100 * time.Millisecond},
		{&k.options.Patience, 20 * time.Millisecond},
	} {
		if *d.value == 0 {
			*d.value = d.usual
		}
	}
	if err := k.setRules(options.Rules); err != nil {
		return nil, err
	}
	k.factory = informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(slim))
	k.nodes = k.factory.Core().V1().Nodes().Lister()
	k.claims = k.factory.Core().V1().PersistentVolumeClaims().Lister()
	k.sources = newSources(k.factory)
	if options.Volumes.Report == nil { // or nobody hears of volumes that cannot be made
		options.Volumes.Report = options.Report
	}
	volumes, err := volume.New(client, k.factory, k.clock, options.Volumes)
	if err != nil {
		return nil, err
	}
	k.volumes = volumes
	// All pods, bound or not: an informer of some could not tell a pod that is not
	// for it from one that it has not heard of, which lock-step asks.
	k.pods = k.factory.Core().V1().Pods().Informer()
	if err := k.pods.AddIndexers(cache.Indexers{byNode: func(object any) ([]string, error) {
		if pod, ok := object.(*corev1.Pod); ok && pod.Spec.NodeName != "" {
			return []string{pod.Spec.NodeName}, nil
		}
		return nil, nil
	}}); err != nil {
		return nil, fmt.Errorf("kubelets: %w", err)
	}
	return k, k.listen()
}

func withoutManagedFields(object any) (any, error) {
	if o, ok := object.(metav1.Object); ok {
		o.SetManagedFields(nil)
	}
	return object, nil
}

// listen puts on the agenda what the informers tell of.
func (k *Kubelets) listen() error {
	handle := func(informer cache.SharedIndexInformer, do func(o metav1.Object, added bool)) error {
		each := func(object any, added bool) {
			if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = tombstone.Obj
			}
			if o, ok := object.(metav1.Object); ok {
				do(o, added)
			}
		}
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) { each(o, true) }, UpdateFunc: func(_, o any) { each(o, false) }, DeleteFunc: func(o any) { each(o, false) },
		})
		return err
	}
	if err := handle(k.pods, func(o metav1.Object, _ bool) { k.soon(keyOf(o)) }); err != nil {
		return fmt.Errorf("kubelets: %w", err)
	}
	if err := handle(k.factory.Core().V1().Nodes().Informer(), func(o metav1.Object, added bool) {
		k.soon(key{nodeKind, "", o.GetName()})
		k.soonOn(o.GetName(), added)
	}); err != nil {
		return fmt.Errorf("kubelets: %w", err)
	}
	core := k.factory.Core().V1()
	for _, informer := range []cache.SharedIndexInformer{
		core.PersistentVolumeClaims().Informer(), core.ConfigMaps().Informer(), core.Secrets().Informer(),
	} {
		if err := handle(informer, func(o metav1.Object, _ bool) { k.soonIn(o.GetNamespace()) }); err != nil {
			return fmt.Errorf("kubelets: %w", err)
		}
	}
	return nil
}

func keyOf(o metav1.Object) key { return key{podKind, o.GetNamespace(), o.GetName()} }

func (k *Kubelets) soon(at key) { k.agenda.At(at, k.clock.Now()) }

// soonOn looks at the pods of a node that it has not admitted, or at all.
func (k *Kubelets) soonOn(node string, all bool) {
	for _, pod := range k.podsOf(node) {
		if all || pod.Status.StartTime == nil {
			k.soon(keyOf(pod))
		}
	}
}

// soonIn looks at the pods of a namespace that may wait for a claim, a ConfigMap or a
// Secret.
func (k *Kubelets) soonIn(namespace string) {
	objects, err := k.pods.GetIndexer().ByIndex(cache.NamespaceIndex, namespace)
	if err != nil {
		return
	}
	for _, pod := range sorted(objects) {
		if phaseOf(pod) == corev1.PodPending || lacks(pod) {
			k.soon(keyOf(pod))
		}
	}
}

// podsOf are the pods of a node, by age and name.
func (k *Kubelets) podsOf(node string) []*corev1.Pod {
	objects, err := k.pods.GetIndexer().ByIndex(byNode, node)
	if err != nil {
		return nil
	}
	return sorted(objects)
}

func sorted(objects []any) []*corev1.Pod {
	out := make([]*corev1.Pod, 0, len(objects))
	for _, o := range objects {
		if pod, ok := o.(*corev1.Pod); ok {
			out = append(out, pod)
		}
	}
	slices.SortFunc(out, func(a, b *corev1.Pod) int {
		if c := a.CreationTimestamp.Compare(b.CreationTimestamp.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	return out
}

// Start makes kubelets and runs them until Stop or the end of the context. It
// returns when they know what there is, or with the context's error.
func Start(ctx context.Context, config *rest.Config, options Options) (*Kubelets, error) {
	k, err := New(config, options)
	if err != nil {
		return nil, err
	}
	run, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { k.Run(run) })
	k.stop = func() {
		cancel()
		running.Wait()
	}
	select {
	case <-k.synced:
		return k, nil
	case <-ctx.Done():
		k.stop()
		return nil, fmt.Errorf("start kubelets: %w", context.Cause(ctx))
	}
}

// Stop ends kubelets that Start began, and returns when everything of theirs has
// ended.
func (k *Kubelets) Stop() { k.stop() }

// Informers are what the kubelets see the plane through.
func (k *Kubelets) Informers() informers.SharedInformerFactory { return k.factory }

// Run serves all nodes until the context ends, and returns when everything that
// it started has. It may be called once.
func (k *Kubelets) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	k.factory.StartWithContext(ctx)
	defer func() {
		cancel()
		running.Wait()
		k.factory.Shutdown()
	}()
	if k.factory.WaitForCacheSyncWithContext(ctx).AsError() != nil {
		return // the context ended
	}
	close(k.synced)
	running.Go(func() { k.volumes.Run(ctx) })
	events, stop := startEvents(ctx, k.client)
	defer stop()
	k.mu.Lock()
	k.events = events
	k.mu.Unlock()
	loop := agenda.Loop[key]{
		Agenda: k.agenda, Clock: k.clock, Patience: k.options.Patience, Retry: k.options.Retry, Report: k.options.Report, Decide: k.decide,
	}
	loop.Run(ctx)
}

// write is one request, and what is to be noted when it has passed or failed. Both
// notes are made under the lock.
type write struct {
	do     func(context.Context) error
	passed func()
	failed func()
}

// decide is what is written of what a key names, if anything, and when to look at
// it again.
func (k *Kubelets) decide(at key) (func(context.Context) error, time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var w *write
	var next time.Time
	node := at.name
	switch at.kind {
	case nodeKind:
		w, next = k.decideNode(at)
	case leaseKind:
		w, next = k.decideLease(at)
	default:
		if w, next = k.decidePod(at); w != nil {
			node = k.records[at].node
		}
	}
	if w == nil {
		return nil, next
	}
	lost := k.host(node).lost
	return func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(lost, cancel)()
		err := w.do(ctx)
		note := w.passed
		if err != nil {
			note = w.failed
		}
		if note != nil {
			k.mu.Lock()
			defer k.mu.Unlock()
			note()
		}
		return err
	}, next
}

// Activity is what is left to do.
type Activity struct {
	// Writing is how many pods have a write under way, one that is held included.
	Writing int
	// Next is when something is due of a pod or volume: zero if nothing is, not
	// after now if it is already.
	Next time.Time
}

// Idle says what is left to do, leases and the reports of nodes left out. What an
// informer has not told of yet is not known here.
func (k *Kubelets) Idle() Activity {
	writing, next := k.agenda.Pending()
	more, sooner := k.volumes.Pending()
	if next.IsZero() || !sooner.IsZero() && sooner.Before(next) {
		next = sooner
	}
	return Activity{Writing: writing + more, Next: next}
}

// SetRules replaces the rules; the built-in ones come after them. Pods go on from
// where they are.
func (k *Kubelets) SetRules(rules []rule.Rule) error {
	if err := k.setRules(rules); err != nil {
		return err
	}
	for _, pod := range sorted(k.pods.GetStore().List()) {
		k.soon(keyOf(pod))
	}
	nodes, err := k.nodes.List(everything)
	if err != nil {
		return fmt.Errorf("kubelets: %w", err)
	}
	slices.SortFunc(nodes, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	for _, node := range nodes {
		k.soon(key{nodeKind, "", node.Name})
	}
	return nil
}

func (k *Kubelets) setRules(rules []rule.Rule) error {
	last, err := rule.Parse("builtin.yaml", []byte(rule.Builtin()))
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rules = append(slices.Clone(rules), last...)
	return nil
}
