package value

import "testing"

// TestStands: what a text cannot stand for is neither so many of any unit, nor the same in another word.
func TestStands(t *testing.T) {
	for _, tc := range []struct {
		text, read string
		may        bool
	}{
		{"four", "4", false},
		{"400", "4", false},
		{"4", "4", true},
		{"0x4", "4", true},
		{"1_000", "1000", true},
		{"1e3", "1000", true},
		{"4k", "4096", true},
		{"4 KiB", "4000", true},
		{"1Gi", "1073741824", true},
		{"50%", "0.5", true},
		{"500m", "0.5", true},
		{"50%", "4", false},
		{"1000", "4", false},
		{"30", "30s", true},
		{"30", "5s", false},
		{"1d", "24h0m0s", true},
		{"90m", "1h30m0s", true},
		{"90m", "5400", true},
		{"90m", "5s", false},
		{"five", "5s", false},
		{"fast", "5s", false},
		{"yes", "true", true},
		{"On", "true", true},
		{"off", "true", false},
		{"treu", "true", false},
		{"TRUE", "true", true},
		{"gz", "gzip", true},
		{"1s", "1", true},
		{"100%", "1", true},
		{"1000m", "1", true},
		{"1d", "24", true},
		{"1w", "7", true},
		{"2048KiB", "2", true},
		{"no", "1", false},
		{`"four"`, "4", false},
	} {
		if got := Stands(tc.text, tc.read); got != tc.may {
			t.Errorf("%s for %s: %t", tc.text, tc.read, got)
		}
	}
}

func TestSibling(t *testing.T) {
	for text, want := range map[string]string{"5": "6", `"99"`: `"100"`, "1d": "2d", "00:05": "00:6", "0x10": "0x11", "five": "", "99999999999999999999": ""} {
		if got := Sibling(text); got != want {
			t.Errorf("the sibling of %s: %s, want %s", text, got, want)
		}
	}
}
