// Package manager is a controller-runtime manager that runs nothing. A user's own
// SetupWithManager is called with it, and what that registers is kept: the reconcilers, the
// indexes, and the handlers of events with the user's predicates and map functions, which
// are then called one event at a time.
package manager

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// Options are what a Manager hands out.
type Options struct {
	Scheme *runtime.Scheme
	Mapper meta.RESTMapper
	// Client reads from where the manager's client does, Cache from the caches, and Reader from
	// the API server.
	Client        client.Client
	Cache, Reader client.Reader
}

// Manager keeps what is registered. It is a manager.Manager.
type Manager struct {
	// What is not below is of newer releases, and done by a manager of theirs.
	idle
	recorder.Provider
	o     Options
	cache *informers
	// Controllers are in the order in which they were added.
	Controllers []*Controller
	// bypassed is the first request that went past the manager's client.
	bypassed atomic.Pointer[error]
	// Ignored are the types of what was added that is no controller, and is not run.
	Ignored []string
}

// idle is a manager that is not started. It is deeper in a Manager than the recorders, which go
// before those that it has.
type idle struct{ manager.Manager }

// New is a Manager without controllers.
func New(o Options) (*Manager, error) {
	m := &Manager{o: o, cache: &informers{Reader: o.Cache, scheme: o.Scheme, indexes: map[Index]client.IndexerFunc{}}}
	var err error
	if m.Provider, err = silent(); err != nil {
		return nil, err
	}
	m.Manager, err = m.real()
	return m, err
}

// real is a manager of controller-runtime with what m hands out.
func (m *Manager) real() (manager.Manager, error) {
	return manager.New(m.GetConfig(), manager.Options{
		Scheme: m.o.Scheme, Logger: m.GetLogger(), Metrics: server.Options{BindAddress: "0"}, HealthProbeBindAddress: "0", PprofBindAddress: "0",
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return m.o.Mapper, nil },
		NewCache:       func(*rest.Config, cache.Options) (cache.Cache, error) { return m.cache, nil },
		NewClient:      func(*rest.Config, client.Options) (client.Client, error) { return m.o.Client, nil },
	})
}

// silent gives recorders that record nothing, since events decide nothing: those of a manager
// that has ended. Its GetEventRecorder gives another type in each release.
var silent = sync.OnceValues(func() (recorder.Provider, error) {
	m := &Manager{cache: &informers{}}
	real, err := m.real()
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	end()
	return real, real.Start(ctx)
})

// Start refuses to.
func (m *Manager) Start(context.Context) error {
	return errors.New("the manager is not to be started: Setup registers controllers with it")
}

// warm is what controllers of controller-runtime have in common.
type warm interface {
	Warmup(context.Context) error
	Reconcile(context.Context, reconcile.Request) (reconcile.Result, error)
}

// Add is part of manager.Manager.
func (m *Manager) Add(r manager.Runnable) error {
	c, ok := r.(warm)
	if !ok {
		m.Ignored = append(m.Ignored, fmt.Sprintf("%T", r))
		return nil
	}
	added, err := newController(c)
	if err != nil {
		return err
	}
	m.Controllers = append(m.Controllers, added)
	return nil
}

// Begin has the controllers register their handlers with the informers. The context is
// that of the handlers, and ends them.
func (m *Manager) Begin(ctx context.Context) error {
	for _, c := range m.Controllers {
		m.cache.current = c
		if err := c.warm.Warmup(ctx); err != nil {
			return fmt.Errorf("controller %s: %w", c.Name, err)
		}
		m.cache.current = nil
		c.settle()
	}
	return nil
}

// Indexes are those that were registered.
func (m *Manager) Indexes() map[Index]client.IndexerFunc { return m.cache.indexes }

