// Package plane puts a control plane together: an API server on a key space of
// etcd, controllers, scheduler and kubelets, started, reset and stopped as one.
package plane

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/apiserver"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/credential"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/metric"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/scheduler"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/store"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// Options say where a plane lives; its Spec says what it is.
type Options struct {
	Etcd       *store.Etcd
	Credential *credential.Credential
	// Directory is the plane's own, which is made.
	Directory string
	// Version is what the API server says that it is.
	Version string
	Port    int
	Spec    admin.Spec
}

// Plane is one that runs.
type Plane struct {
	options  Options
	space    *store.Space
	gate     *apiproxy.Gate
	authors  *authors
	server   *apiserver.Server
	client   kubernetes.Interface
	cancel   context.CancelFunc
	ctx      context.Context
	selected selection
	tap      *tap
	metrics  *metric.Server
	steering *scheduler.Steering

	// mu is held by what starts and stops parts.
	mu       sync.Mutex
	parts    []part
	watched  []watched
	nodes    *kubelet.Kubelets // nil without kubelets
	revision int64
	// running ends, by stopping, when the parts are about to.
	running  context.Context
	stopping context.CancelFunc
}

// part is a component that a reset stops and starts again.
type part interface{ Stop() }

// Start starts a plane and returns when it is ready and its baseline is taken.
func Start(ctx context.Context, o Options) (*Plane, error) {
	selected, err := choose(o.Spec)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(o.Directory, 0o700); err != nil {
		return nil, err
	}
	p := &Plane{options: o, selected: selected, gate: apiproxy.NewGate(), space: o.Etcd.Space(o.Spec.Name)}
	p.gate.Revision = o.Etcd.Revision
	p.authors = &authors{revision: o.Etcd.Revision}
	if o.Spec.Steering {
		p.steering = scheduler.NewSteering()
	}
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.tap = newTap(p.space, p.authors)
	go p.tap.run(p.ctx)
	if err := p.start(ctx); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

func (p *Plane) start(ctx context.Context) error {
	stop := context.AfterFunc(ctx, p.cancel) // until it is ready, its caller's end is its own
	defer stop()
	o := p.options
	flags := maps.Clone(o.Spec.APIServer)
	if !slices.Contains(p.selected.controllers, names.NodeLifecycleController) {
		// Admission taints new nodes, and nobody would take the taint away.
		flags = addTo(flags, "disable-admission-plugins", "TaintNodesByCondition")
	}
	var err error
	p.server, err = apiserver.Start(p.ctx, apiserver.Options{
		Etcd: o.Etcd.Endpoint, Prefix: p.space.Prefix(), Credential: o.Credential,
		Directory: o.Directory, Port: o.Port, Version: o.Version,
		Lean: o.Spec.Mode == modeLean, OpenAPI: o.Spec.OpenAPI, Flags: flags, AtMost: o.Spec.AtMost,
		Wrap: func(api http.Handler) http.Handler { return p.authors.wrap(withoutMachines(api)) },
	})
	if err != nil {
		return err
	}
	if p.client, err = kubernetes.NewForConfig(p.config("seatrial")); err != nil {
		return err
	}
	if err := p.writeKubeconfig(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var group errgroup.Group
	group.Go(func() error { return p.server.Bootstrap(ctx) })
	group.Go(p.startParts)
	group.Go(func() error { return p.startMetrics(ctx) })
	if err := group.Wait(); err != nil {
		return err
	}
	if err := p.addNodes(ctx); err != nil {
		return err
	}
	if err := p.settle(ctx); err != nil {
		return err
	}
	p.revision, err = p.space.Keep(ctx)
	return err
}

// addTo adds to a flag that is a list.
func addTo(flags map[string]string, name, value string) map[string]string {
	if flags == nil {
		flags = map[string]string{}
	}
	if flags[name] != "" {
		value = flags[name] + "," + value
	}
	flags[name] = value
	return flags
}

// addNodes adds the nodes that the spec asks for.
func (p *Plane) addNodes(ctx context.Context) error {
	if p.nodes == nil {
		return nil
	}
	all, err := firstNodes(p.options.Spec)
	if err != nil {
		return err
	}
	for _, node := range all {
		if err := p.nodes.AddNode(ctx, node); err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
	}
	return nil
}

// config is the configuration of a client of the plane's own, in the name of an
// actor and through the gate.
func (p *Plane) config(actor string) *rest.Config {
	config := rest.CopyConfig(p.server.Config)
	config.UserAgent = agent(p.options.Version, actor)
	config.Wrap(p.throughGate(actor))
	return config
}

// startParts starts what a reset stops. Kubelets write as soon as they run, and an
// API server that is asked for what is newest looks ten times a second whether its
// cache has that: they come when the others have seen everything.
func (p *Plane) startParts() error {
	p.running, p.stopping = context.WithCancel(p.ctx)
	for _, starters := range [][]func(*Plane) (part, error){{startScheduler, startControllers}, {startNodes, startDescheduler}} {
		var group errgroup.Group
		started := make([]part, len(starters))
		for i, start := range starters {
			group.Go(func() (err error) {
				started[i], err = start(p)
				return err
			})
		}
		err := group.Wait()
		p.parts = append(p.parts, slices.DeleteFunc(started, func(started part) bool { return started == nil })...)
		if err != nil {
			return err
		}
	}
	p.watched = nil
	for _, part := range p.parts {
		if looks, ok := part.(informed); ok {
			p.watched = append(p.watched, informersOf(looks, p.ctx.Done())...)
		}
	}
	return nil
}

func startScheduler(p *Plane) (part, error) {
	if !p.selected.scheduler {
		return nil, nil
	}
	s, err := scheduler.Start(p.ctx, scheduler.Options{
		Config: p.config("kube-scheduler"), YAML: p.options.Spec.Scheduler, Directory: p.options.Directory,
		Steering: p.steering,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func startControllers(p *Plane) (part, error) {
	if len(p.selected.controllers) == 0 {
		return nil, nil
	}
	m, err := controller.Start(p.ctx, controller.Options{
		Config: p.config, Controllers: p.selected.controllers,
		Flags: p.options.Spec.ControllerManager, SigningKey: p.options.Credential.SigningKey,
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// startMetrics serves the metrics APIs where there is an autoscaler to read them.
func (p *Plane) startMetrics(ctx context.Context) error {
	if !slices.Contains(p.selected.controllers, names.HorizontalPodAutoscalerController) {
		return nil
	}
	var err error
	p.metrics, err = metric.Start(p.client, p.options.Credential.Certificate, p.options.Credential.Key)
	if err != nil {
		return err
	}
	return p.metrics.Register(ctx, p.config("seatrial"))
}

// ErrNoMetrics says that a plane without autoscaler serves no metrics.
var ErrNoMetrics = errors.New("this plane has no metrics APIs: it runs without horizontal-pod-autoscaler-controller")

// Use replaces what the metrics APIs say.
func (p *Plane) Use(usage []admin.Usage) error {
	if p.metrics == nil {
		return ErrNoMetrics
	}
	return p.metrics.Set(usage)
}

// startDescheduler has the descheduler look again and again, where the spec has a policy.
func startDescheduler(p *Plane) (part, error) {
	if p.options.Spec.Descheduler == "" {
		return nil, nil
	}
	interval := deschedulingUsual
	if text := p.options.Spec.Descheduling; text != "" {
		var err error
		if interval, err = time.ParseDuration(text); err != nil || interval <= 0 {
			return nil, spec.Wrong(fmt.Errorf("descheduling %q: it is a duration like 1s", text))
		}
	}
	l, err := descheduler.Start(p.ctx, p.descheduler(p.options.Spec.Descheduler), interval)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// deschedulingUsual is how long the descheduler waits if the spec does not say.
const deschedulingUsual = 10 * time.Second

func (p *Plane) descheduler(policy string) descheduler.Options {
	return descheduler.Options{Config: p.config("descheduler"), Policy: policy, Directory: p.options.Directory}
}

// Deschedule runs one cycle of the descheduler, by the spec's policy if it gets none.
func (p *Plane) Deschedule(ctx context.Context, policy string) (admin.Descheduled, error) {
	err := descheduler.Run(ctx, p.descheduler(cmp.Or(policy, p.options.Spec.Descheduler)))
	return admin.Descheduled{Revision: p.space.Revision()}, err
}

// stopParts stops them all at once: each waits for what it has under way.
func (p *Plane) stopParts() {
	var ended sync.WaitGroup
	if p.stopping != nil {
		p.stopping()
	}
	for _, part := range p.parts {
		ended.Go(part.Stop)
	}
	ended.Wait()
	p.parts = nil
}

// Stop ends the plane. Its API server takes a second to end in the background;
// its keys are removed.
func (p *Plane) Stop() {
	p.gate.Close()
	p.cancel()
	if p.metrics != nil {
		p.metrics.Stop()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopParts()
}

// Remove ends the plane for good and removes its keys and files.
func (p *Plane) Remove(ctx context.Context) error {
	p.Stop()
	if p.server != nil {
		select {
		case <-p.server.Ended():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return errors.Join(p.space.Clear(ctx), os.RemoveAll(p.options.Directory))
}

// Describe is the plane as the admin interface shows it.
func (p *Plane) Describe() admin.Plane {
	return admin.Plane{
		Name: p.options.Spec.Name, Server: p.server.Config.Host, Kubeconfig: p.kubeconfig(),
		Prefix: p.space.Prefix(), Revision: p.revision,
	}
}

// Steering is how the scheduler is told whose turn it is; nil if it cannot be.
func (p *Plane) Steering() *scheduler.Steering { return p.steering }

// Gate is where the plane's own components can be held.
func (p *Plane) Gate() *apiproxy.Gate { return p.gate }

// Keys is how many keys the plane has in etcd.
func (p *Plane) Keys(ctx context.Context) (int, error) { return p.space.Count(ctx) }

func (p *Plane) kubeconfig() string { return filepath.Join(p.options.Directory, "kubeconfig") }

// Failed is closed when the API server ended by itself.
func (p *Plane) Failed() <-chan struct{} { return p.server.Ended() }

// agent is a user agent as the real component's, with the actor behind it: the
// API server takes the manager of fields from its beginning.
func agent(version, actor string) string {
	component := "kube-controller-manager"
	if actor == "kube-scheduler" || actor == "kubelet" || actor == "descheduler" || actor == "seatrial" {
		component = actor
	}
	return fmt.Sprintf("%s/%s%s%s", component, version, agentMark, actor)
}
