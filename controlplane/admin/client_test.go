package admin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// serve starts a server on a unix socket that answers each route with answers,
// or 204, and notes what it was asked.
func serve(t *testing.T, answers map[admin.Route]string) (*admin.Client, func() []string) {
	t.Helper()
	asked := make(chan string, 100)
	mux := http.NewServeMux()
	for _, route := range admin.Routes {
		mux.HandleFunc(string(route), func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			if r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get(admin.HeaderVersion) != admin.Version {
				t.Errorf("%s: headers %v", route, r.Header)
			}
			asked <- strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), body))
			answer, known := answers[route]
			if !known {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			_, _ = io.WriteString(w, answer)
		})
	}
	// Not t.TempDir: the path of a socket may have 104 bytes.
	address := filepath.Join(shortDirectory(t), "s")
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(mux)
	_ = server.Listener.Close() // it was never used
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	client := admin.NewClient(admin.Ready{Network: "unix", Address: address, Token: "secret"})
	t.Cleanup(client.Close)
	return client, func() []string {
		var all []string
		for len(asked) > 0 {
			all = append(all, <-asked)
		}
		return all
	}
}

// shortDirectory is a temporary directory with a path that leaves room for the
// name of a socket.
func shortDirectory(t *testing.T) string {
	t.Helper()
	directory, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	return directory
}

