package settle

import (
	"encoding/binary"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// node is one state: what the API server holds, and where each controller is.
type node struct {
	world       kubestate.State
	controllers []controllerState
	// frozen are the caches that are behind, and begun those that are beside what is watched,
	// because something was read from them; both in order.
	frozen []frozen
	begun  []cacheID
	// older are what API servers that are behind would list to a process that begins: one for each
	// cache, in order.
	older []frozen
	// late are writes of processes that were killed, by their texts, in order.
	late []*call
	// draws are what is left of what reconciles have drawn, in order.
	draws []draw
	// breach is what was broken, 0 for nothing: the behaviour ends here.
	breach int
	// spent is how often what a Budget bounds has happened.
	spent spent
}

// controllerState is where one controller is.
type controllerState struct {
	queues
	// flights are the reconciles under way, in the order of their requests.
	flights []flight
	// memory is what the reconciler remembers; nil is what a new one does.
	memory *answer
}

// queues are the requests that can be begun, and those that come back after some time; both
// in order.
type queues struct{ queue, later []reconcile.Request }

// add adds the requests of others.
func (q *queues) add(others queues) {
	for _, r := range others.queue {
		q.queue = manager.Include(q.queue, r)
	}
	for _, r := range others.later {
		q.later = manager.Include(q.later, r)
	}
}

func (q *queues) same(o queues) bool {
	return slices.Equal(q.queue, o.queue) && slices.Equal(q.later, o.later)
}

// flight is a reconcile under way, with the answers that it had: the first is what the
// reconciler remembered when it began, if it did.
type flight struct {
	request reconcile.Request
	log     []*answer
}

// clone is n, of which the controllers can be changed.
func (n *node) clone() *node {
	out := *n
	out.controllers = slices.Clone(n.controllers)
	return &out
}

// encode writes a node: objects and answers by their hashes.
func (x *explorer) encode(b []byte, n *node) []byte {
	b = binary.AppendUvarint(b, uint64(n.breach))
	b = binary.AppendUvarint(b, n.world.Created())
	b = x.appendObjects(b, n.world.List())
	for _, c := range n.controllers {
		b = appendQueues(b, c.queues)
		if x.remembers {
			b = appendMemory(b, c.memory)
		}
		b = binary.AppendUvarint(b, uint64(len(c.flights)))
		for _, f := range c.flights {
			b = appendRequest(b, f.request)
			b = binary.AppendUvarint(b, uint64(len(f.log)))
			for _, a := range f.log {
				b = append(b, a.hash[:]...)
			}
		}
	}
	b = binary.AppendUvarint(b, uint64(len(n.late)))
	for _, c := range n.late {
		b = appendText(b, c.lateKey())
	}
	if x.config.draws {
		b = appendDraws(b, n.draws)
	}
	if x.config.Faults.behind() {
		b = x.appendCaches(b, n)
	}
	if x.config.Faults.Budget != (Budget{}) {
		b = append(b, n.spent[:]...)
	}
	return b
}

func appendMemory(b []byte, memory *answer) []byte {
	if memory == nil {
		return binary.AppendUvarint(b, 0)
	}
	return append(binary.AppendUvarint(b, 1), memory.hash[:]...)
}

func appendQueues(b []byte, q queues) []byte {
	for _, list := range [][]reconcile.Request{q.queue, q.later} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, r := range list {
			b = appendRequest(b, r)
		}
	}
	return b
}

func (x *explorer) appendObject(b []byte, o *kubestate.Object) []byte {
	h := o.Hash()
	x.objects.LoadOrStore(h, o)
	return append(b, h[:]...)
}

func (x *explorer) appendObjects(b []byte, list []*kubestate.Object) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, o := range list {
		b = x.appendObject(b, o)
	}
	return b
}

func appendRequest(b []byte, r reconcile.Request) []byte {
	return appendText(appendText(b, r.Namespace), r.Name)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decoder reads a node.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.err, d.b = fmt.Errorf("settle: a state cannot be read"), nil
		return 0
	}
	d.b = d.b[size:]
	return int(n)
}

func (d *decoder) text() string {
	n := d.number()
	if n > len(d.b) {
		d.err = fmt.Errorf("settle: a state cannot be read")
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) hash() (h [16]byte) {
	d.b = d.b[copy(h[:], d.b):]
	return h
}

func (d *decoder) request() reconcile.Request {
	namespace := d.text()
	return reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: d.text()}}
}

func (d *decoder) requests() (list []reconcile.Request) {
	for range d.number() {
		list = append(list, d.request())
	}
	return list
}

func (d *decoder) queues() queues {
	queue := d.requests()
	return queues{queue, d.requests()}
}

func (x *explorer) objectsOf(d *decoder) []*kubestate.Object {
	objects := make([]*kubestate.Object, d.number())
	for i := range objects {
		o, _ := x.objects.Load(d.hash())
		if objects[i], _ = o.(*kubestate.Object); objects[i] == nil {
			d.err = fmt.Errorf("settle: a state names an object that is not known")
			return nil
		}
	}
	return objects
}

// decode reads what encode wrote.
func (x *explorer) decode(b []byte) (*node, error) {
	d := &decoder{b: b}
	n := &node{controllers: make([]controllerState, x.controllers), breach: d.number()}
	created := d.number()
	n.world = kubestate.NewState(x.objectsOf(d), uint64(created))
	for i := range n.controllers {
		c := &n.controllers[i]
		c.queues = d.queues()
		if x.remembers && d.number() == 1 {
			c.memory = x.answers.get(d.hash())
		}
		for range d.number() {
			f := flight{request: d.request()}
			for range d.number() {
				f.log = append(f.log, x.answers.get(d.hash()))
			}
			c.flights = append(c.flights, f)
		}
	}
	for range d.number() {
		c, _ := x.lates.Load(d.text())
		late, _ := c.(*call)
		n.late = append(n.late, late)
	}
	if x.config.draws {
		n.draws = d.draws()
	}
	if x.config.Faults.behind() {
		x.decodeCaches(d, n)
	}
	if x.config.Faults.Budget != (Budget{}) {
		copy(n.spent[:], d.b)
	}
	return n, d.err
}
