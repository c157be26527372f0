package settle

import (
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
)

// classesMax bounds the classes of steps that have to happen: one for each request of a
// controller, and one for each object that is to be collected.
const classesMax = 512

// Components is part of statespace.VectorModel.
func (x *explorer) Components() *statespace.Components { return x.components }

// Width is part of statespace.VectorModel: a state is one component.
func (x *explorer) Width() int { return 1 }

// Init is part of statespace.VectorModel.
func (x *explorer) Init(yield func([]statespace.ID) bool) {
	n := &node{}
	c := &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper, agent: "setup"}
	for _, o := range x.config.Objects {
		to, err := c.writing("create", o, "", func(q *kubestate.Request) { q.Body, _ = c.body(o) })
		if err != nil {
			x.fail(fmt.Errorf("settle: Objects: %w", err))
			return
		}
		world, response := x.server.Do(n.world, to.write)
		if response.Status != nil {
			x.fail(fmt.Errorf("settle: Objects: %s", response.Status.Message))
			return
		}
		n.world = world
	}
	x.begin(n)
	yield(x.vector(n))
}

// vector is a node as the engine has it.
func (x *explorer) vector(n *node) []statespace.ID {
	n, err := x.canonical(n)
	if err != nil {
		x.fail(err)
	}
	return []statespace.ID{x.components.Intern(x.encode(nil, n))}
}

// canonical is a node in which everything that was counted has its place as its number.
func (x *explorer) canonical(n *node) (*node, error) {
	var tokens []string
	add := func(t string) { tokens = append(tokens, t) }
	for _, o := range n.world.List() {
		for _, t := range o.Tokens() {
			add(t.Text)
		}
	}
	for _, c := range n.controllers {
		for _, f := range c.flights {
			for _, a := range f.log {
				a.tokens(add)
			}
		}
	}
	for _, c := range n.late {
		for _, t := range kubestate.Tokens([]byte(c.text)) {
			add(t.Text)
		}
	}
	r := kubestate.NewRenaming(tokens)
	world, err := x.server.RenameState(n.world, r)
	if err != nil {
		return n, err
	}
	out := &node{world: world, controllers: slices.Clone(n.controllers), late: slices.Clone(n.late)}
	for i := range out.controllers {
		c := &out.controllers[i]
		c.flights = slices.Clone(c.flights)
		for j := range c.flights {
			f := &c.flights[j]
			f.log = slices.Clone(f.log)
			for k, a := range f.log {
				if f.log[k], err = x.answers.rename(x.server, a, r); err != nil {
					return n, err
				}
			}
		}
	}
	for i, c := range out.late {
		out.late[i] = x.renameCall(c, r)
	}
	return out, nil
}

// renameCall is a write with other names.
func (x *explorer) renameCall(c *call, r *kubestate.Renaming) *call {
	text := string(r.Text([]byte(c.text)))
	if text == c.text {
		return c
	}
	out, write := *c, *c.write
	out.text, write.Body, out.write = text, r.Text(c.write.Body), &write
	known, _ := x.lates.LoadOrStore(text, &out)
	return known.(*call)
}

// Next is part of statespace.VectorModel.
func (x *explorer) Next(v []statespace.ID, yield func(statespace.Action, []statespace.ID) bool) {
	if x.failed() != nil {
		return
	}
	n, err := x.decode(x.components.Bytes(v[0]))
	if err != nil {
		x.fail(err)
		return
	}
	x.steps(n, func(class, label string, to *node) {
		a := statespace.Action{Label: uint32(x.labels.number(label))}
		if class != "" {
			number := x.classes.number(class)
			if number >= classesMax {
				x.fail(fmt.Errorf("settle: there are more than %d requests and objects: bound what is desired", classesMax))
				return
			}
			a.Class = uint16(number)
		}
		yield(a, x.vector(to))
	})
}

// emit is told of a step: the class by which it has to happen, empty if it need not, what
// it is called, and where it leads.
type emit func(class, label string, to *node)

