package value

import "testing"

// TestRank: names are in the order of their ranks, then those without any in the order of their texts; what was
// compared stays where it was. Records have their fields in that order, whichever way they are made.
func TestRank(t *testing.T) {
	Rank("rank2", "rank1")
	if got := Format(OfSet([]Value{OfString("rank0b"), OfString("rank1"), OfString("rank0a"), OfString("rank2")})); got != `{"rank2", "rank1", "rank0a", "rank0b"}` {
		t.Errorf("the order is %s", got)
	}
	Rank("rank0b", "rank3", "rank2")
	if got := Format(OfSet([]Value{OfModel("rank3"), OfModel("rank0b"), OfModel("rank2")})); got != "{rank2, rank0b, rank3}" {
		t.Errorf("the order of model values is %s", got)
	}
	if got := Format(OfSet([]Value{OfString("rank3"), OfString("rank0b"), OfString("rank0a")})); got != `{"rank3", "rank0a", "rank0b"}` {
		t.Errorf("after they were compared, the order is %s", got)
	}
	r := OfJSON(map[string]any{"rank1": 1, "rank2": 2, "rank0a": 3})
	if got := Format(r); got != "[rank2 |-> 2, rank1 |-> 1, rank0a |-> 3]" {
		t.Errorf("the record is %s", got)
	}
	if v, ok := Field(r, OfString("rank1")); !ok || v != OfInt(1) {
		t.Errorf("its field is %v, %v", Format(v), ok)
	}
}
