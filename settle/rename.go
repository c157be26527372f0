package settle

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// canonical is a node in which everything that was counted has its place as its number.
func (x *explorer) canonical(n *node) (*node, *kubestate.Renaming, error) {
	n = x.withoutDraws(n)
	r := x.server.NewRenaming(x.tokens(n, make([]uint64, 0, 64)), n.keys())
	if r.Same() {
		out := *n
		out.world = kubestate.NewState(n.world.List(), r.UIDs())
		return &out, r, nil
	}
	out, err := x.rename(n, r)
	return out, r, err
}

// rename is a node with other names.
func (x *explorer) rename(n *node, r *kubestate.Renaming) (*node, error) {
	world, err := x.server.RenameState(n.world, r)
	if err != nil {
		return n, err
	}
	out := *n
	out.draws = slices.Clone(n.draws)
	for i := range out.draws {
		out.draws[i].key = renameText(out.draws[i].key, r)
	}
	slices.SortFunc(out.draws, compareDraws)
	out.world, out.controllers, out.late = world, slices.Clone(n.controllers), slices.Clone(n.late)
	if out.frozen, err = x.renameCaches(n.frozen, r); err != nil {
		return n, err
	}
	if out.older, err = x.renameCaches(n.older, r); err != nil {
		return n, err
	}
	for i := range out.controllers {
		c := &out.controllers[i]
		c.queues = renameQueues(c.queues, r)
		if c.memory != nil {
			if c.memory, err = x.answers.rename(c.memory, r); err != nil {
				return n, err
			}
		}
		c.flights = slices.Clone(c.flights)
		for j := range c.flights {
			if c.flights[j], err = x.renameFlight(c.flights[j], r); err != nil {
				return n, err
			}
		}
		slices.SortFunc(c.flights, func(a, b flight) int { return manager.CompareRequests(a.request, b.request) })
	}
	for i, c := range out.late {
		out.late[i] = x.renameCall(c, r)
	}
	return &out, nil
}

func (x *explorer) renameFlight(f flight, r *kubestate.Renaming) (out flight, err error) {
	out = flight{renameRequest(f.request, r), slices.Clone(f.log)}
	for k, a := range f.log {
		if out.log[k], err = x.answers.rename(a, r); err != nil {
			return f, err
		}
	}
	return out, nil
}

// renameCaches are caches with other names.
func (x *explorer) renameCaches(all []frozen, r *kubestate.Renaming) (out []frozen, err error) {
	out = slices.Clone(all)
	for i := range out {
		f := &out[i]
		if f.objects, err = x.server.RenameAll(f.objects, r); err != nil {
			return nil, err
		}
		f.waits = slices.Clone(f.waits)
		for k, key := range f.waits {
			f.waits[k] = renameText(key, r)
		}
		slices.Sort(f.waits)
		f.pending = slices.Clone(f.pending)
		for k := range f.pending {
			f.pending[k].queues = renameQueues(f.pending[k].queues, r)
		}
		if f.part == nil {
			continue
		}
		part, err := x.renameCaches([]frozen{*f.part}, r)
		if err != nil {
			return nil, err
		}
		f.part = &part[0]
	}
	return out, nil
}

func renameQueues(q queues, r *kubestate.Renaming) queues {
	return queues{renameRequests(q.queue, r), renameRequests(q.later, r)}
}

func renameRequests(all []reconcile.Request, r *kubestate.Renaming) []reconcile.Request {
	out := slices.Clone(all)
	for i, q := range out {
		out[i] = renameRequest(q, r)
	}
	slices.SortFunc(out, manager.CompareRequests)
	return out
}

func renameRequest(q reconcile.Request, r *kubestate.Renaming) reconcile.Request {
	q.Namespace, q.Name = renameText(q.Namespace, r), renameText(q.Name, r)
	return q
}

func renameText(text string, r *kubestate.Renaming) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	return string(r.Text([]byte(text)))
}

