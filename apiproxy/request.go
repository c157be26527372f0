package apiproxy

import (
	"net/http"
	"net/url"
	"strings"
)

// Request is what a request to the API server asks for, as its method and URL
// say it. Paths mean what k8s.io/apiserver/pkg/endpoints/request makes of them.
type Request struct {
	// Verb is get, list, watch, create, update, patch, delete or
	// deletecollection.
	Verb string
	// Resource is plural, with its group and subresource: pods,
	// pods/binding, deployments.apps/scale.
	Resource string
	// Namespace is empty for what is in none, and so for a Namespace.
	Namespace string
	// Name is empty for collections, and for creates: theirs is in the body.
	Name string
	// DryRun tells that nothing is stored.
	DryRun bool
}

// verbs of methods, for one object.
var verbs = map[string]string{
	http.MethodGet: "get", http.MethodHead: "get",
	http.MethodPost: "create", http.MethodPut: "update",
	http.MethodPatch: "patch", http.MethodDelete: "delete",
}

// Classify reads method and URL. It is false for what is no request for a
// resource: discovery, health, metrics, schemas.
func Classify(method string, u *url.URL) (Request, bool) {
	verb, known := verbs[method]
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	group := ""
	switch {
	case !known:
		return Request{}, false
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		group, parts = parts[1], parts[3:]
	default:
		return Request{}, false
	}
	if parts[0] == "watch" { // the old form of ?watch=true
		if parts = parts[1:]; len(parts) == 0 {
			return Request{}, false
		}
		verb = "watch"
	}
	r := Request{Verb: verb}
	// A namespace has two subresources; anything else is in it.
	if parts[0] == "namespaces" && len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
		r.Namespace, parts = parts[1], parts[2:]
	}
	r.Resource = parts[0]
	if group != "" {
		r.Resource += "." + group
	}
	if len(parts) > 1 {
		r.Name = parts[1]
	}
	if len(parts) > 2 {
		r.Resource += "/" + parts[2]
	}
	query := u.Query()
	r.DryRun = query.Get("dryRun") != ""
	if r.Name == "" {
		r.Verb = ofCollection(verb, query)
	}
	return r, true
}

// ofCollection is what a verb is when no object is named.
func ofCollection(verb string, query url.Values) string {
	switch verb {
	case "delete":
		return "deletecollection"
	case "get":
		// A bare ?watch counts, and so does what is not a boolean at all.
		if w, given := query["watch"]; given && w[0] != "false" && w[0] != "0" {
			return "watch"
		}
		return "list"
	}
	return verb
}

// Writes tells whether the request may change what is stored.
func (r Request) Writes() bool {
	switch r.Verb {
	case "create", "update", "patch", "delete", "deletecollection":
	default:
		return false
	}
	resource, sub, _ := strings.Cut(r.Resource, "/")
	switch sub {
	case "exec", "attach", "portforward", "proxy", "token":
		return false
	}
	_, group, _ := strings.Cut(resource, ".")
	// What is created there is a question with an answer.
	return !r.DryRun && group != "authorization.k8s.io" && group != "authentication.k8s.io"
}

// Steered tells whether the gate may delay or refuse the request. Leases never
// are: a component that cannot renew its own ends itself. Events say what was
// done and decide nothing.
func (r Request) Steered() bool {
	switch r.Resource {
	case "leases.coordination.k8s.io", "events", "events.events.k8s.io":
		return false
	}
	return r.Writes()
}
