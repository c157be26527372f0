//go:build unix

package statespace

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
)

// The measure of the benchmarks is CPU time, which a busy machine and the
// number of workers distort least. B/state is the engine's own count, RSS what
// the process has held at most so far: run one benchmark alone to read it.

func BenchmarkTwoPhaseCommit(b *testing.B) {
	for _, want := range twoPhaseCounts {
		m := twoPhase{want.managers}
		if m.managers < 8 {
			continue
		}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("safety with %d managers and %d workers", m.managers, workers), func(b *testing.B) {
				benchmark(b, m, Always("consistent", m.consistent), workers, want.states)
			})
		}
		b.Run(fmt.Sprintf("liveness with %d managers and 1 workers", m.managers), func(b *testing.B) {
			benchmark(b, m, EventuallyAlways("decided", func(s twoPhaseState) bool { return s.tm != working || s.tm == working }), 1, want.states)
		})
	}
}

func BenchmarkPodNode(b *testing.B) {
	for _, want := range podNodeCounts {
		m := want.model
		name := m.String()
		model := Model[podNodeState](m)
		if want.symmetric {
			name, model = name+" symmetric", symmetricPodNode{m}
		}
		b.Run(name+" safety", func(b *testing.B) {
			benchmark(b, model, Always("consistent", m.consistent), 1, want.states)
		})
		if want.components == 0 {
			continue
		}
		b.Run(name+" components", func(b *testing.B) {
			measure(b, func() (s Stats) {
				components, largest, s := countComponents(b, m)
				if s.States != want.states || components != want.components || want.largest > 0 && largest != want.largest {
					b.Fatalf("%d components, the largest of %d states; want %+v", components, largest, want)
				}
				return s
			})
		})
	}
}

func benchmark[S comparable](b *testing.B, m Model[S], p Property[S], workers, states int) {
	measure(b, func() Stats {
		r, err := Check(b.Context(), m, []Property[S]{p}, Options{Workers: workers})
		if err != nil || r.Properties[0].Verdict != Holds || r.Stats.States != states {
			b.Fatal(r, err)
		}
		return r.Stats
	})
}

// measure reports what run takes.
func measure(b *testing.B, run func() Stats) {
	runtime.GC()
	debug.FreeOSMemory()
	var s Stats
	begun, rounds := usage(b), 0.0
	for b.Loop() {
		rounds++
		s = run()
	}
	ended := usage(b)
	seconds := (cpuSeconds(ended) - cpuSeconds(begun)) / rounds
	b.ReportMetric(seconds, "cpu-s/op")
	b.ReportMetric(float64(s.States)/seconds, "states/cpu-s")
	b.ReportMetric(float64(s.Transitions)/seconds, "transitions/cpu-s")
	b.ReportMetric(s.BytesPerState, "B/state")
	b.ReportMetric(float64(ended.Maxrss)*1024/float64(s.States), "RSS/state")
}

func usage(b *testing.B) (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}

// cpuSeconds is the CPU time, user and system, that the process has used.
func cpuSeconds(u syscall.Rusage) float64 {
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
