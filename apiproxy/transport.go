package apiproxy

import "net/http"

// Transport passes what actor sends through the gate on to next, which may be
// nil for [http.DefaultTransport]. It is what client-go's rest.Config takes as
// WrapTransport. Requests that wait end with their context.
func (g *Gate) Transport(actor string, next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &transport{gate: g, actor: actor, next: next}
}

type transport struct {
	gate  *Gate
	actor string
	next  http.RoundTripper
}

// WrappedRoundTripper is how client-go finds the transport beneath.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

// CloseIdleConnections is what http.Client calls on its transport.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	request, known := Classify(req.Method, req.URL)
	if !known || !request.Writes() {
		return t.next.RoundTrip(req)
	}
	sent, body, err := replayable(req)
	if err != nil {
		return nil, err
	}
	if request.Verb == "create" && request.Name == "" {
		request.Name = named(body)
	}
	w := Write{Actor: t.actor, Request: request}
	var d decision
	if w.Steered() {
		d = t.gate.park(req.Context(), w, body)
		switch {
		case d.err != nil:
			closeBody(sent)
			return nil, d.err
		case d.code != 0:
			closeBody(sent)
			return refusal(req, request, d)
		}
	}
	passed := false
	response, err := t.gate.pass(req.Context(), w, func() (*http.Response, error) {
		passed = true
		return t.next.RoundTrip(sent)
	})
	if !passed { // else next has closed the body
		closeBody(sent)
	}
	if err == nil {
		d.tell(response.StatusCode)
	} else {
		d.tell(0)
	}
	return response, err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}
