package descheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// ErrPartial is wrapped by Outcomes' error when OrdersMax was reached: every
// outcome returned is real, but others may exist.
var ErrPartial = errors.New("outcomes are incomplete")

// Descheduler runs cycles of one policy. It serves one goroutine at a time.
type Descheduler struct {
	policy  *Policy
	machine *machine
	classes string // what the machine's priority thresholds were resolved with
	runs    int
}

// New builds the real plugins. It fails on a policy whose answer needs what a
// Cluster does not carry (see Unsupported) or whose profiles the real
// NewProfile rejects.
//
// The real code writes refused evictions (limits) to the global klog; a
// process that owns stderr must redirect it.
func New(policy *Policy) (*Descheduler, error) {
	if policy == nil {
		return nil, errors.New("build descheduler: no policy")
	}
	if missing := policy.unsupported(); len(missing) > 0 {
		return nil, fmt.Errorf("build descheduler: unsupported: %s", strings.Join(missing, "; "))
	}
	m, err := newMachine(policy.loaded.DeepCopy())
	if err != nil {
		return nil, fmt.Errorf("build descheduler: %s", oneLine(err.Error()))
	}
	return &Descheduler{policy: policy, machine: m}, nil
}

// Unsupported lists, one line each, the parts of the policy for which New
// fails.
func (p *Policy) Unsupported() []string { return p.unsupported() }

// Plugins lists what a cycle runs, in order, as profile/plugin.
func (d *Descheduler) Plugins() []string {
	var names []string
	for _, st := range d.machine.stages {
		names = append(names, st.profile+"/"+st.plugin)
	}
	return slices.Compact(names) // one plugin may make several stages
}

// Runs is the number of plugin runs the last Cycle or Outcomes took.
func (d *Descheduler) Runs() int { return d.runs }

// Cycle returns the evictions, in order, that one cycle asks for when every
// request succeeds and the lists come as order says. Where the plugins
// themselves range over maps, the outcome follows the order of nodes, then of
// pods, so that equal arguments give equal answers.
//
// A cluster with fewer than two ready nodes under the policy's nodeSelector
// gets no evictions, as upstream.
func (d *Descheduler) Cycle(ctx context.Context, c Cluster, order Order) ([]Eviction, error) {
	x, err := d.prepare(ctx, c)
	if err != nil || x == nil {
		return nil, err
	}
	defer func() { d.runs = x.runs }()
	x.nodes = arrange(x.snapshot.nodes, nodeName, order.Nodes)
	x.lists = newLists(arrange(x.snapshot.pods, podName, order.Pods))
	var requests []request
	for _, st := range d.machine.stages {
		var seen map[types.UID]bool
		if order.Watch == WatchPrompt {
			seen = asked(requests)
		}
		outcomes, err := x.stage(st, requests, seen)
		if err != nil {
			return nil, err
		}
		requests = append(requests, outcomes[0]...)
	}
	return publish(requests), nil
}

// Outcomes returns every distinct outcome over the orders the real lists and
// maps may come in and over what of the cycle's own evictions each list may show
// (package comment). Two outcomes are one when
// they evict equally many pods of each class, pods being of one class when
// they differ only in name, UID and the like; the list returned for it is the
// request order of one real cycle. The result is sorted and does not depend on
// the order of the cluster's objects. There is always at least one outcome;
// the empty one is a cycle that evicts nothing.
//
// It is exact while it needs no more than OrdersMax orders (see there);
// beyond, the outcomes found so far, which are real, come with an error
// wrapping ErrPartial.
func (d *Descheduler) Outcomes(ctx context.Context, c Cluster) ([][]Eviction, error) {
	x, err := d.prepare(ctx, c)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return [][]Eviction{{}}, nil
	}
	defer func() { d.runs = x.runs }()
	if err := x.snapshot.classify(); err != nil {
		return nil, err
	}
	x.all = true
	found := map[string][]Eviction{}
	x.lists = newLists(x.snapshot.pods)
	if err := x.nodeOrders(func() error { return x.cycles(found) }); err != nil {
		return nil, err
	}
	outcomes := make([][]Eviction, 0, len(found))
	for _, evictions := range found {
		outcomes = append(outcomes, evictions)
	}
	slices.SortFunc(outcomes, compareEvictions)
	if x.partial {
		return outcomes, fmt.Errorf("descheduler cycle: %w after %d orders", ErrPartial, x.orders)
	}
	return outcomes, nil
}

// prepare loads the cluster; a nil explorer means that the cycle is skipped.
func (d *Descheduler) prepare(ctx context.Context, c Cluster) (*explorer, error) {
	d.runs = 0
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := d.resolve(c); err != nil {
		return nil, err
	}
	s, err := newSnapshot(c)
	if err != nil {
		return nil, err
	}
	if err := d.machine.load(c, s); err != nil {
		return nil, err
	}
	if len(s.nodes) <= 1 {
		return nil, nil
	}
	return &explorer{ctx: ctx, machine: d.machine, snapshot: s}, nil
}

// resolve rebuilds the machine when the cluster's priority classes give the
// policy's named thresholds other values.
func (d *Descheduler) resolve(c Cluster) error {
	if len(d.policy.classes) == 0 {
		return nil
	}
	values := map[string]int32{
		"system-cluster-critical": 2_000_000_000,
		"system-node-critical":    2_000_001_000,
	}
	for _, class := range c.PriorityClasses {
		values[class.Name] = class.Value
	}
	used := map[string]int32{}
	var key strings.Builder
	for _, name := range d.policy.classes {
		value, ok := values[name]
		if !ok {
			return fmt.Errorf("run descheduler: priority class %s does not exist", name)
		}
		used[name] = value
		fmt.Fprintf(&key, "%s=%d,", name, value)
	}
	if key.String() == d.classes {
		return nil
	}
	policy, err := d.policy.resolve(used)
	if err != nil {
		return err
	}
	m, err := newMachine(policy)
	if err != nil {
		return fmt.Errorf("build descheduler: %s", oneLine(err.Error()))
	}
	d.machine, d.classes = m, key.String()
	return nil
}
