package kubestate

import (
	"fmt"
	"strings"
	"testing"
)

// TestRenaming: UIDs by their first appearance, versions by their order, for each object.
func TestRenaming(t *testing.T) {
	uid := func(n int) string { return string(uidToken(uint64(n))) }
	version := func(creation, write, key int) string {
		return fmt.Sprint(leading + creation*writeMax*keyMax + write*step + key)
	}
	text := strings.Join([]string{"7", uid(9), "x" + version(3, 5, 1), version(3, 4, 1) + "y", uid(2), uid(9), version(8, 0, 2), "123456789012345678901"}, " ")
	var found []string
	for _, token := range Tokens([]byte(text)) {
		found = append(found, token.Text)
	}
	got := string(NewRenaming(found).Text([]byte(text)))
	want := strings.Join([]string{"7", uid(1), "x" + version(0, 2, 1), version(0, 1, 1) + "y", uid(2), uid(1), version(0, 1, 2), "123456789012345678901"}, " ")
	if got != want {
		t.Errorf("\n%s\n%s", got, want)
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
		var tokens []string
		for o := range state.Objects() {
			for _, token := range o.Tokens() {
				tokens = append(tokens, token.Text)
			}
		}
		out, err := s.RenameState(state, NewRenaming(tokens))
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
