package kubestate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestRenaming: UIDs by their first appearance, versions and generations by their order, for
// each object.
func TestRenaming(t *testing.T) {
	uid := func(n int) string { return string(uidToken(uint64(n))) }
	version := func(creation, write, key int) string {
		return fmt.Sprint(leading + creation*writeMax*keyMax + write*step + key)
	}
	text := strings.Join([]string{"7", uid(9), "x" + version(3, 5, 1), version(3, 4, 1) + "y", uid(2), uid(9), version(8, 0, 2), "123456789012345678901", "7041700001000007", "7041700001000003", "7041700002000009", "7041600001000007"}, " ")
	s := newTestServer(t)
	var found []uint64
	for _, token := range s.Tokens([]byte(text)) {
		found = append(found, token.Number)
	}
	got := string(s.NewRenaming(found, nil).Text([]byte(text)))
	want := strings.Join([]string{"7", uid(1), "x" + version(0, 2, 1), version(0, 1, 1) + "y", uid(2), uid(1), version(0, 1, 2), "123456789012345678901", "7041700001000002", "7041700001000001", "7041700002000001", "7041600001000007"}, " ")
	if got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
}

// TestGenerations: they count, whoever looks, and what was changed often is what was changed
// once when renamed.
func TestGenerations(t *testing.T) {
	s, err := NewServer(Config{Generations: true})
	if err != nil {
		t.Fatal(err)
	}
	scale := func(state State, to int) State {
		after, a := s.Do(state, &Request{Verb: "patch", Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}, Namespace: "default", Name: "a", Patch: "application/merge-patch+json", Body: fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, to)})
		if a.Status != nil {
			t.Fatal(a.Status.Message)
		}
		return after
	}
	state, a := s.Do(State{}, &Request{Verb: "create", Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}, Namespace: "default", Body: []byte(
		`{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"a"}]}}}}`)})
	if a.Status != nil {
		t.Fatal(a.Status.Message)
	}
	generation := func(state State) int64 { return state.List()[0].Meta().GetGeneration() }
	canonical := func(state State) State {
		var tokens []uint64
		for _, token := range state.List()[0].Tokens() {
			tokens = append(tokens, token.Number)
		}
		out, err := s.RenameState(state, s.NewRenaming(tokens, nil))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := generation(state)
	if again := generation(scale(state, 1)); again != first {
		t.Errorf("what changes nothing makes %d of %d", again, first)
	}
	two := scale(state, 2)
	if generation(two) != first+1 {
		t.Errorf("a change makes %d of %d", generation(two), first)
	}
	if often := scale(scale(two, 1), 2); canonical(often).List()[0] != canonical(two).List()[0] || generation(canonical(often)) != first {
		t.Errorf("%s %s", canonical(often).List()[0].JSON(), canonical(two).List()[0].JSON())
	}
}

// TestRenameState: two ways to the same objects are the same State when renamed.
func TestRenameState(t *testing.T) {
	s := newTestServer(t)
	do := func(state State, verb, name, body string) State {
		after, a := s.Do(state, &Request{Verb: verb, Resource: resources["configmaps"], Namespace: "default", Name: name, Body: []byte(body)})
		if a.Status != nil {
			t.Fatal(a.Status.Message)
		}
		return after
	}
	create := func(name string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q}}`, name)
	}
	canonical := func(state State) State {
		var tokens []uint64
		for o := range state.Objects() {
			for _, token := range o.Tokens() {
				tokens = append(tokens, token.Number)
			}
		}
		out, err := s.RenameState(state, s.NewRenaming(tokens, nil))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	one := do(do(State{}, "create", "", create("a")), "create", "", create("b"))
	other := do(do(do(do(State{}, "create", "", create("b")), "create", "", create("a")), "delete", "b", ""), "create", "", create("b"))
	x, y := canonical(one), canonical(other)
	if x.Len() != 2 || y.Len() != 2 || x.List()[0] != y.List()[0] || x.List()[1] != y.List()[1] || x.Created() != y.Created() {
		for _, o := range append(x.List(), y.List()...) {
			t.Logf("%s", o.JSON())
		}
		t.Error("they differ")
	}
	if next := do(x, "create", "", create("c")); next.Get("/core/configmaps/default/c").Meta().GetUID() != uidToken(3) {
		t.Error("a new object has a UID that is taken")
	}
}

// TestPermutations: whatever the UIDs are, and whatever the versions and generations are as long
// as those of one object grow, the State is the same when renamed.
func TestPermutations(t *testing.T) {
	s, err := NewServer(Config{Generations: true})
	if err != nil {
		t.Fatal(err)
	}
	state := State{}
	do := func(verb, name, body string) {
		after, a := s.Do(state, &Request{Verb: verb, Resource: resources["configmaps"], Namespace: "default", Name: name, Body: []byte(body), Patch: map[string]string{"patch": "application/merge-patch+json"}[verb]})
		if a.Status != nil {
			t.Fatal(a.Status.Message)
		}
		state = after
	}
	for i := range 6 { // each notes the UID and the version of the one before
		of := ""
		if i > 0 {
			m := state.Get(fmt.Sprintf("/core/configmaps/default/m%d", i-1)).Meta()
			of = fmt.Sprintf("%s at %s", m.GetUID(), m.GetResourceVersion())
		}
		do("create", "", fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m%d"},"data":{"of":%q}}`, i, of))
		do("patch", fmt.Sprintf("m%d", i), `{"data":{"then":"changed"}}`)
	}
	numbers := func(state State) (all []uint64) {
		for o := range state.Objects() {
			for _, token := range o.Tokens() {
				all = append(all, token.Number)
			}
		}
		return all
	}
	canonical, err := s.RenameState(state, s.NewRenaming(numbers(state), nil))
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		other, err := s.RenameState(state, permutation(draw, numbers(state)))
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.RenameState(other, s.NewRenaming(numbers(other), nil))
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range again.List() {
			if o != canonical.List()[i] {
				t.Fatalf("%s is %s", o.JSON(), canonical.List()[i].JSON())
			}
		}
	}
}

// permutation gives UIDs other numbers, and versions and generations others in the same order.
func permutation(draw *rand.Rand, numbers []uint64) *Renaming {
	slices.Sort(numbers)
	r := &Renaming{}
	places := draw.Perm(1000)
	next := map[uint64]uint64{}
	for i, n := range slices.Compact(numbers) {
		if n < leastGeneration {
			r.to = append(r.to, renamed{n, uint64(places[i]) + 1})
			continue
		}
		of, first, by := group(n)
		next[of] = max(next[of], first) + by*uint64(1+draw.IntN(9))
		r.to = append(r.to, renamed{n, next[of]})
	}
	slices.SortFunc(r.to, func(a, b renamed) int { return cmp.Compare(a.from, b.from) })
	return r
}
