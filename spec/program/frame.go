package program

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// frame is what an evaluation works on. One goroutine has it.
type frame struct {
	p *Program
	// now and next are the values of the variables, None where there is none yet; ids are those of now, if
	// known says that they are set.
	now, next []value.Value
	ids       []statespace.ID
	known     bool
	// kept are the ids of values of the next state, from 1, where those are known and the values are not; 0 elsewhere.
	kept []statespace.ID
	// locals are the values of bound names, by their slots.
	locals, base []value.Value
	stack        []value.Value
	// place is where the last operation that can fail stands, as an index of Program.places.
	place int32
	depth int
	// lenient is true where ENABLED is judged of an action that gives no value to a variable that it reads: what is
	// read is then taken to be what it should be, and said to be so.
	lenient bool
	// abstract are the values that variables of a refined specification have been given meanwhile: see assume.
	abstract map[*binding]value.Value
	// between is the composed step that the frame is in.
	between *halves
	emit    func(*frame)
	stopped bool
	// left is how many steps of evaluation there are until it is asked whether to go on.
	left int
	// ways is in how many ways the conditions so far are true.
	ways  int64
	level int
	// action is the number of the action that has been taken.
	action int
	other  *frame
	// added says, while steps are learned, how variables were given values: 0 for any value, unchanged, or from 1 the
	// member that was added to the set that the variable was.
	added []statespace.ID
	// learning is true then, and steady as long as what is found follows from what the action is seen to read.
	learning, steady bool
	learned          []steps
	found            []uint32
	seen             []seen
	// tables are results that are kept, for one goroutine: nil in a frame of which others may hold on to.
	tables *[]table
	// rows are others, by variables, and last those of each that were used last.
	rows    *[]rows
	last    []*row
	answers answers
	// calls counts how deep a recursive function is that was made here.
	calls *atomic.Int32
}

func (p *Program) newFrame() *frame {
	n := len(p.Variables)
	f := &frame{
		p: p, now: make([]value.Value, n), next: make([]value.Value, n),
		ids: make([]statespace.ID, n), kept: make([]statespace.ID, n), added: make([]statespace.ID, n), seen: make([]seen, n), tables: new([]table), last: make([]*row, n),
	}
	all := make([]rows, n)
	f.rows = &all
	f.base = make([]value.Value, p.c.most+1)
	if !p.compiled {
		f.left = early
	}
	f.locals = f.base
	return f
}

// frames are those that nobody uses. The last one that was given back is handed out first: who comes again at once gets
// the tables that it has filled, whatever the garbage collector and the scheduler do meanwhile.
type frames struct {
	mu   sync.Mutex
	free []*frame
}

// take returns a frame for the caller alone, until release.
func (p *Program) take() *frame {
	p.frames.mu.Lock()
	defer p.frames.mu.Unlock()
	last := len(p.frames.free) - 1
	if last < 0 {
		return p.newFrame()
	}
	f := p.frames.free[last]
	p.frames.free = p.frames.free[:last]
	return f
}

// release gives a frame back, or turns a panic of its evaluation into one that says where it was.
func (p *Program) release(f *frame) {
	if r := recover(); r != nil {
		if err := f.rescue(r); err != nil {
			panic(err)
		}
	}
	p.frames.mu.Lock()
	p.frames.free = append(p.frames.free, f)
	p.frames.mu.Unlock()
}

// begin readies the frame for what is run at top level.
func (f *frame) begin() {
	f.locals, f.stack, f.depth, f.stopped, f.place, f.ways, f.learning = f.base, f.stack[:0], 0, false, 0, 1, false
}

// value returns the value of a variable in a state whose ids are known.
func (f *frame) value(slot int) value.Value {
	v := f.now[slot]
	if v.IsNone() {
		v = f.p.store.Value(f.ids[slot])
		f.now[slot] = v
	}
	return v
}

// given tells whether a variable has a value in the next state already.
func (f *frame) given(slot int) bool { return f.kept[slot] != 0 || !f.next[slot].IsNone() }

// nextValue returns that value.
func (f *frame) nextValue(slot int) value.Value {
	v := f.next[slot]
	if v.IsNone() {
		v = f.p.store.Value(f.kept[slot] - 1)
		f.next[slot] = v
	}
	return v
}

// fork returns a frame with what this one has now, for what is evaluated later.
func (f *frame) fork() *frame {
	g := *f
	g.now, g.next = slices.Clone(f.now), slices.Clone(f.next)
	g.ids, g.kept = slices.Clone(f.ids), slices.Clone(f.kept)
	g.locals, g.stack, g.calls, g.tables = slices.Clone(f.locals), nil, new(atomic.Int32), nil
	return &g
}

// deepest bounds recursion, so that the stack is large enough: how many expressions are within each other.
const deepest = 1 << 19

// deeper counts the expressions that a call adds to those that it is within.
func (f *frame) deeper(height int) {
	if f.depth += 2 + height; f.depth > deepest {
		value.Exceed("definitions call each other too deeply here, perhaps without end: %d expressions would be within each other", deepest)
	}
}

// enter gives a call its locals: the first shared of those around it, and room for size in all.
func (f *frame) enter(shared, size, height int) (saved []value.Value) {
	f.deeper(height)
	saved = f.locals
	var window []value.Value
	if n := len(f.stack); n+size <= cap(f.stack) {
		f.stack = f.stack[:n+size]
		window = f.stack[n : n+size : n+size]
	} else {
		f.stack = make([]value.Value, size, max(4096, 2*size))
		window = f.stack[0:size:size]
	}
	copy(window, saved[:min(shared, len(saved))])
	clear(window[min(shared, len(saved)):])
	f.locals = window
	return saved
}

func (f *frame) leave(saved []value.Value, size, height int) {
	f.locals = saved
	f.depth -= 2 + height
	if len(f.stack) >= size {
		f.stack = f.stack[:len(f.stack)-size]
	}
}

// Print, Register and SetRegister are what operators of TLC ask for.
func (f *frame) Print(line string) { f.p.print(line) }

// Register implements library.Context.
func (f *frame) Register(key value.Value) (value.Value, bool) {
	if text, ok := key.Text(); ok {
		if text == "level" {
			return value.OfInt(int64(f.level)), true
		}
		v, ok := f.p.said[text]
		return v, ok
	}
	return f.p.register(key)
}

// SetRegister implements library.Context.
func (f *frame) SetRegister(key, v value.Value) { f.p.setRegister(key, v) }

// Outside implements library.Context.
func (f *frame) Outside() *library.Outside { return f.p.outside }

var _ library.Context = (*frame)(nil)

// position is where the last operation stood that could fail.
func (f *frame) position() syntax.Position {
	if int(f.place) < len(f.p.places) {
		return f.p.places[f.place]
	}
	return syntax.Position{}
}
