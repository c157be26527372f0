package parameter

import (
	"slices"
	"strings"
	"testing"
)

// TestClasses: what is joined has one name, the first in the order of kinds.
func TestClasses(t *testing.T) {
	var c Classes
	c.Join("env:A", "flag:--a")
	c.Join("field:x.Y.a", "env:A")
	c.Add("env:B")
	got := c.All()
	if len(got) != 2 || got[0].ID != "flag:--a" || !slices.Equal(got[0].Aliases, []ID{"env:A", "field:x.Y.a"}) || got[1].ID != "env:B" {
		t.Errorf("the classes are %v", got)
	}
}

// TestDiffers: two maps differ in what they say, one line for each thing, and not in what is in no file.
func TestDiffers(t *testing.T) {
	of := func(tests ...Test) *Map {
		return &Map{Module: "example.com/a", Parameters: []Class{{ID: "env:A", Type: "int"}}, Packages: []Package{{Path: "b", Tests: tests}}}
	}
	before := of(Test{Name: "TestX", Reads: []ID{"env:A", "env:B"}}, Test{Name: "TestY"})
	if got := before.Differs(of(Test{Name: "TestX", Reads: []ID{"env:A", "env:B"}, Late: []ID{"env:C"}, Took: 1}, Test{Name: "TestY"})); len(got) > 0 {
		t.Errorf("the same differs: %q", got)
	}
	after := of(Test{Name: "TestX", Reads: []ID{"env:A", "env:C"}, Sets: []ID{"env:B"}})
	after.Parameters[0].Aliases, after.Parameters[0].Default = []ID{"flag:--a"}, "1"
	const want = "- b.TestX reads env:B|- b.TestY|+ env:A is 1 by default|+ env:A is flag:--a|+ b.TestX reads env:C|+ b.TestX sets env:B"
	if got := strings.Join(after.Differs(before), "|"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
