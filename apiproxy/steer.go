package apiproxy

import (
	"net/http"

	"github.com/seatrial/seatrial/controlplane/admin"
)

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
	if t.incarnation.life.Err() != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, ErrKilled
	}
	sent := req.Clone(req.Context())
	if actor := t.incarnation.engine.options.Actor; actor != "" {
		sent.Header.Set(admin.HeaderActor, actor)
	}
	return t.next.RoundTrip(sent)
}
