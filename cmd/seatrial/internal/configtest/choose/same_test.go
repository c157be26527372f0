package choose

import (
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestSame: who writes a word by hand into what changes is asked, and of an item by its field; of lists by the list; of
// what was empty nobody is.
func TestSame(t *testing.T) {
	of := func(id parameter.ID, old, now string) Change {
		return Change{Class: &parameter.Class{ID: id}, IDs: []parameter.ID{id}, Old: &old, New: &now}
	}
	item := of("field:Config.rules", `"strict"`, `"strickt"`)
	item.Leaves = []Leaf{{IDs: []parameter.ID{"item:Rule.Mode"}}}
	gone := of("field:Config.e", `"a"`, `"b"`)
	gone.New = nil
	changes := []Change{
		of("field:Config.a", `"least_conn"`, `"least-conn"`), item, of("field:Config.b", "3", "4"), of("field:Config.c", `["a"]`, `["b"]`), of("field:Config.d", `""`, `"x"`), gone,
	}
	all := []parameter.ID{"field:Config.a", "field:Config.b", "field:Config.c", "field:Config.d", "field:Config.e"}
	m := &parameter.Map{Packages: []parameter.Package{{Path: "p", Tests: []parameter.Test{
		{Name: "TestAll", Same: all}, {Name: "TestItem", Same: []parameter.ID{"item:Rule.Mode"}}, {Name: "TestReads", Reads: all},
	}}}}
	got := ""
	for _, test := range Same(m, changes, []int{0, 1, 2, 3, 4, 5}) {
		got += fmt.Sprintf("%s.%s %v %t; ", test.Package, test.Name, test.Reads, test.Same)
	}
	if want := "p.TestAll [0 2 3] true; p.TestItem [1] true; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b, c := `"b"`, `"c"`
	for _, values := range []struct {
		of   Values
		want string
	}{
		{Values{changes[0].New, nil, changes[2].New, nil, nil, nil}, `map[amount field:Config.b:3 4 same field:Config.a "least_conn":least-conn]`},
		{Values{changes[0].Old, changes[1].Old, nil, nil, nil, nil}, "map[]"},
		{Values{&b, &b, nil, nil, nil, nil}, `map[same field:Config.a "least_conn":b same field:Config.rules "strict":b same item:Rule.Mode "strict":b]`},
	} {
		if got := fmt.Sprint(ByHand(changes, values.of)); got != values.want {
			t.Errorf("the words are %s, want %s", got, values.want)
		}
	}
	// Of two items with the same word only one may change: which of them the test is about is not known.
	if got := ByHand([]Change{item, item}, Values{&b, &c}); len(got) > 0 {
		t.Errorf("of two it is one: %v", got)
	}
}
