package settle

import (
	"maps"
	"math/rand/v2"
	"os"
	"testing"
)

// lagging is a system that is small enough for a search without any reduction: two kinds, a and b, with an
// object each, which users change a few times and a process has in caches; a third, c, which its
// controllers write; and two keys that they reconcile. It is searched in two models. In the whole one, each event comes
// to the cache by itself, and from there to each controller by itself; in the reduced one a cache is frozen and thaws,
// as in cache.go, and by parts, as in gradual.go, if gradual.
type lagging struct {
	programs [2][]laggingOp
	// leads are the keys that an event of a kind leads to, by controller, as bits.
	leads   [2][2]uint8
	users   []laggingWrite
	changes uint8
	// writes says by what was read and the key what is written to c, beyond 2 for nothing.
	writes func(controller int, is laggingController) uint8
	// whole, gradual: which model.
	whole, gradual bool
	seen           map[laggingSeen]bool
}

// laggingOp reads a or b from the cache, reads a, b or c from the API server, or writes c.
type laggingOp uint8

const (
	cachedA laggingOp = iota
	cachedB
	liveA
	liveB
	liveC
	writeC
)

type laggingWrite struct{ kind, value uint8 } // 0 is that there is none

// laggingState is a state of either model.
type laggingState struct {
	world       [3]uint8
	left        uint8
	caches      [2]laggingCache
	controllers [2]laggingController
}

// laggingCache is how a kind is known to the process.
type laggingCache struct {
	// In the reduced model: what it has if it is frozen, what it missed, and the same for how far it may
	// go on first.
	frozen, missed, parted, after bool
	value, part                   uint8
	pending, rest                 [2]uint8
	// In the whole one: it has value, and there are events that it does not have, and those that it has and a
	// controller was not told.
	ahead  [3]uint8
	events uint8
	untold [2]uint8
}

// laggingController is at a place of its program, 0 for idle, with what it has read last.
type laggingController struct {
	queue, key, at uint8
	reads          [4]uint8
}

// laggingSeen is a write: who makes it, by what, and where.
type laggingSeen struct {
	controller int
	key, at    uint8
	reads      [4]uint8
	world      [3]uint8
}

// steps are what can happen; must tells that it has to, some time.
func (l *lagging) steps(s laggingState, emit func(must bool, to laggingState)) {
	for _, w := range l.users {
		if s.left > 0 && s.world[w.kind] != w.value {
			to := s
			to.left--
			to.world[w.kind] = w.value
			l.happens(&to, w)
			emit(false, to)
		}
	}
	for k := range s.caches {
		if l.whole {
			l.delivers(s, k, emit)
		} else {
			l.thaws(s, k, emit)
		}
	}
	for c := range s.controllers {
		l.runs(s, c, emit)
	}
}

// happens tells the process of an event.
func (l *lagging) happens(s *laggingState, w laggingWrite) {
	cache := &s.caches[w.kind]
	if l.whole {
		cache.ahead[cache.events] = w.value
		cache.events++
		return
	}
	cache.missed, cache.after = cache.missed || cache.frozen, cache.after || cache.parted
	for c := range s.controllers {
		switch leads := l.leads[c][w.kind]; {
		case cache.parted:
			cache.rest[c] |= leads
		case cache.frozen:
			cache.pending[c] |= leads
		default:
			s.controllers[c].queue |= leads
		}
	}
}

// thaws are the steps of a cache in the reduced model.
func (l *lagging) thaws(s laggingState, k int, emit func(bool, laggingState)) {
	cache := s.caches[k]
	if !cache.frozen {
		s.caches[k] = laggingCache{frozen: true, value: s.world[k]}
		emit(false, s)
		return
	}
	if l.gradual && !cache.parted && cache.missed {
		to := s
		to.caches[k].parted, to.caches[k].part = true, s.world[k]
		emit(false, to)
	}
	part, heard, listed := s, s, s
	part.caches[k] = laggingCache{frozen: true, value: cache.part, missed: cache.after, pending: cache.rest}
	heard.caches[k], listed.caches[k] = laggingCache{}, laggingCache{}
	for c := range s.controllers {
		part.controllers[c].queue |= cache.pending[c]
		heard.controllers[c].queue |= cache.pending[c] | cache.rest[c]
		if cache.missed && cache.value+s.world[k] > 0 {
			listed.controllers[c].queue |= l.leads[c][k]
		}
	}
	if cache.parted {
		emit(true, part)
	}
	emit(true, heard)
	emit(true, listed)
}

// delivers are those in the whole one: the next event comes to the cache, or the kind is listed
// anew; and a controller is told of one.
func (l *lagging) delivers(s laggingState, k int, emit func(bool, laggingState)) {
	cache := s.caches[k]
	if cache.events > 0 {
		one, all := s, s
		one.caches[k].value, one.caches[k].ahead, one.caches[k].events = cache.ahead[0], [3]uint8{cache.ahead[1], cache.ahead[2]}, cache.events-1
		all.caches[k].value, all.caches[k].ahead, all.caches[k].events = s.world[k], [3]uint8{}, 0
		for c := range s.controllers {
			one.caches[k].untold[c]++
			if cache.value+s.world[k] > 0 {
				all.caches[k].untold[c]++
			}
		}
		emit(true, one)
		emit(true, all)
	}
	for c := range s.controllers {
		if cache.untold[c] > 0 {
			to := s
			to.caches[k].untold[c]--
			to.controllers[c].queue |= l.leads[c][k]
			emit(true, to)
		}
	}
}

