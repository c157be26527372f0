//go:build linux

package process_test

import (
	"os"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// TestStrain: who works has worked; of who is not there nothing is known.
func TestStrain(t *testing.T) {
	before, _ := process.Strain(os.Getpid())
	for now := before; now <= before; {
		now, _ = process.Strain(os.Getpid())
	}
	if worked, waited := process.Strain(0); worked != 0 || waited != 0 {
		t.Errorf("%s and %s of nobody", worked, waited)
	}
}
