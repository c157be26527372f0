package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// BenchmarkCheck measures whole processes of bin/seatrial, which make bench has
// built: the bad variants of the Kivi cases and what is in examples/bench. It
// reports the CPU seconds and the peak of the resident memory of the process, the
// states and the sizes that were searched.
func BenchmarkCheck(b *testing.B) {
	cases, err := filepath.Glob("../../examples/cases/kivi-c*/bad")
	if err != nil || len(cases) == 0 {
		b.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		b.Run(filepath.Base(filepath.Dir(path)), func(b *testing.B) { measure(b, finding.Violated, path) })
	}
	b.Run("c3-sweep", func(b *testing.B) { measure(b, finding.Holds, "--grow", "../../examples/bench/c3-sweep") })
	b.Run("c8-sweep", func(b *testing.B) { measure(b, finding.Holds, "--grow", "../../examples/bench/c8-sweep") })
	b.Run("hundred-nodes", func(b *testing.B) { measure(b, finding.Holds, "../../examples/bench/hundred-nodes") })
}

func measure(b *testing.B, want finding.Verdict, args ...string) {
	var cpu, peak float64
	var report finding.Report
	for b.Loop() {
		out := filepath.Join(b.TempDir(), "report.json")
		cmd := exec.Command("../../bin/seatrial", append([]string{"check", "-q", "--progress=none", "--save=false", "-o", "json=" + out}, args...)...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			b.Fatalf("%v: run make build first", err)
		}
		cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
			peak = max(peak, float64(usage.Maxrss)/1024)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			b.Fatal(err)
		}
		if err := json.Unmarshal(data, &report); err != nil {
			b.Fatal(err)
		}
		if report.Verdict != want {
			b.Fatalf("%s, want %s: %s", report.Verdict, want, report.Reason)
		}
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-s/op")
	b.ReportMetric(peak, "peak-MiB")
	b.ReportMetric(float64(report.Bound.States), "states")
	b.ReportMetric(float64(max(1, report.Bound.Setups)), "sizes")
}