// runs are the steps of a controller, which are the same in both.
func (l *lagging) runs(s laggingState, c int, emit func(bool, laggingState)) {
	is, program := s.controllers[c], l.programs[c]
	if is.at == 0 {
		for key := uint8(0); key < 2 && len(program) > 0; key++ {
			if is.queue&(1<<key) != 0 {
				to := s
				to.controllers[c] = laggingController{queue: is.queue &^ (1 << key), key: key, at: 1}
				emit(true, to)
			}
		}
		return
	}
	to := s
	me := &to.controllers[c]
	switch op := program[is.at-1]; op {
	case cachedA, cachedB:
		v := s.caches[op].value
		if !l.whole && !s.caches[op].frozen {
			v = s.world[op]
		}
		me.reads = [4]uint8{is.reads[1], is.reads[2], is.reads[3], v + 1}
	case writeC:
		l.seen[laggingSeen{c, is.key, is.at, is.reads, s.world}] = true
		if v := l.writes(c, is); v <= 2 {
			to.world[2] = v
		}
	default:
		me.reads = [4]uint8{is.reads[1], is.reads[2], is.reads[3], s.world[op-liveA] + 1}
	}
	if me.at++; int(me.at) > len(program) {
		*me = laggingController{queue: me.queue}
	}
	emit(true, to)
}

// search is all that is ever so: each write, with what was read before and what there was; and what there is
// where nothing has to happen any more.
func (l *lagging) search() (writes map[laggingSeen]bool, rests map[[3]uint8]bool, states int) {
	l.seen, rests = map[laggingSeen]bool{}, map[[3]uint8]bool{}
	first := laggingState{left: l.changes}
	for c := range first.controllers {
		first.controllers[c].queue = 3
	}
	known, all := map[laggingState]bool{first: true}, []laggingState{first}
	for i := 0; i < len(all); i++ {
		rest := true
		l.steps(all[i], func(must bool, to laggingState) {
			rest = rest && !must
			if !known[to] {
				known[to], all = true, append(all, to)
			}
		})
		if rest {
			rests[all[i].world] = true
		}
	}
	return l.seen, rests, len(all)
}

// drawn is a system by chance.
func drawn(seed uint64) *lagging {
	r := rand.New(rand.NewPCG(seed, 1))
	l := &lagging{changes: uint8(2 + r.IntN(2))}
	for c := range 1 + r.IntN(2) {
		for range 1 + r.IntN(3) {
			l.programs[c] = append(l.programs[c], laggingOp(r.IntN(6)))
		}
		l.programs[c] = append(l.programs[c], cachedA, writeC)
		l.leads[c] = [2]uint8{uint8(r.IntN(4)), uint8(r.IntN(4))}
	}
	for range 2 + r.IntN(2) {
		l.users = append(l.users, laggingWrite{uint8(r.IntN(2)), uint8(r.IntN(3))})
	}
	table := rand.NewPCG(seed, 2).Uint64()
	l.writes = func(c int, is laggingController) uint8 {
		return uint8(rand.NewPCG(table, uint64(c)<<40|uint64(is.key)<<32|uint64(is.reads[0])<<24|uint64(is.reads[1])<<16|uint64(is.reads[2])<<8|uint64(is.reads[3])).Uint64() % 8)
	}
	return l
}

// TestLag: of systems by chance, nothing ever is in the reduced model that is not in the whole one, and they come to
// rest at the same. What is written is the same in most, and in more with caches that go on by parts.
func TestLag(t *testing.T) {
	systems := uint64(6)
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		systems = 300
	}
	differ, states := [2]int{}, [3]int{}
	for seed := range systems {
		l := drawn(seed)
		if systems < 300 {
			l.changes = 2
		}
		reduced, rests, n := l.search()
		l.gradual = true
		gradual, _, m := l.search()
		l.whole = true
		whole, wholeRests, k := l.search()
		states = [3]int{states[0] + n, states[1] + m, states[2] + k}
		if !maps.Equal(rests, wholeRests) {
			t.Errorf("%d: it rests at %v, and in the whole model at %v", seed, rests, wholeRests)
		}
		for i, some := range []map[laggingSeen]bool{reduced, gradual} {
			for w := range some {
				if !whole[w] {
					t.Errorf("%d: %+v is not in the whole model", seed, w)
				}
			}
			if len(some) != len(whole) {
				differ[i]++
			}
		}
	}
	if differ[1] > differ[0] {
		t.Errorf("of %d systems %d and, by parts, %d have other writes", systems, differ[0], differ[1])
	}
	t.Logf("%d systems, other writes in %d and %d, states %v", systems, differ[0], differ[1], states)
}

// TestLagByParts: what was for a while is seen behind something older, when there is something newer: that is
// what the reduced model leaves out, but for caches that go on by parts.
func TestLagByParts(t *testing.T) {
	l := &lagging{changes: 2, users: []laggingWrite{{0, 1}, {0, 2}}, programs: [2][]laggingOp{{liveA, cachedA, cachedA, writeC}}}
	l.writes = func(_ int, is laggingController) uint8 {
		if is.reads == [4]uint8{0, 2 + 1, 0 + 1, 1 + 1} { // what is read is one more; 0 is nothing yet
			return 1
		}
		return 3
	}
	for _, test := range []struct {
		name           string
		whole, gradual bool
		want           bool
	}{{"event by event", true, false, true}, {"frozen, and all at once", false, false, false}, {"by parts", false, true, true}} {
		l.whole, l.gradual = test.whole, test.gradual
		if _, rests, _ := l.search(); rests[[3]uint8{2, 0, 1}] != test.want {
			t.Errorf("%s: it rests at %v", test.name, rests)
		}
	}
}
