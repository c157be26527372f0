package program

import (
	"math/rand/v2"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestRows: what is found for a value is what was kept for it, however many values there are, and what was kept last is
// found.
func TestRows(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	var p Program
	var all rows
	kept := map[[3]uint32]uint32{}
	found := 0
	for range 1_000_000 {
		id, of, local := draw.Uint32N(100_000), draw.Uint32N(30), draw.Uint32N(10)
		if draw.IntN(4) == 0 {
			id = draw.Uint32N(10) // these come again and again
		}
		is := all.of(&p, statespace.ID(id)).find(of, statespace.ID(local)).is
		switch was := kept[[3]uint32{id, of, local}]; {
		case is != 0 && is != was:
			t.Fatalf("%d is kept for %d, %d, %d; %d was", is, id, of, local, was)
		case is != 0:
			found++
			continue
		}
		value := 1 + draw.Uint32N(1000)
		kept[[3]uint32{id, of, local}] = value
		all.of(&p, statespace.ID(id)).put(&p, of, statespace.ID(local), value)
		if is := all.of(&p, statespace.ID(id)).find(of, statespace.ID(local)).is; is != value {
			t.Fatalf("%d is found for %d, %d, %d right after %d was kept", is, id, of, local, value)
		}
	}
	if found < 100_000 {
		t.Errorf("only %d of a million were found", found)
	}
}
