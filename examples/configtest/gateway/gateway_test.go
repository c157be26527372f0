package main

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// told is the options with the arguments of a test.
func told(t *testing.T, args ...string) *options {
	t.Helper()
	var o options
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	o.register(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return &o
}

func hello(string) []byte { return []byte("hello") }

func get(h http.Handler, path, token string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+token)
	h.ServeHTTP(w, r)
	return w
}

func TestAnswers(t *testing.T) {
	if w := get(gateway(told(t, "--compress=false"), hello), "/", ""); w.Code != http.StatusOK || w.Body.String() != "hello" {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}

func TestTooMany(t *testing.T) {
	var inner int
	var h http.Handler
	h = gateway(told(t, "--max-in-flight", "1"), func(string) []byte {
		inner = get(h, "/", "").Code
		return nil
	})
	if get(h, "/", ""); inner != http.StatusServiceUnavailable {
		t.Errorf("the second request at once was answered %d", inner)
	}
}

func TestLargeAnswersAreCompressed(t *testing.T) {
	o := told(t)
	large := func(string) []byte { return []byte(strings.Repeat("x", o.compressionSize)) }
	if w := get(gateway(o, large), "/", ""); w.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("%d bytes come as they are, with %d", o.compressionSize, w.Code)
	}
}

// TestEverybodyIsAsked: as many requests as there are upstreams reach each of them.
func TestEverybodyIsAsked(t *testing.T) {
	r := &ring{all: upstreams()}
	var asked []string
	for range r.all {
		asked = append(asked, r.pick())
	}
	slices.Sort(asked)
	if want := slices.Sorted(slices.Values(r.all)); !slices.Equal(asked, want) {
		t.Errorf("asked are %v, want %v", asked, want)
	}
}

// TestRequestsEndBeforeTheProcess: a request that begins last still has its time.
func TestRequestsEndBeforeTheProcess(t *testing.T) {
	if o := told(t); o.requestTimeout >= o.shutdownGrace {
		t.Errorf("a request may take %s, and the process ends after %s", o.requestTimeout, o.shutdownGrace)
	}
}

// TestIdleConnectionsEnd: machines in between forget a connection after an hour.
func TestIdleConnectionsEnd(t *testing.T) {
	if s := server(told(t), nil); s.IdleTimeout <= 0 || s.IdleTimeout >= time.Hour {
		t.Errorf("an idle connection is kept for %s", s.IdleTimeout)
	}
}

func TestAdmin(t *testing.T) {
	t.Setenv("GATEWAY_ADMIN_TOKEN", "open")
	h := gateway(told(t), hello)
	if got := get(h, "/admin", "open").Code; got != http.StatusNoContent {
		t.Errorf("the right token is answered %d", got)
	}
	if got := get(h, "/admin", "shut").Code; got != http.StatusForbidden {
		t.Errorf("a wrong token is answered %d", got)
	}
}
