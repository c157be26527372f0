package invariant_test

import (
	"testing"

	"github.com/seatrial/seatrial/internal/invariant"
)

func TestABrokenInvariantStopsOnlyBuildsThatCheck(t *testing.T) {
	var got any
	func() {
		defer func() { got = recover() }()
		invariant.Check(1+1 == 2, "holds")
		invariant.Check(1+1 == 3, "%d is not 3", 2)
	}()
	want := any(nil)
	if invariant.Enabled {
		want = "invariant broken: 2 is not 3"
	}
	if got != want {
		t.Errorf("panic value %v, want %v", got, want)
	}
}
