package settle

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// Where a reconciler is found to draw, all is searched again with what it draws from in settle's hands:
// k8s.io/apimachinery/pkg/util/rand, and UUIDs of github.com/google/uuid. Each reconcile begins with a
// seed, which is in the first entry of its log. No two have the same as long as anything is left of what
// the first has written, so that what is drawn twice differs, and there are no more seeds than
// objects. ADR 33 has the rest.

// draw is that an object was written by a reconcile with a seed.
type draw struct {
	key string
	// changed: it, or its name, was there before. An object has a draw for who made it first, and for
	// who changed it last.
	changed bool
	seed    int
}

func compareDraws(a, b draw) int {
	made := func(d draw) int {
		if d.changed {
			return 1
		}
		return 0
	}
	return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(made(a), made(b)), cmp.Compare(a.seed, b.seed))
}

// lateDraw is the key of a draw of a write that is late.
const lateDraw = "late"

// opening is what the log of a reconcile begins with: what the reconciler remembers, and a seed.
func (x *explorer) opening(n *node, memory *answer) []*answer {
	switch {
	case x.config.draws:
		first := answer{call: memoryCall, body: []byte(strconv.Itoa(n.freshSeed()))}
		if memory != nil {
			first.drawn = memory.drawn
		}
		return []*answer{x.answers.intern(first)}
	case memory != nil:
		return []*answer{memory}
	}
	return nil
}

// seed is that of a reconcile, 0 for none.
func (f *flight) seed() int {
	if len(f.log) == 0 || f.log[0].call != memoryCall {
		return 0
	}
	n, _ := strconv.Atoi(string(f.log[0].body)) // 0 if there is none
	return n
}

// freshSeed is the first that nothing is left of.
func (n *node) freshSeed() int {
	taken := map[int]bool{}
	for _, d := range n.draws {
		taken[d.seed] = true
	}
	for _, c := range n.controllers {
		for i := range c.flights {
			taken[c.flights[i].seed()] = true
		}
	}
	for seed := 1; ; seed++ {
		if !taken[seed] {
			return seed
		}
	}
}

// drew notes in n what was written by a reconcile with a seed; before is what there was.
func (x *explorer) drew(n *node, before kubestate.State, seed int) {
	if !x.config.draws {
		return
	}
	for o := range n.world.Objects() {
		if was := before.Get(o.Key()); was != o {
			n.note(o.Key(), was != nil, seed)
		}
	}
}

// note notes a draw of what is known by a key; changed tells that it was there before.
func (n *node) note(key string, changed bool, seed int) {
	made := slices.ContainsFunc(n.draws, func(d draw) bool { return d.key == key && !d.changed })
	d := draw{key, changed || made, seed}
	n.draws = slices.DeleteFunc(slices.Clone(n.draws), func(other draw) bool { return other.key == d.key && other.changed && d.changed })
	if at, found := slices.BinarySearchFunc(n.draws, d, compareDraws); !found {
		n.draws = slices.Insert(n.draws, at, d)
	}
}

// memoryDraw is the key of a draw of what a reconciler remembers.
func memoryDraw(controller int) string { return fmt.Sprint("memory ", controller) }

// lateSeed is that of the write that is late.
func (n *node) lateSeed() int {
	for _, d := range n.draws {
		if d.key == lateDraw {
			return d.seed
		}
	}
	return 0
}

// withoutDraws is n without the draws that nothing is left of.
func (x *explorer) withoutDraws(n *node) *node {
	if len(n.draws) == 0 {
		return n
	}
	out := *n
	out.draws = slices.DeleteFunc(slices.Clone(n.draws), func(d draw) bool {
		if d.key == lateDraw {
			return len(n.late) == 0
		}
		for i := range n.controllers {
			if d.key == memoryDraw(i) {
				return n.controllers[i].memory == nil
			}
		}
		return n.world.Get(d.key) == nil && !n.mentions(path.Base(d.key))
	})
	return &out
}

// appendDraws writes the draws of a node, and draws reads them.
func appendDraws(b []byte, all []draw) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, d := range all {
		changed := uint64(0)
		if d.changed {
			changed = 1
		}
		b = binary.AppendUvarint(binary.AppendUvarint(appendText(b, d.key), changed), uint64(d.seed))
	}
	return b
}

func (d *decoder) draws() (all []draw) {
	for range d.number() {
		one := draw{key: d.text(), changed: d.number() == 1}
		one.seed = d.number()
		all = append(all, one)
	}
	return all
}

// mentions tells whether a name is anywhere in a node.
func (n *node) mentions(name string) bool {
	is := func(text string) bool { return strings.Contains(text, name) }
	in := func(o *kubestate.Object) bool { return o != nil && is(string(o.JSON())) }
	said := func(a *answer) bool {
		return in(a.object) || slices.ContainsFunc(a.list, in) || is(a.call) || is(string(a.status)) || is(string(a.drawn)) || is(string(a.body))
	}
	asked := func(r reconcile.Request) bool { return is(r.Namespace) || is(r.Name) }
	queued := func(q queues) bool { return slices.ContainsFunc(q.queue, asked) || slices.ContainsFunc(q.later, asked) }
	held := func(f frozen) bool {
		return slices.ContainsFunc(f.objects, in) || slices.ContainsFunc(f.waits, is) || slices.ContainsFunc(f.pending, func(p pending) bool { return queued(p.queues) })
	}
	flies := func(f flight) bool { return asked(f.request) || slices.ContainsFunc(f.log, said) }
	return slices.ContainsFunc(n.world.List(), in) || slices.ContainsFunc(n.behindAll(), held) ||
		slices.ContainsFunc(n.controllers, func(c controllerState) bool {
			return c.memory != nil && said(c.memory) || queued(c.queues) || slices.ContainsFunc(c.flights, flies)
		}) ||
		slices.ContainsFunc(n.late, func(c *call) bool { return is(c.text) })
}

// sowing is held while a reconcile draws by its seed: what it draws from is one for a program. Those
// without a seed, of other tests, hold it together: what they draw would be missing in that.
var sowing sync.RWMutex

// sown runs a reconcile in which what is drawn follows from a seed.
func sown(seed int, run func() error) error {
	if seed == 0 {
		sowing.RLock()
		defer sowing.RUnlock()
		return run()
	}
	sowing.Lock()
	defer sowing.Unlock()
	var bytes [32]byte
	copy(bytes[:], strconv.Itoa(seed))
	utilrand.Seed(int64(seed))
	uuid.SetRand(rand.NewChaCha8(bytes))
	defer func() {
		utilrand.Seed(rand.Int64())
		uuid.SetRand(nil)
	}()
	return run()
}
