package statespace

import (
	"fmt"
	"testing"
)

// Pods that need a GPU, and nodes that a scheduler knows by observation only:
// the public TLA+ model K8sPodNodeGpu (github.com/DavidLangworthy/tla-k8s),
// stated anew. Its state counts, those of TLC among them, are known.
const (
	podPending uint8 = iota
	podBackoff
	podUnschedulable
	podReserved
	podWaiting
	podBound
	podRunning
	podDegraded
	podSucceeded
	podFailed
	podUnknown
	podDeleting
	podDeleted
)

const (
	nodeReady uint8 = iota
	nodeNotReady
	nodeUnknown
	nodeFailed
)

const (
	gpuHealthy uint8 = iota
	gpuSlow
	gpuFaulty
)

// place names a node from 1; nowhere is none.
const nowhere uint8 = 0

type gpuPod struct {
	phase, node, reserved uint8
	generation, backoff   uint8
	// bindings has a bit for each node and generation.
	bindings uint8
}

// nodeFacts are a node's condition, as it is or as it was seen last.
type nodeFacts struct {
	health, gpu uint8
	cordoned    bool
}

type gpuNode struct {
	nodeFacts
	cut  bool // no link
	seen nodeFacts
}

type podNodeState struct {
	pods  [2]gpuPod
	nodes [2]gpuNode
}

// podNode has the sizes of a model. All pods need a GPU, none waits at a gate,
// and a node has room for one.
type podNode struct {
	pods, nodes, generations int
	// havoc leaves the condition of the nodes out of the state: it may change
	// at any time to anything, so that whoever reads it may find any value.
	havoc bool
}

const backoffMost = 1

func (m podNode) Init(yield func(podNodeState) bool) { yield(podNodeState{}) }

// podNodeStep is one call of Next.
type podNodeStep struct {
	m     podNode
	s     podNodeState
	yield func(Action, podNodeState) bool
	ended bool
}

func (m podNode) Next(s podNodeState, yield func(Action, podNodeState) bool) {
	c := podNodeStep{m: m, s: s, yield: yield}
	for i := range m.pods {
		c.schedule(i)
		c.permit(i)
		c.run(i)
		c.control(i)
	}
	for n := range m.nodes {
		if !m.havoc {
			c.weather(n)
		}
		c.observe(n)
	}
}

// pod yields the state with pod i replaced, node that with node n.
func (c *podNodeStep) pod(i int, p gpuPod) {
	t := c.s
	t.pods[i] = p
	c.to(t)
}

func (c *podNodeStep) node(n int, v gpuNode) {
	t := c.s
	t.nodes[n] = v
	c.to(t)
}

func (c *podNodeStep) to(t podNodeState) { c.ended = c.ended || !c.yield(Action{}, t) }

// phase yields the state with pod i in another phase.
func (c *podNodeStep) phase(i int, phase uint8) {
	p := c.s.pods[i]
	p.phase = phase
	c.pod(i, p)
}

// readings is how many values of node n's condition a reader may find, reading
// the i-th of them.
func (c *podNodeStep) readings() int {
	if c.m.havoc {
		return 4 * 3 * 2 * 2
	}
	return 1
}

func (c *podNodeStep) reading(n, i int) gpuNode {
	v := c.s.nodes[n]
	if c.m.havoc {
		v.health, v.gpu, v.cordoned, v.cut = uint8(i&3), uint8(i>>2%3), i/12&1 == 1, i/24 == 1
	}
	return v
}

// room reports whether the scheduler may give node n to a pod.
func (m podNode) room(s *podNodeState, n int) bool {
	seen := s.nodes[n].seen
	return seen.health == nodeReady && !seen.cordoned && seen.gpu != gpuFaulty && m.used(s, n) == 0
}

// used counts the pods that hold node n.
func (m podNode) used(s *podNodeState, n int) int {
	used := 0
	for _, p := range s.pods[:m.pods] {
		if p.reserved == uint8(n+1) {
			used++
		}
		if p.node == uint8(n+1) && p.phase >= podBound && p.phase <= podDeleting {
			used++
		}
	}
	return used
}

// boundNow reports whether the pod's present generation has been bound.
func (m podNode) boundNow(p gpuPod) bool {
	return p.bindings>>(int(p.generation)*m.nodes)&(1<<m.nodes-1) != 0
}

func (c *podNodeStep) schedule(i int) {
	p := c.s.pods[i]
	if p.phase > podUnschedulable {
		return
	}
	fits := false
	tries := p.node == nowhere && p.reserved == nowhere && p.backoff == 0 && !c.m.boundNow(p)
	for n := range c.m.nodes {
		if !c.m.room(&c.s, n) {
			continue
		}
		fits = true
		if tries {
			q := p
			q.phase, q.reserved = podReserved, uint8(n+1)
			c.pod(i, q)
		}
	}
	if tries && !fits {
		c.phase(i, podUnschedulable)
	}
	switch {
	case p.phase == podUnschedulable && fits, p.phase == podBackoff && p.backoff == 0:
		c.phase(i, podPending)
	case p.phase == podBackoff:
		p.backoff--
		c.pod(i, p)
	}
}

