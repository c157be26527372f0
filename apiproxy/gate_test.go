package apiproxy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// wire stands for the API server: it notes what arrives and answers 200.
type wire struct {
	mu      sync.Mutex
	arrived []string
	// hold, if there is one, delays each answer until it can be read from.
	hold chan struct{}
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	text := ""
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body.Close()
		text = " " + string(body)
	}
	w.mu.Lock()
	w.arrived = append(w.arrived, req.Method+" "+req.URL.Path+text)
	w.mu.Unlock()
	if w.hold != nil {
		select {
		case <-w.hold:
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	return &http.Response{StatusCode: 200, Body: http.NoBody, Request: req}, nil
}

func (w *wire) saw() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.arrived)
}

// sender sends requests of one actor and collects how they end.
type sender struct {
	t         *testing.T
	transport http.RoundTripper
}

// send returns where the end of the request will be told: a code, or an error.
func (s sender) send(ctx context.Context, method, path, body string) <-chan string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, "http://plane"+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	tracked := &tracked{Reader: strings.NewReader(body)}
	if body != "" {
		req.Body = tracked
	}
	end := make(chan string, 1)
	go func() {
		response, err := s.transport.RoundTrip(req)
		switch {
		case err != nil:
			end <- err.Error()
		default:
			text, _ := io.ReadAll(response.Body)
			end <- strings.TrimSpace(fmt.Sprint(response.StatusCode, " ", string(text)))
		}
		if body != "" && !tracked.closed {
			s.t.Errorf("%s %s: the body was not closed", method, path)
		}
	}()
	return end
}

type tracked struct {
	io.Reader
	closed bool
}

func (b *tracked) Close() error { b.closed = true; return nil }

// queue spells what is parked.
func queue(g *apiproxy.Gate) string {
	var lines []string
	for _, p := range g.Parked() {
		lines = append(lines, fmt.Sprintf("%d %s %s %s %s/%s @%d %s", p.ID, p.Actor, p.Verb, p.Resource, p.Namespace, p.Name, p.Revision, p.Body))
	}
	return strings.Join(lines, "\n")
}

const pods = "/api/v1/namespaces/default/pods"

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{}
		g := apiproxy.NewGate()
		g.Revision = func() int64 { return 41 }
		scheduler := sender{t, g.Transport("kube-scheduler", w)}
		replicaset := sender{t, g.Transport("replicaset-controller", w)}
		ctx := t.Context()

		// Nothing is held: all pass.
		if got := <-replicaset.send(ctx, "POST", pods, `{"metadata":{"name":"web-0"}}`); got != "200" {
			t.Errorf("with nothing held: %s", got)
		}

		// Two kinds of requests are held; others pass, and so does what reads.
		g.Hold([]admin.Match{{Actor: "kube-*", Resource: "pods/binding"}, {Verb: "delete"}})
		first := scheduler.send(ctx, "POST", pods+"/web-0/binding", `{"target":{"name":"a"}}`)
		synctest.Wait()
		second := replicaset.send(ctx, "DELETE", pods+"/web-1", "k8s\x00protobuf")
		synctest.Wait()
		for _, passing := range []<-chan string{
			scheduler.send(ctx, "GET", pods+"/web-0", ""),
			scheduler.send(ctx, "PATCH", pods+"/web-0/status", `{}`),
			replicaset.send(ctx, "POST", pods+"/web-0/binding", `{}`),
			replicaset.send(ctx, "DELETE", "/apis/coordination.k8s.io/v1/namespaces/x/leases/y", ""),
			replicaset.send(ctx, "GET", "/healthz", ""),
		} {
			if got := <-passing; got != "200" {
				t.Errorf("what is not held ends with %s", got)
			}
		}
		want := `1 kube-scheduler create pods/binding default/web-0 @41 {"target":{"name":"a"}}
2 replicaset-controller delete pods default/web-1 @41 `
		if got := queue(g); got != want {
			t.Errorf("parked:\n%s\nwant:\n%s", got, want)
		}

		// One is refused, and the API server never hears of it.
		if err := g.Refuse(1, http.StatusConflict, ""); err != nil {
			t.Error(err)
		}
		wantStatus := `409 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",` +
			`"message":"create of pods/binding \"web-0\" is refused at the gate","reason":"Conflict",` +
			`"details":{"name":"web-0","kind":"pods"},"code":409}`
		if got := <-first; got != wantStatus {
			t.Errorf("refused with %s\nwant %s", got, wantStatus)
		}
		// The other is released, as it was.
		if err := g.Release(2); err != nil {
			t.Error(err)
		}
		if got := <-second; got != "200" {
			t.Errorf("released: %s", got)
		}
		if sent := w.saw(); !slices.Contains(sent, "DELETE "+pods+"/web-1 k8s\x00protobuf") || slices.Contains(sent, `POST `+pods+`/web-0/binding {"target":{"name":"a"}}`) {
			t.Errorf("the API server saw %q", sent)
		}
		// Neither waits any more.
		for _, err := range []error{g.Release(1), g.Refuse(2, 409, ""), g.Release(99)} {
			if !errors.Is(err, apiproxy.ErrNotParked) {
				t.Errorf("what does not wait is decided: %v", err)
			}
		}
		if err := g.Refuse(2, 200, ""); err == nil || errors.Is(err, apiproxy.ErrNotParked) {
			t.Errorf("refused with 200: %v", err)
		}
	})
}

