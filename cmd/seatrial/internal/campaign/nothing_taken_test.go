package campaign

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestNothingTaken: a property of which the operator takes no value is named, and none of which it takes one.
func TestNothingTaken(t *testing.T) {
	lab := &fake{
		operator: func(spec map[string]any, old history.Object) map[string]any {
			data := follows(spec, old)
			if text, _ := spec["text"].(string); strings.HasPrefix(text, "sentinel") {
				data["text"] = ""
			}
			return data
		},
		says: func(spec map[string]any, _, _ history.Object) string {
			if text, _ := spec["text"].(string); strings.HasPrefix(text, "sentinel") {
				return "the text " + text + " is not valid"
			}
			return ""
		},
	}
	for sequence, want := range map[string][]string{"spec.text=sentinel-1 spec.text=sentinel-2 spec.size=3": {"spec.text"}, "spec.text=sentinel-1 spec.text=words-1": nil} {
		one := made(lab, sequence)
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := one.out.declined(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", sequence, got, want)
		}
		warned := false
		for _, w := range one.out.Report("x", nil).Warnings {
			warned = warned || strings.HasSuffix(w.Message, "of spec.text")
		}
		if warned != (want != nil) {
			t.Errorf("%s: it is warned of: %t", sequence, warned)
		}
	}
}
