package main

import (
	"compress/gzip"
	"net/http"
	"sync/atomic"
	"time"
)

// ring gives one upstream after another. It has a mistake that shows with a number of them that is no
// power of two: some are never asked.
type ring struct {
	all  []string
	next atomic.Uint32
}

func (r *ring) pick() string {
	return r.all[int(r.next.Add(1)-1)&(len(r.all)-1)]
}

// gateway hands requests on to upstreams by forward.
func gateway(o *options, forward func(upstream string) []byte) http.Handler {
	places := make(chan struct{}, o.maxInFlight)
	to := &ring{all: upstreams()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/admin" {
			admin(w, r)
			return
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		default:
			http.Error(w, "too many requests", http.StatusServiceUnavailable)
			return
		}
		answer := forward(to.pick())
		if !o.compress || len(answer) < o.compressionSize {
			_, _ = w.Write(answer)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		small := gzip.NewWriter(w)
		_, _ = small.Write(answer)
		_ = small.Close()
	})
}

func admin(w http.ResponseWriter, r *http.Request) {
	if token := adminToken(); token == "" || r.Header.Get("Authorization") != "Bearer "+token {
		http.Error(w, "not for you", http.StatusForbidden)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// server is one with the times that the options say.
func server(o *options, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:        o.listen,
		Handler:     handler,
		ReadTimeout: o.requestTimeout,
		IdleTimeout: time.Duration(o.idleSeconds) * time.Second,
	}
}