// steps are what can happen in a node.
func (x *explorer) steps(n *node, emit emit) {
	for i := range n.controllers {
		x.reconciling(n, i, emit)
	}
	x.collect(n, emit)
	x.users(n, emit)
	if x.config.Faults.Crash {
		x.crash(n, emit)
	}
	for i, c := range n.late {
		without := n.clone()
		without.late = slices.Delete(slices.Clone(n.late), i, i+1)
		emit("late "+c.text, "lost: "+c.title, without)
		happens := without.clone()
		x.write(happens, c)
		emit("", "late: "+c.title, happens)
	}
}

// reconciling is what a controller can do: begin, and go on with what it has begun.
func (x *explorer) reconciling(n *node, i int, emit emit) {
	c := n.controllers[i]
	flying := func(r reconcile.Request) bool {
		return slices.ContainsFunc(c.flights, func(f flight) bool { return f.request == r })
	}
	name := func(r reconcile.Request) string { return x.names[i] + " " + r.String() }
	for _, r := range c.later {
		to := n.clone()
		to.controllers[i].later = exclude(c.later, r)
		to.controllers[i].queue = include(c.queue, r)
		emit("timer "+name(r), name(r)+": it is time to reconcile again", to)
	}
	for _, r := range c.queue {
		if flying(r) || len(c.flights) >= x.concurrent[i] {
			continue
		}
		to := n.clone()
		to.controllers[i].queue = exclude(c.queue, r)
		x.fly(to, i, flight{request: r})
		emit("reconcile "+name(r), name(r)+": reconcile", to)
	}
	for j, f := range c.flights {
		x.going(n, i, j, f, name(f.request), emit)
	}
}

// going is what can become of the request that a reconcile waits for.
func (x *explorer) going(n *node, i, j int, f flight, name string, emit emit) {
	out := x.outcome(i, f)
	if out.next == nil {
		return // something is wrong, and noted
	}
	ground := func() *node {
		to := n.clone()
		to.controllers[i].flights = slices.Delete(slices.Clone(to.controllers[i].flights), j, j+1)
		return to
	}
	answered := func(to *node, a answer) *node {
		x.fly(to, i, flight{f.request, append(slices.Clone(f.log), x.answers.intern(a))})
		return to
	}
	normal := ground()
	a := x.perform(normal, out.next)
	emit("reconcile "+name, name+": "+out.next.title+outcomeText(&a), answered(normal, a))
	if !x.config.Faults.Timeout {
		return
	}
	timeout := answer{call: out.next.text, status: status(apierrors.NewTimeoutError("the request did not complete in time", 1))}
	emit("", name+": "+out.next.title+": times out", answered(ground(), timeout))
	if out.next.write != nil {
		late := ground()
		x.perform(late, out.next)
		emit("", name+": "+out.next.title+": takes effect and times out", answered(late, timeout))
	}
}

func outcomeText(a *answer) string {
	if a.status == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(failure(a.status).Error(), "error: ")
}

// perform answers a call in a node, which it may change.
func (x *explorer) perform(n *node, c *call) answer {
	if c.write == nil {
		return x.read(n.world, c)
	}
	return x.write(n, c)
}

// fly lets a reconcile go on until it asks for something or is over, in n, which is
// changed.
func (x *explorer) fly(n *node, i int, f flight) {
	c := &n.controllers[i]
	out := x.outcome(i, f)
	switch {
	case out.next != nil:
		at, _ := slices.BinarySearchFunc(c.flights, f, func(a, b flight) int { return compareRequests(a.request, b.request) })
		c.flights = slices.Insert(slices.Clone(c.flights), at, f)
	case out.panicked != nil:
		x.fail(fmt.Errorf("controller %s: reconcile %s panics: %v", x.names[i], f.request, out.panicked))
	case out.err != nil && !terminal(out.err), out.result.RequeueAfter > 0, out.result.Requeue: //nolint:staticcheck // deprecated, and used
		c.later = include(c.later, f.request)
	}
}

func terminal(err error) bool { return strings.HasPrefix(err.Error(), "terminal error: ") }

