package browser

import (
	"os"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/seatrial/seatrial/internal/sample"
)

// The figures of docs/PERFORMANCE.md: a trace of 500 steps over 100 nodes with 500
// pods, opened from disk, and each of its steps with the layout that it needs.
func BenchmarkPage(b *testing.B) {
	file := written(b, sample.Large(100, 500))
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	var paints, loads, steps, cpuLoads, cpuSteps []float64
	for b.Loop() {
		p := open(b, file, 1320, 900, false)
		p.must(await(p, `performance.getEntriesByName("first-contentful-paint").length > 0`))
		got := value[struct{ Paint, Load float64 }](p, `({
			paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
			load: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
		})`)
		paints, loads = append(paints, got.Paint), append(loads, got.Load)
		before := busy(p)
		cpuLoads = append(cpuLoads, before)
		times, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]float64](`(async () => {
			const times = [];
			for (let i = 0; i < 500; i++) {
				const begin = performance.now();
				document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
				document.body.getBoundingClientRect();
				times.push(performance.now() - begin);
				if (i % 10 === 0) await new Promise(requestAnimationFrame);
			}
			return times;
		})()`, chromedp.EvalAwaitPromise))
		p.must(err)
		steps = append(steps, times...)
		cpuSteps = append(cpuSteps, (busy(p)-before)/float64(len(times)))
	}
	for _, all := range [][]float64{paints, loads, steps, cpuLoads, cpuSteps} {
		slices.Sort(all)
	}
	b.ReportMetric(float64(info.Size()), "bytes")
	b.ReportMetric(paints[len(paints)/2], "ms/paint")
	b.ReportMetric(loads[len(loads)/2], "ms/ready")
	b.ReportMetric(cpuLoads[len(cpuLoads)/2], "cpu-ms/load")
	b.ReportMetric(steps[len(steps)/2], "ms/step")
	b.ReportMetric(steps[len(steps)*99/100], "ms/step-99%")
	b.ReportMetric(cpuSteps[len(cpuSteps)/2], "cpu-ms/step")
}

// busy is for how many milliseconds of CPU time the page's thread has worked.
func busy(p *tab) float64 {
	for _, m := range call(p, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "TaskDuration" {
			return 1000 * m.Value
		}
	}
	p.t.Fatal("the browser does not say how long the page has worked")
	return 0
}