// newController takes the fields that controller-runtime exports of a type that it does not:
// how many reconcile at once, and how the queue is made.
func newController(c warm) (*Controller, error) {
	v := reflect.ValueOf(c)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%T is no controller of controller-runtime", c)
	}
	out := &Controller{warm: c, queue: &queue{}}
	fields := map[string]any{
		"NewQueue": func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
			return out.queue
		},
		"EnableWarmup": ptr(true), // or it would register nothing
		"RecoverPanic": ptr(false),
	}
	for name, value := range fields {
		f := v.Elem().FieldByName(name)
		if !f.IsValid() || !f.CanSet() || !reflect.TypeOf(value).AssignableTo(f.Type()) {
			return nil, fmt.Errorf("the controller has no field %s of type %T: its requests are not reconcile.Request, or this controller-runtime is not supported", name, value)
		}
		f.Set(reflect.ValueOf(value))
	}
	out.Name, _ = v.Elem().FieldByName("Name").Interface().(string)
	if do := v.Elem().FieldByName("Do"); do.IsValid() {
		out.Reconciler = do.Interface()
	}
	out.Concurrent, _ = v.Elem().FieldByName("MaxConcurrentReconciles").Interface().(int)
	return out, nil
}

func ptr[T any](v T) *T { return &v }

// GetScheme is part of cluster.Cluster.
func (m *Manager) GetScheme() *runtime.Scheme { return m.o.Scheme }

// GetRESTMapper is part of cluster.Cluster.
func (m *Manager) GetRESTMapper() meta.RESTMapper { return m.o.Mapper }

// GetClient is part of cluster.Cluster.
func (m *Manager) GetClient() client.Client { return m.o.Client }

// GetAPIReader is part of cluster.Cluster.
func (m *Manager) GetAPIReader() client.Reader { return m.o.Reader }

// GetCache gives a cache whose informers keep the handlers that are added to them.
func (m *Manager) GetCache() cache.Cache { return m.cache }

// GetFieldIndexer keeps the indexes.
func (m *Manager) GetFieldIndexer() client.FieldIndexer { return m.cache }

// GetLogger gives a logger that says nothing.
func (m *Manager) GetLogger() logr.Logger { return logr.Discard() }

// GetWebhookServer gives a server that is not started.
func (m *Manager) GetWebhookServer() webhook.Server { return webhook.NewServer(webhook.Options{}) }

// GetEventRecorderFor gives a recorder that records nothing: events decide nothing.
func (m *Manager) GetEventRecorderFor(string) record.EventRecorder { return &record.FakeRecorder{} }

// ErrBypass is what a client gets that was not made by the manager.
var ErrBypass = errors.New("this request goes past the manager's client: make requests with mgr.GetClient() or mgr.GetAPIReader(), and ask mgr.GetRESTMapper() what is served")

// Bypassed is the first request that was made with another client than the manager's, as
// an ErrBypass; nil for none. That client was refused; but who made it may not tell.
func (m *Manager) Bypassed() error {
	if err := m.bypassed.Load(); err != nil {
		return *err
	}
	return nil
}

type refusing struct{ m *Manager }

func (r refusing) RoundTrip(q *http.Request) (*http.Response, error) {
	err := fmt.Errorf("%s %s: %w", q.Method, q.URL.Path, ErrBypass)
	r.m.bypassed.CompareAndSwap(nil, &err)
	return nil, err
}

// GetConfig leads nowhere.
func (m *Manager) GetConfig() *rest.Config {
	return &rest.Config{Host: "http://settle.invalid", Transport: refusing{m}}
}

// GetHTTPClient leads nowhere.
func (m *Manager) GetHTTPClient() *http.Client { return &http.Client{Transport: refusing{m}} }

// GetControllerOptions allows for controllers of the same name: a test makes them anew.
func (m *Manager) GetControllerOptions() config.Controller {
	return config.Controller{SkipNameValidation: ptr(true), UsePriorityQueue: ptr(false)}
}

// Elected is closed: there is one of it.
func (m *Manager) Elected() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// AddHealthzCheck does nothing: nobody asks.
func (m *Manager) AddHealthzCheck(string, healthz.Checker) error { return nil }

// AddReadyzCheck does nothing: nobody asks.
func (m *Manager) AddReadyzCheck(string, healthz.Checker) error { return nil }

// AddMetricsServerExtraHandler does nothing: nobody asks.
func (m *Manager) AddMetricsServerExtraHandler(string, http.Handler) error { return nil }
