package metric_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/metric"
)

const served = `# TYPE workqueue_depth gauge
workqueue_depth{controller="web",name="web",priority="0"} 2
workqueue_depth{controller="db",name="db",priority=""} 0
# TYPE workqueue_adds_total counter
workqueue_adds_total{controller="web",name="web"} 7
# TYPE workqueue_retries_total counter
workqueue_retries_total{controller="web",name="web"} 3
# TYPE workqueue_unfinished_work_seconds gauge
workqueue_unfinished_work_seconds{controller="web",name="web"} 0.5
`

const reconciles = `# TYPE controller_runtime_active_workers gauge
controller_runtime_active_workers{controller="web"} 1
controller_runtime_active_workers{controller="db"} 0
# TYPE controller_runtime_reconcile_total counter
controller_runtime_reconcile_total{controller="web",result="success"} 4
controller_runtime_reconcile_total{controller="web",result="requeue_after"} 1
controller_runtime_reconcile_total{controller="web",result="error"} 2
# TYPE controller_runtime_reconcile_errors_total counter
controller_runtime_reconcile_errors_total{controller="web"} 2
# TYPE controller_runtime_reconcile_panics_total counter
controller_runtime_reconcile_panics_total{controller="web"} 1
`

func TestParse(t *testing.T) {
	type counts = map[string]float64
	for _, test := range []struct {
		name, text string
		want       *metric.Reading
		wrong      string
	}{
		{"controller-runtime", served + reconciles, &metric.Reading{
			Waiting: 2, Working: 1, Turns: 14, Later: 3, Again: 1, Done: counts{"web": 5}, Failed: counts{"web": 2}, Panicked: counts{"web": 1},
		}, ""},
		{"client-go alone", served, &metric.Reading{Waiting: 2, Working: 0.5, Turns: 7, Later: 3, Done: counts{}, Failed: counts{}, Panicked: counts{}}, ""},
		{"types that nobody says", "workqueue_depth 1\n", &metric.Reading{Waiting: 1, Done: counts{}, Failed: counts{}, Panicked: counts{}}, ""},
		{"another program's", "# TYPE requests counter\nrequests 1\n", nil, "no workqueue_depth"},
		{"a page", "<html>", nil, "the metrics: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := metric.Parse(strings.NewReader(test.text))
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Errorf("%v, want %q", err, test.wrong)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

// TestRead: what cannot be read is an error and no more: HTTPS, what is only for some, and nobody.
func TestRead(t *testing.T) {
	answer := func(code int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(text)) // a test that fails if it does not come
		})
	}
	gone := httptest.NewServer(answer(http.StatusOK, served))
	gone.Close()
	for _, test := range []struct {
		name   string
		server *httptest.Server
		wrong  string
	}{
		{"metrics", httptest.NewServer(answer(http.StatusOK, served)), ""},
		{"only for some", httptest.NewServer(answer(http.StatusUnauthorized, "")), "401"},
		{"elsewhere", httptest.NewServer(http.RedirectHandler("/other", http.StatusFound)), "302"},
		{"nobody", gone, "refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer test.server.Close()
			r, err := metric.Read(t.Context(), test.server.Listener.Addr().String())
			switch {
			case test.wrong == "":
				if err != nil || r.Waiting != 2 {
					t.Errorf("%+v, %v", r, err)
				}
			case err == nil || !strings.Contains(err.Error(), test.wrong):
				t.Errorf("%v, want %q", err, test.wrong)
			}
		})
	}
}
