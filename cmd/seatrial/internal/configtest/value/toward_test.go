package value

import (
	"fmt"
	"testing"
)

// TestToward: between two values that are far from each other there is one next to the old one, and one most of the way, as the old one is written; none where they are near each other, or of two units.
func TestToward(t *testing.T) {
	for _, tc := range []struct{ old, now, want string }{
		{"50", "800", "55 400"},
		{"128", "0", "115 "},
		{"8", "1", ""},
		{"2", "0", "1 "},
		{"1", "0", ""},
		{"0", "9", ""},
		{"0.5", "50", "0.55 15.811388300841896"},
		{"30", "-30", "27 "},
		{`"30s"`, `"30ms"`, `"27s" "168.702ms" in another unit`},
		{"1m", "1h", "1m6s 21m33.495s"},
		{"15s", "90s", ""},
		{"3s", "3000", ""},
		{"4MiB", "4000MiB", "5MiB 711MiB"},
		{"256", "262144", "282 46341 in another unit"},
		{"4MiB", "4MB", ""},
		{"a", "b", ""},
	} {
		next, most, are := Toward(tc.old, tc.now)
		got := ""
		if are {
			got = fmt.Sprint(next, " ", most)
			if AnotherUnit(tc.old, tc.now) {
				got += " in another unit"
			}
		}
		if got != tc.want {
			t.Errorf("between %s and %s there is %q, want %q", tc.old, tc.now, got, tc.want)
		}
	}
}

// TestUnits: sizes are counted in bytes, with K for 1000 and for 1024.
func TestUnits(t *testing.T) {
	for text, want := range map[string]string{"4MiB": "[1.048576e+06]", `"4Ki"`: "[1024]", "4KB": "[1000 1024]", "4": "[1]", "4s": "[1]", "80%": "[1]", "a": "[1]"} {
		if got := fmt.Sprint(Units(text)); got != want {
			t.Errorf("of %s it is %s, want %s", text, got, want)
		}
	}
}
