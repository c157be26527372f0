package apiproxy_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
)

// served is a server in front of a fake API server that speaks HTTP/2, and what
// is recorded.
type served struct {
	*testing.T
	fake        *fakeServer
	incarnation *apiproxy.Incarnation
	engine      *apiproxy.Engine
	server      *apiproxy.Server
	records     chan apiproxy.Record
}

func serve(t *testing.T, engine apiproxy.EngineOptions, options apiproxy.ServerOptions) *served {
	s := &served{T: t, fake: newFake(), records: make(chan apiproxy.Record, 1000)}
	upstream := httptest.NewUnstartedServer(s.fake)
	upstream.EnableHTTP2 = true
	upstream.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	upstream.StartTLS()
	pool := x509.NewCertPool()
	pool.AddCert(upstream.Certificate())
	options.Upstream, options.TLS = upstream.URL, &tls.Config{RootCAs: pool, Certificates: upstream.TLS.Certificates}
	engine.Record = func(r apiproxy.Record) { s.records <- r }
	s.engine = apiproxy.NewEngine(engine)
	s.incarnation = s.engine.Incarnation("first")
	var err error
	if s.server, err = apiproxy.Serve(s.incarnation, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.server.Close()
		upstream.CloseClientConnections()
		upstream.Close()
	})
	return s
}

// client speaks HTTP/2 or HTTP/1.1 and trusts the server.
func (s *served) client(two bool, certificates ...tls.Certificate) *http.Client {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(s.server.Authority()) {
		s.Fatal("the authority is no certificate")
	}
	t := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: certificates}, ForceAttemptHTTP2: two}
	s.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

// do sends a request with a bearer token, if there is one.
func (s *served) do(c *http.Client, method, path, body, token string, header ...string) (*http.Response, error) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	s.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, s.server.URL()+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for n := 0; n+1 < len(header); n += 2 {
		req.Header.Set(header[n], header[n+1])
	}
	return c.Do(req)
}

// text is the whole body of an answer.
func (s *served) text(response *http.Response, err error) string {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// TestServer: a controller that is a process lists, watches and writes, in both
// versions of HTTP; what is lost is an error of its connection.
func TestServer(t *testing.T) {
	for _, two := range []bool{false, true} {
		t.Run(map[bool]string{false: "HTTP/1.1", true: "HTTP/2"}[two], func(t *testing.T) {
			lose := false
			s := serve(t, apiproxy.EngineOptions{Actor: "operator", After: func(context.Context, *apiproxy.Exchange) apiproxy.Answer {
				if lose {
					return apiproxy.Lose
				}
				return apiproxy.Pass
			}}, apiproxy.ServerOptions{})
			client := s.client(two)
			token := s.server.Token()
			response, err := s.do(client, "GET", "/api/v1/pods?watch=true&resourceVersion=10", "", token)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if want := map[bool]int{false: 1, true: 2}[two]; response.ProtoMajor != want {
				t.Errorf("HTTP/%d, want %d", response.ProtoMajor, want)
			}
			stream := bufio.NewReader(response.Body)

			if got := summary(s.text(s.do(client, "POST", "/api/v1/namespaces/default/pods", `{"metadata":{"name":"a"}}`, token))); got != "a@11" {
				t.Errorf("created %s", got)
			}
			line, err := stream.ReadString('\n')
			if got := summary(line); got != "ADDED Pod a@11" || err != nil {
				t.Errorf("the watch has %s, %v", got, err)
			}
			s.incarnation.Limit("pods", 11)
			lose = true
			if response, err := s.do(client, "DELETE", "/api/v1/namespaces/default/pods/a", "", token); err == nil {
				t.Errorf("the answer was lost, and is %s", response.Status)
			}
			if got := summary(s.text(s.do(client, "GET", "/api/v1/pods", "", token))); got != "list @12" {
				t.Errorf("what was lost is not done: %s", got)
			}
			if got := summary(s.text(s.do(client, "GET", "/api/v1/pods?resourceVersion=0", "", token))); got != "list @11 a@11" {
				t.Errorf("a list of any version: %s", got)
			}
			s.incarnation.Lift("pods", apiproxy.Relist)
			if line, err := stream.ReadString('\n'); line != "" || err != io.EOF {
				t.Errorf("the watch should have ended well: %q, %v", line, err)
			}
			if got := summary(s.text(s.do(client, "GET", "/api/v1/pods?watch=true&resourceVersion=11", "", token))); got != "ERROR Status Expired too old resource version: 11" {
				t.Errorf("the watch that resumes: %s", got)
			}
			s.incarnation.Kill()
			if response, err := s.do(client, "GET", "/api/v1/pods", "", token); err == nil {
				t.Errorf("a request of the dead is answered: %s", response.Status)
			}
		})
	}
}

// TestServerClose: with the server, its streams end.
func TestServerClose(t *testing.T) {
	s := serve(t, apiproxy.EngineOptions{}, apiproxy.ServerOptions{})
	response, err := s.do(s.client(true), "GET", "/api/v1/pods?watch=true&resourceVersion=10", "", s.server.Token())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := s.server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("the stream has ended as if all was well")
	}
	for r := range s.records {
		if r.Kind == apiproxy.RecordStreamEnd {
			break
		}
	}
	if a := s.incarnation.Activity(); len(a.Streams) != 0 {
		t.Errorf("streams are open: %+v", a.Streams)
	}
}