// TestClient: each method asks what it should, and understands the answer.
func TestClient(t *testing.T) {
	client, asked := serve(t, map[admin.Route]string{
		admin.RouteStatus:     `{"goroutines":7,"keys":{"main":2}}`,
		admin.RouteAddPlane:   `{"name":"b"}`,
		admin.RouteReset:      `{"revision":9,"deleted":1}`,
		admin.RouteBaseline:   `{"name":"main","revision":8}`,
		admin.RouteParked:     `{"generation":4,"parked":[{"id":1,"verb":"delete","body":{"a":1}}]}`,
		admin.RouteDeschedule: `{"revision":12}`,
		admin.RoutePass:       `{"code":201}`,
		admin.RouteHistory:    `{"revision":3,"type":"create","resource":"pods","name":"a","object":{"a":1}}` + "\n",
	})
	ctx := t.Context()
	results := []struct {
		got  any
		err  error
		want string
	}{}
	note := func(want string) func(any, error) {
		return func(got any, err error) {
			results = append(results, struct {
				got  any
				err  error
				want string
			}{got, err, want})
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	status, err := client.Status(ctx)
	note(`{"planes":null,"goroutines":7,"revision":0,"keys":{"main":2}}`)(status, err)
	plane, err := client.AddPlane(ctx, admin.Spec{Name: "b"})
	note(`{"name":"b","server":"","kubeconfig":"","prefix":"","revision":0}`)(plane, err)
	must(client.RemovePlane(ctx, "b"))
	reset, err := client.Reset(ctx, "main")
	note(`{"revision":9,"deleted":1,"changed":0,"restored":0,"rounds":0}`)(reset, err)
	plane, err = client.Baseline(ctx, "main")
	note(`{"name":"main","server":"","kubeconfig":"","prefix":"","revision":8}`)(plane, err)
	must(client.Hold(ctx, "main", admin.Match{Verb: "delete"}))
	must(client.Hold(ctx, "main"))
	queue, err := client.Parked(ctx, "main", 3)
	note(`{"generation":4,"parked":[{"id":1,"actor":"","verb":"delete","resource":"","body":{"a":1},"revision":0}]}`)(queue, err)
	must(client.Release(ctx, "main", 1))
	note(`201`)(client.Pass(ctx, "main", 3))
	must(client.Seen(ctx, "main"))
	must(client.Refuse(ctx, "main", 2, admin.Refusal{Code: 409}))
	must(client.LockStep(ctx, "main", true))
	must(client.SetUsage(ctx, "main", admin.Usage{Pod: "web-0"}))
	must(client.SetUsage(ctx, "main"))
	must(client.SetRules(ctx, "main", "rules: []"))
	must(client.AddNode(ctx, "main", json.RawMessage(`{"kind":"Node"}`)))
	must(client.FailNode(ctx, "main", "n"))
	must(client.HealNode(ctx, "main", "n"))
	descheduled, err := client.Deschedule(ctx, "main", "profiles: []")
	note(`{"revision":12}`)(descheduled, err)
	var events []history.Event
	for e, err := range client.History(ctx, "main", 3, false) {
		must(err)
		events = append(events, e)
	}
	note(`[{"revision":3,"type":"create","resource":"pods","name":"a","object":{"a":1}}]`)(events, nil)
	must(client.Stop(ctx))

	for _, r := range results {
		text, err := json.Marshal(r.got)
		if err != nil || r.err != nil || string(text) != r.want {
			t.Errorf("got %s, %v, %v; want %s", text, err, r.err, r.want)
		}
	}
	want := []string{
		"GET /v1/status",
		`POST /v1/planes {"name":"b"}`,
		"DELETE /v1/planes/b",
		"POST /v1/planes/main/reset",
		"POST /v1/planes/main/baseline",
		`PUT /v1/planes/main/gate [{"verb":"delete"}]`,
		`PUT /v1/planes/main/gate []`,
		"GET /v1/planes/main/gate/parked?after=3",
		"POST /v1/planes/main/gate/parked/1/release",
		"POST /v1/planes/main/gate/parked/3/pass",
		"POST /v1/planes/main/seen",
		`POST /v1/planes/main/gate/parked/2/refuse {"code":409}`,
		`PUT /v1/planes/main/lockstep {"on":true}`,
		`PUT /v1/planes/main/usage [{"pod":"web-0"}]`,
		`PUT /v1/planes/main/usage []`,
		`PUT /v1/planes/main/rules {"rules":"rules: []"}`,
		`POST /v1/planes/main/nodes {"kind":"Node"}`,
		"POST /v1/planes/main/nodes/n/fail",
		"POST /v1/planes/main/nodes/n/heal",
		`POST /v1/planes/main/descheduler {"policy":"profiles: []"}`,
		"GET /v1/planes/main/history?from=3",
		"POST /v1/stop",
	}
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("asked:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// over serves one handler over TCP.
func over(t *testing.T, handler http.HandlerFunc) *admin.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client := admin.NewClient(admin.Ready{Network: "tcp", Address: server.Listener.Addr().String()})
	t.Cleanup(client.Close)
	return client
}

func TestClientErrors(t *testing.T) {
	cases := []struct {
		name  string
		code  int
		body  string
		want  string
		found bool
	}{
		{"a failure", 409, `{"message":"plane b is there already"}`, "GET /v1/status: plane b is there already (409)", true},
		{"not there", 404, `{"message":"no plane"}`, "GET /v1/status: no plane (404)", false},
		{"no JSON", 502, "bad gateway\n", "GET /v1/status: bad gateway (502)", true},
		{"nothing", 503, "", "GET /v1/status: Service Unavailable (503)", true},
		{"a page", 500, strings.Repeat("x", 1000), "GET /v1/status: Internal Server Error (500)", true},
		{"success that is no JSON", 200, "yes", "GET /v1/status: invalid character 'y' looking for beginning of value", true},
	}
	for _, c := range cases {
		client := over(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.code)
			_, _ = io.WriteString(w, c.body)
		})
		_, err := client.Status(t.Context())
		if err == nil || err.Error() != c.want || admin.NotFound(err) == c.found {
			t.Errorf("%s: %v, not found: %v", c.name, err, admin.NotFound(err))
		}
	}
	gone := admin.NewClient(admin.Ready{Network: "unix", Address: filepath.Join(t.TempDir(), "none")})
	if _, err := gone.Status(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "GET /v1/status: dial unix") {
		t.Errorf("no process: %v", err)
	}
}

// TestHistoryFollows: events come as they are written, until the context ends;
// an end of the stream before that is an error.
func TestHistoryFollows(t *testing.T) {
	more := make(chan string)
	client := over(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get(admin.QueryFollow) != "true" {
			t.Errorf("asked %s", r.URL)
		}
		for {
			_ = http.NewResponseController(w).Flush()
			select {
			case line, open := <-more:
				if !open {
					return
				}
				_, _ = io.WriteString(w, line)
			case <-r.Context().Done():
				return
			}
		}
	})
	event := func(revision int64) string {
		var b bytes.Buffer
		if err := history.Encode(&b, history.Event{
			Revision: revision, Type: history.Create,
			Key: history.Key{Resource: "pods", Name: "a"}, Object: history.Object{"a": 1},
		}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []int64
	go func() { more <- event(1) }()
	for e, err := range client.History(ctx, "main", 1, true) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			continue
		}
		got = append(got, e.Revision)
		if e.Revision == 2 {
			cancel()
			continue
		}
		go func() { more <- event(2) }()
	}
	if !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("revisions %d", got)
	}
	close(more)
	var last error
	for _, err := range client.History(t.Context(), "main", 1, true) {
		last = err
	}
	if last == nil || !strings.HasSuffix(last.Error(), "plane main has ended") {
		t.Errorf("the end of a plane: %v", last)
	}
}

// TestMatch: an empty field selects all.
func TestMatch(t *testing.T) {
	p := admin.Parked{Actor: "kube-scheduler", Verb: "create", Resource: "pods/binding", Namespace: "default", Name: "web-0"}
	cases := []struct {
		match admin.Match
		want  bool
	}{
		{admin.Match{}, true},
		{admin.Match{Actor: "kube-scheduler", Verb: "create", Resource: "pods/binding", Namespace: "default", Name: "web-0"}, true},
		{admin.Match{Actor: "kube-*"}, true},
		{admin.Match{Actor: "*"}, true},
		{admin.Match{Actor: "kubelet*"}, false},
		{admin.Match{Actor: "kube"}, false},
		{admin.Match{Verb: "delete"}, false},
		{admin.Match{Resource: "pods"}, false},
		{admin.Match{Namespace: "other"}, false},
		{admin.Match{Name: "web-1"}, false},
	}
	for _, c := range cases {
		if got := c.match.Selects(p); got != c.want {
			t.Errorf("%+v selects: %v", c.match, got)
		}
	}
}
