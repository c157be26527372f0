package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

func results() []finding.Result {
	return []finding.Result{
		{Rule: "SEA1001", Name: "a", Subject: "x", Verdict: finding.Violated},
		{Rule: "SEA1004", Name: "b", Subject: "x", Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByAnnotation, Reason: "r"}},
		{Rule: "SEA1006", Name: "c", Subject: "x", Verdict: finding.Holds},
		{Rule: "SEA1007", Name: "d", Subject: "x", Verdict: finding.Inconclusive},
	}
}

// TestRoundTrip: what is violated now is known afterwards, and nothing else is.
func TestRoundTrip(t *testing.T) {
	b := Of(&finding.Report{Version: "v1", Results: results()})
	if len(b.Findings) != 1 || b.Findings[0].Rule != "SEA1001" {
		t.Errorf("%+v", b)
	}
	text, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "b.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err = Read(file); err != nil {
		t.Fatal(err)
	}
	later := &finding.Report{Results: append(results(), finding.Result{Rule: "SEA1001", Name: "a", Subject: "y", Verdict: finding.Violated})}
	if mended := b.Apply(later); mended != 0 || later.Results[0].Ignored == nil || later.Results[4].Ignored != nil || later.Results[1].Ignored.By != finding.ByAnnotation {
		t.Errorf("%d mended, %+v", mended, later.Results)
	}
	if again := Of(later); len(again.Findings) != 2 {
		t.Errorf("a baseline that is written anew has lost what it had: %+v", again)
	}
	later.Results[0] = finding.Result{Rule: "SEA1001", Name: "a", Subject: "x", Verdict: finding.Holds}
	if mended := b.Apply(later); mended != 1 {
		t.Errorf("%d mended", mended)
	}
}

func TestBadBaselines(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "this is no baseline: EOF",
		"[]":                                    "this is no baseline: ",
		`{"schema":"seatrial.dev/baseline/v9"}`: `the schema is "seatrial.dev/baseline/v9", want "seatrial.dev/baseline/v1alpha1"; write it anew`,
		`{"schema":"seatrial.dev/report/v1alpha1"}`:                        "the schema is ",
		`{"schema":"seatrial.dev/baseline/v1alpha1"}{}`:                    "something follows",
		`{"schema":"seatrial.dev/baseline/v1alpha1","findings":[{}]}`:      "findings[0] has no fingerprint",
		`{"schema":"seatrial.dev/baseline/v1alpha1","findings":[{"fingerp`: "no baseline: unexpected EOF",
	} {
		if _, err := decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Read("no/such"); err == nil || err.Error() != "the baseline no/such: no such file or directory" {
		t.Error(err)
	}
}

// FuzzDecode: whatever a file holds, it is refused, or it is written and read as
// the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":"seatrial.dev/baseline/v1alpha1","findings":[{"fingerprint":"a"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := decode(data)
		if err != nil {
			return
		}
		text, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := decode(text); err != nil || len(again.Findings) != len(b.Findings) {
			t.Errorf("%v\n%s", err, text)
		}
	})
}
