package statespace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// vectorDoor is the second door: a state is a vector of component ids. Two ids
// share a word; an odd last one leaves the other half zero.
type vectorDoor struct {
	model      VectorModel
	components *Components
	width      int
	preds      *predicates[[]ID]
	timed      VectorTimedViewer
}

func newVectorDoor(m VectorModel, preds *predicates[[]ID]) (*vectorDoor, error) {
	d := &vectorDoor{model: m, components: m.Components(), width: m.Width(), preds: preds}
	d.timed, _ = m.(VectorTimedViewer)
	if d.components == nil {
		return nil, errors.New("statespace: the model's Components is nil")
	}
	if d.width < 0 {
		return nil, fmt.Errorf("statespace: the model's Width is %d", d.width)
	}
	return d, nil
}

func (d *vectorDoor) words() int { return max(1, (d.width+1)/2) }

func (d *vectorDoor) symmetric() bool {
	_, ok := d.model.(VectorCanonicalizer)
	return ok
}

func (d *vectorDoor) viewed() bool {
	_, ok := d.model.(VectorViewer)
	return ok
}

func (d *vectorDoor) passes(a Action) bool { return d.timed != nil && d.timed.Passes(a) }

func (d *vectorDoor) level(n int) {
	if l, ok := d.model.(VectorLeveler); ok {
		l.Level(n)
	}
}

// view is rec as a vector; both share memory.
func (d *vectorDoor) view(rec []uint64) []ID {
	return unsafe.Slice((*ID)(unsafe.Pointer(&rec[0])), d.width)
}

// format renders each component's bytes: as text if they are printable, else
// in hexadecimal.
func (d *vectorDoor) format(rec []uint64) string {
	parts := make([]string, d.width)
	for i, id := range d.view(rec) {
		switch b, ok := d.bytes(id); {
		case !ok:
			parts[i] = fmt.Sprintf("unknown id %d", id)
		case strings.IndexFunc(string(b), func(r rune) bool { return r < ' ' || r == '\uFFFD' }) < 0:
			parts[i] = string(b)
		default:
			parts[i] = fmt.Sprintf("%x", b)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (d *vectorDoor) bytes(id ID) ([]byte, bool) {
	if !d.components.known(id) {
		return nil, false
	}
	return d.components.Bytes(id), true
}

func (d *vectorDoor) stepper() stepper {
	s := &vectorStepper{
		door:    d,
		scratch: own[uint64](d.words()),
		given:   own[ID](d.width),
		hashes:  own[byte](16 * d.width),
	}
	s.canon, _ = d.model.(VectorCanonicalizer)
	s.viewer, _ = d.model.(VectorViewer)
	s.yield = func(a Action, to []ID) bool {
		return s.err == nil && s.put(to) && s.emit(a, s.scratch)
	}
	return s
}

type vectorStepper struct {
	door    *vectorDoor
	canon   VectorCanonicalizer
	viewer  VectorViewer
	seen    []ID
	scratch []uint64
	given   []ID
	hashes  []byte
	yield   func(Action, []ID) bool
	emit    func(Action, []uint64) bool
	err     error
	_       lines
}

// put copies a yielded vector to the scratch record after checking it.
func (s *vectorStepper) put(v []ID) bool {
	if s.err = s.check(v); s.err != nil {
		return false
	}
	copy(s.door.view(s.scratch), v)
	return true
}

func (s *vectorStepper) check(v []ID) error {
	if len(v) != s.door.width {
		return fmt.Errorf("a vector of %d ids was yielded, Width is %d", len(v), s.door.width)
	}
	for i, id := range v {
		if !s.door.components.known(id) {
			return fmt.Errorf("slot %d holds id %d, which was never interned", i, id)
		}
	}
	return nil
}

func (s *vectorStepper) init(emit func([]uint64) bool) error {
	s.err = nil
	s.door.model.Init(func(v []ID) bool {
		return s.err == nil && s.put(v) && emit(s.scratch)
	})
	return s.err
}

// next hands the model a copy of the state, so that one that changes its
// argument is found out and harms nothing.
func (s *vectorStepper) next(rec []uint64, emit func(Action, []uint64) bool) error {
	s.err, s.emit = nil, emit
	copy(s.given, s.door.view(rec))
	s.door.model.Next(s.given, s.yield)
	if s.err == nil && !slices.Equal(s.given, s.door.view(rec)) {
		s.err = errors.New("the vector that was handed in has been changed")
	}
	return s.err
}

func (s *vectorStepper) canonical(rec []uint64) error {
	if s.canon == nil {
		return nil
	}
	s.canon.Canonical(s.door.view(rec))
	return s.check(s.door.view(rec))
}

// key hashes the content hashes of the components in slot order: never the
// ids, which differ from run to run.
func (s *vectorStepper) key(rec []uint64) key {
	ids := s.door.view(rec)
	if s.viewer != nil {
		s.seen = s.viewer.View(ids, s.seen[:0])
		if ids = s.seen; len(s.hashes) < 16*len(ids) {
			s.hashes = own[byte](16 * len(ids))
		}
	}
	for i, id := range ids {
		h := s.door.components.entry(id).hash
		binary.LittleEndian.PutUint64(s.hashes[16*i:], h.hi)
		binary.LittleEndian.PutUint64(s.hashes[16*i+8:], h.lo)
	}
	return hashBytes(s.hashes[:16*len(ids)]).nonzero()
}

func (s *vectorStepper) state(pred int, rec []uint64) bool {
	return s.door.preds.states[pred](s.door.view(rec))
}

func (s *vectorStepper) step(pred int, from []uint64, a Action, to []uint64) bool {
	return s.door.preds.steps[pred](s.door.view(from), a, s.door.view(to))
}