func TestRefusalReasons(t *testing.T) {
	cases := []struct {
		code         int
		reason, want string
	}{
		{409, "", "Conflict"},
		{409, "AlreadyExists", "AlreadyExists"},
		{429, "", "TooManyRequests"},
		{503, "", "ServiceUnavailable"},
		{418, "", ""},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			g := apiproxy.NewGate()
			g.Hold([]admin.Match{{}})
			end := sender{t, g.Transport("a", &wire{})}.send(t.Context(), "PUT", "/apis/apps/v1/namespaces/default/deployments/web/scale", "{}")
			synctest.Wait()
			if err := g.Refuse(1, c.code, c.reason); err != nil {
				t.Fatal(err)
			}
			code, text, _ := strings.Cut(<-end, " ")
			var status struct {
				Reason  string
				Details struct{ Name, Group, Kind string }
			}
			if err := json.Unmarshal([]byte(text), &status); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(code, " ", status); got != fmt.Sprintf("%d {%s {web apps deployments}}", c.code, c.want) {
				t.Errorf("%d %q is %s", c.code, c.reason, got)
			}
		})
	}
}

func TestHoldLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := apiproxy.NewGate()
		actor := sender{t, g.Transport("a", &wire{})}
		g.Hold([]admin.Match{{Resource: "pods"}})
		create := actor.send(t.Context(), "POST", pods, `{"metadata":{"name":"web-0"}}`)
		synctest.Wait()
		remove := actor.send(t.Context(), "DELETE", pods+"/web-1", "")
		synctest.Wait()
		// What is held shrinks: the delete goes, the create stays with its id.
		g.Hold([]admin.Match{{Verb: "create", Name: "web-0"}})
		if got := <-remove; got != "200" {
			t.Error(got)
		}
		if got, want := queue(g), `1 a create pods default/web-0 @0 {"metadata":{"name":"web-0"}}`; got != want {
			t.Errorf("parked: %s", got)
		}
		g.Hold(nil)
		if got := <-create; got != "200" {
			t.Error(got)
		}
	})
}

// TestWait: a waiter is woken by what comes, leaves and is held, and by nothing
// else.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := apiproxy.NewGate()
		actor := sender{t, g.Transport("a", &wire{})}
		q, err := g.Wait(t.Context(), 0)
		if err != nil || len(q.Parked) != 0 {
			t.Fatalf("at first: %+v %v", q, err)
		}
		g.Hold([]admin.Match{{Verb: "delete"}})
		if q, err = g.Wait(t.Context(), q.Generation); err != nil {
			t.Fatal(err)
		}
		woken := make(chan admin.Queue)
		wait := func(after int64) {
			q, err := g.Wait(t.Context(), after)
			if err != nil {
				t.Error(err)
			}
			woken <- q
		}
		go wait(q.Generation)
		<-actor.send(t.Context(), "POST", pods, "{}")
		synctest.Wait()
		select {
		case q := <-woken:
			t.Fatalf("woken by what passes: %+v", q)
		default:
		}
		ctx, cancel := context.WithCancel(t.Context())
		end := actor.send(ctx, "DELETE", pods+"/web-0", "")
		if q = <-woken; len(q.Parked) != 1 {
			t.Fatalf("woken by what is parked: %+v", q)
		}
		// The sender gives up.
		go wait(q.Generation)
		cancel()
		if q = <-woken; len(q.Parked) != 0 {
			t.Fatalf("woken by what leaves: %+v", q)
		}
		if got := <-end; got != context.Canceled.Error() {
			t.Error(got)
		}
		if _, err := g.Wait(ctx, q.Generation); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled wait: %v", err)
		}
	})
}

