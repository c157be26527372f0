package settle

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// wire is what the client of controller-runtime sends its requests by: it makes calls of them. By
// it go the methods that scripted does not have itself: server-side apply, subresources other than
// the status, and what releases have that are newer than the one that settle is built with.
type wire struct{ client *scripted }

// wired is a client of controller-runtime for what c does not do itself.
func (c *scripted) wired() (client.Client, error) {
	to := &rest.Config{Host: "http://settle.invalid", Transport: wire{c}, QPS: -1, UserAgent: c.agent, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	return client.New(to, client.Options{Scheme: c.scheme, Mapper: c.mapper, HTTPClient: &http.Client{Transport: to.Transport}})
}

// paths takes the paths of requests apart.
var paths = request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}

// RoundTrip is part of http.RoundTripper.
func (w wire) RoundTrip(q *http.Request) (*http.Response, error) {
	to, err := w.call(q)
	if err != nil {
		return nil, w.refused(err)
	}
	a, err := w.client.tell(q.Context(), to)
	if err != nil {
		return nil, err
	}
	code, text := http.StatusOK, a.status
	switch {
	case a.status != nil:
		var s struct{ Code int }
		if err := json.Unmarshal(a.status, &s); err != nil {
			return nil, err
		}
		if code = s.Code; code == http.StatusNotFound && bytes.Contains(text, []byte("the server could not find the requested resource")) {
			return nil, w.refused(fmt.Errorf("%s %s: there is no such subresource, or none that settle knows: a reconciler that needs it cannot be checked", q.Method, q.URL.Path))
		}
	case a.drawn != nil:
		text = a.drawn
	case a.object != nil:
		u, err := w.client.types.as(a.object, reflect.TypeFor[*unstructured.Unstructured]())
		if err != nil {
			return nil, err
		}
		if text, err = json.Marshal(u); err != nil {
			return nil, err
		}
	}
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: q,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}, nil
}

// refused ends the search.
func (w wire) refused(err error) error {
	if c := w.client; c.misused != nil {
		c.misused(fmt.Errorf("settle: %w", cmp.Or(missing(err), err)))
	}
	return err
}

// call is a request as a call, or says why it cannot be made.
func (w wire) call(q *http.Request) (*call, error) {
	unknown := fmt.Errorf("%s %s: it is made by a method of the client that settle does not know, of controller-runtime newer than it supports: use Get, List, Create, Update, Patch, Apply, Delete or DeleteAllOf", q.Method, q.URL.Path)
	info, err := paths.NewRequestInfo(q)
	if err != nil || !info.IsResourceRequest {
		return nil, unknown
	}
	kind, err := w.client.mapper.KindFor(schema.GroupVersionResource{Group: info.APIGroup, Version: info.APIVersion, Resource: info.Resource})
	if err != nil {
		return nil, err
	}
	r, ok := w.client.server.Resource(kind)
	if !ok {
		return nil, unknown
	}
	ask := &kubestate.Request{Verb: info.Verb, Resource: r.Resource, Namespace: info.Namespace, Name: info.Name, Subresource: info.Subresource, Agent: w.client.agent, Options: q.URL.Query()}
	if q.Body != nil {
		if ask.Body, err = io.ReadAll(q.Body); err != nil {
			return nil, err
		}
	}
	switch {
	case info.Verb == "patch":
		ask.Patch = q.Header.Get("Content-Type")
	case info.Verb == "get" && info.Subresource != "":
		return titled(&call{part: ask, resource: r}, ask, ""), nil
	case info.Verb != "create" && info.Verb != "update":
		return nil, unknown
	}
	return titled(&call{write: ask, resource: r, whole: info.Subresource != "" && info.Subresource != "status"}, ask, ""), nil
}

// tell makes a call, which no write is whose context is done.
func (c *scripted) tell(ctx context.Context, to *call) (*answer, error) {
	if err := ctx.Err(); err != nil && to.write != nil { // what is read is there mostly
		if r, ok := c.asker.(*rerun); ok {
			r.refuse()
		}
		return nil, err
	}
	return c.asker.ask(to), nil
}
