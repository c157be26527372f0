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
	added := key("d")
	added.Old = nil
	chosen := []Test{{Name: "reads", Reads: []int{0}}, {Name: "sets", Sets: []int{0, 1, 2, 3}}}
	for n := range least {
		chosen = append(chosen, Test{Name: fmt.Sprint("slow", n), Sets: []int{1}, Took: time.Second})
	}
	got := 0
	for _, c := range Copying([]Change{key("a"), key("b"), flag, added}, chosen) {
		if c.Name == "reads" {
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
