package regression

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/internal/manager"
)

// process is one of the Config's, in one of its lives.
type process struct {
	settle.Process
	of          *Regression
	manager     *manager.Manager
	end         context.CancelFunc
	controllers []*controller
	// frozen are its caches that are behind, and older what those have first that begin with older lists.
	frozen, older map[manager.Source]*frozen
}

// controller is one of a process, with its queue.
type controller struct {
	*manager.Controller
	process *process
	// name is that of traces.
	name string
	// queue are the requests that can begin, and later those that come back; both in order.
	queue, later []reconcile.Request
	running      map[string]*puppet
}

// register has the process's Setup register its controllers.
func (p *process) register() {
	r := p.of
	r.Helper()
	options := p.Cache
	options.Reader = cache{p}
	cached, err := r.connect(options)
	if err != nil {
		r.Fatal(err)
	}
	p.frozen, p.controllers = map[manager.Source]*frozen{}, nil
	p.manager, err = manager.New(manager.Options{Scheme: r.config.Scheme, Mapper: r.live.RESTMapper(), Client: r.systems.Client(r.asking(cached), r.live, r.inquire), Cache: cache{p}, Reader: r.asking(r.live)})
	if err != nil {
		r.Fatal(err)
	}
	if err := cmp.Or(p.Setup(p.manager), p.manager.Bypassed()); err != nil {
		r.Fatalf("Setup of %s: %v", p.Name, err)
	}
	ctx, end := context.WithCancel(r.context())
	p.end = end
	if err := p.manager.Begin(ctx); err != nil {
		r.Fatal(err)
	}
	for _, c := range p.manager.Controllers {
		p.controllers = append(p.controllers, &controller{Controller: c, process: p, name: c.Name, running: map[string]*puppet{}})
	}
}

// name names the controllers as traces do: with their processes where several have one name.
func (r *Regression) name() {
	named := map[string]int{}
	for _, p := range r.processes {
		for _, c := range p.controllers {
			named[c.Name]++
		}
	}
	for _, p := range r.processes {
		for _, c := range p.controllers {
			if c.name = c.Name; named[c.Name] > 1 {
				c.name = p.Name + "/" + c.Name
			}
		}
	}
}

// begin tells the controllers of a process that has begun what there is.
func (p *process) begin() {
	for _, source := range p.sources() {
		p.of.look(source)
		has := p.of.world[source]
		if f := p.frozen[source]; f != nil {
			has = f.objects
		}
		for _, o := range has {
			p.tell(source, change{after: o, initial: true})
		}
	}
}

// sources are all that a process watches, in order.
func (p *process) sources() (all []manager.Source) {
	for _, c := range p.controllers {
		all = append(all, c.Sources()...)
	}
	slices.SortFunc(all, manager.Source.Compare)
	return slices.Compact(all)
}

// tell gives an event to the handlers of a process.
func (p *process) tell(source manager.Source, e change) {
	r := p.of
	r.Helper()
	r.active = nil
	for _, c := range p.controllers {
		if !slices.Contains(c.Sources(), source) {
			continue
		}
		added, err := c.Deliver(source, e, e.initial)
		if err != nil {
			r.Fatal(err)
		}
		for _, a := range added {
			if a.Later {
				c.later = manager.Include(c.later, a.Request)
			} else {
				c.queue = manager.Include(c.queue, a.Request)
			}
		}
	}
}

// change is an event: before is nil for what is new, after for what is gone. missed: it was found
// out later.
type change struct {
	before, after   client.Object
	initial, missed bool
}

// Of is part of manager.Event.
func (c change) Of(client.Object) (before, after client.Object, err error) {
	if c.before != nil {
		before = copied(c.before)
	}
	if c.after != nil {
		after = copied(c.after)
	}
	return before, after, nil
}

// Missed is part of manager.Event.
func (c change) Missed() bool { return c.missed }

// process is one of the Config's, by its name.
func (r *Regression) process(name string) *process {
	r.Helper()
	for _, p := range r.processes {
		if p.Name == name {
			return p
		}
	}
	r.Fatalf("regression: there is no process %q in the Config", name)
	return nil
}

