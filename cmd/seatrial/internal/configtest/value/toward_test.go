package value

import (
	"fmt"
	"testing"
)

// TestToward: between two values that are far from each other there is one next to the old one, and one most of the
// way, as the old one is written; none where they are near each other, or of two units.
func TestToward(t *testing.T) {
	for _, tc := range []struct{ old, now, want string }{
		{"50", "800", "55 400"},
		{"128", "0", "115 "},
		{"8", "1", ""},
		{"2", "0", "1 "},
		{"1", "0", ""},
		{"0", "9", ""},
		{"0.5", "50", "0.55 15.811388300841896 in another unit"},
		{"30", "-30", "27 "},
		{`"30s"`, `"30ms"`, `"27s" "168.702ms" in another unit`},
		{"1m", "1h", "1m6s 21m33.495s"},
		{"15s", "90s", ""},
		{"3s", "3000", ""},
		{"4MiB", "4000MiB", "5MiB 711MiB"},
		{"256", "262144", "282 46341 in another unit"},
		{"4MiB", "4MB", ""},
		{"64KiB", "64", "57KiB 362 in another unit"},
		{"64KiB", "64MiB", "71KiB 11MiB"},
		{"8MiB", `"8KiB"`, `7MiB "45KiB" in another unit`},
		{"20%", "64", ""},
		{"a", "b", ""},
	} {
		next, most, are := Toward(tc.old, tc.now)
		got := ""
		if are {
			got = fmt.Sprint(next, " ", most)
			if AnotherUnit("size", tc.old, tc.now) {
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

// TestUnitRead: what a program has read for each one of a number without a unit is known where it was the same with two
// of them.
func TestUnitRead(t *testing.T) {
	for _, tc := range []struct {
		old, was, now, is string
		want              float64
	}{
		{"300", "5m0s", "300000", "83h20m0s", 1e9},
		{"250", "250ms", "1", "1ms", 1e6},
		{"4", "4194304", "8", "8388608", 1 << 20},
		{"4", "4", "8", "8", 0},
		{"300", "5m0s", "300000", "1h0m0s", 0}, // it is bounded
		{"5m", "5m0s", "6m", "6m0s", 0},
		{"300", "5m0s", "600", "600", 0},
		{"0", "0s", "5", "5s", 0},
		{"300", "", "600", "10m0s", 0},
		{"3", "[a b c]", "4", "[a b c d]", 0},
	} {
		if got, is := UnitRead(tc.old, tc.was, tc.now, tc.is); is != (tc.want != 0) || is && got != tc.want {
			t.Errorf("%+v: %g %t", tc, got, is)
		}
	}
}

// TestAnotherUnit: a name that says a unit may have been given a value in a larger one, or in a smaller one.
func TestAnotherUnit(t *testing.T) {
	for _, tc := range []struct {
		name, old, now string
		want           bool
	}{
		{"TTL_MS", "5000", "30", true},
		{"cache.cooldownMs", "5000", "30", true},
		{"TTL_MS", "5000", "500", false},
		{"TTL_MS", "30", "5000", false}, // milliseconds are not taken for less
		{"timeout_seconds", "30", "5000", true},
		{"timeout_seconds", "5000", "30", false},
		{"max_bytes", "262144", "300", true},
		{"TTL_MS", "5s", "30ms", false}, // they say their units
		{"retries", "5000", "30", false},
		{"requests_per_second", "10", "2000", false},
		{"us_quota", "10000", "90", false},
		{"vat", "0.19", "19", true}, // a share of one, and of a hundred
		{"sampling.rate", "5", "0.05", true},
		{"vat", "0.19", "0.21", false},
		{"weight", "0.5", "5", false},
		{"memory", "50Gi", "0.5Gi", false},
	} {
		if got := AnotherUnit(tc.name, tc.old, tc.now); got != tc.want {
			t.Errorf("%s %s and %s: %t", tc.name, tc.old, tc.now, got)
		}
	}
}

// TestOutside: what is more than twice as much, or less than half, and what is nearly nothing of it.
func TestOutside(t *testing.T) {
	for _, tc := range []struct {
		old, now string
		outside  bool
		least    string
	}{
		{"30s", "8s", true, "3s"},
		{"12", "100", true, "1"},
		{"12", "24", false, "1"},
		{"12", "0", true, "1"},
		{"0.5", "2", true, "0.05"},
		{`"64Mi"`, `"512Mi"`, true, `"6Mi"`},
		{"64Mi", "1Gi", true, "6Mi"},
		{"1", "8", true, ""},
		{"info", "debug", false, ""},
	} {
		if got, least := Outside(tc.old, tc.now), Least(tc.old); got != tc.outside || least != tc.least {
			t.Errorf("%s and %s: outside is %t, and nearly nothing %q, want %t and %q", tc.old, tc.now, got, least, tc.outside, tc.least)
		}
	}
}
