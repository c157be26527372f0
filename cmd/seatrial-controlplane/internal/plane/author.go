package plane

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/apiproxy"
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
	actor    string
	from, to int64
}

// wrap is put around the API of the server.
func (a *authors) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, known := apiproxy.Classify(r.Method, r.URL)
		if !known || !request.Writes() {
			next.ServeHTTP(w, r)
			return
		}
		entry := a.begin(request, actorOf(r.UserAgent()))
		defer a.end(entry)
		next.ServeHTTP(w, r)
	})
}

func (a *authors) begin(request apiproxy.Request, actor string) *authored {
	entry := &authored{Request: request, actor: actor, from: a.revision()}
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

// Of is who wrote an object at a revision: empty if it may have been one of
// several.
func (a *authors) of(revision int64, resource, namespace, name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	found := ""
	for _, r := range a.requests {
		base, _, _ := strings.Cut(r.Resource, "/")
		switch {
		case revision <= r.from || r.to != 0 && revision > r.to,
			base != resource,
			r.Namespace != namespace && r.Namespace != "",
			r.Name != name && r.Name != "",
			found == r.actor:
		case found != "":
			return ""
		default:
			found = r.actor
		}
	}
	if found == "" {
		return serverActor
	}
	return found
}

// forget drops the requests that ended before a revision.
func (a *authors) forget(before int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = slices.DeleteFunc(a.requests, func(r *authored) bool { return r.to != 0 && r.to < before })
}

// actorOf is the actor in a user agent: ours is behind a mark, others are the
// name of their program.
func actorOf(agent string) string {
	if _, actor, ours := strings.Cut(agent, agentMark); ours {
		return actor
	}
	name, _, _ := strings.Cut(agent, "/")
	if name == self {
		return serverActor // the API server's own clients are named after the program
	}
	return name
}

// self is how client-go names the clients of this program.
var self = filepath.Base(os.Args[0])
