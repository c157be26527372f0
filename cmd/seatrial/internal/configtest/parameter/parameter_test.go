package parameter

import (
	"slices"
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
