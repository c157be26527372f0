package settle

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// node is one state: what the API server holds, and where each controller is.
type node struct {
	world       kubestate.State
	controllers []controllerState
	// late are writes of processes that were killed, by their texts, in order.
	late []*call
	// breach is what was broken, 0 for nothing: the behaviour ends here.
	breach int
}

// controllerState is where one controller is.
type controllerState struct {
	// queue are the requests that can be begun, later those that come back after some
	// time; both in order.
	queue, later []reconcile.Request
	// flights are the reconciles under way, in the order of their requests.
	flights []flight
}

// flight is a reconcile under way, with the answers that it had.
type flight struct {
	request reconcile.Request
	log     []*answer
}

func compareRequests(a, b reconcile.Request) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// include is a sorted list with r.
func include(list []reconcile.Request, r reconcile.Request) []reconcile.Request {
	i, found := slices.BinarySearchFunc(list, r, compareRequests)
	if found {
		return list
	}
	return slices.Insert(slices.Clone(list), i, r)
}

// exclude is a sorted list without r.
func exclude(list []reconcile.Request, r reconcile.Request) []reconcile.Request {
	i, found := slices.BinarySearchFunc(list, r, compareRequests)
	if !found {
		return list
	}
	return slices.Concat(list[:i], list[i+1:])
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
	b = binary.AppendUvarint(b, uint64(n.world.Len()))
	for _, o := range n.world.List() {
		b = x.appendObject(b, o)
	}
	requests := func(list []reconcile.Request) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, r := range list {
			b = appendRequest(b, r)
		}
	}
	for _, c := range n.controllers {
		requests(c.queue)
		requests(c.later)
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
	return b
}

func (x *explorer) appendObject(b []byte, o *kubestate.Object) []byte {
	h := o.Hash()
	x.objects.LoadOrStore(h, o)
	return append(b, h[:]...)
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

// decode reads what encode wrote.
func (x *explorer) decode(b []byte) (*node, error) {
	d := &decoder{b: b}
	n := &node{controllers: make([]controllerState, x.controllers), breach: d.number()}
	created := d.number()
	objects := make([]*kubestate.Object, d.number())
	for i := range objects {
		o, _ := x.objects.Load(d.hash())
		objects[i], _ = o.(*kubestate.Object)
		if objects[i] == nil {
			return nil, fmt.Errorf("settle: a state names an object that is not known")
		}
	}
	n.world = kubestate.NewState(objects, uint64(created))
	for i := range n.controllers {
		c := &n.controllers[i]
		c.queue, c.later = d.requests(), d.requests()
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
	return n, d.err
}
