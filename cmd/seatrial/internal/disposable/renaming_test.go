package disposable

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// TestRenaming: what happens in the second slot looks as it does in the first, wherever the namespace is named, and
// pods that have a number keep it.
func TestRenaming(t *testing.T) {
	r := newRenaming("shop", "2")
	if r.slot != "shop-seatrial-2" {
		t.Fatal(r.slot)
	}
	e := history.Event{
		Type: history.Create, Key: history.Key{Resource: "configmaps", Namespace: "shop-seatrial-2", Name: "shop-seatrial-2-web"},
		Object: history.Object{"metadata": map[string]any{"namespace": "shop-seatrial-2", "name": "shop-seatrial-2-web"}, "data": map[string]any{
			"host": "web.shop-seatrial-2.svc.cluster.local:80", "key": "shop-seatrial-2/web", "pod": "shop-2", "shop-seatrial-2.conf": "x",
		}, "list": []any{"shop-seatrial-2", int64(2)}},
	}
	want := history.Event{
		Type: history.Create, Key: history.Key{Resource: "configmaps", Namespace: "shop", Name: "shop-web"},
		Object: history.Object{"metadata": map[string]any{"namespace": "shop", "name": "shop-web"}, "data": map[string]any{
			"host": "web.shop.svc.cluster.local:80", "key": "shop/web", "pod": "shop-2", "shop.conf": "x",
		}, "list": []any{"shop", int64(2)}},
	}
	if diff := cmp.Diff(want, r.in(e)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(e, (renaming{}).in(e)); diff != "" {
		t.Error("the first slot: " + diff)
	}
}

// TestTranslator: what seatrial does in a slot is said of the seed's namespace; what the operator does is not
// touched.
func TestTranslator(t *testing.T) {
	var got string
	next := roundTripper(func(q *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(q.Body)
		got = q.URL.Path + " " + string(body)
		return &http.Response{Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(`{"namespace":"shop-seatrial-2"}`))}, err
	})
	tr := translator{newRenaming("shop", "2"), next}
	for _, test := range []struct{ actor, path, body, want, answer string }{
		{
			plan.User, "/apis/example.com/v1/namespaces/shop/webs/shop", `{"metadata":{"name":"shop","namespace":"shop"},"spec":{"host":"a.shop.svc","tier":"shop"}}`,
			`/apis/example.com/v1/namespaces/shop-seatrial-2/webs/shop {"metadata":{"name":"shop","namespace":"shop-seatrial-2"},"spec":{"host":"a.shop-seatrial-2.svc","tier":"shop"}}`, `{"namespace":"shop"}`,
		},
		{plan.User, "/api/v1/namespaces/shop", `{"kind":"Namespace","metadata":{"name":"shop"}}`, `/api/v1/namespaces/shop-seatrial-2 {"kind":"Namespace","metadata":{"name":"shop-seatrial-2"}}`, `{"namespace":"shop"}`},
		{plan.User, "/api/v1/namespaces/other/pods", `[]`, "/api/v1/namespaces/other/pods []", `{"namespace":"shop"}`},
		{plan.Controller, "/api/v1/namespaces/shop/pods", `{"namespace":"shop"}`, `/api/v1/namespaces/shop/pods {"namespace":"shop"}`, `{"namespace":"shop-seatrial-2"}`},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, "https://cluster"+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(admin.HeaderActor, test.actor)
		response, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		if err != nil || got != test.want || string(answer) != test.answer {
			t.Errorf("%s: %s, want %s; answer %s, %v", test.path, got, test.want, answer, err)
		}
		_ = response.Body.Close() // it was read
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }
