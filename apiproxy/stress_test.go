package apiproxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
)

// TestEngineAtOnce: while limits come and go at random, what is looked at lags
// behind, and watches end and resume, every client that lists when it is told to
// ends up with the newest state, having seen no revision twice nor out of order,
// and nothing beyond a limit.
func TestEngineAtOnce(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) { atOnce(t, rand.New(rand.NewPCG(seed, 0))) })
	}
}

func atOnce(t *testing.T, random *rand.Rand) {
	fake := newFake()
	var mu sync.Mutex
	limit := int64(1 << 60) // of what is set now; a delivery beyond it is wrong
	e := apiproxy.NewEngine(apiproxy.EngineOptions{Record: func(r apiproxy.Record) {
		mu.Lock()
		defer mu.Unlock()
		if r.Kind == apiproxy.RecordDelivery && r.Revision > limit {
			t.Errorf("delivered %s beyond %d", r, limit)
		}
	}})
	i := e.Incarnation("first")
	ctx, cancel := context.WithCancel(t.Context())
	clients := make([]*cached, 3)
	var running sync.WaitGroup
	for n := range clients {
		clients[n] = &cached{t: t, transport: i.RoundTripper(direct{fake})}
		running.Go(func() { clients[n].run(ctx) })
	}
	newest := int64(10)
	e.Reached(newest)
	for range 200 {
		switch random.IntN(8) {
		case 0:
			synctest.Wait() // what was popped before is delivered
			mu.Lock()
			limit = newest
			mu.Unlock()
			i.Limit("pods", newest)
		case 1, 2:
			mu.Lock()
			limit = 1 << 60
			mu.Unlock()
			i.Lift("pods", []apiproxy.Lifting{apiproxy.Deliver, apiproxy.Relist}[random.IntN(2)])
		case 3:
			fake.poke(&fake.ended)
		case 4:
			fake.poke(&fake.marks)
		default:
			newest = fake.do("update", "pods", "default/a")
			if random.IntN(3) > 0 {
				e.Reached(newest)
			}
		}
		if random.IntN(4) == 0 {
			time.Sleep(time.Second)
		}
	}
	mu.Lock()
	limit = 1 << 60
	mu.Unlock()
	i.Lift("", apiproxy.Deliver)
	e.Reached(newest)
	time.Sleep(time.Minute)
	for n, c := range clients {
		if got := c.newest(); got != newest {
			t.Errorf("client %d has %d, want %d", n, got, newest)
		}
	}
	i.Kill()
	cancel()
	running.Wait()
}

// cached is a client that lists, watches from there, and does so again when it is
// told that this is too old.
type cached struct {
	t         *testing.T
	transport http.RoundTripper
	mu        sync.Mutex
	revision  int64
}

func (c *cached) newest() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revision
}

func (c *cached) run(ctx context.Context) {
	lists := true
	for ctx.Err() == nil {
		path := "/api/v1/pods"
		if !lists {
			path += "?watch=true&resourceVersion=" + number(c.newest())
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://plane"+path, nil)
		if err != nil {
			c.t.Error(err)
			return
		}
		response, err := c.transport.RoundTrip(req)
		if err != nil {
			return
		}
		lists = c.read(response, lists)
		_ = response.Body.Close()
		time.Sleep(time.Millisecond)
	}
}

// read takes an answer in. It tells whether a list is next.
func (c *cached) read(response *http.Response, list bool) bool {
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		kind, revision := revisionIn(c.t, lines.Text())
		if kind == "ERROR" {
			return true
		}
		c.mu.Lock()
		if list && revision < c.revision || !list && kind != "BOOKMARK" && revision <= c.revision {
			c.t.Errorf("%s @%d after @%d", kind, revision, c.revision)
		}
		c.revision = revision
		c.mu.Unlock()
	}
	return false
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// revisionIn is the type of a frame, empty for a list, and its revision.
func revisionIn(t *testing.T, line string) (string, int64) {
	var v struct {
		Type     string
		Metadata fakeMetadata
		Object   fakeObject
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Error(err)
	}
	text := v.Metadata.ResourceVersion
	if v.Type != "" {
		text = v.Object.Metadata.ResourceVersion
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return v.Type, n
}
