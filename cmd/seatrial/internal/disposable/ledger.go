package disposable

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// author is who has made a write, in which slot; the zero value is somebody else.
type author struct {
	slot  *slot
	actor string
}

// version is an object as one write has left it.
type version struct {
	uid      string
	revision int64
}

// ledger knows who writes of those whose requests pass by here. A watch does not say that, and
// may be faster than the answer to the write: so whoever is told of one waits for those under way.
type ledger struct {
	mu      sync.Mutex
	changed chan struct{} // closed when a write has ended
	next    int64
	// underway are the writes that have no answer yet, with their resources.
	underway map[int64]string
	// written are the versions that writes have made, and gone the objects, by UID, that they have removed.
	written map[version]author
	gone    map[string]author
}

func newLedger() *ledger {
	return &ledger{changed: make(chan struct{}), underway: map[int64]string{}, written: map[version]author{}, gone: map[string]author{}}
}

func (l *ledger) begin(resource string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	l.underway[l.next] = resource
	return l.next
}

// end notes what became of a write: the objects that the API server has answered with.
func (l *ledger) end(id int64, by author, verb string, answered []answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.underway, id)
	for _, a := range answered {
		if revision, err := strconv.ParseInt(a.Metadata.ResourceVersion, 10, 64); err == nil {
			l.written[version{a.Metadata.UID, revision}] = by
		}
		if uid := a.removed(verb); uid != "" {
			l.gone[uid] = by
		}
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// author says who has made a write that a watch tells of.
func (l *ledger) author(ctx context.Context, e *history.Event) author {
	l.mu.Lock()
	defer l.mu.Unlock()
	for last := l.next; l.waitsFor(e.Resource, last); {
		changed := l.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			last = 0
		}
		l.mu.Lock()
	}
	if by, made := l.written[version{e.UID, e.Revision}]; made {
		return by
	}
	if e.Type == history.Delete {
		return l.gone[e.UID]
	}
	return author{}
}

// waitsFor tells whether one of the writes up to the last one is under way to a resource; mu is held.
func (l *ledger) waitsFor(resource string, last int64) bool {
	for id, of := range l.underway {
		if id <= last && of == resource {
			return true
		}
	}
	return false
}

// forget drops what is known of a slot's writes.
func (l *ledger) forget(s *slot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for v, by := range l.written {
		if by.slot == s {
			delete(l.written, v)
		}
	}
	for uid, by := range l.gone {
		if by.slot == s {
			delete(l.gone, uid)
		}
	}
}

// answer is what of the API server's answer to a write says which object it was.
type answer struct {
	Kind     string `json:"kind"`
	Metadata struct {
		UID               string   `json:"uid"`
		ResourceVersion   string   `json:"resourceVersion"`
		DeletionTimestamp *string  `json:"deletionTimestamp"`
		Grace             *int64   `json:"deletionGracePeriodSeconds"`
		Finalizers        []string `json:"finalizers"`
	} `json:"metadata"`
	Details struct {
		UID string `json:"uid"`
	} `json:"details"`
	Items []answer `json:"items"`
}

// removed is the UID of an object that is gone by the write; empty if it is not.
func (a *answer) removed(verb string) string {
	switch {
	case a.Kind == "Status":
		return a.Details.UID
	case len(a.Metadata.Finalizers) > 0 || a.Metadata.Grace != nil && *a.Metadata.Grace > 0:
		return ""
	case strings.HasPrefix(verb, "delete"), a.Metadata.DeletionTimestamp != nil:
		return a.Metadata.UID
	}
	return ""
}

// witness is the way of a slot's writes to the cluster: who makes them is in a header, which goes no
// further. The operator may write what it likes; what seatrial does itself keeps off objects that were there before.
type witness struct {
	slot *slot
	next http.RoundTripper
}

// WrappedRoundTripper is how client-go finds the transport beneath.
func (w witness) WrappedRoundTripper() http.RoundTripper { return w.next }

func (w witness) RoundTrip(req *http.Request) (*http.Response, error) {
	actor := req.Header.Get(admin.HeaderActor)
	request, known := apiproxy.Classify(req.Method, req.URL)
	req = req.Clone(req.Context())
	req.Header.Del(admin.HeaderActor)
	if actor == "" || !known || !request.Writes() {
		return w.next.RoundTrip(req)
	}
	resource, _, _ := strings.Cut(request.Resource, "/")
	key := history.Key{Resource: resource, Namespace: request.Namespace, Name: request.Name}
	if actor != plan.Controller && w.slot.cluster.before[key] {
		if req.Body != nil {
			_ = req.Body.Close() // a RoundTripper has to, and nothing comes of it
		}
		return nil, fmt.Errorf("%s was in the cluster before, and is not changed", key)
	}
	l := w.slot.cluster.ledger
	id := l.begin(resource)
	response, err := w.next.RoundTrip(req)
	var answered []answer
	if err == nil && response.StatusCode < 300 {
		answered, err = read(response)
	}
	l.end(id, author{w.slot, actor}, request.Verb, answered)
	return response, err
}

// read reads the answer to a write, and puts it back.
func read(response *http.Response) ([]answer, error) {
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	response.Body = io.NopCloser(bytes.NewReader(body))
	var a answer
	if err != nil || json.Unmarshal(body, &a) != nil {
		return nil, err
	}
	if len(a.Items) > 0 {
		return a.Items, nil
	}
	return []answer{a}, nil
}
