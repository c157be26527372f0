package value

import "testing"

// TLC tells what is in (Data \X {0, 1}) \cup {0, 1} part by part, and fails only where its members are listed.
func TestUnionOfUnlikeMembers(t *testing.T) {
	bits := OfSet([]Value{OfInt(0), OfInt(1)})
	joined := Union(Product([]Value{bits, bits}), bits)
	if Contains(joined, OfModel("none")) {
		t.Error("none is in", Format(joined))
	}
	if !Contains(joined, OfTuple([]Value{OfInt(1), OfInt(0)})) {
		t.Error("<<1, 0>> is not in", Format(joined))
	}
	defer func() {
		if _, ok := recover().(*Failure); !ok {
			t.Error("listing", Format(joined), "does not fail")
		}
	}()
	joined.Members()
}
