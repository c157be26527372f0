package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/finding"
)

func TestExitCode(t *testing.T) {
	cases := []struct {
		name string
		err  error
		want finding.Code
	}{
		{"nothing went wrong", nil, 0},
		{"found nothing", failure.Found(finding.CodeHolds), 0},
		{"found a violation", failure.Found(finding.CodeViolated), 1},
		{"inconclusive", failure.Found(finding.CodeInconclusive), 3},
		{"interrupted", failure.Found(finding.CodeInterrupted), 130},
		{"usage", failure.Usage("seatrial", "no"), 2},
		{"input", failure.Input(errors.New("no")), 2},
		{"internal", failure.Internal(errors.New("no")), 4},
		{"wrapped", fmt.Errorf("while: %w", failure.Internal(errors.New("no"))), 4},
		{"cobra's", errors.New("unknown command"), 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ExitCode(c.err); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// TestTopicNamesEveryCode: the help topic and the constants are one list.
func TestTopicNamesEveryCode(t *testing.T) {
	s, out, log := iostreams.Test("", iostreams.Terminal{})
	if code := Main([]string{"seatrial", "help", "exit-codes"}, s, Trials{}); code != 0 || log.Len() != 0 {
		t.Fatalf("code %d, stderr %s", code, log)
	}
	for _, code := range []finding.Code{
		finding.CodeHolds, finding.CodeViolated, finding.CodeInput, finding.CodeInconclusive, finding.CodeInternal, finding.CodeInterrupted,
	} {
		if !strings.Contains(out.String(), fmt.Sprintf("\n  %-4d ", code)) {
			t.Errorf("%d is not in\n%s", code, out)
		}
	}
}

// TestMainNeverPanics: even without a trial to run.
func TestMainNeverPanics(t *testing.T) {
	s, out, log := iostreams.Test("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n", iostreams.Terminal{})
	if code := Main([]string{"seatrial", "check", "-"}, s, Trials{}); code != 4 || out.Len() != 0 {
		t.Errorf("code %d, stdout %s", code, out)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.HasPrefix(log.String(), "seatrial: internal error: ") {
		t.Error(log)
	}
}

func TestVersion(t *testing.T) {
	recorded := func(main string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: main}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	for _, c := range []struct {
		want, stamped string
		info          *debug.BuildInfo
	}{
		{"v1.2.3-4-gabc", "v1.2.3-4-gabc", recorded("v9")},
		{"v9", "", recorded("v9")},
		{"devel-0123456789ab", "", recorded("(devel)", commit)},
		{"devel-0123456789ab-dirty", "", recorded("", commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"})},
		{"devel", "", recorded("(devel)")},
		{"devel", "", nil},
	} {
		if got := versionOf(c.stamped, c.info); got != c.want {
			t.Errorf("%q and %v: %s, want %s", c.stamped, c.info, got, c.want)
		}
	}
	if got := version(); got != "devel" {
		t.Errorf("a test's version is %s: what it records would change with the commit", got)
	}
}
