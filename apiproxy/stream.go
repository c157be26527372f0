package apiproxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// stream is the answer to a watch. A goroutine reads the API server's frames into
// a queue as they come, so that the end of a watch is seen while it is held; the
// client's reads take from the queue what may be delivered.
type stream struct {
	incarnation *Incarnation
	number      int64
	exchange    *Exchange
	resource    string
	identity    string // by which a watch that resumes is known
	free        bool   // nothing holds it: leases, events
	part        bool   // it is of some objects only, by labels or fields
	ctx         context.Context
	cancel      context.CancelFunc
	woken       chan struct{} // has one when there may be something new
	drained     chan struct{} // has one when there is room

	current []byte // what the client's reads are in; theirs alone

	// The rest is under the lock of the engine.
	initial   bool // it is in the initial events of a streaming list
	queue     []*frame
	size      int
	delivered int64
	end       error // how the API server has ended it
	relist    bool
	closed    bool
}

const (
	// patience is how long a frame waits for Reached.
	patience = 5 * time.Second
	// queueMax is how much waits for a limit or the client, in bytes. Then the API
	// server waits, and ends the stream when it has enough of it.
	queueMax = 256 << 20
)

var errStreamClosed = errors.New("read of a watch that was closed")

// Read blocks until a frame may be delivered or the stream ends.
func (s *stream) Read(p []byte) (int, error) {
	for {
		if err := s.dead(); err != nil {
			s.finish()
			return 0, err
		}
		if len(s.current) > 0 {
			n := copy(p, s.current)
			s.current = s.current[n:]
			return n, nil
		}
		f, initial, err := s.take()
		switch {
		case err != nil:
			s.finish()
			return 0, err
		case f != nil:
			s.incarnation.engine.record(Record{
				Kind: RecordDelivery, Incarnation: s.incarnation.name, Stream: s.number, Resource: s.resource,
				Frame: f.kind, Object: ObjectName{f.object.Namespace, f.object.Name, f.object.UID},
				Revision: f.revision, Initial: initial, Overdue: f.overdue,
			})
			s.current = f.raw
			continue
		}
		select {
		case <-s.woken:
		case <-s.ctx.Done():
		}
	}
}

// Close ends the stream; a Read that waits returns.
func (s *stream) Close() error {
	s.finish()
	return nil
}

// dead is why nothing is read any more, if so.
func (s *stream) dead() error {
	if s.incarnation.life.Err() != nil {
		return ErrKilled
	}
	if err := s.ctx.Err(); err != nil && !s.over() {
		return err
	}
	return nil
}

func (s *stream) over() bool {
	s.incarnation.engine.mu.Lock()
	defer s.incarnation.engine.mu.Unlock()
	return s.closed
}

// take takes the first frame if it may be delivered. It is nil without an error if
// there is something to wait for.
func (s *stream) take() (f *frame, initial bool, err error) {
	e := s.incarnation.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case s.closed:
		return nil, false, errStreamClosed
	case s.relist:
		return nil, false, io.EOF
	case len(s.queue) == 0:
		return nil, false, s.end
	}
	f = s.queue[0]
	if s.held(f) {
		// It ends when the API server ends it: the client will ask again, and get then
		// what it did not get now.
		return nil, false, s.end
	}
	if !s.due(f) {
		return nil, false, nil
	}
	s.queue = s.queue[1:]
	s.size -= len(f.raw)
	if f.timer != nil {
		f.timer.Stop()
		own := *f // the timer may have fired, and waits for the lock
		own.overdue = own.overdue && own.revision > e.reached
		f = &own
	}
	notify(s.drained)
	s.delivered = max(s.delivered, f.revision)
	e.change()
	initial = s.initial
	if f.last {
		s.initial = false
	}
	return f, initial, nil
}

// held tells whether a limit keeps the frame back. The engine is locked.
func (s *stream) held(f *frame) bool {
	if s.free || s.initial || f.kind == "ERROR" {
		return false
	}
	limit, limited := s.incarnation.limit(s.resource)
	return limited && f.revision > limit
}

// due tells whether what the frame says has been looked at. The engine is locked.
func (s *stream) due(f *frame) bool {
	reached := s.incarnation.engine.reached
	return s.free || reached == 0 || f.revision <= reached || f.overdue || f.kind == "BOOKMARK" || f.kind == "ERROR"
}

