package campaign

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// Where one finding is enough, no more sequences are begun when one has come again; what does not come again is none,
// and of a property that was not tried to the end it is not said that nothing comes of it.
func TestEnough(t *testing.T) {
	sequences := []string{"spec.other=sentinel-3 spec.other=sentinel-4", "spec.text=sentinel-1 spec.text-", "spec.size=2 spec.size=3"}
	for _, test := range []struct {
		name             string
		findings         int
		accident         int // how often it comes, where it is one
		skipped, results int
		doubt            string
	}{
		{"all", 0, 0, 0, 4, ""},
		{"one", 1, 0, 2, 3, "there were as many findings as were asked for: 2 operations were not tried"},
		{"two, and there is but one", 2, 0, 0, 4, ""},
		{"one, and it was an accident", 1, 1, 0, 4, ""},
		{"one, and it comes again once", 1, 2, 0, 4, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			lab := &fake{operator: forgets}
			if test.accident > 0 {
				left := test.accident
				lab.operator = func(spec map[string]any, old history.Object) map[string]any {
					if old.At("data", "text") != nil && spec["text"] == nil && left > 0 {
						left--
						return forgets(spec, old)
					}
					return follows(spec, old)
				}
			}
			one := made(lab, sequences...)
			one.o.Findings = test.findings
			if err := one.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if one.out.Skipped != test.skipped || len(one.out.Results) != test.results {
				t.Errorf("%d were not tried, and there are %d results", one.out.Skipped, len(one.out.Results))
			}
			r := one.out.Report("x", nil)
			if r.Doubt != test.doubt {
				t.Errorf("doubt %q, want %q", r.Doubt, test.doubt)
			}
			if got := told(one.out); test.accident == 0 && (!slices.Equal(got, []string{"twin spec.text: spec.text=sentinel-1 spec.text-"}) || r.Verdict != finding.Violated) {
				t.Errorf("found %q: %s", got, r.Verdict)
			}
		})
	}
	// Nothing comes of the text in the sequence that shows that the size stays, and something would come of it in the
	// next.
	one := made(&fake{operator: func(spec map[string]any, old history.Object) map[string]any {
		data := hears("sentinel-3")(spec, old)
		if size := old.Text("data", "size"); size != "" {
			data["size"] = size
		}
		return data
	}}, "spec.text=sentinel-1 spec.text=sentinel-2 spec.size=2", "spec.text=sentinel-3")
	one.o.Findings = 1
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(one.out); len(got) != 1 || strings.HasPrefix(got[0], "dead-property") {
		t.Errorf("found %q", got)
	}
}

// What the seed shows by itself is enough, too, before any operation.
func TestEnoughOfSeed(t *testing.T) {
	lab := &fake{operator: follows, restarts: func(run int) string { return strconv.Itoa(run) }}
	one := made(lab, "spec.size=2", "spec.size=3")
	one.o.Findings = 1
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(one.out); !slices.Equal(got, []string{"restart :"}) || one.out.Skipped != 2 {
		t.Errorf("found %q, and %d were not tried", got, one.out.Skipped)
	}
}

// What turns out to be one finding counts once.
func TestEnoughDifferent(t *testing.T) {
	data := history.Key{Resource: "configmaps", Namespace: "default", Name: "web"}
	of := func(by, path string) *Finding {
		return &Finding{Deviations: []oracle.Deviation{{Oracle: by, Object: data, Path: path, Property: "spec." + by}}, Failed: 2}
	}
	for _, test := range []struct {
		name string
		sure []*Finding
		want bool
	}{
		{"one", []*Finding{of("twin", "data.text")}, false},
		{"two of one field", []*Finding{of("twin", "data.text"), of("restart", "data.text")}, false},
		{"two of two", []*Finding{of("twin", "data.text"), of("restart", "data.size")}, true},
	} {
		w := &work{t: &trial{o: &Options{Findings: 2}}, sure: test.sure}
		if got := w.enough(); got != test.want {
			t.Errorf("%s are enough: %t, want %t", test.name, got, test.want)
		}
	}
}
