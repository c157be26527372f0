package statespace

import (
	"strings"
	"testing"
	"unsafe"
)

// still is a model of one state of any type.
type still[S comparable] struct{}

func (still[S]) Init(yield func(S) bool) {
	var zero S
	yield(zero)
}

func (still[S]) Next(S, func(Action, S) bool) {}

func accepts[S comparable]() error {
	doors, err := newStructDoor(still[S]{}, &predicates[S]{})
	if err == nil {
		doors.stepper().key(make([]uint64, doors.words()))
	}
	return err
}

func TestStateTypesThatAreNotTheirMemoryAreRefused(t *testing.T) {
	type inner struct {
		A uint8
		B uint16
	}
	for _, c := range []struct {
		name, says string
		err        error
	}{
		{"pointer", "P.Q", accepts[struct{ P struct{ Q *int } }]()},
		{"string", "Name", accepts[struct{ Name string }]()},
		{"interface", "Any", accepts[struct{ Any any }]()},
		{"channel", "C", accepts[struct{ C chan int }]()},
		{"unsafe pointer", "U", accepts[struct{ U unsafe.Pointer }]()},
		{"float", "F is a float64", accepts[struct{ F float64 }]()},
		{"complex", "C is a complex64", accepts[struct{ C complex64 }]()},
		{"float in an array", "Load[0]", accepts[struct{ Load [3]float32 }]()},
		{"padding between", "1 bytes of implicit padding before B", accepts[inner]()},
		{"padding inside", "before In.B", accepts[struct{ In inner }]()},
		{"padding in an array", "before In[0].B", accepts[struct{ In [2]inner }]()},
		{"padding at the end", "3 bytes of implicit padding after B", accepts[struct {
			A uint32
			B uint8
		}]()},
		{"bare string", "the state itself", accepts[string]()},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %v, want mention of %q", c.name, c.err, c.says)
		}
	}
	for name, err := range map[string]error{
		"integer": accepts[uint16](),
		"array":   accepts[[3]int8](),
		"empty":   accepts[struct{}](),
		"blank": accepts[struct {
			A uint32
			B uint8
			_ [3]uint8
		}](),
		"nested": accepts[struct {
			In [2]struct{ A, B bool }
			N  int32
		}](),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// smudged has a blank field, which == ignores, with other bits in every state.
type smudged struct {
	n uint32
	_ uint32
}

type smudgedModel struct{ count *uint64 }

func (m smudgedModel) state(n uint32) smudged {
	*m.count++
	raw := uint64(n) | *m.count<<32
	return *(*smudged)(unsafe.Pointer(&raw))
}

func (m smudgedModel) Init(yield func(smudged) bool) { yield(m.state(0)) }

func (m smudgedModel) Next(s smudged, yield func(Action, smudged) bool) {
	yield(Action{}, m.state((s.n+1)%4))
}

func TestBlankFieldsDoNotTellStatesApart(t *testing.T) {
	r, err := Check(t.Context(), smudgedModel{new(uint64)}, []Property[smudged]{
		Never("goes round", Behaviour[smudged]{Visit: func(s smudged) bool { return s.n == 3 }, Take: func(smudged, Action, smudged) bool { return true }}),
	}, Options{Workers: 1, MaxStates: 100})
	if err != nil || r.Stats.States != 4 || r.Properties[0].Verdict != Violated {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestStatesOfEverySizeAreKeptApart(t *testing.T) {
	sizes(t, func(n uint8) [1]uint8 { return [1]uint8{n} })
	sizes(t, func(n uint8) [7]uint8 { return [7]uint8{6: n} })
	sizes(t, func(n uint8) [8]uint8 { return [8]uint8{7: n} })
	sizes(t, func(n uint8) [9]uint8 { return [9]uint8{8: n} })
	sizes(t, func(n uint8) [500]uint8 { return [500]uint8{499: n} })
	sizes(t, func(n uint8) [3]uint32 { return [3]uint32{2: uint32(n)} })
}

// chained walks through the states that make gives for 0..99.
type chained[S comparable] struct{ make func(uint8) S }

func (c chained[S]) Init(yield func(S) bool) { yield(c.make(0)) }

func (c chained[S]) Next(s S, yield func(Action, S) bool) {
	for n := range uint8(99) {
		if c.make(n) == s && !yield(Action{}, c.make(n+1)) {
			return
		}
	}
}

func sizes[S comparable](t *testing.T, make func(uint8) S) {
	t.Helper()
	last := make(99)
	r, err := Check(t.Context(), chained[S]{make}, []Property[S]{Always("on the way", func(s S) bool { return s != last })}, Options{})
	if err != nil || r.Stats.States != 100 || r.Stats.Levels != 100 || r.Properties[0].Verdict != Violated {
		t.Errorf("%T: %+v, %v", last, r.Stats, err)
	}
}