// Kill kills a process, and begins it again: what it was at stays as it is.
func (r *Regression) Kill(name string) {
	r.Helper()
	r.kill(r.process(name), map[manager.Source]*frozen{})
}

// KillToOlder is Kill, and the process that begins lists what API servers have that have fallen behind (Lag).
func (r *Regression) KillToOlder(name string) {
	r.Helper()
	p := r.process(name)
	older := p.older
	p.older = map[manager.Source]*frozen{}
	r.kill(p, older)
}

func (r *Regression) kill(p *process, has map[manager.Source]*frozen) {
	r.Helper()
	for _, c := range p.controllers {
		for _, request := range sorted(c.running) {
			if dies := c.running[request]; !dies.over {
				dies.dead = true
				r.killed = append(r.killed, dies)
			}
		}
	}
	p.end()
	p.register()
	p.frozen = has
	r.name()
	p.begin()
	r.step(nil)
}

// Late has a request take effect that a process made before it was killed: "create secrets", or "cloud" of a
// settle.System.
func (r *Regression) Late(ask string) {
	r.Helper()
	for i, p := range r.killed {
		if p.pending == ask {
			r.killed = slices.Delete(r.killed, i, i+1)
			p.answer(Lost)
			break
		}
	}
	r.step(nil)
}

// look notes what there is of a source, and gives what there was.
func (r *Regression) look(source manager.Source) (was []client.Object) {
	r.Helper()
	all, err := r.list(source)
	if err != nil {
		r.Fatal(err)
	}
	was, r.world[source] = r.world[source], all
	return was
}

// observe tells all controllers what has happened since the last step.
func (r *Regression) observe() {
	r.Helper()
	var sources []manager.Source
	for _, p := range r.processes {
		sources = append(sources, p.sources()...)
	}
	slices.SortFunc(sources, manager.Source.Compare)
	for _, source := range slices.Compact(sources) {
		events := difference(r.look(source), r.world[source])
		for _, p := range r.processes {
			if f := p.older[source]; f != nil {
				f.missed = append(f.missed, events...)
			}
			if f := p.frozen[source]; f != nil {
				if f.part != nil {
					f = f.part
				}
				f.missed = append(f.missed, events...)
				continue
			}
			for _, e := range events {
				p.tell(source, e)
			}
		}
	}
}

// difference is what has happened between two lists, in the order of the objects: what is there
// again under its name was deleted and created.
func difference(was, is []client.Object) (all []change) {
	key := func(o client.Object) string { return client.ObjectKeyFromObject(o).String() }
	before, after := map[string]client.Object{}, map[string]client.Object{}
	for _, o := range was {
		before[key(o)] = o
	}
	for _, o := range is {
		after[key(o)] = o
	}
	for _, name := range sorted(before) {
		if o, now := before[name], after[name]; now == nil || now.GetUID() != o.GetUID() {
			all = append(all, change{before: o})
			delete(before, name)
		}
	}
	for _, name := range sorted(after) {
		switch o, then := after[name], before[name]; {
		case then == nil:
			all = append(all, change{after: o})
		case then.GetResourceVersion() != o.GetResourceVersion():
			all = append(all, change{before: then, after: o})
		}
	}
	return all
}

// controller is the one that a trace's actor is, and the request that it reconciles: "database
// default/shop".
func (r *Regression) controller(actor string) (*controller, reconcile.Request) {
	r.Helper()
	for _, p := range r.processes {
		for _, c := range p.controllers {
			if request, ok := strings.CutPrefix(actor, c.name+" "); ok {
				return c, reconcile.Request{NamespacedName: r.key(request)}
			}
		}
	}
	r.Fatalf("regression: there is no controller for %q in the Config", actor)
	return nil, reconcile.Request{}
}

// resource is what traces call what an object or a list is of.
func (r *Regression) resource(o runtime.Object) string {
	kind, err := r.live.GroupVersionKindFor(o)
	if err != nil {
		return fmt.Sprintf("%T", o)
	}
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	m, err := r.mapping(manager.Source{Kind: kind})
	if err != nil {
		return kind.Kind
	}
	return m.Resource.Resource
}
