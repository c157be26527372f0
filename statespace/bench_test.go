//go:build unix

package statespace

import (
	"fmt"
	"syscall"
	"testing"
)

// BenchmarkTwoPhaseCommit explores 2PC-8. Its measure is CPU time, which a busy
// machine and the number of workers distort least.
func BenchmarkTwoPhaseCommit(b *testing.B) {
	m := twoPhase{8}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("safety with %d workers", workers), func(b *testing.B) {
			benchmark(b, m, Always("consistent", m.consistent), workers)
		})
	}
	b.Run("liveness with 1 workers", func(b *testing.B) {
		benchmark(b, m, EventuallyAlways("decided", func(s twoPhaseState) bool { return s.tm != working || s.tm == working }), 1)
	})
}

func benchmark(b *testing.B, m twoPhase, p Property[twoPhaseState], workers int) {
	var s Stats
	begun, rounds := cpuSeconds(b), 0.0
	for b.Loop() {
		rounds++
		r, err := Check(b.Context(), m, []Property[twoPhaseState]{p}, Options{Workers: workers})
		if err != nil || r.Properties[0].Verdict != Holds {
			b.Fatal(r.Properties[0], err)
		}
		s = r.Stats
	}
	seconds := (cpuSeconds(b) - begun) / rounds
	b.ReportMetric(seconds, "cpu-s/op")
	b.ReportMetric(float64(s.States)/seconds, "states/cpu-s")
	b.ReportMetric(float64(s.Transitions)/seconds, "transitions/cpu-s")
	b.ReportMetric(s.BytesPerState, "B/state")
}

// cpuSeconds is the CPU time, user and system, that the process has used.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
