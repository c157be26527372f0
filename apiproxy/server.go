package apiproxy

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog" //nolint:depguard // net/http logs to stderr unless it is told otherwise
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// ServerOptions say what is behind a server and who its clients are there.
type ServerOptions struct {
	// Upstream is the URL of the API server.
	Upstream string
	// TLS verifies the API server, and may have a client certificate; Token is an
	// alternative to that. They are the credential of requests that bear the
	// server's own.
	TLS   *tls.Config
	Token string
	// Transport, if it is not nil, is the way to the API server with its credential instead:
	// TLS then is for requests with tokens of their own. Upgrade is the same in HTTP/1.1, for connections
	// that become another protocol's; nil for Transport.
	Transport, Upgrade http.RoundTripper
	// Impersonate is who these requests are by: the credential must be allowed to
	// impersonate. Nil leaves them to the credential, and lets clients impersonate
	// by themselves.
	Impersonate *Identity
	// Log gets what goes wrong with connections; nil discards it.
	Log slog.Handler
}

// Identity is a user of the API server.
type Identity struct {
	User   string
	Groups []string
}

// Server is an incarnation behind TLS, on a port of its own of the loopback
// interface: for controllers that are processes. It answers as an API server
// does, in HTTP/1.1 and HTTP/2.
//
// Clients are who the kubeconfig says if they bear its token, or have a
// certificate of [Server.Certificate]. Any other bearer token is passed on for the
// API server to judge: those of service accounts work. A request with none of
// these is refused (401).
type Server struct {
	url       string
	token     string
	authority *authority
	http      *http.Server
	end       context.CancelFunc
	ended     sync.WaitGroup
}

// Serve starts a server of an incarnation. It fails if it cannot listen or the
// URL of the API server cannot be read.
func Serve(i *Incarnation, options ServerOptions) (*Server, error) {
	upstream, err := url.Parse(options.Upstream)
	if err != nil || upstream.Host == "" {
		return nil, fmt.Errorf("the URL of the API server is %q: want https://host:port", options.Upstream)
	}
	authority, err := newAuthority()
	if err != nil {
		return nil, err
	}
	certificate, err := authority.server()
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	var random [24]byte
	_, _ = rand.Read(random[:]) // never fails
	s := &Server{url: "https://" + listener.Addr().String(), token: hex.EncodeToString(random[:]), authority: authority}
	ctx, end := context.WithCancel(context.Background())
	s.end = end
	log := options.Log
	if log == nil {
		log = slog.DiscardHandler
	}
	routes := newRoutes(options)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(upstream)
			r.Out.Host = upstream.Host
		},
		Transport:     i.RoundTripper(routes),
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(log, slog.LevelError),
		ErrorHandler:  failed,
	}
	s.http = &http.Server{
		Handler:           &door{token: s.token, options: options, next: proxy},
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}, ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: authority.pool()},
		ErrorLog:          proxy.ErrorLog,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: time.Minute,
	}
	s.ended.Go(func() {
		_ = s.http.ServeTLS(listener, "", "") // ends with Close
		routes.close()
	})
	return s, nil
}

// failed answers a request that has no answer. What is lost, and what was killed,
// ends without one.
func failed(w http.ResponseWriter, req *http.Request, err error) {
	if errors.Is(err, ErrLost) || errors.Is(err, ErrKilled) || req.Context().Err() != nil {
		panic(http.ErrAbortHandler) // how a handler has its connection reset
	}
	writeStatus(w, http.StatusBadGateway, "", "the API server cannot be reached: "+err.Error())
}

// URL is where the server listens: https://127.0.0.1:port.
func (s *Server) URL() string { return s.url }

// Authority is the certificate of the authority that signed the server's, in PEM.
func (s *Server) Authority() []byte { return s.authority.pem }

// Token is what clients bear to be who the options say.
func (s *Server) Token() string { return s.token }

// Certificate issues a client certificate in PEM. Who has it is that user, in
// these groups, whatever Impersonate says.
func (s *Server) Certificate(user string, groups ...string) (certificate, key []byte, err error) {
	return s.authority.client(user, groups)
}

// Kubeconfig leads to the server, in the namespace default.
func (s *Server) Kubeconfig() []byte {
	type named map[string]any
	text, err := json.MarshalIndent(named{
		"apiVersion": "v1", "kind": "Config", "current-context": contextName,
		"clusters": []named{{"name": contextName, "cluster": named{"server": s.url, "certificate-authority-data": s.authority.pem}}},
		"contexts": []named{{"name": contextName, "context": named{"cluster": contextName, "user": contextName, "namespace": "default"}}},
		"users":    []named{{"name": contextName, "user": named{"token": s.token}}},
	}, "", "  ")
	if err != nil {
		panic(err) // texts only
	}
	return append(text, '\n')
}

// contextName is what everything in a kubeconfig is called.
const contextName = "seatrial"

// Close ends the server with all its connections and streams. The incarnation
// lives on.
func (s *Server) Close() error {
	s.end()
	err := s.http.Close()
	s.ended.Wait()
	return err
}

// routes are the ways to the API server: with the credential of the options or
// without, and in HTTP/1.1 where a connection becomes another protocol's.
type routes struct {
	token string
	own   [2]http.RoundTripper // 1: HTTP/1.1 only
	other [2]http.RoundTripper
	made  []*http.Transport
}

func newRoutes(options ServerOptions) *routes {
	verify := options.TLS.Clone()
	if verify == nil {
		verify = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	anonymous := verify.Clone()
	anonymous.Certificates, anonymous.GetClientCertificate = nil, nil
	r := &routes{token: options.Token}
	for n := range r.own {
		own, other := transportOf(verify, n == 0), transportOf(anonymous, n == 0)
		r.own[n], r.other[n] = own, other
		r.made = append(r.made, own, other)
	}
	if options.Transport != nil {
		r.own = [2]http.RoundTripper{options.Transport, cmp.Or(options.Upgrade, options.Transport)}
	}
	return r
}

func transportOf(c *tls.Config, two bool) *http.Transport {
	c = c.Clone()
	c.NextProtos = nil
	t := &http.Transport{TLSClientConfig: c, ForceAttemptHTTP2: two, MaxIdleConnsPerHost: 100, DisableCompression: true}
	if !two {
		c.NextProtos = []string{"http/1.1"}
		t.Protocols = &http.Protocols{}
		t.Protocols.SetHTTP1(true)
	}
	return t
}

func (r *routes) RoundTrip(req *http.Request) (*http.Response, error) {
	version := 0
	if upgrades(req) {
		version = 1
	}
	if ours, _ := req.Context().Value(oursKey{}).(bool); !ours {
		return r.other[version].RoundTrip(req)
	}
	if r.token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	return r.own[version].RoundTrip(req)
}

func (r *routes) close() {
	for _, t := range r.made {
		t.CloseIdleConnections()
	}
}
