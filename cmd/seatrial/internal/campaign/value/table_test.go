package value

import "testing"

// TestBuiltIn reads the tables that are part of the program.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	if n := len(BuiltIn().entries); n < 40 {
		t.Fatalf("%d entries were read", n)
	}
}
