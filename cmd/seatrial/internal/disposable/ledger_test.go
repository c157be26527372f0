package disposable

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// TestAuthors: who has made a write is known by the answer to it; it does not matter whether that or the watch
// is first.
func TestAuthors(t *testing.T) {
	release := make(chan bool, 1)
	answers := map[string]string{
		"PUT /at/api/v1/namespaces/a/configmaps/x":    `{"kind":"ConfigMap","metadata":{"uid":"u1","resourceVersion":"7"}}`,
		"DELETE /at/api/v1/namespaces/a/configmaps/x": `{"kind":"Status","details":{"uid":"u1"}}`,
		"DELETE /at/api/v1/namespaces/a/pods/x":       `{"kind":"Pod","metadata":{"uid":"u2","resourceVersion":"9","deletionTimestamp":"x","deletionGracePeriodSeconds":30}}`,
		"PATCH /at/api/v1/namespaces/a/secrets/x":     `{"kind":"Secret","metadata":{"uid":"u3","resourceVersion":"4","deletionTimestamp":"x"}}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get(admin.HeaderActor) != "" {
			t.Error("the header goes to the cluster")
		}
		<-release
		_, _ = io.WriteString(w, answers[q.Method+" "+q.URL.Path])
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL + "/at/"}
	if err := beneath(config); err != nil {
		t.Fatal(err)
	}
	c := &Cluster{ledger: newLedger(), before: map[history.Key]bool{{Resource: "secrets", Namespace: "a", Name: "old"}: true}}
	s := &slot{cluster: c}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return witness{s, next} })
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path, actor string) error {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(admin.HeaderActor, actor)
		response, err := client.Do(req)
		if err == nil {
			_ = response.Body.Close()
		}
		return err
	}
	for _, test := range []struct {
		name, method, path string
		event              history.Event
		want               string
	}{
		{"an update", "PUT", "configmaps/x", history.Event{Revision: 7, Type: history.Update, UID: "u1"}, plan.Controller},
		{"an update by another", "PUT", "configmaps/x", history.Event{Revision: 8, Type: history.Update, UID: "u1"}, ""},
		{"a deletion", "DELETE", "configmaps/x", history.Event{Revision: 8, Type: history.Delete, UID: "u1"}, plan.Controller},
		{"a pod that is told to end", "DELETE", "pods/x", history.Event{Revision: 9, Type: history.Update, UID: "u2"}, plan.Controller},
		{"a pod that has ended", "DELETE", "pods/x", history.Event{Revision: 10, Type: history.Delete, UID: "u2"}, ""},
		{"the last finalizer", "PATCH", "secrets/x", history.Event{Revision: 5, Type: history.Delete, UID: "u3"}, plan.Controller},
	} {
		t.Run(test.name, func(t *testing.T) {
			sent := make(chan error, 1)
			go func() { sent <- send(test.method, "/api/v1/namespaces/a/"+test.path, plan.Controller) }()
			test.event.Resource, _, _ = strings.Cut(test.path, "/")
			for { // until the write is under way: its answer is not there
				c.ledger.mu.Lock()
				underway := len(c.ledger.underway)
				c.ledger.mu.Unlock()
				if underway > 0 {
					break
				}
			}
			release <- true
			if by := c.ledger.author(t.Context(), &test.event); by.actor != test.want {
				t.Errorf("by %q", by.actor)
			}
			if err := <-sent; err != nil {
				t.Error(err)
			}
			c.ledger.forget(s)
		})
	}
	if len(c.ledger.written)+len(c.ledger.gone) > 0 {
		t.Errorf("kept: %v %v", c.ledger.written, c.ledger.gone)
	}
	if err := send("DELETE", "/api/v1/namespaces/a/secrets/old", plan.User); err == nil || !strings.Contains(err.Error(), "secrets a/old was in the cluster before, and is not changed") {
		t.Errorf("%v", err)
	}
}

// TestOfKubernetes: those finalizers are waited for whose owner is at work.
func TestOfKubernetes(t *testing.T) {
	for finalizer, want := range map[string]bool{
		"foregroundDeletion": true, "kubernetes.io/pvc-protection": true, "service.kubernetes.io/load-balancer-cleanup": true, "customresourcecleanup.apiextensions.k8s.io": true,
		"example.com/cleanup": false, "notkubernetes.io/x": false,
	} {
		if ofKubernetes(finalizer) != want {
			t.Errorf("%s: %t", finalizer, !want)
		}
	}
}
