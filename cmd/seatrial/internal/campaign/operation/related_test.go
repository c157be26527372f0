package operation

import (
	"slices"
	"testing"
)

func TestRelated(t *testing.T) {
	set := func(repairs bool, path ...any) *Operation {
		return &Operation{Repairs: repairs, Changes: []Change{{Path: path, Value: "x"}}}
	}
	for _, c := range []struct {
		name string
		seq  []*Operation
		want []int
	}{
		{"nothing", nil, nil},
		{"another property before it", []*Operation{set(false, "spec", "a"), set(false, "spec", "b")}, []int{1}},
		{"the same before it", []*Operation{set(false, "spec", "a"), set(false, "spec", "b"), set(false, "spec", "a")}, []int{0, 2}},
		{"what it is in, and what is in it", []*Operation{set(false, "spec"), set(false, "spec", "a", "b"), set(false, "spec", "b"), set(false, "spec", "a")}, []int{0, 1, 3}},
		{"an item of the same list, and another", []*Operation{set(false, "spec", "a", 0), set(false, "spec", "a", 1), set(false, "spec", "a", 0, "b")}, []int{0, 2}},
		{"what it repairs", []*Operation{set(false, "spec", "b"), set(false, "spec", "c"), set(true, "spec", "a")}, []int{1, 2}},
	} {
		var got []int
		for _, o := range Related(c.seq) {
			got = append(got, slices.Index(c.seq, o))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
