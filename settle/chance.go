package settle

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

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
		was := before.Get(o.Key())
		if was == o {
			continue
		}
		made := slices.ContainsFunc(n.draws, func(d draw) bool { return d.key == o.Key() && !d.changed })
		d := draw{o.Key(), was != nil || made, seed}
		n.draws = slices.DeleteFunc(slices.Clone(n.draws), func(other draw) bool { return other.key == d.key && other.changed && d.changed })
		at, found := slices.BinarySearchFunc(n.draws, d, compareDraws)
		if !found {
			n.draws = slices.Insert(n.draws, at, d)
		}
	}
}

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
	in := func(o *kubestate.Object) bool { return o != nil && strings.Contains(string(o.JSON()), name) }
	said := func(a *answer) bool {
		return in(a.object) || slices.ContainsFunc(a.list, in) || strings.Contains(a.call, name) || strings.Contains(string(a.status), name) || strings.Contains(string(a.drawn), name)
	}
	held := func(f frozen) bool { return slices.ContainsFunc(f.objects, in) }
	if slices.ContainsFunc(n.world.List(), in) || slices.ContainsFunc(n.frozen, held) || slices.ContainsFunc(n.older, held) {
		return true
	}
	for _, c := range n.controllers {
		if c.memory != nil && said(c.memory) || slices.ContainsFunc(c.flights, func(f flight) bool { return slices.ContainsFunc(f.log, said) }) {
			return true
		}
	}
	return slices.ContainsFunc(n.late, func(c *call) bool { return strings.Contains(c.text, name) })
}

// sowing is held while a reconcile draws by its seed: what it draws from is one for a program.
var sowing sync.Mutex

// sown runs a reconcile in which what is drawn follows from a seed.
func sown(seed int, run func() error) error {
	if seed == 0 {
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
