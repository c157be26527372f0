package cluster_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

var updateStrict = flag.Bool("update-strict", false, "rewrite testdata/strict.txt, keeping its explanations")

const strictHeader = `# Every case's verdict by default and in strict mode, in which the slow loops
# (HPA, descheduler, appliers) may act at any time. A case whose verdicts differ
# says why in a fourth column; others have none.
`

// TestStrict holds every case to its verdicts in both modes. A configuration
// that fails by default fails in strict mode too, which only adds behaviours.
func TestStrict(t *testing.T) {
	pace.Slow(t)
	golden := filepath.Join("testdata", "strict.txt")
	old, err := os.ReadFile(golden)
	if err != nil && !*updateStrict {
		t.Fatal(err)
	}
	why := explanations(string(old))
	var b strings.Builder
	b.WriteString(strictHeader)
	for _, v := range variants(t) {
		usual, strict := v.check(t, cluster.Options{}), v.check(t, cluster.Options{Strict: true})
		if v.bad {
			v.wantViolated(t, strict)
		}
		one, two := verdictLine(usual), verdictLine(strict)
		if (one != two) != (why[v.path] != "") {
			t.Errorf("%s: by default %s, strict %s, and the explanation is %q", v.path, one, two, why[v.path])
		}
		line := fmt.Sprintf("%s | %s | %s | %s", v.path, one, two, why[v.path])
		b.WriteString(strings.TrimRight(line, " |") + "\n")
	}
	if *updateStrict {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(old), b.String()); diff != "" {
		t.Errorf("%s is not up to date (-update-strict writes it) (-file +now):\n%s", golden, diff)
	}
}

// explanations are the fourth columns of the golden file, by case.
func explanations(golden string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(golden) {
		if columns := strings.SplitN(strings.TrimSpace(line), " | ", 4); len(columns) == 4 {
			out[columns[0]] = columns[3]
		}
	}
	return out
}

// verdictLine is a report's verdict and the rules that are violated.
func verdictLine(r *finding.Report) string {
	said := []string{string(r.Verdict)}
	for _, p := range r.Results {
		if p.Verdict == finding.Violated && !slices.Contains(said, p.Rule) {
			said = append(said, p.Rule)
		}
	}
	slices.Sort(said[1:])
	return strings.Join(said, " ")
}
