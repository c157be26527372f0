package plane

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// TestAuthors: a request makes one write, and another writes beside it to an object of
// the same name.
func TestAuthors(t *testing.T) {
	for _, test := range []struct {
		method, path string
		key          history.Key
		want         string
	}{
		{"DELETE", "/api/v1/namespaces/team/pods/web", history.Key{Resource: "pods", Namespace: "team", Name: "web"}, "controller"},
		{"DELETE", "/api/v1/namespaces/team/pods/web", history.Key{Resource: "pods", Namespace: "other", Name: "web"}, serverActor},
		{"DELETE", "/api/v1/namespaces/team", history.Key{Resource: "namespaces", Name: "team"}, "controller"},
		{"PUT", "/api/v1/namespaces/team/finalize", history.Key{Resource: "namespaces", Name: "team"}, "controller"},
		{"DELETE", "/api/v1/namespaces/team", history.Key{Resource: "namespaces", Name: "other"}, serverActor},
		{"PATCH", "/apis/example.com/v1/webs/web", history.Key{Resource: "webs.example.com", Name: "web"}, "controller"},
		{"GET", "/api/v1/namespaces/team", history.Key{Resource: "namespaces", Name: "team"}, serverActor},
	} {
		revision := int64(7)
		a := &authors{revision: func() int64 { return revision }}
		var by author
		handler := a.wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			revision++
			by = a.of(history.Event{Type: history.Update, Revision: revision, Key: test.key})
		}))
		r := httptest.NewRequest(test.method, test.path, http.NoBody)
		r.Header.Set(admin.HeaderActor, "controller")
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if by.actor != test.want {
			t.Errorf("%s %s: %s %s is written by %q, want %q", test.method, test.path, test.key.Resource, test.key.Name, by.actor, test.want)
		}
	}
}
