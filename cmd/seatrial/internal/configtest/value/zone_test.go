package value

import (
	"slices"
	"testing"
)

// TestZone: beside a zone others are valid that have another time; where there is none any more, those that have the
// same.
func TestZone(t *testing.T) {
	for text, want := range map[string][]string{
		"Europe/Berlin": {"Pacific/Honolulu", "Pacific/Auckland", "Australia/Sydney"}, "Europe/Berln": {"Europe/Berln-other", "other"}, "shop/Berlin": {"shop/Berlin-other", "other"},
	} {
		if got := Others([]string{text, "Asia/Tokyo"}, nil, false); !slices.Equal(got, want) {
			t.Errorf("beside %s there are %q", text, got)
		}
	}
	for _, c := range []struct {
		old, now string
		want     []string
	}{
		{"Europe/Berlin", "Europe/Berln", []string{"Europe/Paris", "Europe/Madrid"}}, {"Europe/Berlin", "CETT", []string{"Europe/Paris", "Europe/Madrid"}},
		{"Asia/Kolkata", "Asia/Bangalore", []string{"Asia/Colombo"}}, {"America/New_York", "America/NewYork", []string{"America/Toronto"}},
		{"Europe/Berlin", "UTC", nil}, {"Europe/Berlin", "America/Lima", nil}, {"Europe/Berln", "Europe/Berlin", nil}, {"Europe/Berlin", "", nil}, {"Europe/Berln", "Berlin", nil},
	} {
		if got := noZone(c.old, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%s → %s: %q", c.old, c.now, got)
		}
		if got, want := NoZone(c.old, c.now), c.want != nil && c.now != "CETT"; got != want {
			t.Errorf("%s → %s is no zone: %t", c.old, c.now, got)
		}
	}
	if got := Others([]string{`"Europe/Berlin"`, `"Europe/Berln"`}, nil, true); !slices.Equal(got, []string{`"Europe/Paris"`, `"Europe/Madrid"`}) {
		t.Errorf("beside a zone, where there is none any more, there are %q", got)
	}
	if got := Edited(`"Europe/Berlin"`, `"Europe/Berln"`); !slices.Equal(got, []string{`"Europe/Paris"`}) {
		t.Errorf("in the place of a zone there is %q", got)
	}
}
