package value

import "testing"

func TestAcross(t *testing.T) {
	for _, c := range []struct {
		old, now, other string
		want            bool
	}{
		{"100", "200", "50", true},
		{"100", "150", "99", true},
		{"100", "50", "200", true},
		{"100", "200", "101", false},
		{"100", "300", "50", false}, // that may well be too much
		{"100", "0", "200", false},
		{`"30s"`, `"1m"`, `"15s"`, true},
		{"1m30s", "60s", "3m", true},
		{"64MiB", "128MiB", "32MiB", true},
		{"64MiB", "1GiB", "32MiB", false},
		{"blue", "green", "other", false},
		{"0", "0", "1", false},
		{"-5", "-8", "1", false},
	} {
		if got := Across(c.old, c.now, c.other); got != c.want {
			t.Errorf("%s → %s, %s: %t", c.old, c.now, c.other, got)
		}
	}
}

// TestPassesOne: a factor or a share, as its name says, passes 1 where it is on both sides of it, and need not be
// whole.
func TestPassesOne(t *testing.T) {
	for _, tc := range []struct {
		name, old, now string
		want           bool
	}{
		{"retry.backoff.factor", "2.0", "0.5", true},
		{"sampleRatio", "0.1", "10", true},
		{"factor", "4", "1", false},
		{"factor", "4", "0", false},
		{"factor", "0.1", "0.5", false},
		{"timeout_seconds", "0.5", "2", false},
	} {
		if got := PassesOne(tc.name, tc.old, tc.now); got != tc.want {
			t.Errorf("%s from %s to %s: %t", tc.name, tc.old, tc.now, got)
		}
	}
}

// TestSwapped: of two amounts that have changed places each new one has the other one beside it as it was.
func TestSwapped(t *testing.T) {
	for _, tc := range []struct{ first, nowFirst, second, nowSecond, secondBeside, firstBeside string }{
		{"100", "1000", "1000", "100", "10000", "10"},
		{`"20ms"`, `"2s"`, `"2s"`, `"20ms"`, `"3m20s"`, `"200µs"`},
		{"80", "20", "20", "90", "5", "360"},
		{"64KiB", "2MiB", "1MiB", "128KiB", "32MiB", "8KiB"},
		{"100", "200", "1000", "900", "", ""}, // they are as they were
		{"100", "0", "1000", "-1", "", ""},
		{"100", "1000", "10s", "1s", "", ""},
		{"lru", "1", "2", "lfu", "", ""},
	} {
		secondBeside, firstBeside, are := Swapped(tc.first, tc.nowFirst, tc.second, tc.nowSecond)
		if secondBeside != tc.secondBeside || firstBeside != tc.firstBeside || are != (tc.secondBeside != "") {
			t.Errorf("of %s to %s and %s to %s: %s, %s, %t", tc.first, tc.nowFirst, tc.second, tc.nowSecond, secondBeside, firstBeside, are)
		}
	}
}

// TestApart: half of an amount and twice as much, with another one between these.
func TestApart(t *testing.T) {
	for _, c := range []struct{ old, now, half, twice string }{
		{"16", "12", "8", "32"}, {"5", "6", "2", "10"}, {"10s", "15s", "5s", "20s"}, {"16", "8", "", ""}, {"16", "40", "", ""},
		{"1", "2", "", ""}, {"many", "12", "", ""}, {"5", "nan", "", ""}, {"nan", "5", "", ""}, {"16", "16", "", ""},
	} {
		if half, twice, are := Apart(c.old, c.now); half != c.half || twice != c.twice || are != (half != "") {
			t.Errorf("%s → %s: %s and %s, %v", c.old, c.now, half, twice, are)
		}
	}
}
