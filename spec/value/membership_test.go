package value

import (
	"math/rand/v2"
	"testing"
)

// TestMembership: what is kept by ids is what Contains says, for members that have ids and for others, the first time
// and later.
func TestMembership(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	store := NewStore()
	records := random(r)
	for Size(records) < 3 {
		records = random(r)
	}
	in := map[string]*Membership{}
	sets := map[string]Value{
		"a set":     OfSet([]Value{records, random(r), Empty}),
		"subsets":   Subsets(records),
		"nested":    Subsets(Subsets(records)),
		"sequences": Sequences(Integer),
	}
	for name, set := range sets {
		in[name] = store.Membership(set)
	}
	for range 2000 {
		var v Value
		switch r.IntN(3) {
		case 0:
			v = random(r)
		case 1:
			v = OfSet([]Value{records.Members()[r.IntN(3)], records.Members()[r.IntN(3)]})
		default:
			v = OfSet([]Value{OfSet([]Value{records.Members()[r.IntN(3)]}), random(r)})
		}
		if r.IntN(2) == 0 {
			v = store.Value(store.ID(v))
		}
		for name, set := range sets {
			said, is := saysOf(func() bool { return in[name].Has(v) }), saysOf(func() bool { return Contains(set, v) })
			if said != is {
				t.Fatalf("%s is in %s: %s, Contains says %s", Format(v), name, said, is)
			}
		}
	}
}

// saysOf is an answer, or why there is none.
func saysOf(ask func() bool) (said string) {
	defer func() {
		if f, ok := recover().(*Failure); ok {
			said = f.Problem
		}
	}()
	return Format(OfBool(ask()))
}
