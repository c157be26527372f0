package value

import (
	"slices"
	"testing"
)

// TestZone: a zone that has the same time is valid in the place of one, and no text is that is the name of none.
func TestZone(t *testing.T) {
	for text, want := range map[string][]string{
		"Europe/Berlin": {"Europe/Paris", "Europe/Madrid"}, "Asia/Kolkata": {"Asia/Colombo"}, "Etc/UTC": {"Africa/Abidjan"},
		"America/New_York": {"America/Toronto"}, "Europe/Berln": {"Europe/Berln-other"}, "shop/Berlin": {"shop/Berlin-other"},
	} {
		if got := Others([]string{text}, nil, false); !slices.Equal(got[:len(want)], want) {
			t.Errorf("beside %s there are %q", text, got)
		}
	}
	for _, c := range []struct {
		old, now string
		want     []string
	}{
		{"Europe/Berlin", "Europe/Berln", []string{"Europe/Paris", "Europe/Madrid"}}, {"Europe/Berlin", "CETT", []string{"Europe/Paris", "Europe/Madrid"}},
		{"Europe/Berlin", "UTC", nil}, {"Europe/Berlin", "America/Lima", nil}, {"Europe/Berln", "Europe/Berlin", nil}, {"Europe/Berlin", "", nil},
	} {
		if got := noZone(c.old, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%s → %s: %q", c.old, c.now, got)
		}
	}
	if got := Edited(`"Europe/Berlin"`, `"Europe/Berln"`); !slices.Equal(got, []string{`"Europe/Paris"`}) {
		t.Errorf("in the place of a zone there is %q", got)
	}
}
