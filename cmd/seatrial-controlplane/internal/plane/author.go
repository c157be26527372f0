package plane

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// agentMark separates a component's version from the actor in a user agent.
const agentMark = " (seatrial) "

// throughGate wraps a client's transport for an actor.
func (p *Plane) throughGate(actor string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return p.gate.Transport(actor, next) }
}

// authors knows who wrote what: a revision is the work of the one request that
// was under way on its object then.
type authors struct {
	revision func() int64

	mu       sync.Mutex
	requests []*authored
}

// authored is a request that changes something, from the newest revision before
// it to the newest after it; to is 0 while it is under way.
type authored struct {
	apiproxy.Request
	author
	from, to int64
}

// author is who writes. Outside are those of whom nobody has said who they are:
// they are neither the plane's own nor named by the header.
type author struct {
	actor   string
	outside bool
}

// wrap is put around the API of the server.
func (a *authors) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, known := apiproxy.Classify(r.Method, r.URL)
		if !known || !request.Writes() {
			next.ServeHTTP(w, r)
			return
		}
		entry := a.begin(request, authorOf(r))
		defer a.end(entry)
		next.ServeHTTP(w, r)
	})
}

func (a *authors) begin(request apiproxy.Request, by author) *authored {
	entry := &authored{Request: request, author: by, from: a.revision()}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, entry)
	return entry
}

func (a *authors) end(entry *authored) {
	a.mu.Lock()
	defer a.mu.Unlock()
	entry.to = a.revision()
}

// serverActor is who writes what no request asked for.
const serverActor = "kube-apiserver"

// of is who made a write: without a name if it may have been one of several, and
// outside then if all of them are.
func (a *authors) of(e history.Event) author {
	a.mu.Lock()
	defer a.mu.Unlock()
	var could []*authored
	for _, r := range a.requests {
		base, _, _ := strings.Cut(r.Resource, "/")
		if e.Revision > r.from && (r.to == 0 || e.Revision <= r.to) && base == e.Resource &&
			(r.Namespace == e.Namespace || r.Namespace == "") && (r.Name == e.Name || r.Name == "") {
			could = append(could, r)
		}
	}
	if one, ok := authorIn(could); ok {
		return one
	}
	// Requests about one object that were under way together: what changed tells.
	could = slices.DeleteFunc(could, func(r *authored) bool { return !r.fits(e) })
	one, _ := authorIn(could)
	return one
}

// authorIn is the one author of some requests: the server itself if there are none.
func authorIn(requests []*authored) (author, bool) {
	if len(requests) == 0 {
		return author{actor: serverActor}, true
	}
	for _, r := range requests[1:] {
		if r.author != requests[0].author {
			inside := slices.ContainsFunc(requests, func(r *authored) bool { return !r.outside })
			return author{outside: !inside}, false
		}
	}
	return requests[0].author, true
}

// fits tells whether what a write changed is what a request asks for.
func (r *authored) fits(e history.Event) bool {
	_, subresource, _ := strings.Cut(r.Resource, "/")
	switch {
	case r.Verb == "delete" || r.Verb == "deletecollection" || subresource == "eviction":
		return e.Type == history.Delete || e.Object.At("metadata", "deletionTimestamp") != nil &&
			e.Previous.At("metadata", "deletionTimestamp") == nil
	case r.Verb == "create" && subresource == "":
		return e.Type == history.Create
	case e.Type != history.Update:
		return false
	case subresource == "binding":
		return e.Object.At("spec", "nodeName") != e.Previous.At("spec", "nodeName")
	case subresource == "status":
		return reflect.DeepEqual(e.Object.At("spec"), e.Previous.At("spec")) &&
			e.Object.At("metadata", "deletionTimestamp") == e.Previous.At("metadata", "deletionTimestamp")
	default:
		return reflect.DeepEqual(e.Object.At("status"), e.Previous.At("status"))
	}
}

// forget drops the requests that ended before a revision.
func (a *authors) forget(before int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = slices.DeleteFunc(a.requests, func(r *authored) bool { return r.to != 0 && r.to < before })
}

// authorOf is who sends a request: whom the header names; else the actor in the
// user agent, where ours is behind a mark and others are the name of their program.
func authorOf(r *http.Request) author {
	if actor := r.Header.Get(admin.HeaderActor); actor != "" {
		return author{actor: actor}
	}
	agent := r.UserAgent()
	if _, actor, ours := strings.Cut(agent, agentMark); ours {
		return author{actor: actor}
	}
	name, _, _ := strings.Cut(agent, "/")
	if name == self {
		return author{actor: serverActor} // the API server's own clients are named after the program
	}
	return author{actor: name, outside: true}
}

// self is how client-go names the clients of this program.
var self = filepath.Base(os.Args[0])