func (c *podNodeStep) permit(i int) {
	p := c.s.pods[i]
	if p.reserved == nowhere {
		return
	}
	if p.phase == podReserved {
		c.phase(i, podWaiting)
		if !c.m.boundNow(p) {
			q := p
			q.phase, q.node, q.reserved = podBound, p.reserved, nowhere
			q.bindings |= 1 << (int(p.generation)*c.m.nodes + int(p.reserved) - 1)
			c.pod(i, q)
		}
	} else {
		c.phase(i, podReserved)
	}
	p.phase, p.reserved, p.backoff = podBackoff, nowhere, backoffMost
	c.pod(i, p)
}

func (c *podNodeStep) run(i int) {
	p := c.s.pods[i]
	if p.phase < podBound || p.phase > podDegraded {
		return
	}
	for r := range c.readings() {
		v := c.reading(int(p.node)-1, r)
		if p.phase == podBound && v.health == nodeReady && !v.cut && v.gpu != gpuFaulty {
			if v.gpu == gpuSlow {
				c.phase(i, podDegraded)
			} else {
				c.phase(i, podRunning)
			}
		}
		if v.cut || v.health != nodeReady {
			c.phase(i, podUnknown)
		}
		if v.gpu == gpuFaulty {
			c.phase(i, podFailed)
		}
		if v.gpu == gpuSlow && p.phase == podRunning {
			c.phase(i, podDegraded)
		}
		if v.gpu == gpuSlow && p.phase == podDegraded {
			c.phase(i, podFailed)
		}
	}
	if p.phase != podBound {
		c.phase(i, podSucceeded)
		c.phase(i, podFailed)
	}
}

func (c *podNodeStep) control(i int) {
	p := c.s.pods[i]
	switch p.phase {
	case podSucceeded, podFailed, podUnknown:
		c.phase(i, podDeleting)
	case podDeleting:
		p.phase, p.node = podDeleted, nowhere
		c.pod(i, p)
	case podDeleted:
		if int(p.generation) < c.m.generations {
			p.phase = podPending
			p.generation++
			c.pod(i, p)
		}
	}
}

// weather changes the condition of node n.
func (c *podNodeStep) weather(n int) {
	at := c.s.nodes[n]
	set := func(change func(v *gpuNode)) {
		v := at
		change(&v)
		c.node(n, v)
	}
	set(func(v *gpuNode) { v.cordoned = !v.cordoned })
	set(func(v *gpuNode) { v.cut = !v.cut })
	if at.health == nodeReady {
		set(func(v *gpuNode) { v.health = nodeNotReady })
	} else {
		set(func(v *gpuNode) { v.health = nodeReady })
	}
	if at.health <= nodeNotReady {
		set(func(v *gpuNode) { v.health = nodeUnknown })
	}
	if at.health != nodeFailed {
		set(func(v *gpuNode) { v.health = nodeFailed })
	}
	if at.gpu == gpuHealthy {
		set(func(v *gpuNode) { v.gpu = gpuSlow })
	} else {
		set(func(v *gpuNode) { v.gpu = gpuHealthy })
	}
	if at.gpu != gpuFaulty {
		set(func(v *gpuNode) { v.gpu = gpuFaulty })
	}
}

// observe lets the scheduler see node n.
func (c *podNodeStep) observe(n int) {
	for r := range c.readings() {
		if v := c.reading(n, r); !v.cut {
			to := c.s.nodes[n]
			to.seen = v.nodeFacts
			c.node(n, to)
		}
	}
}

// consistent is the conjunction of the model's invariants.
func (m podNode) consistent(s podNodeState) bool {
	for _, p := range s.pods[:m.pods] {
		reserves := p.phase == podReserved || p.phase == podWaiting
		assigned := p.phase >= podBound && p.phase <= podDeleting
		now := p.bindings >> (int(p.generation) * m.nodes)
		switch {
		case reserves != (p.reserved != nowhere), assigned != (p.node != nowhere),
			reserves && m.boundNow(p), p.phase != podBackoff && p.backoff != 0,
			assigned && now != 1<<(p.node-1), now>>m.nodes != 0:
			return false
		}
		for g := range m.generations + 1 {
			if b := p.bindings >> (g * m.nodes) & (1<<m.nodes - 1); b&(b-1) != 0 {
				return false
			}
		}
	}
	for n := range m.nodes {
		if m.used(&s, n) > 1 {
			return false
		}
	}
	return true
}

// symmetricPodNode sorts the nodes, which are alike.
type symmetricPodNode struct{ podNode }

