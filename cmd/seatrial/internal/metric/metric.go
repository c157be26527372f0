// Package metric reads what a controller serves of itself for Prometheus: whether its work queues
// hold anything and its workers are at work, and what became of its reconciles. That is what every
// program with the work queues of client-go serves if it serves metrics, and what controller-runtime
// adds to it.
package metric

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Reading is what a controller says of itself at one time. Its maps are by the names of controllers, of
// which a process may have several.
type Reading struct {
	// Waiting is how many items are in the queues, and Working how many have been taken out and are not done.
	Waiting, Working float64
	// Turns goes up with each item that is added and each reconcile that ends: where it is
	// the same twice, and nothing is waiting and working both times, nothing was meanwhile.
	Turns float64
	// Later goes up with each item that is put off: it comes again by itself, and is in no queue until then.
	Later float64
	// Again goes up with each reconcile that asks for another one in a time of its own.
	Again float64
	// Done are the reconciles that ended without an error, Failed those with one, and Panicked those that
	// panicked.
	Done, Failed, Panicked map[string]float64
}

// Busy tells whether there is anything to do.
func (r *Reading) Busy() bool { return r.Waiting > 0 || r.Working > 0 }

const (
	// readMax is how long a reading may take, and bytesMax how much text it may be.
	readMax  = time.Second
	bytesMax = 16 << 20
)

// client asks this machine, and nobody on the way.
var client = &http.Client{
	Timeout:       readMax,
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Read asks for the metrics at an address, HOST:PORT. An error says why there are none that help:
// nobody listens, it is HTTPS or only for those who are allowed to, or there are no work queues in them.
func Read(ctx context.Context, address string) (*Reading, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/plain;version=0.0.4")
	response, err := client.Do(request)
	if err != nil {
		var how *net.OpError
		if errors.As(err, &how) {
			return nil, how.Err // without a port that is another each time
		}
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // of what was read
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET /metrics: %s", response.Status)
	}
	return Parse(io.LimitReader(response.Body, bytesMax))
}

// Parse reads metrics in Prometheus' text format.
func Parse(text io.Reader) (*Reading, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		return nil, fmt.Errorf("the metrics: %w", err)
	}
	if families["workqueue_depth"] == nil {
		return nil, errors.New("the metrics have no workqueue_depth")
	}
	r := &Reading{
		Waiting: sum(families["workqueue_depth"]), Later: sum(families["workqueue_retries_total"]),
		Turns: sum(families["workqueue_adds_total"]) + sum(families["controller_runtime_reconcile_total"]),
		Done:  map[string]float64{}, Failed: perController(families["controller_runtime_reconcile_errors_total"]),
		Panicked: perController(families["controller_runtime_reconcile_panics_total"]),
	}
	if workers := families["controller_runtime_active_workers"]; workers != nil {
		r.Working = sum(workers)
	} else {
		// Brought up to date twice a second only, but the only word on it of what has no controller-runtime.
		r.Working = sum(families["workqueue_unfinished_work_seconds"])
	}
	for _, m := range families["controller_runtime_reconcile_total"].GetMetric() {
		if label(m, "result") != "error" {
			r.Done[label(m, "controller")] += value(m)
		}
		if label(m, "result") == "requeue_after" {
			r.Again += value(m)
		}
	}
	return r, nil
}

func sum(f *dto.MetricFamily) (all float64) {
	for _, m := range f.GetMetric() {
		all += value(m)
	}
	return all
}

func perController(f *dto.MetricFamily) map[string]float64 {
	all := map[string]float64{}
	for _, m := range f.GetMetric() {
		all[label(m, "controller")] += value(m)
	}
	return all
}

// value is a metric's number, whatever type the text says that it is of.
func value(m *dto.Metric) float64 {
	return m.GetGauge().GetValue() + m.GetCounter().GetValue() + m.GetUntyped().GetValue()
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}
