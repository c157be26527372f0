package settle_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

// BenchmarkRerun: one reconcile with all of its answers, run once, and as often as it takes to
// be sure that it follows from them, which is what a new log of answers costs.
func BenchmarkRerun(b *testing.B) {
	for _, bench := range []struct {
		name string
		way  variant
	}{{"small", func(context.Context, client.Client, *unstructured.Unstructured) error { return nil }}, {"plain", fixedNameChecked}, {"three goroutines", atOnce}} {
		c := config(bench.way, settle.Faults{})
		c.MaxObjects = 5
		once, surely, err := settle.Longest(c)
		if err != nil {
			b.Fatal(err)
		}
		for name, f := range map[string]func() error{"once": once, "surely": surely} {
			b.Run(bench.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "reruns/s")
			})
		}
	}
}

// BenchmarkExplore: a whole search by one worker, and how many steps it takes in a second.
func BenchmarkExplore(b *testing.B) {
	for _, bench := range []struct {
		name   string
		way    variant
		faults settle.Faults
	}{
		{"list first, recreate", listFirst, settle.Faults{Recreate: true}},
		{"checked, all faults", fixedNameChecked, settle.Faults{Crash: true, Timeout: true, Late: true, Evict: true, Recreate: true}},
		{"three goroutines, killed", atOnce, settle.Faults{Crash: true, Timeout: true}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := config(bench.way, bench.faults)
			c.Workers, c.Always = 1, nil
			c.MaxObjects, c.MaxStates = 5, 10_000
			steps := 0
			for b.Loop() {
				r, err := settle.Explore(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				steps += r.Transitions
			}
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