func (m symmetricPodNode) Canonical(s podNodeState) podNodeState {
	t := s
	t.nodes[0], t.nodes[1] = s.nodes[1], s.nodes[0]
	for i := range t.pods {
		p := &t.pods[i]
		p.node, p.reserved = otherNode(p.node), otherNode(p.reserved)
		p.bindings = p.bindings&0x55<<1 | p.bindings&0xaa>>1
	}
	for n := range s.nodes {
		if c := t.nodes[n].code() - s.nodes[n].code(); c != 0 {
			return earlier(s, t, c)
		}
	}
	for i := range s.pods {
		if c := t.pods[i].code() - s.pods[i].code(); c != 0 {
			return earlier(s, t, c)
		}
	}
	return s
}

// earlier returns t if its code differs from that of s by less than nothing.
func earlier(s, t podNodeState, difference int) podNodeState {
	if difference < 0 {
		return t
	}
	return s
}

// code is another one for any two nodes.
func (v gpuNode) code() int { return (v.nodeFacts.code()<<5|v.seen.code())<<1 | bit(v.cut) }

func (f nodeFacts) code() int { return int(f.health)<<3 | int(f.gpu)<<1 | bit(f.cordoned) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// code tells pods apart that only differ in the names of nodes.
func (p gpuPod) code() int { return int(p.node)<<16 | int(p.reserved)<<8 | int(p.bindings) }

func otherNode(n uint8) uint8 {
	if n == nowhere {
		return nowhere
	}
	return 3 - n
}

func (m podNode) String() string {
	text := fmt.Sprintf("%d pods %d nodes generation %d", m.pods, m.nodes, m.generations)
	if m.havoc {
		text += " havoc"
	}
	return text
}

// podNodeCounts are what TLC and other checkers have counted where they end;
// transitions are 0 where they count other things, components where nobody has
// counted.
var podNodeCounts = []struct {
	model                       podNode
	symmetric                   bool
	states, transitions, levels int
	components, largest         int
}{
	{model: podNode{pods: 1, nodes: 1, generations: 1}, states: 32_256, transitions: 259_872, levels: 22, components: 18},
	{model: podNode{pods: 2, nodes: 1}, states: 132_480, transitions: 1_212_480, levels: 21},
	{model: podNode{pods: 2, nodes: 1, generations: 1}, states: 529_920, transitions: 4_914_432, levels: 33, components: 296},
	{model: podNode{pods: 1, nodes: 2, havoc: true}, states: 13_824, levels: 8, components: 17, largest: 4_608},
	{model: podNode{pods: 1, nodes: 2, havoc: true}, symmetric: true, states: 6_960, levels: 8},
	{model: podNode{pods: 1, nodes: 2}, states: 31_850_496, levels: 26, components: 17, largest: 10_616_832},
	{model: podNode{pods: 1, nodes: 2}, symmetric: true, states: 15_927_552, levels: 26},
}

// podNodeMost is the largest instance to count in tests; the benchmarks count
// the others.
const podNodeMost = 1_000_000 / slowdown

func TestPodNodeCounts(t *testing.T) {
	for _, want := range podNodeCounts {
		m := want.model
		if want.states > podNodeMost {
			continue
		}
		t.Run(fmt.Sprintf("%v symmetric %v", m, want.symmetric), func(t *testing.T) {
			model := Model[podNodeState](m)
			if want.symmetric {
				model = symmetricPodNode{m}
			}
			r, err := Check(t.Context(), model, []Property[podNodeState]{Always("consistent", m.consistent)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			transitions := want.transitions + 1
			if want.transitions == 0 {
				transitions = r.Stats.Transitions
			}
			checkCounts(t, r.Stats, want.states, transitions, want.levels)
			if p := r.Properties[0]; p.Verdict != Holds {
				t.Errorf("%+v", p)
			}
			if want.components == 0 {
				return
			}
			if components, largest, _ := countComponents(t, m); components != want.components || want.largest > 0 && largest != want.largest {
				t.Errorf("%d components, the largest of %d states; want %d, %d", components, largest, want.components, want.largest)
			}
		})
	}
}

// countComponents counts the strongly connected components of the whole graph.
func countComponents[S comparable](tb testing.TB, m Model[S]) (components, largest int, stats Stats) {
	tb.Helper()
	p, preds, err := compile([]Property[S]{EventuallyAlways("any", func(S) bool { return true })})
	if err != nil {
		tb.Fatal(err)
	}
	d, err := newStructDoor(m, preds)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := newSearch(tb.Context(), d, p, Options{All: true})
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.run(); err != nil {
		tb.Fatal(err)
	}
	all := make([]uint32, s.states)
	for i := range all {
		all[i] = uint32(i)
	}
	newComponentSearch(s.graph, s.states, s.cancelled).run(all, none, func(component []uint32) {
		components++
		largest = max(largest, len(component))
	})
	return components, largest, s.stats()
}
