package settle

import (
	"encoding/binary"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// cacheID names what one process has cached of one source: the number of the process times
// that of all sources, and the number of the source.
type cacheID int

// frozen is a cache that is behind.
type frozen struct {
	id cacheID
	// objects are what it has, by key.
	objects []*kubestate.Object
	// waits are the keys of what the process wrote, in order, which is not in it: if it reads
	// its own writes.
	waits []string
	// pending is what the events lead to that were not heard, by controller, in order.
	pending []pending
	// part is how far it may go on first; nil if it goes on to what there is. What is pending here is
	// heard then, and the rest is pending there.
	part *frozen
}

// pending is what will be put into the queue of a controller.
type pending struct {
	controller int
	queues
}

// loadSources numbers all that can be cached, in the order of kinds, and those that each
// process watches.
func (x *explorer) loadSources() {
	for r := range x.server.Resources() {
		for _, form := range []manager.Form{manager.Typed, manager.Unstructured, manager.Metadata} {
			x.sources = append(x.sources, manager.Source{Kind: r.Kind, Form: form})
		}
	}
	slices.SortFunc(x.sources, manager.Source.Compare)
	x.placeOf = make(map[manager.Source]int, len(x.sources))
	for i, s := range x.sources {
		x.placeOf[s] = i
	}
	for i, watched := range x.watches {
		for _, s := range watched {
			x.watched = append(x.watched, x.cacheOf(x.processOf[i], s))
		}
	}
	slices.Sort(x.watched)
	x.watched = slices.Compact(x.watched)
	x.hearing, x.handling = map[schema.GroupKind][]cacheID{}, map[cacheID][]int{}
	for _, id := range x.watched {
		process, s := x.of(id)
		x.hearing[s.Kind.GroupKind()] = append(x.hearing[s.Kind.GroupKind()], id)
		for i, watched := range x.watches {
			if x.processOf[i] == process && slices.Contains(watched, s) {
				x.handling[id] = append(x.handling[id], i)
			}
		}
	}
}

func (x *explorer) cacheOf(process int, s manager.Source) cacheID {
	return cacheID(process*len(x.sources) + x.placeOf[s])
}

// of is the process and the source of a cache.
func (x *explorer) of(id cacheID) (process int, s manager.Source) {
	return int(id) / len(x.sources), x.sources[int(id)%len(x.sources)]
}

// title is what a trace calls a cache; its form is told where there may be several.
func (x *explorer) title(id cacheID) string {
	process, s := x.of(id)
	name := "the cache of " + x.resource(s.Kind).Resource.Resource
	_, plain := slices.BinarySearch(x.watched, id)
	plain = plain || s.Form == manager.Typed
	for _, other := range x.watched {
		if of, o := x.of(other); of == process && o.Kind == s.Kind && other != id {
			plain = false
		}
	}
	if !plain {
		name += [...]string{" (typed)", " (unstructured)", " (metadata)"}[s.Form]
	}
	return name
}

func (x *explorer) resource(kind schema.GroupVersionKind) kubestate.Resource {
	r, _ := x.server.Resource(kind)
	return r
}

// behind is a cache that is frozen in n, or nil.
func (n *node) behind(id cacheID) *frozen {
	for i := range n.frozen {
		if n.frozen[i].id == id {
			return &n.frozen[i]
		}
	}
	return nil
}

// behindAll are all that caches have and may have, in order.
func (n *node) behindAll() (all []frozen) {
	for _, f := range slices.Concat(n.frozen, n.older) {
		if all = append(all, f); f.part != nil {
			all = append(all, *f.part)
		}
	}
	return all
}

// cached are the objects that a cache has in n.
func (x *explorer) cached(n *node, id cacheID) kubestate.State {
	if f := n.behind(id); f != nil {
		return kubestate.NewState(f.objects, 0)
	}
	return n.world
}

// read answers a read of a process: from its cache if the client reads there.
func (x *explorer) read(n *node, process int, c *call) answer {
	if !c.cached {
		return x.look(n.world, process, c)
	}
	return x.look(x.cached(n, x.cacheOf(process, c.source())), process, c)
}

// stale tells whether a process was answered what is not so any more.
func (x *explorer) stale(n *node, process int, c *call, a *answer) bool {
	if len(n.frozen) == 0 || !c.cached {
		return false
	}
	if x.answers.intern(*a) == x.answers.intern(x.look(n.world, process, c)) {
		return false
	}
	x.happened.Store("Stale", true)
	return true
}

// begins notes that a read has begun to cache what the process does not watch: the informer
// lists what there is, and can be behind from then on.
func (x *explorer) begins(n *node, process int, c *call) {
	if x.beginning(n, process, c) {
		id := x.cacheOf(process, c.source())
		at, _ := slices.BinarySearch(n.begun, id)
		n.begun = slices.Insert(slices.Clone(n.begun), at, id)
	}
}

// beginning tells whether a read begins a cache.
func (x *explorer) beginning(n *node, process int, c *call) bool {
	if !x.config.Faults.Stale || !c.cached {
		return false
	}
	id := x.cacheOf(process, c.source())
	_, begun := slices.BinarySearch(n.begun, id)
	_, watched := slices.BinarySearch(x.watched, id)
	return !begun && !watched
}

// stops is what a trace says of a cache that is frozen.
const stops = " stops"

// freeze lets any cache be behind from now on.
func (x *explorer) freeze(n *node, emit emit) {
	for _, list := range [][]cacheID{x.watched, n.begun} {
		for _, id := range list {
			if n.behind(id) != nil {
				continue
			}
			process, s := x.of(id)
			to := n.clone()
			at, _ := slices.BinarySearchFunc(to.frozen, id, func(f frozen, id cacheID) int { return int(f.id - id) })
			f := frozen{id: id, objects: slices.Collect(n.world.Under(x.resource(s.Kind).Prefix("")))}
			to.frozen = slices.Insert(slices.Clone(n.frozen), at, f)
			emit(step{freezes: true, label: label{x.processes[process].Name, x.title(id) + stops}}, to)
		}
	}
}

// thaw lets a cache go on that is behind: it has to, some time. Either all that happened is
// heard, or it is listed anew, and the difference is heard.
func (x *explorer) thaw(n *node, emit emit) {
	for i := range n.frozen {
		f := &n.frozen[i]
		process, _ := x.of(f.id)
		by := func(text string) step {
			name := x.processes[process].Name
			return step{class: fmt.Sprint("thaw ", f.id), label: label{name, x.title(f.id) + text}}
		}
		current := func() *node {
			to := n.clone()
			to.frozen = slices.Delete(slices.Clone(n.frozen), i, i+1)
			return to
		}
		heard := current()
		heard.hear(f.pending)
		if f.part != nil {
			x.happened.Store("Gradual", true)
			to := n.clone()
			to.frozen = slices.Clone(n.frozen)
			to.frozen[i] = *f.part
			to.hear(f.pending)
			emit(by(" goes on by a part"), to)
			heard.hear(f.part.pending)
		}
		listed := current()
		x.relist(listed, f)
		if slices.EqualFunc(heard.controllers, listed.controllers, sameQueues) {
			emit(by(" goes on"), heard)
			continue
		}
		emit(by(" goes on, and hears what happened"), heard)
		emit(by(" is listed anew"), listed)
	}
}

// hear puts into the queues of n, which is changed, what a cache has missed.
func (n *node) hear(missed []pending) {
	for _, p := range missed {
		n.controllers[p.controller].add(p.queues)
	}
}

func sameQueues(a, b controllerState) bool { return a.same(b.queues) }

// relist tells the difference between what a cache had and what there is in n, where it is
// current: what came and went meanwhile is never heard of, and what went and came again has
// changed.
func (x *explorer) relist(n *node, f *frozen) {
	_, s := x.of(f.id)
	had := kubestate.NewState(f.objects, 0)
	for o := range n.world.Under(x.resource(s.Kind).Prefix("")) {
		switch old := had.Get(o.Key()); old {
		case o:
		case nil:
			x.tell(n, f.id, event{after: o})
		default:
			x.tell(n, f.id, event{before: old, after: o})
		}
	}
	for _, old := range f.objects {
		if n.world.Get(old.Key()) == nil {
			x.tell(n, f.id, event{before: old, missed: true})
		}
	}
}

// resync has everything in a cache be heard of once more, as if it had changed: what it
// has, not what there is.
func (x *explorer) resync(n *node, emit emit) {
	for _, id := range x.watched {
		process, s := x.of(id)
		if !x.processes[process].Resync {
			continue
		}
		to := n.clone()
		for o := range x.cached(n, id).Under(x.resource(s.Kind).Prefix("")) {
			x.tell(to, id, event{before: o, after: o})
		}
		if slices.EqualFunc(n.controllers, to.controllers, sameQueues) {
			continue // it would change nothing
		}
		name := x.processes[process].Name
		emit(step{class: fmt.Sprint("resync ", id), label: label{name, x.title(id) + " is gone through again"}}, to)
	}
}

// wrote notes in n that a process has written something, and was told so: if it reads its
// own writes, reads of that wait until a cache that has not got it goes on.
func (x *explorer) wrote(n *node, process int, c *call, a *answer) {
	id := x.cacheOf(process, c.source())
	at := slices.IndexFunc(n.frozen, func(f frozen) bool { return f.id == id })
	if at < 0 || !x.processes[process].ReadYourWrites || a.status != nil {
		return
	}
	n.frozen = slices.Clone(n.frozen)
	n.frozen[at].awaits(n, c, a)
	if part := n.frozen[at].part; part != nil {
		next := *part
		next.awaits(n, c, a)
		n.frozen[at].part = &next
	}
}

// awaits notes in a cache what of a write it has not got.
func (f *frozen) awaits(n *node, c *call, a *answer) {
	had := kubestate.NewState(f.objects, 0)
	note := func(key string) {
		if k, found := slices.BinarySearch(f.waits, key); !found && had.Get(key) != n.world.Get(key) {
			f.waits = slices.Insert(slices.Clone(f.waits), k, key)
		}
	}
	switch {
	case c.write.Verb == "deletecollection":
		for o := range had.Under(c.key) {
			note(o.Key())
		}
	case a.object != nil:
		note(a.object.Key())
	}
}

// waiting tells whether a read has to wait for what the process has written itself: a list
// waits for all that it wrote of that kind.
func (x *explorer) waiting(n *node, process int, c *call) bool {
	if !c.cached || len(n.frozen) == 0 {
		return false
	}
	f := n.behind(x.cacheOf(process, c.source()))
	return f != nil && (c.list && len(f.waits) > 0 || slices.Contains(f.waits, c.key))
}

// restarts forgets the caches of a process: it lists everything anew.
func (x *explorer) restarts(n *node, process int) {
	own := func(id cacheID) bool { of, _ := x.of(id); return of == process }
	n.begun = slices.DeleteFunc(slices.Clone(n.begun), own)
	n.frozen = slices.DeleteFunc(slices.Clone(n.frozen), func(f frozen) bool { return own(f.id) })
}

// appendCaches writes the caches of a node, and decodeCaches reads them.
func (x *explorer) appendCaches(b []byte, n *node) []byte {
	b = binary.AppendUvarint(b, uint64(len(n.begun)))
	for _, id := range n.begun {
		b = binary.AppendUvarint(b, uint64(id))
	}
	b = x.appendFrozen(b, n.frozen)
	if x.config.Faults.Older {
		b = x.appendFrozen(b, n.older)
	}
	return b
}

func (x *explorer) decodeCaches(d *decoder, n *node) {
	for range d.number() {
		n.begun = append(n.begun, cacheID(d.number()))
	}
	n.frozen = x.decodeFrozen(d)
	if x.config.Faults.Older {
		n.older = x.decodeFrozen(d)
	}
}

func (x *explorer) appendFrozen(b []byte, all []frozen) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, f := range all {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(f.id)), uint64(len(f.waits)))
		for _, key := range f.waits {
			b = appendText(b, key)
		}
		b = x.appendObjects(b, f.objects)
		b = binary.AppendUvarint(b, uint64(len(f.pending)))
		for _, p := range f.pending {
			b = appendQueues(binary.AppendUvarint(b, uint64(p.controller)), p.queues)
		}
		if x.config.Faults.Gradual {
			var part []frozen
			if f.part != nil {
				part = append(part, *f.part)
			}
			b = x.appendFrozen(b, part)
		}
	}
	return b
}

func (x *explorer) decodeFrozen(d *decoder) (all []frozen) {
	for range d.number() {
		f := frozen{id: cacheID(d.number())}
		for range d.number() {
			f.waits = append(f.waits, d.text())
		}
		f.objects = x.objectsOf(d)
		for range d.number() {
			p := pending{controller: d.number()}
			p.queues = d.queues()
			f.pending = append(f.pending, p)
		}
		if x.config.Faults.Gradual {
			if part := x.decodeFrozen(d); part != nil {
				f.part = &part[0]
			}
		}
		all = append(all, f)
	}
	return all
}
