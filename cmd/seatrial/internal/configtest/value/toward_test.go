package value

import (
	"fmt"
	"testing"
)

// TestToward: between two values that are far from each other there is one next to the old one, and one half-way, as the old one is written; none where they are near each other, or of two units.
func TestToward(t *testing.T) {
	for _, tc := range []struct{ old, now, want string }{
		{"50", "800", "55 200"},
		{"128", "0", "115 64"},
		{"8", "1", ""},
		{"2", "0", "1 1"},
		{"1", "0", ""},
		{"0", "9", ""},
		{"0.5", "50", "0.55 5"},
		{"30", "-30", "27 15"},
		{`"30s"`, `"30ms"`, `"27s" "948.683298ms" in another unit`},
		{"15s", "90s", ""},
		{"3s", "3000", ""},
		{"4MiB", "4000MiB", "5MiB 126MiB in another unit"},
		{"256", "262144", "282 8192 in another unit"},
		{"4MiB", "4MB", ""},
		{"a", "b", ""},
	} {
		next, half, are := Toward(tc.old, tc.now)
		got := ""
		if are {
			got = fmt.Sprint(next, " ", half)
			if AnotherUnit(tc.old, tc.now) {
				got += " in another unit"
			}
		}
		if got != tc.want {
			t.Errorf("between %s and %s there is %q, want %q", tc.old, tc.now, got, tc.want)
		}
	}
}
