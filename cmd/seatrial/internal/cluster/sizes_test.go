package cluster_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// TestLoopsAreNotMonotoneInSize holds the sizes at which a descheduler loops to
// those computed from the documented score formulas, every tie-break explored:
// a loop at six pods need not be one at seven, and what mends a loop on two
// nodes need not mend it on three. A size may never be skipped.
func TestLoopsAreNotMonotoneInSize(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to int
		loops    []int
	}{
		{"two-soft-constraints", 3, 9, []int{6, 8, 9}},
		{"hard-zone-soft-host", 3, 9, []int{4, 6, 7, 8, 9}},
		{"node-fit-two-nodes", 2, 8, nil},
		{"node-fit-three-nodes", 2, 8, []int{6, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "sizes", c.name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for n := c.from; n <= c.to; n++ {
				sized := strings.ReplaceAll(string(text), "REPLICAS", strconv.Itoa(n))
				in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(sized), manifest.Options{})
				if err != nil {
					t.Fatal(err)
				}
				report, err := cluster.Check(t.Context(), in, cluster.Options{})
				if err != nil {
					t.Fatal(err)
				}
				want := finding.Holds
				if slices.Contains(c.loops, n) {
					want = finding.Violated
				}
				if report.Verdict != want {
					t.Errorf("%d replicas: %s (%s), want %s", n, report.Verdict, report.Reason, want)
				}
			}
		})
	}
}
