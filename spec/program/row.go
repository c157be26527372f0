package program

import (
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Most of what an action does reads one variable and a bound name: aState[m.ins][acc].mbal <= m.bal. What all
// expressions give for one value of the variable is kept in one row, by expression and name: what is asked for one
// state one after the other is near each other in memory.

// row is what is kept for one value of a variable.
type row struct {
	id    statespace.ID
	used  int
	cells []cell
}

// cell is a result: an id, or a value.Truth, from 1; 0 if there is none. It is of the expression with that number, for
// the id of a name's value, from 1.
type cell struct {
	of    uint32
	local statespace.ID
	is    uint32
}

// rows are those of one variable. Newer ones take the place of older ones once there are many.
type rows struct{ all []*row }

const (
	firstCells, mostCells  = 8, 1 << 9
	firstRows, largestRows = 1 << 8, 1 << 16
)

// rowOf returns the row of a value of a variable.
func (f *frame) rowOf(slot int, id statespace.ID) *row {
	if r := f.last[slot]; r != nil && r.id == id {
		return r
	}
	r := (*f.rows)[slot].of(f.p, id)
	f.last[slot] = r
	return r
}

// of returns the row of a value: its own, or one that is taken for it.
func (s *rows) of(p *Program, id statespace.ID) *row {
	if s.all == nil {
		s.all = make([]*row, firstRows)
	}
	at, free := s.place(id)
	if !free && s.all[at].id != id && len(s.all) < largestRows && p.roomFor(len(s.all)/4) {
		s.grow()
		at, free = s.place(id)
	}
	r := s.all[at]
	switch {
	case free:
		r = &row{id: id, cells: make([]cell, firstCells)}
		s.all[at] = r
	case r.id != id:
		clear(r.cells)
		r.id, r.used = id, 0
	}
	return r
}

// near is how many places a row can be in.
const near = 4

// place returns where a row is or belongs, and whether nothing is there. If all its places are taken it is the first
// one.
func (s *rows) place(id statespace.ID) (at int, free bool) {
	first := int(uint64(id) * 0x9e3779b97f4a7c15 >> 32)
	for i := range near {
		at = (first + i) & (len(s.all) - 1)
		if r := s.all[at]; r == nil || r.id == id {
			return at, r == nil
		}
	}
	return first & (len(s.all) - 1), false
}

// grow makes twice as much room.
func (s *rows) grow() {
	old := s.all
	s.all = make([]*row, 2*len(old))
	for _, r := range old {
		if r != nil {
			at, _ := s.place(r.id)
			s.all[at] = r
		}
	}
}

// find returns where a result is, or belongs. There is always room.
func (r *row) find(of uint32, local statespace.ID) *cell {
	last := len(r.cells) - 1
	for at := int((uint64(local)*0x9e3779b97f4a7c15 ^ uint64(of)*0xe7037ed1a0b428db) >> 40); ; at++ {
		if c := &r.cells[at&last]; c.is == 0 || c.of == of && c.local == local {
			return c
		}
	}
}

// put keeps a result that is not there.
func (r *row) put(p *Program, of uint32, local statespace.ID, is uint32) {
	if r.used++; 4*r.used > 3*len(r.cells) {
		old := r.cells
		if len(old) == mostCells || !p.roomFor(len(old)/2) {
			clear(old)
			r.used = 1
		} else {
			r.cells = make([]cell, 2*len(old))
			for _, c := range old {
				if c.is != 0 {
					*r.find(c.of, c.local) = c
				}
			}
		}
	}
	*r.find(of, local) = cell{of, local, is}
}

// narrow tells whether results by what is read are kept in rows.
func (r *reading) narrow() bool { return len(r.now)+len(r.then) == 1 && len(r.locals) <= 1 }

// spot is where a result is kept in a row.
type spot struct {
	slot  int
	id    statespace.ID
	of    uint32
	local statespace.ID
}

// spot returns what is kept, 0 if nothing is; and where it is to be kept, nil for the table if it is not.
func (r *reading) spot(f *frame) (t *table, at spot, is uint32) {
	if t = f.table(r.table); t == nil {
		return nil, at, 0
	}
	if len(r.now) == 1 {
		at.slot = r.now[0]
		at.id = f.ids[at.slot]
	} else {
		at.slot = r.then[0]
		if f.kept[at.slot] == 0 || f.lenient {
			return nil, at, 0
		}
		at.id = f.kept[at.slot] - 1
	}
	if len(r.locals) == 1 {
		if v := f.locals[r.locals[0]]; !v.IsNone() {
			id, ok := f.p.store.Known(v)
			if !ok {
				return nil, at, 0
			}
			at.local = id + 1
		}
	}
	at.of = uint32(r.table)
	t.count()
	if is = f.rowOf(at.slot, at.id).find(at.of, at.local).is; is != 0 {
		t.hits++
	}
	return t, at, is
}

// keep keeps a result. The row may have been given to another value since it was looked for.
func (f *frame) keep(at spot, is uint32) { f.rowOf(at.slot, at.id).put(f.p, at.of, at.local, is) }

// idsInRows keeps ids by what is read.
func idsInRows(find identify, r reading) identify {
	return func(f *frame) (statespace.ID, bool) {
		t, at, known := r.spot(f)
		if known != 0 {
			return statespace.ID(known - 1), true
		}
		is, ok := find(f)
		if ok && t != nil {
			f.keep(at, uint32(is)+1)
		}
		return is, ok
	}
}

// truthsInRows keeps booleans by what is read. Once something else is found other takes over.
func truthsInRows(eval, other func(*frame) value.Value, r reading) func(*frame) value.Value {
	var others atomic.Bool
	return func(f *frame) value.Value {
		if others.Load() {
			return other(f)
		}
		t, at, known := r.spot(f)
		if known != 0 {
			return value.OfBool(value.Truth(known) == value.IsTrue)
		}
		v := eval(f)
		switch {
		case v.Kind() != value.Bool:
			others.Store(true)
		case t != nil:
			f.keep(at, uint32(value.TruthOf(v == value.True)))
		}
		return v
	}
}
