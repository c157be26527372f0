package settle

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
)

// explorer is the model that the engine searches: nodes, and what can happen in each.
type explorer struct {
	config    *Config
	server    *kubestate.Server
	mapper    meta.RESTMapper
	types     typed
	processes []Process
	// What is registered, by controller: those of the first process come first.
	controllers int
	names       []string
	registered  []string // the names, as they were given
	processOf   []int
	watches     [][]manager.Source
	concurrent  []int
	indexes     []map[manager.Index]client.IndexerFunc // by process
	// sources are all that can be cached, in order. watched are the caches of what processes
	// watch; hearing are those by kind, and handling their controllers.
	sources    []manager.Source
	placeOf    map[manager.Source]int // in sources
	watched    []cacheID
	hearing    map[schema.GroupKind][]cacheID
	handling   map[cacheID][]int
	desired    []desired
	maxObjects int
	// actors are the environment's, and resources those of their writes.
	actors    []*environment.Memory
	resources map[schema.GroupVersionResource]kubestate.Resource

	components *statespace.Components
	objects    sync.Map // by hash
	answers    answers
	lates      sync.Map // calls by their texts
	outcomes   sync.Map // by what was run
	handled    sync.Map // requests by occasions
	// remembers: there are reconcilers that say what they remember. large are those of which not
	// all can be looked at.
	remembers bool
	large     []string
	// timed: reconcilers write what time it is.
	timed    atomic.Bool
	labels   numbered[label]
	classes  numbered[string]
	breaches numbered[breach]
	promises []promise
	judges   *judges
	judged   sync.Map // errors by what was asked
	replies  sync.Map // of systems, by inquiries
	happened sync.Map // faults and wishes that were explored
	// atOnce: what a reconcile reads is read at once, which makes fewer states.
	atOnce bool

	mu    sync.Mutex
	wrong error
	// doubted is some of what properties said.
	doubted []verdictOf
	// free are the programs that nobody has.
	free []*program
}

// numbered gives each of many things a number, and the thing for a number.
type numbered[T comparable] struct {
	mu    sync.Mutex
	known map[T]int
	all   []T
}

func (l *numbered[T]) number(of T) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok := l.known[of]; ok {
		return n
	}
	if l.known == nil {
		l.known = map[T]int{}
	}
	n := len(l.all)
	l.known[of] = n
	l.all = append(l.all, of)
	return n
}

func (l *numbered[T]) of(n int) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[n]
}

func newExplorer(c *Config) (*explorer, error) {
	if err := cmp.Or(c.check(), c.Faults.Budget.check(), c.Faults.check()); err != nil {
		return nil, err
	}
	judges, err := c.judges()
	if err != nil {
		return nil, err
	}
	processes, err := c.processes()
	if err != nil {
		return nil, err
	}
	definitions, err := c.definitions()
	if err != nil {
		return nil, err
	}
	c.keepsNames = c.keepsNames || c.namesLike()
	server, err := kubestate.NewServer(kubestate.Config{Definitions: definitions, Generations: true, Names: !c.keepsNames})
	if err != nil {
		return nil, fmt.Errorf("settle: %w", err)
	}
	x := &explorer{config: c, judges: judges, processes: processes, server: server, mapper: mapper(server), components: statespace.NewComponents(), types: typed{server: server}, answers: answers{server: server}}
	if x.maxObjects = c.MaxObjects; x.maxObjects == 0 {
		x.maxObjects = len(c.Objects) + maxObjects
	}
	x.classes.number("what goes wrong, and users")
	x.classes.number(laterClass)
	x.breaches.number(breach{})
	x.promises = c.promises()
	if err := x.loadEnvironment(); err != nil {
		return nil, err
	}
	p, err := x.newProgram()
	if err != nil {
		return nil, err
	}
	x.free = append(x.free, p)
	if err := cmp.Or(x.register(p), x.remember(p)); err != nil {
		x.close()
		return nil, err
	}
	return x, x.loadDesired()
}

// fail notes what makes the search worth nothing.
func (x *explorer) fail(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.wrong == nil {
		x.wrong = err
	}
}

func (x *explorer) failed() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.wrong
}

// with runs f with a program that nobody else has.
func (x *explorer) with(f func(*program) error) {
	p, err := x.take()
	if err != nil {
		x.fail(err)
		return
	}
	if err = f(p); err != nil {
		x.fail(err)
	}
	if !isStuck(err) { // or somebody has it still
		x.put(p)
	}
}

func (x *explorer) take() (*program, error) {
	if p := x.idle(); p != nil {
		return p, nil
	}
	p, err := x.newProgram()
	if err == nil {
		err = x.again(p)
	}
	return p, err
}

// idle is a program that nobody has, nil if there is none.
func (x *explorer) idle() *program {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.free)
	if n == 0 {
		return nil
	}
	p := x.free[n-1]
	x.free = x.free[:n-1]
	return p
}

func (x *explorer) put(p *program) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.free = append(x.free, p)
}

// close ends what programs have begun.
func (x *explorer) close() {
	for _, p := range x.free {
		p.end()
	}
}

// outcome is what a reconcile does behind its last answer.
func (x *explorer) outcome(controller int, f flight) outcome {
	var space [1024]byte
	b := appendRequest(binary.AppendUvarint(space[:0], uint64(controller)), f.request)
	for _, a := range f.log {
		b = append(b, a.hash[:]...)
	}
	key := xxh3.Hash128(b)
	if known, ok := x.outcomes.Load(key); ok {
		return known.(outcome)
	}
	var out outcome
	x.with(func(p *program) (err error) {
		if out, err = p.run(controller, f); err != nil {
			err = fmt.Errorf("settle: %s, reconcile %s: %w", x.names[controller], f.request, err)
		}
		for _, c := range out.next {
			c.actor = x.names[controller]
		}
		return err
	})
	if out.timed {
		x.timed.Store(true)
	}
	x.outcomes.Store(key, out)
	return out
}

// write makes a write in n, which is changed, and gives its answer.
func (x *explorer) write(n *node, c *call) answer {
	before := n.world
	world, response := x.server.Do(n.world, x.fresh(n, c.write))
	n.world = world
	out := answer{call: c.text}
	if response.Status != nil {
		out.status, _ = json.Marshal(response.Status) // of plain fields
	}
	for _, e := range response.Events {
		out.object = e.Object
		x.hear(n, e)
	}
	switch {
	case c.whole && out.status == nil:
		out.drawn = response.Body
	case out.object != nil || out.status != nil:
	case c.write.Options.Has("dryRun"):
		out.drawn = response.Body
	default:
		out.object = before.Get(c.key)
	}
	x.heed(n, before, c, &out)
	return out
}

// fresh is a request whose generated name nobody has heard of.
func (x *explorer) fresh(n *node, r *kubestate.Request) *kubestate.Request {
	if r.Verb != "create" {
		return r
	}
	out := *r
	out.Heard = func() []uint64 { return x.tokens(n, nil) }
	return &out
}

// lookup reads what there is as a client does.
func (x *explorer) lookup(s kubestate.State) client.Reader {
	return &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper, types: &x.types, asker: looking(func(c *call) answer { return x.look(s, nobody, c) }), misused: x.fail, strict: true}
}
