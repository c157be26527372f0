package program

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Steps are kept by what their action reads: the values of some variables, and what it sees of others. In other states
// where that is the same the action has the same steps, and nothing is evaluated. What a step makes of a variable is
// kept as it was said: that it stays, that a member is added to the set that it is, or what it becomes.

// unchanged says of a variable that it keeps its value.
const unchanged = ^statespace.ID(0)

const (
	// mostWhole bounds the variables that an action reads as a whole, mostWords how long its steps are.
	mostWhole, mostWords = 6, 1 << 12
	// manySights is from how many members on that are asked for an action is worth it.
	manySights = 6
	// stepSize is how many entries of tables there could be instead of one of steps, for Program.roomFor.
	stepSize = 2
)

// aside compiles something without noting what it reads.
func (c *compiler) aside(do func()) {
	c.within++
	defer func() { c.within-- }()
	do()
}

// note notes what a part of the action that is being compiled reads.
func (c *compiler) note(r reads) {
	if c.within == 0 {
		c.noted(r)
	}
}

func (c *compiler) noted(r reads) {
	if c.acting != nil {
		c.acting.add(r)
	}
}

// quick splits the conditions off with which an action begins and which are about one variable as a whole: where an
// action is not possible it is mostly for these, and what they give is kept by the variable's value already. Looking up
// the steps would cost more.
func (c *compiler) quick(e syntax.Expr, v env) (quick []syntax.Expr, rest syntax.Expr) {
	for p, ok := e.(*syntax.Parentheses); ok; p, ok = e.(*syntax.Parentheses) {
		e = p.Body
	}
	j, ok := e.(*syntax.Junction)
	if !ok || j.Or {
		return nil, e
	}
	n := 0
	for ; n < len(j.Items)-1; n++ {
		if c.assigns(j.Items[n], v) || c.inSeveralWays(j.Items[n], v.scope) {
			break
		}
		if r := c.expr(j.Items[n], v).reads; len(r.now) != 1 || len(r.sights) > 0 || r.next || len(r.locals) > 0 || r.impure || len(r.open) > 0 {
			break
		}
	}
	return j.Items[:n], &syntax.Junction{At: j.At, Items: j.Items[n:]}
}

// learner is an action whose steps are kept.
type learner struct {
	action int
	do     step
	// whole are the variables that are read as a whole, views what is seen of others.
	whole []int
	views []viewOf
}

// viewOf is a view of a variable, by its number there.
type viewOf struct{ slot, view int }

// learned has the steps of an action kept, if that can be of use. What neither goes through the members of a set nor
// asks for many is done as fast as steps are found in a table that is not in the processor's cache.
func (c *compiler) learned(action int, r reads, do step) step {
	whole := r.wholly()
	for _, slot := range r.then {
		whole = merge(whole, []int{slot}) // it follows from the value now if it stays, or something is added to it
	}
	if r.impure || r.asks || len(r.open) > 0 || len(whole) > mostWhole || len(whole) == len(c.program.Variables) {
		return do
	}
	sights := slices.DeleteFunc(slices.Clone(r.sights), func(s sight) bool { return slices.Contains(whole, s.slot) })
	if len(sights) < manySights && !slices.ContainsFunc(sights, func(s sight) bool { return s.member == nil }) {
		return do
	}
	l := &learner{action: action, do: do, whole: whole}
	for slot := range c.program.Variables {
		var seen view
		for _, s := range sights {
			if s.slot == slot {
				seen = append(seen, s)
			}
		}
		if len(seen) > 0 {
			l.views = append(l.views, viewOf{slot, c.program.addView(slot, seen)})
		}
	}
	return l.step
}

// addView returns the number of a view of a variable. Once there are many, one shows what several actions see.
func (p *Program) addView(slot int, seen view) int {
	all := &p.views[slot]
	if len(*all) < mostViews {
		*all = append(*all, seen)
		return len(*all) - 1
	}
	n := 0
	for i := range *all {
		if len((*all)[i]) < len((*all)[n]) {
			n = i
		}
	}
	(*all)[n] = slices.Concat((*all)[n], seen)
	return n
}

// stepsKey is what steps are kept by.
type stepsKey struct {
	ids  [mostWhole]statespace.ID
	seen [2]uint64
}

func (k *stepsKey) hash() uint64 {
	two := func(i int) uint64 { return uint64(k.ids[i]) | uint64(k.ids[i+1])<<32 }
	return mix(two(0)^0xa0761d6478bd642f, two(2)^0xe7037ed1a0b428db) ^ mix(two(4)^k.seen[0]^0x8ebc6af09c88c6e3, k.seen[1]^0x589965cc75374cc3)
}

// steps are those that one frame has kept of one action. Newer ones replace older ones.
type steps struct {
	watch
	entries []stepsEntry
	misses  int
}

type stepsEntry struct {
	key stepsKey
	// found are the steps one after the other; nil if there is no entry. Of each it is in how many ways it is possible,
	// how many variables change, and for each of them its slot, an operation, and a number.
	found []uint32
}

// What is said of a variable that changes.
const (
	becomes = iota
	adds
	operations
)

var noSteps = []uint32{}

// step does what the action does.
func (l *learner) step(f *frame) {
	t := f.stepsOf(l)
	if t == nil {
		l.do(f)
		return
	}
	var k stepsKey
	if !l.key(f, &k) {
		l.do(f)
		return
	}
	t.count()
	hash := k.hash() >> 32
	if e := &t.entries[hash&uint64(len(t.entries)-1)]; e.found != nil && e.key == k {
		t.hits++
		l.repeat(f, e.found)
		return
	}
	f.learning, f.steady, f.found = true, true, f.found[:0]
	l.do(f)
	f.learning = false
	if !f.steady || f.stopped {
		return
	}
	found := noSteps
	if len(f.found) > 0 {
		found = slices.Clone(f.found)
	}
	t.put(f.p, &k, hash, found)
}

