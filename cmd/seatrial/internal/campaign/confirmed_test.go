package campaign

import (
	"context"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/finding"
)

// interruptedAt is a campaign that ends when a run begins, and what it has found by then.
func interruptedAt(t *testing.T, run, findings int, sequences ...string) *trial {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	one := made(&fake{operator: forgets, before: func(n int) error {
		if n == run {
			cancel()
		}
		return nil
	}}, sequences...)
	one.o.Findings = findings
	if err := one.run(ctx); err != nil {
		t.Fatal(err)
	}
	return one
}

// What was seen once is no violation when there was no time to repeat it: it is shown whole, and there is no verdict.
// What came again is one, whatever was interrupted then.
func TestSeenOnce(t *testing.T) {
	once, again := 0, 0
	for at := 4; ; at++ {
		out := interruptedAt(t, at, 0, "spec.size=2 spec.text=sentinel-1 spec.size=3 spec.text-").out
		if !out.Interrupted {
			break
		}
		if len(out.Findings) == 0 {
			continue
		}
		for _, byUser := range []bool{true, false} {
			out.Interrupted = byUser // else the time was over
			r := out.Report("web", func(int) string { return "COMMAND" })
			result := r.Results[0]
			if out.Findings[0].Failed > 0 {
				again++
				if r.Verdict != finding.Violated || r.Code() != finding.CodeViolated {
					t.Errorf("interrupted at run %d, it came again and is %s", at, r.Verdict)
				}
				continue
			}
			once++
			code := map[bool]finding.Code{true: finding.CodeInterrupted, false: finding.CodeInconclusive}[byUser]
			if r.Verdict != finding.Inconclusive || r.Code() != code || result.Verdict != finding.Inconclusive || !strings.HasPrefix(r.Reason, "1 difference was seen once and not confirmed: ") {
				t.Errorf("interrupted at run %d: %s with code %d: %s", at, r.Verdict, r.Code(), r.Reason)
			}
			if result.Name != "twin" || result.Subject != "spec.text" || result.Reason == "" || len(result.Applied) != 5 || len(result.Compared) != 1 {
				t.Errorf("interrupted at run %d: %+v", at, result)
			}
			if last := len(result.Causes) - 2; result.Causes[last].Message != "see whether it comes again with COMMAND" {
				t.Errorf("interrupted at run %d: %+v", at, result.Causes)
			}
			for _, other := range r.Results[1:] {
				if other.Rule == result.Rule {
					t.Errorf("interrupted at run %d: %s %s", at, other.Name, other.Verdict)
				}
			}
		}
	}
	if once == 0 || again == 0 {
		t.Errorf("%d were seen once, %d came again", once, again)
	}
}

// What came again while the sequences ran is confirmed, also where more findings are wanted and the campaign is
// interrupted.
func TestConfirmedBeforeTheEnd(t *testing.T) {
	confirmed := 0
	for at := 4; ; at++ {
		one := interruptedAt(t, at, 2, "spec.text=sentinel-1 spec.text-", "spec.size=2 spec.size=3", "spec.size=4 spec.size=5")
		if !one.out.Interrupted {
			break
		}
		if f := one.again["configmaps web data.*"+part+anyFile]; f != nil && len(one.out.Results) < 4 {
			confirmed++
			if len(one.out.Findings) != 1 || !one.out.Findings[0].Confirmed() {
				t.Errorf("interrupted at run %d, it found %q", at, told(one.out))
			}
		}
	}
	if confirmed == 0 {
		t.Error("nothing came again before the end")
	}
}

// What is confirmed stands before what is not, and leads where both are one.
func TestConfirmedLeads(t *testing.T) {
	of := func(name, path string, failed int, certain bool) *Finding {
		return &Finding{Deviations: []oracle.Deviation{{Oracle: name, Object: mapKey, Path: path, Certain: certain}}, Failed: failed, Runs: failed, Seen: 1}
	}
	got := merge([]*Finding{of("twin", "spec.a", 0, false), of("twin", "spec.b.c", 0, false), of("restart", "spec.b", 1, false), of("crash", "", 0, true), of("health", "", 0, false)})
	var text []string
	for _, f := range got {
		d := f.Deviations[0]
		text = append(text, d.Oracle+" "+d.Path+map[bool]string{true: " yes", false: " no"}[f.Confirmed()])
	}
	if got, want := strings.Join(text, ", "), "crash  yes, restart spec.b yes, twin spec.a no, health  no"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
