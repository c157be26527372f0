package trial

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// ticks is how many clock ticks /proc counts a second: the same on every Linux.
const ticks = 100

// used is the processor time of a process so far, and its memory, as Linux tells;
// zero elsewhere.
func used(process int) (seconds, megabytes float64) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0, 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	const user, system, resident = 11, 12, 21
	for _, field := range []int{user, system} {
		n, _ := strconv.ParseFloat(fields[field], 64)
		seconds += n / ticks
	}
	pages, _ := strconv.ParseFloat(fields[resident], 64)
	return seconds, pages * float64(os.Getpagesize()) / 1e6
}

// BenchmarkStart goes from the start of the process to a Deployment of six pods
// on three nodes that is available.
func BenchmarkStart(b *testing.B) {
	for _, mode := range []string{"lean", "full"} {
		b.Run(mode, func(b *testing.B) {
			var processor, memory float64
			for b.Loop() {
				p := startFor(b, admin.Spec{Mode: mode})
				bring(b, p.Admin, p.Ready.Plane)
				seconds, megabytes := used(p.Ready.Process)
				processor += seconds
				memory = max(memory, megabytes)
				b.StopTimer()
				if err := p.Stop(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(processor/float64(b.N), "CPU-s/op")
			b.ReportMetric(memory, "RSS-MB")
		})
	}
}

func startFor(b *testing.B, spec admin.Spec) *controlplane.Process {
	b.Helper()
	p, err := controlplane.Launch(b.Context(), controlplane.Options{Spec: spec})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// bring creates a Deployment of six pods and waits until it is available.
func bring(b *testing.B, client *admin.Client, p admin.Plane) {
	b.Helper()
	create(b, clientOf(b, p.Kubeconfig), deployment("web", 6))
	follow(b, client, p, "web", available("web", 6))
}

// BenchmarkReset resets a plane that has a Deployment of six pods; next adds the
// next one's way to being available.
func BenchmarkReset(b *testing.B) {
	for _, mode := range []string{"lean", "full"} {
		p := startFor(b, admin.Spec{Mode: mode})
		plane := p.Ready.Plane
		reset := func() {
			r, err := p.Admin.Reset(b.Context(), plane.Name)
			if err != nil {
				b.Fatal(err)
			}
			plane.Revision = r.Revision
		}
		b.Run(mode+"/reset", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				bring(b, p.Admin, plane)
				b.StartTimer()
				reset()
			}
		})
		b.Run(mode+"/next", func(b *testing.B) {
			bring(b, p.Admin, plane)
			before, _ := used(p.Ready.Process)
			for b.Loop() {
				reset()
				bring(b, p.Admin, plane)
			}
			after, _ := used(p.Ready.Process)
			b.ReportMetric((after-before)/float64(b.N), "CPU-s/op")
			b.StopTimer()
			reset()
		})
		if err := p.Stop(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlanes starts three further planes at once; four then have a
// Deployment each.
func BenchmarkPlanes(b *testing.B) {
	var memory float64
	for b.Loop() {
		p := startFor(b, admin.Spec{Mode: "lean"})
		var group sync.WaitGroup
		group.Go(func() { bring(b, p.Admin, p.Ready.Plane) })
		for i := range 3 {
			group.Go(func() {
				plane, err := p.Admin.AddPlane(b.Context(), admin.Spec{Name: fmt.Sprintf("plane-%d", i), Mode: "lean"})
				if err != nil {
					b.Error(err)
					return
				}
				bring(b, p.Admin, plane)
			})
		}
		group.Wait()
		_, megabytes := used(p.Ready.Process)
		memory = max(memory, megabytes)
		b.StopTimer()
		if err := p.Stop(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(memory, "RSS-MB")
}

// idle is how long a plane that does nothing is watched.
const idle = 5 * time.Second

// BenchmarkIdle is what a plane with a Deployment takes when nothing happens.
func BenchmarkIdle(b *testing.B) {
	for _, mode := range []string{"lean", "full"} {
		b.Run(mode, func(b *testing.B) {
			p := startFor(b, admin.Spec{Mode: mode})
			bring(b, p.Admin, p.Ready.Plane)
			<-time.After(idle) // it has settled
			before, _ := used(p.Ready.Process)
			for b.Loop() {
				<-time.After(idle)
			}
			after, _ := used(p.Ready.Process)
			b.ReportMetric((after-before)/b.Elapsed().Seconds(), "cores")
			b.StopTimer()
			if err := p.Stop(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
