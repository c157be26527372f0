package settle

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNeeded: what an expression names is imported as the tests beside it do.
func TestNeeded(t *testing.T) {
	folder := t.TempDir()
	text := "package a\nimport (\n\t\"github.com/seatrial/seatrial/settle\"\n\tapi \"example.com/shop/api/v1\"\n\t\"example.com/colour/v2\"\n)\n"
	if err := os.WriteFile(filepath.Join(folder, "a_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for expression, want := range map[string][]string{
		"config(Buggy)":                              nil,
		"config(settle.Faults{Crash: true})":         {"github.com/seatrial/seatrial/settle"},
		"config(&api.Shop{}, colour.Red, settle.No)": {"api example.com/shop/api/v1", "example.com/colour/v2", "github.com/seatrial/seatrial/settle"},
		"variants.first":                             nil,
		"config(":                                    nil,
	} {
		if got := needed(folder, expression); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}