// renameCall is a write with other names.
func (x *explorer) renameCall(c *call, r *kubestate.Renaming) *call {
	text := renameText(c.text, r)
	if text == c.text {
		return c
	}
	out := *c
	out.text, out.body, out.key, out.title = text, r.Text(c.body), renameText(c.key, r), renameText(c.title, r)
	if c.write != nil {
		write := *c.write
		write.Body, write.Namespace, write.Name = r.Text(c.write.Body), renameText(c.write.Namespace, r), renameText(c.write.Name, r)
		write.Options = maps.Clone(c.write.Options)
		for name, values := range write.Options {
			write.Options[name] = slices.Clone(values)
			for i, value := range values {
				write.Options[name][i] = renameText(value, r)
			}
		}
		out.write = &write
	}
	known, _ := x.lates.LoadOrStore(out.lateKey(), &out)
	return known.(*call)
}

// tokens adds the numbers of all that is counted in a node, in order.
func (x *explorer) tokens(n *node, all []uint64) []uint64 {
	objects := func(list []*kubestate.Object) {
		for _, o := range list {
			for _, t := range o.Tokens() {
				all = append(all, t.Number)
			}
		}
	}
	texts := func(list ...string) {
		for _, text := range list {
			all = x.tokensOf(text, all)
		}
	}
	requests := func(q queues) {
		for _, list := range [][]reconcile.Request{q.queue, q.later} {
			for _, r := range list {
				texts(r.Namespace, r.Name)
			}
		}
	}
	objects(n.world.List())
	for _, f := range n.behindAll() {
		objects(f.objects)
		texts(f.waits...)
		for _, p := range f.pending {
			requests(p.queues)
		}
	}
	for _, c := range n.controllers {
		if c.memory != nil {
			all = append(all, c.memory.tokens...)
		}
		requests(c.queues)
		for _, f := range c.flights {
			texts(f.request.Namespace, f.request.Name)
			for _, a := range f.log {
				all = append(all, a.tokens...)
			}
		}
	}
	for _, c := range n.late {
		texts(c.text)
	}
	return all
}

// tokensOf adds the numbers of the tokens in a text.
func (x *explorer) tokensOf(text string, all []uint64) []uint64 {
	if strings.ContainsAny(text, "0123456789") {
		for _, t := range x.server.Tokens([]byte(text)) {
			all = append(all, t.Number)
		}
	}
	return all
}

// keys are those of all objects that are known in a node, some of them several times.
func (n *node) keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		each := func(list []*kubestate.Object) bool {
			for _, o := range list {
				if !yield(o.Key()) {
					return false
				}
			}
			return true
		}
		if !each(n.world.List()) {
			return
		}
		for _, f := range n.behindAll() {
			if !each(f.objects) {
				return
			}
		}
		for _, c := range n.controllers {
			for _, f := range c.flights {
				for _, a := range f.log {
					if !each(a.list) || a.object != nil && !yield(a.object.Key()) {
						return
					}
				}
			}
		}
	}
}

// namedClass is a class that is about a generated name.
type namedClass struct {
	name    string
	numbers []uint64
}

// namedClasses are those of the steps, each once.
func (x *explorer) namedClasses(all []taken) (out []namedClass) {
	if x.config.keepsNames || !x.server.Drawn() {
		return nil
	}
	for i := range all {
		name := all[i].step.class
		if slices.ContainsFunc(out, func(c namedClass) bool { return c.name == name }) {
			continue
		}
		numbers := slices.DeleteFunc(x.tokensOf(name, nil), func(n uint64) bool { return !kubestate.IsName(n) })
		if len(numbers) > 0 {
			out = append(out, namedClass{name, numbers})
		}
	}
	return out
}

// shifts tells whether the class is about something else behind a step: another object has the
// name, or nobody has heard of it any more. Then nobody has waited in that class all the time, and
// the step counts as one of it (docs/adr/0032).
func (c *namedClass) shifts(r *kubestate.Renaming) bool {
	return slices.ContainsFunc(c.numbers, func(n uint64) bool { return !r.Keeps(n) })
}
