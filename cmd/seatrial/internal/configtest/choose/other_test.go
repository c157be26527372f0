package choose

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestOther: of what a test writes by hand a unit, a bound or nothing is asked first, and alone; what is only another
// number is asked of other tests, where there is room for them. A parameter that is new, or gone, is asked of none.
func TestOther(t *testing.T) {
	of := func(id parameter.ID, old, now string) Change {
		return Change{Class: &parameter.Class{ID: id}, IDs: []parameter.ID{id}, Old: &old, New: &now}
	}
	gone, added := of("field:Config.gone", "3", "0"), of("field:Config.added", "0", "3")
	gone.New, added.Old = nil, nil
	changes := []Change{
		of("field:Config.lease", `"5s"`, `"5ms"`), of("field:Config.shards", "16", "12"), of("field:Config.points", "100", "1"), of("field:Config.more", "16", "40"), gone, added,
	}
	all := []parameter.ID{"field:Config.lease", "field:Config.shards", "field:Config.points", "field:Config.more", "field:Config.gone", "field:Config.added"}
	tests := []parameter.Test{{Name: "TestAll", Same: all, Took: 300 * time.Millisecond}, {Name: "TestReads", Reads: all}, {Name: "TestSlow", Same: all[:1], Took: time.Hour}}
	for n := range mostOther + 5 {
		tests = append(tests, parameter.Test{Name: fmt.Sprintf("TestShards%d", n), Same: all[1:], Took: time.Duration(n) * time.Millisecond})
	}
	got := Other(&parameter.Map{Packages: []parameter.Package{{Path: "p", Tests: tests}}}, changes, []int{0, 1, 2, 3, 4, 5})
	if len(got) != mostOther || got[0].Name != "TestAll" || !slices.Equal(got[0].Reads, []int{0}) {
		t.Fatalf("%d tests, first of %v: %+v", len(got), got[0].Reads, got[0])
	}
	for i, test := range got[1:] {
		if want := fmt.Sprintf("TestShards%d", i); test.Name != want || !slices.Equal(test.Reads, []int{1, 2}) || !slices.Equal(test.Sets, test.Reads) || !test.Other {
			t.Errorf("%+v, want %s", test, want)
		}
	}
}

// TestWritten: the numbers of a test's own, in the unit of what is deployed.
func TestWritten(t *testing.T) {
	old := `"5s"`
	c := Change{Class: &parameter.Class{ID: "field:Config.lease"}, Feeds: []parameter.Feed{{ID: "field:Store.LeaseMS", Scale: 1e-6}}, Old: &old, New: &old}
	events := []record.Event{
		{Verb: record.Same, Subject: "field:Store.LeaseMS", Value: "2000"}, {Verb: record.Same, Subject: "field:Config.lease", Value: "3e9"},
		{Verb: record.Read, Subject: "field:Config.lease", Value: "1e9"}, {Verb: record.Same, Subject: "field:Config.other", Value: "7"}, {Verb: record.Same, Subject: "field:Config.lease", Value: "word"},
	}
	if got := c.Written(events); !slices.Equal(got, []float64{2e9, 3e9}) {
		t.Errorf("it has %v", got)
	}
	if c.Old = nil; c.Written(events) != nil {
		t.Error("nothing is deployed")
	}
}
