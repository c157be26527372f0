package program

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// random returns some value with model values in it.
func random(r *rand.Rand, members []value.Value, depth int) value.Value {
	one := func() value.Value { return members[r.IntN(len(members))] }
	if depth == 0 {
		return []value.Value{one(), one(), value.OfInt(r.Int64N(3)), value.OfString("on"), value.OfModel("none")}[r.IntN(5)]
	}
	var items []value.Value
	for range r.IntN(4) {
		items = append(items, random(r, members, depth-1))
	}
	switch r.IntN(4) {
	case 0: // members of a set can be compared
		for i := range items {
			pair := []value.Value{one(), value.OfSet([]value.Value{one(), one()})}
			items[i] = value.OfTuple(pair[:1+r.IntN(2)])
		}
		return value.OfSet(items)
	case 1:
		return value.OfTuple(items)
	case 2: // a graph, of which nothing but the whole tells members apart
		var edges []value.Value
		for range r.IntN(2 * len(members)) {
			edges = append(edges, value.OfTuple([]value.Value{one(), one()}))
		}
		return value.OfSet(edges)
	}
	images := make([]value.Value, len(members))
	for i := range images {
		images[i] = random(r, members, depth-1)
	}
	return value.OfPairs(slices.Clone(members), images)
}

// permuted calls f with every permutation within the sets.
func permuted(sets [][]value.Value, by map[value.Value]value.Value, f func(map[value.Value]value.Value)) {
	if len(sets) == 0 {
		f(by)
		return
	}
	var fill func(left []value.Value, n int)
	fill = func(left []value.Value, n int) {
		if len(left) == 0 {
			permuted(sets[1:], by, f)
			return
		}
		for i, to := range left {
			by[sets[0][n]] = to
			fill(append(slices.Clone(left[:i]), left[i+1:]...), n+1)
		}
	}
	fill(sets[0], 0)
}

func models(letter string, n int) (all []value.Value) {
	for i := range n {
		all = append(all, value.OfModel(fmt.Sprint(letter, i)))
	}
	return all
}

// TestSortedStatesAgainstAllPermutations has every image of a random state sorted: it is to be one and the same, and
// one of them.
func TestSortedStatesAgainstAllPermutations(t *testing.T) {
	for _, sizes := range [][]int{{2}, {3}, {5}, {3, 2}, {4, 3}} {
		var sets [][]value.Value
		for i, n := range sizes {
			sets = append(sets, models(string(rune('a'+i)), n))
		}
		members := slices.Concat(sets...)
		for seed := range 40 {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			store := value.NewStore()
			s := newSorter(store, sets)
			values := []value.Value{random(r, members, r.IntN(3)), random(r, members, 2), random(r, members, 1)}
			imageOf := func(by map[value.Value]value.Value) (state []statespace.ID) {
				for _, v := range values {
					state = append(state, store.ID(value.Replace(v, by)))
				}
				return state
			}
			want := imageOf(nil)
			s.canonical(want)
			isImage := false
			permuted(sets, map[value.Value]value.Value{}, func(by map[value.Value]value.Value) {
				state := imageOf(maps.Clone(by))
				isImage = isImage || slices.Equal(state, want)
				if s.canonical(state); !slices.Equal(state, want) {
					t.Fatalf("%v, seed %d: %v has another form under %v", sizes, seed, values, by)
				}
			})
			if !isImage {
				t.Errorf("%v, seed %d: the form of %v is none of its images", sizes, seed, values)
			}
		}
	}
}

// TestSortingRegularStates has states in which no member is told from another by what is known of it, though not all
// can be exchanged: a ring, and two rings.
func TestSortingRegularStates(t *testing.T) {
	members := models("r", 6)
	edges := func(rings ...[]int) value.Value {
		var all []value.Value
		for _, ring := range rings {
			for i, from := range ring {
				all = append(all, value.OfTuple([]value.Value{members[from], members[ring[(i+1)%len(ring)]]}))
			}
		}
		return value.OfSet(all)
	}
	s := newSorter(value.NewStore(), [][]value.Value{members})
	form := func(v value.Value) statespace.ID {
		state := []statespace.ID{s.store.ID(v)}
		s.canonical(state)
		return state[0]
	}
	one, two := edges([]int{0, 1, 2, 3, 4, 5}), edges([]int{0, 1, 2}, []int{3, 4, 5})
	if form(one) != form(edges([]int{3, 0, 5, 1, 4, 2})) || form(two) != form(edges([]int{0, 3, 1}, []int{5, 2, 4})) {
		t.Error("rings that are the same but for names have different forms")
	}
	if form(one) == form(two) {
		t.Error("one ring and two have the same form")
	}
}

func TestInterchangeable(t *testing.T) {
	m := models("m", 5)
	cycle := func(members ...value.Value) map[value.Value]value.Value {
		by := map[value.Value]value.Value{}
		for i, v := range members {
			by[v] = members[(i+1)%len(members)]
		}
		return by
	}
	for _, c := range []struct {
		generators []map[value.Value]value.Value
		want       string
	}{
		{[]map[value.Value]value.Value{cycle(m[0], m[1]), cycle(m[1], m[2])}, "[3]"},
		{[]map[value.Value]value.Value{cycle(m[0], m[1]), cycle(m[2], m[3]), cycle(m[3], m[4])}, "[2 3]"},
		{[]map[value.Value]value.Value{cycle(m[0], m[1], m[2])}, "none"},
		{[]map[value.Value]value.Value{{}}, "none"},
		{[]map[value.Value]value.Value{cycle(m[0], m[1]), cycle(m[0], m[1], m[2])}, "none"},
		{[]map[value.Value]value.Value{cycle(m[0], m[1]), {m[0]: m[2], m[2]: m[0], m[1]: m[3], m[3]: m[1]}}, "none"},
	} {
		got := "none"
		if sets, ok := interchangeable(c.generators); ok {
			sizes := []int{}
			for _, set := range sets {
				sizes = append(sizes, len(set))
			}
			got = fmt.Sprint(sizes)
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.generators, got, c.want)
		}
	}
}
