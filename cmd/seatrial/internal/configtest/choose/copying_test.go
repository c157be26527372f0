package choose

import (
	"fmt"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestCopying: who sets what nobody reads may have a copy of what is deployed; twenty are asked, the quickest ones.
func TestCopying(t *testing.T) {
	old := "1"
	key := func(name string) Change {
		id := parameter.New(parameter.Koanf, name)
		return Change{Class: &parameter.Class{ID: id}, IDs: []parameter.ID{id}, Old: &old}
	}
	flag := Change{Class: &parameter.Class{ID: "flag:--c"}, IDs: []parameter.ID{"flag:--c"}, Old: &old}
	word, other, more := "a", "b", "2"
	variable := Change{Class: &parameter.Class{ID: "env:E"}, IDs: []parameter.ID{"env:E"}, Old: &word, New: &other}
	number := Change{Class: &parameter.Class{ID: "env:F"}, IDs: []parameter.ID{"env:F"}, Old: &old, New: &more}
	added := key("d")
	added.Old = nil
	chosen := []Test{{Name: "reads", Reads: []int{0}}, {Name: "sets", Sets: []int{0, 1, 2, 3}}, {Name: "variable", Sets: []int{4, 5}}}
	for n := range least {
		chosen = append(chosen, Test{Name: fmt.Sprint("slow", n), Sets: []int{1}, Took: time.Second})
	}
	got := 0
	for _, c := range Copying(&parameter.Map{}, []Change{key("a"), key("b"), flag, added, variable, number}, nil, chosen) {
		if c.Name == "reads" || c.Name == "variable" && fmt.Sprint(c.Reads) == "[4]" {
			continue
		}
		if want := "[1]"; len(c.Reads) > 0 && fmt.Sprint(c.Reads) == want {
			got++
		} else if len(c.Reads) > 0 || c.Name != fmt.Sprint("slow", least-1) {
			t.Errorf("%s reads %v", c.Name, c.Reads)
		}
	}
	if got != least {
		t.Errorf("%d are asked, want %d", got, least)
	}
}

// TestCopyingWhatOthersRead: where a test reads it, those are asked that set most of what is deployed, and were seen to
// read this.
func TestCopyingWhatOthersRead(t *testing.T) {
	old := "1"
	key := func(name string) Change {
		id := parameter.New(parameter.Koanf, name)
		return Change{Class: &parameter.Class{ID: id}, IDs: []parameter.ID{id}, Old: &old}
	}
	a, b, c := parameter.ID("koanf:a"), parameter.ID("koanf:b"), parameter.ID("koanf:c")
	m := &parameter.Map{Packages: []parameter.Package{{Path: ".", Tests: []parameter.Test{
		{Name: "reads", Reads: []parameter.ID{a}},
		{Name: "copies", Sets: []parameter.ID{a, b}, Own: []parameter.ID{a}},
		{Name: "goes by", Sets: []parameter.ID{a, b}, Own: []parameter.ID{b}},
		{Name: "sets it", Sets: []parameter.ID{a}, Own: []parameter.ID{a}},
	}}}}
	changes, around := []Change{key("a")}, []Change{key("b"), key("c")}
	m.Parameters = []parameter.Class{{ID: a}, {ID: b}, {ID: c}}
	for _, chosen := range Copying(m, changes, around, Tests(m, changes)) {
		if got, want := len(chosen.Reads) > 0, chosen.Name == "reads" || chosen.Name == "copies"; got != want {
			t.Errorf("%s reads it: %v", chosen.Name, got)
		}
	}
}
