package statespace

import (
	"fmt"
	"reflect"
	"unsafe"
)

// structDoor is the first door: a state is the memory of a comparable value
// without pointers and without padding.
type structDoor[S comparable] struct {
	model  Model[S]
	preds  *predicates[S]
	layout layout
}

// layout describes the memory of a state type.
type layout struct {
	bytes int
	// blank are the ranges of blank fields, which == ignores.
	blank []blankRange
	// mask has the bits of the other fields, word by word; none if there are no
	// blank fields.
	mask []uint64
}

type blankRange struct{ from, to uintptr }

func newStructDoor[S comparable](m Model[S], preds *predicates[S]) (*structDoor[S], error) {
	t := reflect.TypeFor[S]()
	l := layout{bytes: int(t.Size())}
	if err := l.check(t, "", 0); err != nil {
		return nil, fmt.Errorf("statespace: state type %v: %w", t, err)
	}
	if len(l.blank) > 0 {
		l.mask = make([]uint64, (l.bytes+7)/8)
		mask := unsafe.Slice((*byte)(unsafe.Pointer(&l.mask[0])), 8*len(l.mask))
		for i := range mask {
			mask[i] = 0xff
		}
		for _, b := range l.blank {
			clear(mask[b.from:b.to])
		}
	}
	return &structDoor[S]{model: m, preds: preds, layout: l}, nil
}

// check walks t and refuses what equal memory cannot stand for.
func (l *layout) check(t reflect.Type, path string, at uintptr) error {
	name := path
	if name == "" {
		name = "the state itself"
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Uintptr,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Array:
		before := len(l.blank)
		if err := l.check(t.Elem(), path+"[0]", at); err != nil || t.Len() == 0 {
			return err
		}
		for i := 1; i < t.Len() && len(l.blank) > before; i++ {
			if err := l.check(t.Elem(), path, at+uintptr(i)*t.Elem().Size()); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		return l.checkStruct(t, path, at)
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return fmt.Errorf("%s is a %v: floating-point values have unequal bytes for equal values (0 and -0)", name, t)
	}
	return fmt.Errorf("%s is a %v: a state must not contain pointers (strings and interfaces have them)", name, t)
}

func (l *layout) checkStruct(t reflect.Type, path string, at uintptr) error {
	end := uintptr(0)
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Name
		if path != "" {
			name = path + "." + f.Name
		}
		if f.Offset > end {
			return fmt.Errorf("%d bytes of implicit padding before %s: reorder the fields or add a blank field", f.Offset-end, name)
		}
		end = f.Offset + f.Type.Size()
		if f.Name == "_" {
			l.blank = append(l.blank, blankRange{at + f.Offset, at + end})
			continue
		}
		if err := l.check(f.Type, name, at+f.Offset); err != nil {
			return err
		}
	}
	if end < t.Size() {
		last := "the end of the state"
		if n := t.NumField(); n > 0 {
			last = t.Field(n - 1).Name
			if path != "" {
				last = path + "." + last
			}
		}
		return fmt.Errorf("%d bytes of implicit padding after %s: add a blank field", t.Size()-end, last)
	}
	return nil
}

func (d *structDoor[S]) words() int { return max(1, (d.layout.bytes+7)/8) }

func (d *structDoor[S]) symmetric() bool {
	_, ok := d.model.(Canonicalizer[S])
	return ok
}

// viewed: models of structs have no views.
func (d *structDoor[S]) viewed() bool { return false }

// passes: nor does anything of them depend on a level.
func (d *structDoor[S]) passes(Action) bool { return false }

// level: nothing of a model of structs depends on it.
func (d *structDoor[S]) level(int) {}

func (d *structDoor[S]) format(rec []uint64) string { return fmt.Sprintf("%+v", d.value(rec)) }

// value reads the state in rec. The layout check makes this sound: S has no
// pointers, and words are at least as aligned as any of its fields.
func (d *structDoor[S]) value(rec []uint64) S { return *(*S)(unsafe.Pointer(&rec[0])) }

func (d *structDoor[S]) stepper() stepper {
	s := &structStepper[S]{door: d, mask: d.layout.mask, scratch: own[uint64](d.words())}
	s.canon, _ = d.model.(Canonicalizer[S])
	s.yield = func(a Action, to S) bool {
		rec := s.scratch
		*(*S)(unsafe.Pointer(&rec[0])) = to
		if s.mask != nil {
			s.blank(rec)
		}
		return s.emit(a, rec)
	}
	return s
}

type structStepper[S comparable] struct {
	door    *structDoor[S]
	canon   Canonicalizer[S]
	mask    []uint64
	scratch []uint64
	yield   func(Action, S) bool
	emit    func(Action, []uint64) bool
	_       lines
}

// put writes v to rec, with zeros where == does not look.
func (s *structStepper[S]) put(rec []uint64, v S) {
	*(*S)(unsafe.Pointer(&rec[0])) = v
	s.blank(rec)
}

func (s *structStepper[S]) blank(rec []uint64) {
	for i, m := range s.mask {
		rec[i] &= m
	}
}

func (s *structStepper[S]) bytes(rec []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&rec[0])), s.door.layout.bytes)
}

func (s *structStepper[S]) init(emit func([]uint64) bool) error {
	s.door.model.Init(func(v S) bool {
		s.put(s.scratch, v)
		return emit(s.scratch)
	})
	return nil
}

func (s *structStepper[S]) next(rec []uint64, emit func(Action, []uint64) bool) error {
	s.emit = emit
	s.door.model.Next(s.door.value(rec), s.yield)
	return nil
}

func (s *structStepper[S]) canonical(rec []uint64) error {
	if s.canon != nil {
		s.put(rec, s.canon.Canonical(s.door.value(rec)))
	}
	return nil
}

func (s *structStepper[S]) key(rec []uint64) key { return hashBytes(s.bytes(rec)).nonzero() }

func (s *structStepper[S]) state(pred int, rec []uint64) bool {
	return s.door.preds.states[pred](s.door.value(rec))
}

func (s *structStepper[S]) step(pred int, from []uint64, a Action, to []uint64) bool {
	return s.door.preds.steps[pred](s.door.value(from), a, s.door.value(to))
}
