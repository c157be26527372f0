// Package regression is what tests that `seatrial settle export` writes are made of: a trace of
// settle as an ordinary Go test, against a real API server, that of envtest or of seatrial
// controlplane. The controllers are registered by the Config's own Setup; their requests are let
// through one by one, as the lines of the test say. Caches are what the API server has, or, where
// the trace says that one stops, what it had then. Events go through the controllers' own handlers,
// so that in the end what has a reason to be reconciled is, and nothing else (docs/adr/0030).
package regression

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/internal/manager"
)

// Regression is a cluster, with the processes of a settle.Config and their reconciles under way.
type Regression struct {
	testing.TB
	config settle.Config
	// live reads what there is, and connect makes a client that reads from a cache.
	live    client.WithWatch
	connect func(client.CacheOptions) (client.WithWatch, error)

	processes []*process
	// world is what there was after the last step, of all that is watched.
	world map[manager.Source][]client.Object
	// active is the reconcile that may make requests; nil while handlers are called.
	active *puppet
	killed []*puppet
	// systems are those of the Config, which answer in the test itself.
	systems *settle.SystemStates
	// actors are those of Environment; nil if there are none.
	actors *actors
	// protected are the kinds of which something was deleted that a protection may keep.
	protected map[schema.GroupVersionKind]bool
	// broken is a contract that a request broke.
	broken error
	// names are those that the API server drew, by what the trace calls them, and drawn the last.
	names map[string]string
	drawn string
	// begun are the reconciles since the round of a loop began, and wrong is what did not match
	// in it, if looping.
	begun   map[string]bool
	looping bool
	wrong   error
}

// New registers the controllers of a configuration with the API server of KUBECONFIG, which has its
// custom resources and its objects then.
func New(t testing.TB, config settle.Config) *Regression {
	t.Helper()
	to, err := ctrl.GetConfig()
	if err != nil {
		t.Fatal(err)
	}
	to.QPS = -1 // as many requests as it takes
	if len(config.CRDs)+len(config.Definitions) > 0 {
		if _, err := envtest.InstallCRDs(to, envtest.CRDInstallOptions{Paths: config.CRDs, CRDs: config.Definitions, ErrorIfPathMissing: true}); err != nil {
			t.Fatal(err)
		}
	}
	return start(t, config, connecting(to, config))
}

// connecting makes clients to an API server.
func connecting(to *rest.Config, config settle.Config) func(client.CacheOptions) (client.WithWatch, error) {
	return func(cache client.CacheOptions) (client.WithWatch, error) {
		return client.NewWithWatch(to, client.Options{Scheme: config.Scheme, Cache: &cache})
	}
}

// start begins with what a configuration has from the beginning.
func start(t testing.TB, config settle.Config, connect func(client.CacheOptions) (client.WithWatch, error)) *Regression {
	t.Helper()
	if config.MatchCEL != "" || len(config.AlwaysCEL) > 0 {
		t.Fatal("regression: MatchCEL and AlwaysCEL are for exploring: say it in Go, with Match and Always")
	}
	live, err := connect(client.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	systems, err := settle.NewSystemStates(config.Systems)
	if err != nil {
		t.Fatal(err)
	}
	r := &Regression{TB: t, systems: systems, config: config, live: live, connect: connect, world: map[manager.Source][]client.Object{}, names: map[string]string{}, begun: map[string]bool{}}
	r.cast()
	for _, o := range config.Objects {
		if err := live.Create(t.Context(), copied(o)); err != nil {
			t.Fatal(err)
		}
	}
	all := config.Processes
	if config.Setup != nil {
		all = []settle.Process{{Name: "process", Setup: config.Setup}}
	}
	for _, p := range all {
		r.processes = append(r.processes, &process{Process: p, of: r, older: map[manager.Source]*frozen{}})
	}
	for _, p := range r.processes {
		p.register()
	}
	r.name()
	for _, p := range r.processes {
		p.begin()
	}
	r.step(nil)
	return r
}

// step ends a step: it tells the controllers what has happened, and fails the test for an error
// and for what must never be.
func (r *Regression) step(err error) {
	r.Helper()
	if err == nil {
		err = r.release()
	}
	if err != nil {
		r.Fatal(err)
	}
	r.observe()
	if r.broken != nil {
		r.Fatal(r.broken)
	}
	for _, name := range sorted(r.config.Always) {
		if err := r.config.Always[name](r.Context(), r.reader()); err != nil {
			r.Fatalf("%s: %v", name, err)
		}
	}
	if r.looping && r.wrong == nil {
		r.wrong = r.mismatch()
	}
}

// End lets all come to rest, and fails the test if there is not what is desired, or if what
// was deleted is. Nothing is reconciled without a reason: what is stuck stays so.
func (r *Regression) End() {
	r.Helper()
	if at := r.rest(); !at {
		r.Logf("it is not at rest after %d rounds", roundsMax)
		r.looping, r.wrong = true, nil
		r.round()
		if r.wrong != nil {
			r.Fatalf("it goes on for ever: %v", r.wrong)
		}
	}
	if err := r.mismatch(); err != nil {
		r.Error(err)
	}
}

// roundsMax is after how many rounds something is to be at rest: in each, what has a reason to be
// reconciled is, once.
const roundsMax = 10

// rest lets all come to rest, and tells whether it has.
func (r *Regression) rest() bool {
	for _, p := range r.processes {
		for _, c := range p.controllers {
			for _, name := range sorted(c.running) {
				r.finish(c.running[name])
			}
		}
		for _, source := range p.stopped() {
			p.goOn(source)
		}
	}
	r.step(nil)
	for range roundsMax {
		if !r.round() {
			return true
		}
	}
	return false
}

// round reconciles all that has a reason to be, once, and tells whether there was anything.
func (r *Regression) round() (any bool) {
	any = r.settled()
	for _, p := range r.processes {
		for _, c := range p.controllers {
			all := slices.Concat(c.queue, c.later)
			for _, request := range all {
				r.finish(r.begin(c, request))
			}
			any = any || len(all) > 0
		}
	}
	return any
}

// mismatch is why there is not what is desired, or is what was deleted.
func (r *Regression) mismatch() error {
	for _, desired := range r.config.Desired {
		is, key := copied(desired), client.ObjectKeyFromObject(desired)
		err := r.live.Get(r.Context(), key, is)
		switch {
		case err != nil && client.IgnoreNotFound(err) != nil:
			return err
		case err != nil && r.config.Gone != nil:
			if err := r.config.Gone(r.Context(), r.reader(), key); err != nil {
				return fmt.Errorf("%s is not there: %w", key, err)
			}
		case err != nil:
		case is.GetDeletionTimestamp() != nil:
			return fmt.Errorf("%s is deleted, and kept by its finalizers %q", key, is.GetFinalizers())
		case r.config.Given != nil && !r.config.Given(r.Context(), r.reader(), is):
		case r.config.Match != nil:
			if err := r.config.Match(r.Context(), r.reader(), is); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return nil
}

// reader reads what there is as properties do, and the states of Systems.
func (r *Regression) reader() client.Reader { return r.systems.Reader(r.live) }

func copied(o client.Object) client.Object { return o.DeepCopyObject().(client.Object) }

// context is that of reconciles: it ends with the test.
func (r *Regression) context() context.Context { return r.Context() }

// mapping is the resource of a kind.
func (r *Regression) mapping(s manager.Source) (*meta.RESTMapping, error) {
	return r.live.RESTMapper().RESTMapping(s.Kind.GroupKind(), s.Kind.Version)
}