// TestLockStep: writes pass one at a time, each after its barrier.
func TestLockStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{hold: make(chan struct{})}
		g := apiproxy.NewGate()
		actor := sender{t, g.Transport("a", w)}
		barriers := make(chan error)
		g.LockStep(func(ctx context.Context) error {
			select {
			case err := <-barriers:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		var ends []<-chan string
		for _, name := range []string{"a", "b", "c"} {
			ends = append(ends, actor.send(t.Context(), "DELETE", pods+"/"+name, ""))
			synctest.Wait()
		}
		if sent := w.saw(); len(sent) != 0 {
			t.Fatalf("sent before the barrier: %q", sent)
		}
		barriers <- nil
		synctest.Wait()
		if sent := w.saw(); len(sent) != 1 || g.InFlight() != 1 {
			t.Fatalf("after one barrier: %q, %d in flight", sent, g.InFlight())
		}
		select {
		case barriers <- nil:
			t.Fatal("the next barrier is asked before the answer is there")
		default:
		}
		// Leases do not wait.
		lease := actor.send(t.Context(), "PUT", "/apis/coordination.k8s.io/v1/namespaces/x/leases/y", "{}")
		w.hold <- struct{}{}
		w.hold <- struct{}{}
		if a, l := <-ends[0], <-lease; a != "200" || l != "200" {
			t.Errorf("%s, %s", a, l)
		}
		barriers <- errors.New("informers are behind")
		if got := <-ends[1]; got != "informers are behind" {
			t.Errorf("the error of the barrier: %s", got)
		}
		// Off: what waits for a barrier still gets it, what comes passes.
		synctest.Wait()
		g.LockStep(nil)
		free := actor.send(t.Context(), "DELETE", pods+"/d", "")
		w.hold <- struct{}{}
		if got := <-free; got != "200" {
			t.Error(got)
		}
		barriers <- nil
		w.hold <- struct{}{}
		if got := <-ends[2]; got != "200" {
			t.Error(got)
		}
		want := []string{"DELETE " + pods + "/a", "PUT /apis/coordination.k8s.io/v1/namespaces/x/leases/y {}", "DELETE " + pods + "/d", "DELETE " + pods + "/c"}
		if sent := w.saw(); !slices.Equal(sent, want) {
			t.Errorf("sent %q, want %q", sent, want)
		}
	})
}

// TestLockStepOfWebhook: a write whose answer waits for another write of the same
// gate, as that of a webhook does which waits for what a controller makes, does not
// wait for itself. Before, nothing passes.
func TestLockStepOfWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := apiproxy.NewGate()
		made := make(chan string, 1)
		var controller sender
		controller = sender{t, g.Transport("a", roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/outer") {
				made <- <-controller.send(t.Context(), "DELETE", pods+"/inner", "")
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}))}
		barriers := 0
		g.LockStep(func(context.Context) error { barriers++; return nil })
		began := time.Now()
		outer := controller.send(t.Context(), "DELETE", pods+"/outer", "")
		if inner := <-made; inner != "200" {
			t.Errorf("the inner write: %s", inner)
		}
		if passed := time.Since(began); passed != 3*time.Second {
			t.Errorf("it passed after %s", passed)
		}
		if got := <-outer; got != "200" {
			t.Errorf("the outer write: %s", got)
		}
		// The turn was given up once: the next two writes still take turns.
		if got := <-controller.send(t.Context(), "DELETE", pods+"/outer", ""); got != "200" || barriers != 4 {
			t.Errorf("the next: %s, %d barriers", got, barriers)
		}
	})
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{}
		g := apiproxy.NewGate()
		actor := sender{t, g.Transport("a", w)}
		g.LockStep(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		g.Hold([]admin.Match{{Verb: "delete"}})
		ends := []<-chan string{
			actor.send(t.Context(), "DELETE", pods+"/a", "{}"), // parked
			actor.send(t.Context(), "POST", pods, "{}"),        // at the barrier
			actor.send(t.Context(), "POST", pods, "{}"),        // waits for its turn
		}
		waited := make(chan error)
		go func() {
			_, err := g.Wait(t.Context(), 1000)
			waited <- err
		}()
		synctest.Wait()
		g.Close()
		g.Close()
		ends = append(ends, actor.send(t.Context(), "PUT", "/apis/coordination.k8s.io/v1/namespaces/x/leases/y", "{}"))
		for i, end := range ends {
			if got := <-end; got != apiproxy.ErrClosed.Error() {
				t.Errorf("request %d: %s", i, got)
			}
		}
		if err := <-waited; !errors.Is(err, apiproxy.ErrClosed) {
			t.Errorf("who waits gets %v", err)
		}
		if got := <-actor.send(t.Context(), "GET", pods, ""); got != "200" {
			t.Errorf("a read after the end: %s", got)
		}
		if sent := w.saw(); len(sent) != 1 {
			t.Errorf("sent %q", sent)
		}
	})
}

