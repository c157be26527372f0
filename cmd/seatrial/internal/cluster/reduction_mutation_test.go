//go:build mutation

package cluster

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/finding"
)

// TestMutationsOfReductions holds TestReductionsAreSound to noticing the mistakes that
// only a search with reductions makes: one of its clusters, all violated, holds.
func TestMutationsOfReductions(t *testing.T) {
	defer mutation.Set("")
	for _, name := range mutation.Names() {
		if !strings.HasPrefix(name, "reduction-") {
			continue
		}
		mutation.Set(name)
		by := ""
		for title, text := range soundClusters {
			in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r, err := reducedReport(t, in); err != nil {
				t.Fatal(err)
			} else if r != nil && r.Verdict == finding.Holds {
				by = title
			}
		}
		if by == "" {
			t.Errorf("no cluster notices %s: %s", name, mutation.Description(name))
		}
		t.Logf("%s: %s", name, by)
	}
}