// stepsOf returns where steps of an action are kept, nil if they are not now.
func (f *frame) stepsOf(l *learner) *steps {
	if !f.known || f.learning {
		return nil
	}
	if f.learned == nil {
		f.learned = make([]steps, len(f.p.Actions))
	}
	t := &f.learned[l.action]
	if !t.awake(learningCost) {
		return nil
	}
	if t.entries == nil {
		t.entries = make([]stepsEntry, firstSize/4)
	}
	return t
}

// learningCost is what evaluating an action whose steps are kept costs at least, in the measure of node.cost.
const learningCost = 30

// key finds what steps are kept by.
func (l *learner) key(f *frame, k *stepsKey) bool {
	for i, slot := range l.whole {
		k.ids[i] = f.ids[slot] + 1
	}
	for _, v := range l.views {
		sums, ok := f.look(v.slot)
		if !ok {
			return false
		}
		sum := sums[v.view]
		if len(l.views) > 1 {
			sum[0] ^= uint64(v.slot+1) * 0x9e3779b97f4a7c15
			sum = scatter(sum)
		}
		k.seen[0], k.seen[1] = k.seen[0]+sum[0], k.seen[1]+sum[1]
	}
	return true
}

func (t *steps) put(p *Program, k *stepsKey, hash uint64, found []uint32) {
	if t.misses++; t.misses > len(t.entries) && len(t.entries) < largestSize && p.roomFor(3*stepSize*len(t.entries)) {
		old := t.entries
		t.entries, t.misses = make([]stepsEntry, 4*len(old)), 0
		for i := range old {
			if old[i].found != nil {
				t.entries[old[i].key.hash()>>32&uint64(len(t.entries)-1)] = old[i]
			}
		}
	}
	t.entries[hash&uint64(len(t.entries)-1)] = stepsEntry{*k, found}
}

// unsteady notes, while steps are learned, that they follow from more than the action is seen to read.
func (f *frame) unsteady() { f.steady = false }

// learn notes the step that was found.
func (f *frame) learn() {
	if len(f.found) > mostWords || f.ways>>32 != 0 {
		f.unsteady()
		return
	}
	f.found = append(f.found, uint32(f.ways), 0)
	changed := len(f.found) - 1
	for slot, added := range f.added {
		switch {
		case added == unchanged:
			continue
		case added != 0:
			f.found = append(f.found, uint32(slot*operations+adds), uint32(added-1))
		case f.kept[slot] != 0:
			f.found = append(f.found, uint32(slot*operations+becomes), uint32(f.kept[slot]-1))
		default:
			f.found = append(f.found, uint32(slot*operations+becomes), uint32(f.p.store.ID(f.next[slot])))
		}
		f.found[changed]++
	}
}

// repeat takes steps that were found before.
func (l *learner) repeat(f *frame, found []uint32) {
	if len(found) == 0 {
		return
	}
	done := 0
	defer func() {
		if r := recover(); r != nil {
			l.again(f, done, r)
		}
	}()
	for slot, id := range f.ids {
		f.kept[slot] = id + 1
	}
	f.action = l.action
	for len(found) > 0 && !f.stopped {
		f.ways = int64(found[0])
		changes := found[2 : 2+2*found[1]]
		found = found[2+len(changes):]
		for i := 0; i < len(changes); i += 2 {
			slot, id := changes[i]/operations, statespace.ID(changes[i+1])
			if changes[i]%operations == adds {
				id = f.with(int(slot), id)
			}
			f.kept[slot] = id + 1
		}
		f.emit(f)
		done++
		for i := 0; i < len(changes); i += 2 {
			slot := changes[i] / operations
			f.kept[slot], f.next[slot] = f.ids[slot]+1, value.Value{}
		}
	}
	f.ways = 1
	clear(f.kept)
	clear(f.next)
}

// again evaluates the action after a failure in a step that was found before: it says where it is. The steps before it
// were taken.
func (l *learner) again(f *frame, done int, r any) {
	if _, is := r.(*value.Failure); is {
		clear(f.kept)
		clear(f.next)
		emit := f.emit
		f.emit, f.ways = func(f *frame) {
			if done--; done < 0 {
				emit(f)
			}
		}, 1
		l.do(f)
	}
	panic(r)
}

// with returns the id of the set that a variable is with one more member.
func (f *frame) with(slot int, member statespace.ID) statespace.ID {
	store := f.p.store
	if id, ok := store.Insert(f.ids[slot], member); ok {
		return id
	}
	return store.ID(value.Union(f.value(slot), value.OfSet([]value.Value{store.Value(member)})))
}

// adds finds the member that is added to the set that a variable is; nil if that is not how n is made.
func (c *compiler) adds(n node, slot int, v env) identify {
	if v.init || n.of == nil || !n.of.inserts || n.impure {
		return nil
	}
	set, member := n.of.operands[0], n.of.operands[1]
	if !set.plain || set.next || set.now[0] != slot {
		return nil
	}
	c.note(member.reads)
	return identifier{c, (*value.Store).Known}.of(member)
}

// learnAdded returns the id of the set that a variable is with one more member, and says that this is what it becomes;
// false if it cannot be told.
func (f *frame) learnAdded(slot int, member identify) (statespace.ID, bool) {
	if is, ok := member(f); ok {
		if id, ok := f.p.store.Insert(f.ids[slot], is); ok {
			f.added[slot] = is + 1
			return id, true
		}
	}
	f.unsteady()
	return 0, false
}