// collect deletes what has no owner any more.
func (x *explorer) collect(n *node, emit emit) {
	uids := map[string]bool{}
	for o := range n.world.Objects() {
		uids[string(o.Meta().GetUID())] = true
	}
	for o := range n.world.Objects() {
		owners := o.Meta().GetOwnerReferences()
		if len(owners) == 0 || o.Meta().GetDeletionTimestamp() != nil {
			continue
		}
		orphan := true
		for _, owner := range owners {
			orphan = orphan && !uids[string(owner.UID)]
		}
		if orphan {
			to := n.clone()
			x.remove(to, o, "garbage-collector")
			emit("collect "+o.Key(), "garbage collector: delete "+short(o.Key()), to)
		}
	}
}

// remove deletes an object in n, which is changed.
func (x *explorer) remove(n *node, o *kubestate.Object, agent string) {
	r, ok := x.resourceOf(o)
	if !ok {
		return
	}
	body := fmt.Sprintf(`{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":%q}}`, o.Meta().GetUID())
	x.write(n, &call{
		resource: r, key: o.Key(), text: "delete " + short(o.Key()),
		write: &kubestate.Request{Verb: "delete", Resource: r.Resource, Namespace: o.Meta().GetNamespace(), Name: o.Meta().GetName(), Body: []byte(body), Agent: agent},
	})
}

// users ask for what is desired, and for something else.
func (x *explorer) users(n *node, emit emit) {
	ask := func(d desired, label string, r kubestate.Request) {
		r.Resource, r.Namespace, r.Agent = d.resource.Resource, d.object.GetNamespace(), "user"
		to := n.clone()
		a := x.write(to, &call{resource: d.resource, key: d.key, text: label, write: &r})
		if a.status != nil {
			x.fail(fmt.Errorf("settle: Desired: %s: %w", label, failure(a.status)))
		}
		emit("", "user: "+label, to)
	}
	deleted := map[string]bool{}
	for i, d := range x.desired {
		is := n.world.Get(d.key)
		number := ""
		if len(x.desired) > 1 {
			number = fmt.Sprintf(" (%d)", i+1)
		}
		switch {
		case is == nil && n.world.Len() >= x.maxObjects:
		case is == nil:
			ask(d, "create "+short(d.key)+number, kubestate.Request{Verb: "create", Body: d.create})
		case is.Meta().GetDeletionTimestamp() != nil:
		default:
			if slices.ContainsFunc(x.desired, func(o desired) bool { return o.key == d.key && string(o.spec) != string(d.spec) }) {
				ask(d, "change "+short(d.key)+number, kubestate.Request{Verb: "patch", Name: d.object.GetName(), Patch: "application/merge-patch+json", Body: d.spec})
			}
			if x.config.Faults.Recreate && !deleted[d.key] {
				deleted[d.key] = true
				to := n.clone()
				x.remove(to, is, "user")
				emit("", "user: delete "+short(d.key), to)
			}
		}
	}
	if x.config.Faults.Evict {
		for o := range n.world.Objects() {
			if !slices.ContainsFunc(x.desired, func(d desired) bool { return d.key == o.Key() }) {
				to := n.clone()
				x.remove(to, o, "somebody")
				emit("", "somebody: delete "+short(o.Key()), to)
			}
		}
	}
}

// crash kills the process. What it has asked for and not heard of yet may take effect later.
func (x *explorer) crash(n *node, emit emit) {
	dead := func() *node {
		to := n.clone()
		x.begin(to)
		return to
	}
	emit("", "the process is killed, and begins again", dead())
	if !x.config.Faults.Late || len(n.late) > 0 {
		return // one at a time
	}
	for i, c := range n.controllers {
		for _, f := range c.flights {
			out := x.outcome(i, f)
			if out.next == nil || out.next.write == nil {
				continue
			}
			known, _ := x.lates.LoadOrStore(out.next.text, out.next)
			to := dead()
			to.late = []*call{known.(*call)}
			emit("", "the process is killed while it asks for "+out.next.title+", and begins again", to)
		}
	}
}
