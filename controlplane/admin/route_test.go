package admin

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestRoutes: what a client asks for arrives at the route it means, and names
// arrive as they were, whatever is in them.
func TestRoutes(t *testing.T) {
	mux := http.NewServeMux()
	var route Route
	var values [3]string
	for _, r := range Routes {
		mux.HandleFunc(string(r), func(_ http.ResponseWriter, request *http.Request) {
			route = r
			values = [3]string{request.PathValue(PathPlane), request.PathValue(PathID), request.PathValue(PathNode)}
		})
	}
	const plane = "a/b c{id}%2F?x"
	cases := []struct {
		route    Route
		segments []string
		want     [3]string
	}{
		{RouteStatus, nil, [3]string{}},
		{RouteStop, nil, [3]string{}},
		{RouteAddPlane, nil, [3]string{}},
		{RouteRunControllers, nil, [3]string{}},
		{RouteStopControllers, []string{"7"}, [3]string{"", "7", ""}},
		{RouteRelease, []string{plane, "7"}, [3]string{plane, "7", ""}},
		{RoutePass, []string{plane, "7"}, [3]string{plane, "7", ""}},
		{RouteRefuse, []string{plane, "7"}, [3]string{plane, "7", ""}},
		{RouteFailNode, []string{plane, "n/1"}, [3]string{plane, "", "n/1"}},
		{RouteHealNode, []string{plane, "n/1"}, [3]string{plane, "", "n/1"}},
	}
	tried := map[Route]bool{}
	for _, c := range cases {
		tried[c.route] = true
	}
	for _, r := range Routes {
		if !tried[r] {
			cases = append(cases, struct {
				route    Route
				segments []string
				want     [3]string
			}{r, []string{plane}, [3]string{plane, "", ""}})
		}
	}
	for _, c := range cases {
		route, values = "", [3]string{}
		request := httptest.NewRequest(c.route.Method(), "http://plane"+c.route.Path(c.segments...), nil)
		mux.ServeHTTP(httptest.NewRecorder(), request)
		if route != c.route || values != c.want {
			t.Errorf("%s %s arrives at %q with %q", c.route.Method(), c.route.Path(c.segments...), route, values)
		}
	}
}
