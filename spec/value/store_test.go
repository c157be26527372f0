package value

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// random returns a value of one shape, so that any two can be compared: a set of records that have sequences of numbers
// and names in them.
func random(r *rand.Rand) Value {
	shape := NewShape([]string{"who", "log", "vote"})
	items := make([]Value, r.IntN(4))
	for i := range items {
		log := make([]Value, r.IntN(3))
		for j := range log {
			log[j] = OfInt(r.Int64N(3))
		}
		fields := make([]Value, 3)
		fields[shape.Place(0)] = OfModel([]string{"p1", "p2"}[r.IntN(2)])
		fields[shape.Place(1)] = OfTuple(log)
		fields[shape.Place(2)] = OfBool(r.IntN(2) == 0)
		items[i] = shape.Record(fields)
	}
	return OfSet(items)
}

// TestStoreIDs: values have one id if and only if they are equal, and what their ids are made of does not depend on the
// order in which a store meets them.
func TestStoreIDs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []Value
	for range 300 {
		all = append(all, random(r))
	}
	one, other := NewStore(), NewStore()
	ids := make([]statespace.ID, len(all))
	for i, v := range all {
		ids[i] = one.ID(v)
	}
	for i := len(all) - 1; i >= 0; i-- {
		if a, b := one.Components().Digest(ids[i]), other.Components().Digest(other.ID(all[i])); a != b {
			t.Fatalf("the digest of %s depends on the order: %x, %x", Format(all[i]), a, b)
		}
		if back := one.Value(ids[i]); !Equal(back, all[i]) {
			t.Fatalf("%s comes back as %s", Format(all[i]), Format(back))
		}
		for j := range all {
			if same := Compare(all[i], all[j]) == 0; same != (ids[i] == ids[j]) {
				t.Fatalf("%s and %s: equal %v, ids %d and %d", Format(all[i]), Format(all[j]), same, ids[i], ids[j])
			}
		}
	}
}

// TestStoreSteps: what is made of ids is what is made of values.
func TestStoreSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 2000 {
		s := NewStore()
		set, more := random(r), random(r).Members()
		id := s.ID(set)
		for _, m := range more {
			inserted, ok := s.Insert(id, s.ID(m))
			if !ok {
				t.Fatalf("%s is no listed set", Format(set))
			}
			if has, ok := s.Has(id, s.ID(m)); ok && has != Contains(set, m) || has != (inserted == id) {
				t.Fatalf("round %d: %s is in %s: %v", round, Format(m), Format(set), has)
			}
			set, id = Union(set, OfSet([]Value{m})), inserted
			check(t, s, id, set)
		}
		for i, m := range set.Members() {
			log, _ := Field(m, OfString("log"))
			var parts []statespace.ID
			for _, n := range log.Items() {
				parts = append(parts, s.ID(n))
			}
			check(t, s, s.Tuple(parts), log)
			shape := NewShape([]string{"vote", "log"})
			fields := make([]Value, 2)
			fields[shape.Place(0)], fields[shape.Place(1)] = OfInt(int64(i)), log
			record := shape.Record(fields)
			ids := make([]statespace.ID, 2)
			for at, v := range fields {
				ids[at] = s.ID(v)
			}
			is := s.Record(shape, ids)
			check(t, s, is, record)
			at, _ := Place(record, OfString("vote"))
			check(t, s, s.With(is, at, s.ID(OfInt(7))), With(record, OfString("vote"), OfInt(7)))
			check(t, s, s.With(is, at, s.ID(OfInt(int64(i)))), record)
		}
	}
}

func check(t *testing.T, s *Store, id statespace.ID, want Value) {
	t.Helper()
	if s.ID(want) != id || !Equal(s.Value(id), want) {
		t.Fatalf("id %d is %s; %s has %d", id, Format(s.Value(id)), Format(want), s.ID(want))
	}
}

// TestKnown: values that are not listed have no id that is known without listing them.
func TestKnown(t *testing.T) {
	s := NewStore()
	large := Subsets(Interval(1, 40))
	for _, test := range []struct {
		v    Value
		want bool
	}{
		{OfInt(1), true},
		{OfInt(1 << 40), true},
		{True, true},
		{OfString("a"), true},
		{OfModel("m"), true},
		{OfTuple([]Value{OfInt(1)}), true},
		{Interval(1, 5), true},
		{Value{}, false},
		{Nat, false},
		{large, false},
		{OfTuple([]Value{large}), false},
		{OfOperator(1), false},
		{OfRule(Interval(1, 3), func(v Value) Value { return v }), false},
	} {
		if _, ok := s.Known(test.v); ok != test.want {
			t.Errorf("%s: %v", fmt.Sprint(Describe(test.v)), ok)
		}
	}
}

// TestTruths: what is put for one number is not found for another.
func TestTruths(t *testing.T) {
	var truths Truths
	for n := uint32(0); n < 20000; n += 7 {
		truths.Put(n, Truth(1+n%3))
	}
	for n := range uint32(20100) {
		want := Unknown
		if n%7 == 0 && n < 20000 {
			want = Truth(1 + n%3)
		}
		if got := truths.Get(n); got != want {
			t.Fatalf("%d: %d, not %d", n, got, want)
		}
	}
}
