package change

import "testing"

// TestDatesOfTOML: dates are no texts to who decodes them, and are known as they are written.
func TestDatesOfTOML(t *testing.T) {
	all, err := Parse("a.toml", []byte("a = 2024-01-02\nb = \"2024-01-02\"\nc = 07:30:00\nd = 2024-01-02T07:30:00Z\ne = 2024-01-02 07:30:00\nf = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "2024-01-02", "c": "07:30:00", "d": "2024-01-02T07:30:00Z", "e": "2024-01-02 07:30:00"}
	for _, s := range all {
		if got := s.Value.Spelt(); got != want[s.Path] {
			t.Errorf("%s is spelt %q, want %q", s.Path, got, want[s.Path])
		}
	}
}
