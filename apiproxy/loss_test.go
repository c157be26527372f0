package apiproxy_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/apiproxy"
)

// twoPods makes two pods that are wanted, and tries again when that fails. Their
// names are drawn by the API server if drawn, else they are fixed.
func twoPods(client *http.Client, server string, drawn bool) {
	create := func(n int) error {
		name := fmt.Sprintf(`{"metadata":{"name":"web-%d"}}`, n)
		if drawn {
			name = `{"metadata":{"generateName":"web-"}}`
		}
		response, err := client.Post(server+"/api/v1/namespaces/default/pods", "application/json", strings.NewReader(name))
		if err == nil {
			response.Body.Close()
		}
		return err
	}
	for n := range 2 {
		for create(n) != nil {
		}
	}
}

// ExampleEachWrite finds a retry that is not idempotent: if the answer to a create
// is lost, a pod with a drawn name is created twice.
func ExampleEachWrite() {
	for _, drawn := range []bool{false, true} {
		for loss := range apiproxy.EachWrite(apiproxy.EngineOptions{}) {
			fake := newFake()
			server := httptest.NewServer(fake)
			twoPods(&http.Client{Transport: loss.RoundTripper(nil)}, server.URL, drawn)
			fmt.Println(loss, "->", len(fake.sorted("pods", "", fake.revision)), "pods")
			server.Close()
		}
	}
	// Output:
	// nothing is lost -> 2 pods
	// write 1 is lost -> 2 pods
	// write 2 is lost -> 2 pods
	// nothing is lost -> 2 pods
	// write 1 is lost -> 3 pods
	// write 2 is lost -> 3 pods
}

// TestEachWrite: what was lost is told, hooks and other options have their say, and
// a loop that ends early ends.
func TestEachWrite(t *testing.T) {
	var told []string
	options := apiproxy.EngineOptions{Record: func(r apiproxy.Record) {
		if r.Kind != apiproxy.RecordRequest {
			told = append(told, r.String())
		}
	}}
	for loss := range apiproxy.EachWrite(options) {
		server := httptest.NewServer(newFake())
		done := loss.Incarnation().Reconcile("default/web")
		loss.Incarnation().Read("get", "pods", "default/web-0")
		twoPods(&http.Client{Transport: loss.RoundTripper(nil)}, server.URL, false)
		done(nil)
		server.Close()
		if lost := loss.Lost(); (lost == nil) != (loss.Write == 0) || lost != nil && lost.Name != fmt.Sprintf("web-%d", loss.Write-1) {
			t.Errorf("%s: %v", loss, lost)
		}
		if loss.Write == 1 {
			break
		}
	}
	want := []string{
		"write 0: reconcile-begin default/web", "write 0: read get pods default/web-0", "write 0: reconcile-end default/web",
		"write 1: reconcile-begin default/web", "write 1: read get pods default/web-0", "write 1: reconcile-end default/web",
	}
	if !slices.Equal(told, want) {
		t.Errorf("recorded %q, want %q", told, want)
	}
}