// TestObserve: what is passed on is told with its actor and its answer.
func TestObserve(t *testing.T) {
	g := apiproxy.NewGate()
	var told []string
	g.Observe = func(w apiproxy.Write) func(int) {
		told = append(told, fmt.Sprintf("%s %s %s %s/%s", w.Actor, w.Verb, w.Resource, w.Namespace, w.Name))
		return func(code int) { told = append(told, fmt.Sprint(code)) }
	}
	actor := sender{t, g.Transport("kubelet", &wire{})}
	broken := sender{t, g.Transport("broken", roundTrip(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }))}
	<-actor.send(t.Context(), "GET", pods, "")
	<-actor.send(t.Context(), "POST", pods, `{"metadata":{"name":"web-0"}}`)
	if got := <-broken.send(t.Context(), "DELETE", pods+"/web-0", ""); got != io.ErrUnexpectedEOF.Error() {
		t.Error(got)
	}
	want := []string{"kubelet create pods default/web-0", "200", "broken delete pods default/web-0", "0"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) {
	defer func() {
		if req.Body != nil {
			req.Body.Close()
		}
	}()
	return f(req)
}

// TestBodyIsReplayable: a transport may send a request again, and the sender's
// own request is left alone.
func TestBodyIsReplayable(t *testing.T) {
	large := strings.Repeat("x", 9<<20)
	for _, body := range []string{`{"a":1}`, large} {
		var got []string
		g := apiproxy.NewGate()
		transport := g.Transport("a", roundTrip(func(req *http.Request) (*http.Response, error) {
			text, _ := io.ReadAll(req.Body)
			got = append(got, string(text))
			if req.GetBody != nil {
				again, err := req.GetBody()
				if err != nil {
					t.Error(err)
				}
				text, _ := io.ReadAll(again)
				got = append(got, string(text))
			}
			return &http.Response{StatusCode: 201, Body: http.NoBody}, nil
		}))
		own := io.NopCloser(strings.NewReader(body))
		req, err := http.NewRequestWithContext(t.Context(), "POST", "http://plane"+pods, own)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := transport.RoundTrip(req); err != nil {
			t.Fatal(err)
		}
		want := []string{body, body}
		if body == large { // above the bound: once, and whole
			want = want[:1]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes: sent %d times, want %d", len(body), len(got), len(want))
		}
		if req.Body != own || req.GetBody != nil {
			t.Error("the sender's request was changed")
		}
	}
	g := apiproxy.NewGate()
	req, err := http.NewRequestWithContext(t.Context(), "POST", "http://plane"+pods, io.NopCloser(failing{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Transport("a", &wire{}).RoundTrip(req); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a body that cannot be read: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestManyActors: each of many requests of many actors is decided once, while
// what is held changes.
func TestManyActors(t *testing.T) {
	const actors, requests = 8, 25
	w := &wire{}
	g := apiproxy.NewGate()
	g.Hold([]admin.Match{{Verb: "delete"}})
	results := make(chan string)
	for a := range actors {
		go func() {
			s := sender{t, g.Transport(fmt.Sprint("actor-", a), w)}
			for r := range requests {
				results <- (<-s.send(t.Context(), "DELETE", fmt.Sprintf("%s/%d-%d", pods, a, r), "{}"))[:3]
			}
		}()
	}
	ctx, cancel := context.WithCancel(t.Context())
	decided := make(chan struct{})
	go func() {
		defer close(decided)
		for q := (admin.Queue{}); ; {
			var err error
			if q, err = g.Wait(ctx, q.Generation); err != nil {
				return
			}
			for _, p := range q.Parked {
				if p.ID%2 == 0 {
					_ = g.Release(p.ID) // may be gone with the last answer
				} else {
					_ = g.Refuse(p.ID, 409, "")
				}
			}
		}
	}()
	count := map[string]int{}
	for range actors * requests {
		count[<-results]++
	}
	cancel()
	<-decided
	if half := actors * requests / 2; count["200"] != half || count["409"] != half || len(w.saw()) != half {
		t.Errorf("%v, and %d arrived", count, len(w.saw()))
	}
	if left := g.Parked(); len(left) != 0 || g.InFlight() != 0 {
		t.Errorf("left: %+v", left)
	}
}

// TestTransportIsUnwrapped: client-go looks beneath a transport.
func TestTransportIsUnwrapped(t *testing.T) {
	w := &wire{}
	transport := apiproxy.NewGate().Transport("a", w)
	if u, ok := transport.(interface{ WrappedRoundTripper() http.RoundTripper }); !ok || u.WrappedRoundTripper() != w {
		t.Error("the transport beneath is not shown")
	}
	if apiproxy.NewGate().Transport("a", nil).(interface{ WrappedRoundTripper() http.RoundTripper }).WrappedRoundTripper() != http.DefaultTransport {
		t.Error("no default transport")
	}
}