// pump fills the queue.
func (s *stream) pump(upstream io.ReadCloser) {
	defer upstream.Close()
	e := s.incarnation.engine
	source := newFrames(upstream)
	for {
		f, err := source.next()
		e.mu.Lock()
		if s.closed {
			e.mu.Unlock()
			return
		}
		if err != nil {
			s.end = err
			e.mu.Unlock()
			notify(s.woken)
			return
		}
		s.queue = append(s.queue, f)
		s.size += len(f.raw)
		if !s.due(f) {
			f.timer = time.AfterFunc(patience, func() {
				e.mu.Lock()
				defer e.mu.Unlock()
				f.overdue = true
				notify(s.woken)
			})
		}
		full := s.size > queueMax
		e.change()
		e.mu.Unlock()
		notify(s.woken)
		if !full {
			continue
		}
		select {
		case <-s.drained:
		case <-s.ctx.Done():
			return
		}
	}
}

// finish ends the stream, once.
func (s *stream) finish() {
	i := s.incarnation
	i.engine.mu.Lock()
	if s.closed {
		i.engine.mu.Unlock()
		return
	}
	s.closed = true
	delete(i.open, s)
	i.engine.change()
	dropped := len(s.queue)
	for _, f := range s.queue {
		if f.timer != nil {
			f.timer.Stop()
		}
	}
	s.queue = nil
	delivered := s.delivered
	i.engine.mu.Unlock()
	s.cancel()
	i.engine.record(Record{
		Kind: RecordStreamEnd, Incarnation: i.name, Stream: s.number, Resource: s.resource,
		Revision: delivered, Dropped: dropped, Exchange: s.exchange,
	})
}

func (s *stream) activity() StreamActivity {
	return StreamActivity{
		Stream: s.number, Resource: s.resource, Namespace: s.exchange.Namespace, Part: s.part, Delivered: s.delivered,
		Pending: len(s.queue), Held: len(s.queue) > 0 && s.held(s.queue[0]),
	}
}

// notify wakes who waits at c, now or when it comes to wait.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watch answers a watch. x is known to be one.
func (t *steered) watch(x *Exchange, req *http.Request) (*http.Response, error) {
	i := t.incarnation
	query := req.URL.Query()
	streaming := query.Get("sendInitialEvents") == "true" || query.Get("sendInitialEvents") == "1"
	free := unlimited(x.base())
	identity := req.URL.Path + "?" + query.Get("labelSelector") + "&" + query.Get("fieldSelector")
	switch {
	case streaming && (i.engine.options.OldLists || !free && i.stale(x)):
		return t.refuse(x, req, http.StatusUnprocessableEntity, "sendInitialEvents is forbidden: streaming lists are not supported")
	case !streaming && !free && i.takeExpiry(x.base(), identity, revisionOf(x.ResourceVersion)):
		return t.expired(x, req)
	}
	ctx, cancel := i.join(req.Context())
	response, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, i.failed(x, req.Context(), err)
	}
	x.Code = response.StatusCode
	if response.StatusCode != http.StatusOK || mediaType(response.Header) != mediaJSON {
		response.Body = i.observe(req.Context(), x, response.Body, cancel)
		return response, nil
	}
	s := &stream{
		incarnation: i, exchange: x, resource: x.base(), identity: identity, free: free, part: part(req), ctx: ctx, cancel: cancel,
		woken: make(chan struct{}, 1), drained: make(chan struct{}, 1),
		initial: streaming, delivered: revisionOf(x.ResourceVersion),
	}
	i.begin(s)
	go s.pump(response.Body)
	response.Body, response.ContentLength = s, -1
	response.Header.Del("Content-Length")
	return response, nil
}

// part tells whether a watch asks for some objects only.
func part(req *http.Request) bool {
	query := req.URL.Query()
	return query.Get("labelSelector") != "" || query.Get("fieldSelector") != ""
}

// expired answers a watch as the API server does whose history is not that long:
// with one frame (k8s.io/apiserver/pkg/storage/cacher, newErrWatcher).
func (t *steered) expired(x *Exchange, req *http.Request) (*http.Response, error) {
	message := "too old resource version: " + x.ResourceVersion
	response, err := answer(req, http.StatusGone, "Expired", details{}, message)
	if err != nil {
		return nil, t.incarnation.failed(x, req.Context(), err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, t.incarnation.failed(x, req.Context(), err)
	}
	body = fmt.Appendf(nil, "{\"type\":\"ERROR\",\"object\":%s}\n", body)
	response.Status, response.StatusCode = "200 OK", http.StatusOK
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	t.incarnation.end(x, OutcomeRefused, http.StatusGone, nil)
	return response, nil
}

// begin opens a stream.
func (i *Incarnation) begin(s *stream) {
	e := i.engine
	e.mu.Lock()
	e.streams++
	s.number = e.streams
	i.open[s] = true
	i.inFlight--
	e.change()
	e.mu.Unlock()
	s.exchange.Ended = e.now()
	e.record(Record{
		Kind: RecordStreamBegin, Incarnation: i.name, Stream: s.number, Resource: s.resource,
		Revision: s.delivered, Exchange: s.exchange, Code: s.exchange.Code,
	})
}