// TestIdentity: who a client is upstream.
func TestIdentity(t *testing.T) {
	impersonated := apiproxy.ServerOptions{Impersonate: &apiproxy.Identity{User: "operator", Groups: []string{"a", "b"}}, Token: "privileged"}
	privileged := apiproxy.ServerOptions{Token: "privileged"}
	forged := []string{"Impersonate-User", "eve", "Impersonate-Group", "system:masters", "X-Remote-User", "eve", "Seatrial-Actor", "eve"}
	for _, test := range []struct {
		name        string
		options     apiproxy.ServerOptions
		token       string // "ours" is the server's own
		certificate bool
		header      []string
		want        string // what the API server sees
	}{
		{"our token is the user of the options", impersonated, "ours", false, nil, "Authorization=Bearer privileged Impersonate-User=operator Impersonate-Group=a+b"},
		{"who cannot be another", impersonated, "ours", false, forged, "Authorization=Bearer privileged Impersonate-User=operator Impersonate-Group=a+b"},
		{"without one it is the credential", privileged, "ours", false, nil, "Authorization=Bearer privileged"},
		{"which may impersonate", privileged, "ours", false, forged, "Authorization=Bearer privileged Impersonate-User=eve Impersonate-Group=system:masters"},
		{"our token is nobody else's business", apiproxy.ServerOptions{}, "ours", false, nil, ""},
		{"another token is the API server's to judge", impersonated, "of-a-service-account", false, nil, "Authorization=Bearer of-a-service-account"},
		{"a certificate says who it is", impersonated, "", true, nil, "Authorization=Bearer privileged Impersonate-User=zed Impersonate-Group=z"},
		{"and nobody else", privileged, "", true, forged, "Authorization=Bearer privileged Impersonate-User=zed Impersonate-Group=z"},
		{"nobody", impersonated, "", false, nil, "401"},
		{"nobody who says much", privileged, "", false, forged, "401"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, apiproxy.EngineOptions{}, test.options)
			var certificates []tls.Certificate
			if test.certificate {
				certificate, key, err := s.server.Certificate("zed", "z")
				if err != nil {
					t.Fatal(err)
				}
				pair, err := tls.X509KeyPair(certificate, key)
				if err != nil {
					t.Fatal(err)
				}
				certificates = append(certificates, pair)
			}
			token := test.token
			if token == "ours" {
				token = s.server.Token()
			}
			response, err := s.do(s.client(true, certificates...), "GET", "/api/v1/nodes", "", token, test.header...)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			want := []string{strings.TrimSpace("GET /api/v1/nodes Accept=application/json " + test.want)}
			if test.token != "of-a-service-account" { // whose credential is not ours
				want[0] += " certificate"
			}
			if test.want == "401" {
				want = nil
				if response.StatusCode != http.StatusUnauthorized {
					t.Errorf("got %s", response.Status)
				}
			}
			if got := s.fake.saw(); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("the API server sees %q, want %q", got, want)
			}
		})
	}
}

// TestUpgrade: exec and its like are bytes, in both directions, until the
// incarnation is killed.
func TestUpgrade(t *testing.T) {
	s := serve(t, apiproxy.EngineOptions{}, apiproxy.ServerOptions{})
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.server.Authority())
	conn, err := tls.Dial("tcp", strings.TrimPrefix(s.server.URL(), "https://"), &tls.Config{RootCAs: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "POST /api/v1/namespaces/default/pods/a/exec?command=ls&command=-l HTTP/1.1\r\nHost: x\r\n"+
		"Authorization: Bearer "+s.server.Token()+"\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("got %v, %v", response, err)
	}
	if _, err := io.WriteString(conn, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := reader.ReadString('\n'); line != "hello\n" {
		t.Errorf("the echo is %q, %v", line, err)
	}
	r := <-s.records
	if r.Kind != apiproxy.RecordUpgrade || r.Exchange.Name != "a" || strings.Join(r.Exchange.Command, " ") != "ls -l" {
		t.Errorf("recorded %+v of %+v", r, r.Exchange)
	}
	s.incarnation.Kill()
	if text, err := io.ReadAll(reader); len(text) > 0 || errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end: %q, %v", text, err)
	}
}

// TestServerWithoutUpstream: it cannot be reached, and says so.
func TestServerWithoutUpstream(t *testing.T) {
	if _, err := apiproxy.Serve(apiproxy.NewEngine(apiproxy.EngineOptions{}).Incarnation("x"), apiproxy.ServerOptions{Upstream: "plane"}); err == nil {
		t.Error("a server of no URL")
	}
	s := serve(t, apiproxy.EngineOptions{}, apiproxy.ServerOptions{})
	other, err := apiproxy.Serve(s.incarnation, apiproxy.ServerOptions{Upstream: "https://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	s.server = other
	response, err := s.do(s.client(true), "GET", "/api/v1/pods", "", other.Token())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.text(response, err); response.StatusCode != http.StatusBadGateway || !strings.Contains(got, "the API server cannot be reached") {
		t.Errorf("%s %s", response.Status, got)
	}
}

// TestOwnTransport: requests with the server's token take the way that was given, and others do not.
func TestOwnTransport(t *testing.T) {
	var taken []string
	transport := roundTripper(func(q *http.Request) (*http.Response, error) {
		taken = append(taken, q.Header.Get("Authorization"))
		return &http.Response{StatusCode: http.StatusTeapot, Header: http.Header{}, Body: http.NoBody, Request: q}, nil
	})
	s := serve(t, apiproxy.EngineOptions{}, apiproxy.ServerOptions{Transport: transport})
	for _, test := range []struct {
		token string
		own   bool
	}{{s.server.Token(), true}, {"another", false}} {
		response, err := s.do(s.client(true), http.MethodGet, "/version", "", test.token)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if own := response.StatusCode == http.StatusTeapot; own != test.own {
			t.Errorf("the token %s: %d", test.token, response.StatusCode)
		}
	}
	if len(taken) != 1 || taken[0] != "" {
		t.Errorf("%q: the server's own token goes upstream", taken)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }
