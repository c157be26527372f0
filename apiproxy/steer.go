package apiproxy

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// steered is the way of an incarnation's requests.
type steered struct {
	incarnation *Incarnation
	next        http.RoundTripper
}

// WrappedRoundTripper is how client-go finds the transport beneath.
func (t *steered) WrappedRoundTripper() http.RoundTripper { return t.next }

// CloseIdleConnections is what http.Client calls on its transport.
func (t *steered) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func (t *steered) RoundTrip(req *http.Request) (*http.Response, error) {
	i := t.incarnation
	x, known := i.arrived(req)
	if i.life.Err() != nil {
		closeBody(req)
		return nil, i.failed(x, req.Context(), ErrKilled)
	}
	// A RoundTripper must not change its request.
	req = req.Clone(req.Context())
	if actor := i.engine.options.Actor; actor != "" {
		req.Header.Set(admin.HeaderActor, actor)
	} else {
		req.Header.Del(admin.HeaderActor)
	}
	switch {
	case upgrades(req):
		return t.upgrade(x, req)
	case !known || streamed(x):
		return t.plain(x, req)
	case isCBOR(mediaType(req.Header)):
		closeBody(req)
		return t.refuse(x, req, http.StatusUnsupportedMediaType, "the body of the request was in an unknown format")
	}
	req.Header.Set("Accept", acceptJSON(req.Header))
	req.Header.Set("Accept-Encoding", "identity")
	switch {
	case x.Verb == "watch":
		return t.watch(x, req)
	case x.Writes():
		return t.write(x, req)
	case x.Verb == "list" || x.Verb == "get":
		return t.read(x, req)
	}
	return t.plain(x, req)
}

// streamed tells of subresources that are answered with bytes and not objects.
func streamed(x *Exchange) bool {
	switch x.subresource() {
	case "log", "proxy", "exec", "attach", "portforward":
		return true
	}
	return false
}

// arrived notes a request. It is false for one that is not about a resource.
func (i *Incarnation) arrived(req *http.Request) (*Exchange, bool) {
	e := i.engine
	x := &Exchange{Incarnation: i.name, Path: req.URL.Path, UserAgent: req.UserAgent(), Started: e.now()}
	var known bool
	x.Request, known = Classify(req.Method, req.URL)
	if query := req.URL.Query(); known {
		x.ResourceVersion, x.Match = query.Get("resourceVersion"), query.Get("resourceVersionMatch")
		if x.subresource() == "exec" {
			x.Command = query["command"]
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests++
	x.Sequence = e.requests
	i.inFlight++
	e.change()
	return x, known
}

// join is a context that ends with another one, and with the incarnation.
func (i *Incarnation) join(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	stop := context.AfterFunc(i.life, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// over tells whether nobody waits for the answer of a request any more. That the
// incarnation was killed is seen at once, and by ctx a moment later.
func (i *Incarnation) over(ctx context.Context) bool {
	return i.life.Err() != nil || ctx.Err() != nil
}

// end records how a request has ended.
func (i *Incarnation) end(x *Exchange, outcome Outcome, code int, err error) {
	e := i.engine
	e.mu.Lock()
	i.inFlight--
	e.change()
	e.mu.Unlock()
	x.Ended = e.now()
	r := Record{Kind: RecordRequest, Incarnation: i.name, Exchange: x, Resource: x.Resource, Outcome: outcome, Code: code}
	if err != nil {
		r.Error = err.Error()
	}
	e.record(r)
}

// failed records a request that has no answer, and is the error of that.
func (i *Incarnation) failed(x *Exchange, client context.Context, err error) error {
	outcome, err := i.why(client, err)
	i.end(x, outcome, 0, err)
	return err
}

// why is what has ended a request that ended with err.
func (i *Incarnation) why(client context.Context, err error) (Outcome, error) {
	switch {
	case i.life.Err() != nil:
		return OutcomeKilled, ErrKilled
	case client.Err() != nil:
		return OutcomeAbandoned, client.Err()
	default:
		return OutcomeFailed, err
	}
}

// refuse answers in place of the API server.
func (t *steered) refuse(x *Exchange, req *http.Request, code int, message string) (*http.Response, error) {
	response, err := answer(req, code, "", detailsOf(x.Request), message)
	if err != nil {
		return nil, t.incarnation.failed(x, req.Context(), err)
	}
	t.incarnation.end(x, OutcomeRefused, code, nil)
	return response, nil
}

// plain passes a request on whose answer is not read.
func (t *steered) plain(x *Exchange, req *http.Request) (*http.Response, error) {
	i := t.incarnation
	ctx, cancel := i.join(req.Context())
	response, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, i.failed(x, req.Context(), err)
	}
	x.Code = response.StatusCode
	i.end(x, OutcomeAnswered, x.Code, nil)
	response.Body = &observed{ReadCloser: response.Body, incarnation: i, end: func(error) { cancel() }}
	return response, nil
}

// upgrade passes a request on whose connection becomes another protocol's.
func (t *steered) upgrade(x *Exchange, req *http.Request) (*http.Response, error) {
	i := t.incarnation
	response, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, i.failed(x, req.Context(), err)
	}
	x.Code = response.StatusCode
	if x.Code == http.StatusSwitchingProtocols {
		i.engine.record(Record{Kind: RecordUpgrade, Incarnation: i.name, Exchange: x, Resource: x.Resource})
		// The body is the connection: it stays what it is.
		body := response.Body
		stop := context.AfterFunc(i.life, func() { _ = body.Close() })
		context.AfterFunc(req.Context(), func() { stop() })
	}
	i.end(x, OutcomeAnswered, x.Code, nil)
	return response, nil
}

// write asks about a write, has it carried out, and asks again.
func (t *steered) write(x *Exchange, req *http.Request) (*http.Response, error) {
	i, options := t.incarnation, t.incarnation.engine.options
	sent, body, err := replayable(req)
	if err != nil {
		return nil, i.failed(x, req.Context(), err)
	}
	x.describe(mediaType(req.Header), req.URL.Query(), body)
	ctx, cancel := i.join(req.Context())
	defer cancel()
	if answer := i.ask(ctx, options.Before, x); answer != Pass || i.over(ctx) {
		closeBody(sent)
		return t.give(x, req, ctx, answer, nil)
	}
	response, err := t.carry(ctx, x, sent)
	if err != nil {
		return nil, err
	}
	return t.give(x, req, ctx, i.ask(ctx, options.After, x), response)
}

// give hands the client what was decided; response is nil for a write that was not
// passed on.
func (t *steered) give(x *Exchange, req *http.Request, ctx context.Context, decided Answer, response *http.Response) (*http.Response, error) {
	i := t.incarnation
	over := i.over(ctx)
	if response != nil && (decided != Pass || over) {
		response.Body.Close()
	}
	switch {
	case over:
		return nil, i.failed(x, req.Context(), ctx.Err())
	case decided.kind == answerLose:
		i.end(x, OutcomeLost, 0, nil)
		return nil, ErrLost
	case decided.kind == answerRefuse:
		return t.refused(x, req, decided)
	}
	i.end(x, OutcomeAnswered, x.Code, nil)
	return response, nil
}

// refused answers as was decided.
func (t *steered) refused(x *Exchange, req *http.Request, decided Answer) (*http.Response, error) {
	code, reason := decided.Code, decided.Reason
	if code < 400 || code > 599 {
		code, reason = http.StatusServiceUnavailable, ""
	}
	d := detailsOf(x.Request)
	d.RetryAfter = int(math.Ceil(decided.RetryAfter.Seconds()))
	response, err := answer(req, code, reason, d, fmt.Sprintf("%s of %s %q is refused by a perturbation", x.Verb, x.Resource, x.Name))
	if err != nil {
		return nil, t.incarnation.failed(x, req.Context(), err)
	}
	t.incarnation.end(x, OutcomeRefused, code, nil)
	return response, nil
}

// ask asks about a write that is steered, and waits no longer than ctx.
func (i *Incarnation) ask(ctx context.Context, question func(context.Context, *Exchange) Answer, x *Exchange) Answer {
	if question == nil || !x.Steered() || i.over(ctx) {
		return Pass
	}
	i.park(1)
	defer i.park(-1)
	asked := *x // that of the question: it may be answered when nobody waits any more
	answered := make(chan Answer, 1)
	go func() { answered <- question(ctx, &asked) }()
	select {
	case a := <-answered:
		return a
	case <-ctx.Done():
		return Pass
	}
}

func (i *Incarnation) park(n int) {
	i.engine.mu.Lock()
	defer i.engine.mu.Unlock()
	i.parked += n
	i.engine.change()
}

// carry sends a write and waits for its answer. A write that was sent is carried
// to its end, though nobody waits for it: what came of it has to be known.
func (t *steered) carry(ctx context.Context, x *Exchange, sent *http.Request) (*http.Response, error) {
	i := t.incarnation
	type carried struct {
		response *http.Response
		body     []byte
		err      error
	}
	done := make(chan carried, 1)
	go func() {
		var c carried
		c.response, c.err = t.next.RoundTrip(sent.WithContext(context.WithoutCancel(sent.Context())))
		if c.err == nil {
			c.body, c.err = buffered(c.response)
		}
		done <- c
	}()
	note := func(c carried) {
		if c.err == nil {
			x.Code = c.response.StatusCode
			x.answered(c.body)
		}
	}
	select {
	case c := <-done:
		if note(c); c.err != nil {
			return nil, i.failed(x, sent.Context(), c.err)
		}
		return c.response, nil
	case <-ctx.Done():
	}
	outcome, err := i.why(sent.Context(), ctx.Err())
	go func() {
		c := <-done
		if note(c); c.err == nil {
			c.response.Body.Close()
		}
		i.end(x, outcome, 0, err)
	}()
	return nil, err
}

// buffered reads the body of an answer to a write, which is one object, and puts
// it back. Of a body above bodyMax the rest stays where it is.
func buffered(response *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, bodyMax))
	if err != nil {
		response.Body.Close()
		return nil, fmt.Errorf("read the answer of the API server: %w", err)
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), response.Body), response.Body}
	return body, nil
}

// observed is the body of an answer that passes by.
type observed struct {
	io.ReadCloser
	incarnation *Incarnation
	sniffer     *sniffer // nil if nothing is looked for
	found       func()   // called when the sniffer has seen the end of the value
	end         func(error)
	once        sync.Once
}

func (o *observed) Read(p []byte) (int, error) {
	if o.incarnation.life.Err() != nil {
		o.ended(ErrKilled)
		return 0, ErrKilled
	}
	n, err := o.ReadCloser.Read(p)
	if o.sniffer != nil && n > 0 && o.sniffer.pass(p[:n]) {
		o.found()
	}
	if err != nil {
		if err != io.EOF && o.incarnation.life.Err() != nil {
			err = ErrKilled
		}
		o.ended(err)
	}
	return n, err
}

func (o *observed) Close() error {
	o.ended(nil)
	return o.ReadCloser.Close()
}

func (o *observed) ended(err error) { o.once.Do(func() { o.end(err) }) }
