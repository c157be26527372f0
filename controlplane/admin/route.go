package admin

import (
	"net/url"
	"strings"
)

// Route is one request of the interface, as a pattern of [net/http.ServeMux].
// Bodies are JSON both ways; an answer that is not a success (2xx) has a
// [Failure]. Requests bear the token: "Authorization: Bearer TOKEN".
type Route string

// The routes. {plane}, {id} and {node} are single path segments.
const (
	// RouteStatus answers with a Status.
	RouteStatus Route = "GET /v1/status"
	// RouteStop ends the process, after its answer (204).
	RouteStop Route = "POST /v1/stop"
	// RouteRunControllers takes Controllers and answers with Running when they have
	// seen what there is; RouteStopControllers answers with 204 when they have ended.
	RouteRunControllers  Route = "POST /v1/controllers"
	RouteStopControllers Route = "DELETE /v1/controllers/{id}"
	// RouteAddPlane takes a Spec and answers with a Plane when that is ready.
	RouteAddPlane Route = "POST /v1/planes"
	// RouteRemovePlane answers with 204 when the plane has ended.
	RouteRemovePlane Route = "DELETE /v1/planes/{plane}"
	// RouteReset answers with a Reset when the plane is at its baseline.
	RouteReset Route = "POST /v1/planes/{plane}/reset"
	// RouteBaseline makes what is there now the baseline, and answers with the
	// Plane.
	RouteBaseline Route = "POST /v1/planes/{plane}/baseline"
	// RouteHistory answers with events of package history, one a line, from the
	// revision of the query's QueryFrom on. It ends at the newest revision when
	// the request came, or, with QueryFollow, with the plane or the request.
	RouteHistory Route = "GET /v1/planes/{plane}/history"
	// RouteHold takes a list of Match, which replaces what is held (204).
	RouteHold Route = "PUT /v1/planes/{plane}/gate"
	// RouteParked answers with a Queue when its generation is above the query's
	// QueryAfter.
	RouteParked Route = "GET /v1/planes/{plane}/gate/parked"
	// RouteRelease passes a parked request on (204; 404 if it does not wait).
	RouteRelease Route = "POST /v1/planes/{plane}/gate/parked/{id}/release"
	// RoutePass is RouteRelease, and answers with an Answer when the API server has
	// answered the request.
	RoutePass Route = "POST /v1/planes/{plane}/gate/parked/{id}/pass"
	// RouteRefuse takes a Refusal (204; 404 if the request does not wait).
	RouteRefuse Route = "POST /v1/planes/{plane}/gate/parked/{id}/refuse"
	// RouteLockStep takes a LockStep (204).
	RouteLockStep Route = "PUT /v1/planes/{plane}/lockstep"
	// RouteSeen answers when all parts of the plane have seen what was written before
	// the request (204).
	RouteSeen Route = "POST /v1/planes/{plane}/seen"
	// RouteSteer takes a Steer, which replaces the one before (204).
	RouteSteer Route = "PUT /v1/planes/{plane}/scheduler"
	// RouteTurns answers with Turns when their generation is above the query's
	// QueryAfter.
	RouteTurns Route = "GET /v1/planes/{plane}/scheduler"
	// RouteUsage takes a list of Usage, which replaces what there was (204).
	RouteUsage Route = "PUT /v1/planes/{plane}/usage"
	// RouteRules takes Rules, which replace those before (204).
	RouteRules Route = "PUT /v1/planes/{plane}/rules"
	// RouteAddNode takes a Node object; its kubelet runs when it answers (204).
	RouteAddNode Route = "POST /v1/planes/{plane}/nodes"
	// RouteFailNode stops a node's kubelet, RouteHealNode starts it again (204).
	RouteFailNode Route = "POST /v1/planes/{plane}/nodes/{node}/fail"
	RouteHealNode Route = "POST /v1/planes/{plane}/nodes/{node}/heal"
	// RouteDeschedule takes a Deschedule, and answers with a Descheduled when one
	// cycle of the descheduler has ended.
	RouteDeschedule Route = "POST /v1/planes/{plane}/descheduler"
)

// Routes are all of them; a server handles each.
var Routes = []Route{
	RouteStatus, RouteStop, RouteRunControllers, RouteStopControllers, RouteAddPlane, RouteRemovePlane, RouteReset, RouteBaseline,
	RouteHistory, RouteHold, RouteParked, RouteRelease, RoutePass, RouteRefuse, RouteLockStep, RouteSeen,
	RouteSteer, RouteTurns,
	RouteUsage, RouteRules, RouteAddNode, RouteFailNode, RouteHealNode, RouteDeschedule,
}

// The wildcards of the routes, for [net/http.Request.PathValue], the queries, and
// the header with which a client says its [Version]: a server refuses another
// one with 409, and takes requests that say none.
const (
	PathPlane     = "plane"
	PathID        = "id"
	PathNode      = "node"
	QueryFrom     = "from"   // a revision, in decimal
	QueryFollow   = "follow" // true
	QueryAfter    = "after"  // a generation, in decimal
	HeaderVersion = "Seatrial-Version"
)

// Method is the HTTP method of the route.
func (r Route) Method() string {
	method, _, _ := strings.Cut(string(r), " ")
	return method
}

// Path is the path of the route with its wildcards replaced in order.
func (r Route) Path(segments ...string) string {
	_, path, _ := strings.Cut(string(r), " ")
	for _, segment := range segments {
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		path = before + url.PathEscape(segment) + after
	}
	return path
}

// Answer is what the API server says to a request that was parked and passed on.
type Answer struct {
	// Code is the HTTP code, 0 if there is no answer.
	Code int `json:"code"`
}

// Refusal is how a parked request is answered: an HTTP code from 400 to 599 and
// a reason of the Kubernetes API, which may be empty for the usual one.
type Refusal struct {
	Code   int    `json:"code"`
	Reason string `json:"reason,omitempty"`
}

// LockStep says whether writes pass one at a time.
type LockStep struct {
	On bool `json:"on"`
}

// Rules are the rules of the kubelets, as YAML, before the built-in ones.
type Rules struct {
	Rules string `json:"rules"`
}

// Deschedule is the DeschedulerPolicy of one cycle, as YAML.
type Deschedule struct {
	Policy string `json:"policy"`
}

// Descheduled is what one cycle of the descheduler did.
type Descheduled struct {
	// Revision is the newest after it.
	Revision int64 `json:"revision"`
}
