package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/check"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// TestMain gives the scripts two commands: seatrial as users have it, and
// rehearsal, the same command line around a check whose outcome the script
// chooses, for what no real check can be made to do.
func TestMain(m *testing.M) {
	testscript.Main(withPrograms{m}, map[string]func(){
		"seatrial":         main,
		"kubectl-seatrial": main,
		"rehearsal": func() {
			os.Exit(cli.Main(os.Args, iostreams.System(), cli.Trials{Check: check.Trial{Check: rehearse}, Runs: runstore.Store{Folder: ".seatrial"}}))
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": code},
		Setup: func(e *testscript.Env) error {
			e.Setenv("LANG", "C.UTF-8")
			e.Setenv("ESC", "\x1b")
			return nil
		},
	})
}

// code runs a command and holds it to an exit code: code 2 seatrial check.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [arg...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		got = fmt.Sprint(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// rehearse does what the environment variable OUTCOME says.
func rehearse(ctx context.Context, _ *manifest.Input, l check.Limits) (*finding.Report, error) {
	loop := 0
	violated := finding.Result{
		Rule: "SEA1001", Name: "no-endless-eviction", Subject: "Deployment default/web", Verdict: finding.Violated,
		Message: "A pod of default/web is evicted for ever.",
		Trace:   &trace.Trace{Initial: []string{"1 node"}, Steps: []trace.Step{{Actor: "descheduler", Action: "evicts a pod"}}, Loop: &loop},
	}
	report := &finding.Report{
		Kubernetes: "v1.36.3", Verdict: finding.Holds, Bound: finding.Bound{Text: "1 node, 1 pod", Nodes: 1, Pods: 1, States: 3, Transitions: 4, Depth: 2, Complete: true},
		Results: []finding.Result{{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/web", Verdict: finding.Holds}},
	}
	interrupt := func() error { return syscall.Kill(os.Getpid(), syscall.SIGINT) }
	switch outcome := os.Getenv("OUTCOME"); outcome {
	case "holds":
		return report, nil
	case "violated-undecided":
		report.Verdict, report.Results = finding.Violated, append(report.Results, violated, finding.Result{Name: "mine", Verdict: finding.Inconclusive, Reason: "a limit was hit"})
		return report, nil
	case "violated", "violated-interrupted":
		report.Verdict, report.Results = finding.Violated, append(report.Results, violated)
		if outcome == "violated-interrupted" {
			if err := interrupt(); err != nil {
				return nil, err
			}
			<-ctx.Done()
		}
		return report, nil
	case "inconclusive", "interrupted":
		report.Verdict, report.Reason, report.Bound.Complete = finding.Inconclusive, "the state limit was reached", false
		if outcome == "interrupted" {
			if err := interrupt(); err != nil {
				return nil, err
			}
			<-ctx.Done()
		}
		return report, nil
	case "deaf": // does not end when it is interrupted
		for {
			if err := interrupt(); err != nil {
				return nil, err
			}
			<-ctx.Done()
		}
	case "panics":
		var none []int
		return nil, fmt.Errorf("element %d", none[len(outcome)])
	case "progresses":
		if l.Progress == nil {
			return nil, errors.New("nobody wants progress")
		}
		l.Progress(statespace.Progress{States: 7})
		return report, nil
	default:
		return nil, fmt.Errorf("no outcome %q", outcome)
	}
}
