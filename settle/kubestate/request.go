package kubestate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	aggregate "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// Request is what a client asks for.
type Request struct {
	// Verb is create, get, list, update, patch, delete or deletecollection.
	Verb string
	// Resource is of the version in which it is asked.
	Resource        schema.GroupVersionResource
	Namespace, Name string
	Subresource     string
	// Options are those of the verb, as the query of its URL: fieldManager, force,
	// dryRun, labelSelector and so on.
	Options url.Values
	// Body is JSON: the object, the patch, or the DeleteOptions.
	Body []byte
	// Patch is the media type of a patch.
	Patch string
	// Agent is the client's name, which is the field manager if none is given.
	Agent string
	// Heard are the numbers of all tokens that are known beside those of objects that exist: names
	// among them are not generated. Nil is none.
	Heard func() []uint64
}

// Response is the answer.
type Response struct {
	// Code is that of HTTP.
	Code int
	// Body is JSON: the object, the list, or a Status.
	Body []byte
	// Status is what went wrong; nil if nothing did.
	Status *metav1.Status
	// Warnings are what a client is to tell its user.
	Warnings []string
	// Events are the writes that there were, in order.
	Events []Event
}

// fingerprint is equal for requests that are.
func (r *Request) fingerprint() xxh3.Uint128 {
	var space [512]byte
	b := space[:0]
	for _, part := range []string{r.Verb, r.Resource.Group, r.Resource.Version, r.Resource.Resource, r.Namespace, r.Name, r.Subresource, r.Options.Encode(), r.Patch, r.Agent} {
		b = append(append(b, part...), 0)
	}
	body := xxh3.Hash128(r.Body).Bytes()
	return xxh3.Hash128(append(b, body[:]...))
}

// method is the HTTP method of each verb.
var method = map[string]string{
	"create": http.MethodPost, "get": http.MethodGet, "list": http.MethodGet, "update": http.MethodPut,
	"patch": http.MethodPatch, "delete": http.MethodDelete, "deletecollection": http.MethodDelete, "watch": http.MethodGet,
}

// path is the URL's.
func (r *Request) path() string {
	parts := []string{"/api"}
	if r.Resource.Group != "" {
		parts = []string{"/apis", r.Resource.Group}
	}
	parts = append(parts, r.Resource.Version)
	if r.Namespace != "" {
		parts = append(parts, "namespaces", r.Namespace)
	}
	parts = append(parts, r.Resource.Resource)
	for _, part := range []string{r.Name, r.Subresource} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// http makes the request that the handlers read.
func (r *Request) http(ctx context.Context) *http.Request {
	prefix := "apis"
	if r.Resource.Group == "" {
		prefix = "api"
	}
	path := r.path()
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Path: path, Verb: r.Verb, APIPrefix: prefix, APIGroup: r.Resource.Group, APIVersion: r.Resource.Version,
		Namespace: r.Namespace, Resource: r.Resource.Resource, Subresource: r.Subresource, Name: r.Name,
	})
	ctx = request.WithNamespace(ctx, r.Namespace)
	ctx = request.WithUser(audit.WithAuditContext(ctx), &user.DefaultInfo{Name: r.Agent})
	h := &http.Request{
		Method: method[r.Verb], URL: &url.URL{Path: path, RawQuery: r.Options.Encode()}, RequestURI: path,
		Header: http.Header{"Accept": {"application/json"}, "User-Agent": {r.Agent}},
		Body:   io.NopCloser(bytes.NewReader(r.Body)), ContentLength: int64(len(r.Body)),
	}
	switch {
	case r.Patch != "":
		h.Header.Set("Content-Type", r.Patch)
	case len(r.Body) > 0:
		h.Header.Set("Content-Type", "application/json")
	}
	return h.WithContext(ctx)
}

// answer is an http.ResponseWriter that keeps what is written.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
	// custom: it is about a custom resource.
	custom bool
	// warnings are each there once.
	warnings []string
}

// AddWarning is part of warning.Recorder.
func (a *answer) AddWarning(_, text string) {
	if !slices.Contains(a.warnings, text) {
		a.warnings = append(a.warnings, text)
	}
}

// Flush is asked for by watches.
func (a *answer) Flush() {}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(code int)        { a.code = code }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

func (a *answer) response() *Response {
	r := &Response{Code: a.code, Warnings: a.warnings}
	if r.Code == 0 {
		r.Code = http.StatusOK
	}
	if r.Code >= http.StatusBadRequest {
		r.Status = &metav1.Status{}
		if json.Unmarshal(a.body.Bytes(), r.Status) != nil || r.Status.Status == "" {
			r.Status = &metav1.Status{Status: metav1.StatusFailure, Code: int32(r.Code), Reason: metav1.StatusReasonUnknown, Message: a.body.String()}
		} else if inOrder(r.Status, a.custom) {
			a.status(*r.Status)
		}
	}
	r.Body = bytes.TrimSuffix(a.body.Bytes(), []byte("\n"))
	return r
}

// status replaces the body.
func (a *answer) status(s metav1.Status) {
	s.Kind, s.APIVersion = "Status", "v1"
	text, err := json.Marshal(s)
	if err == nil {
		a.body.Reset()
		a.body.Write(text)
	}
}

// inOrder sorts what is wrong with an object, also in the message: the validation of the
// schemas of custom resources tells it in no order. It is false if there is nothing to sort.
func inOrder(s *metav1.Status, custom bool) bool {
	if head, lines, found := strings.Cut(s.Message, "errors:\n"); found { // of what is applied
		all := strings.Split(lines, "\n")
		slices.Sort(all)
		s.Message = head + "errors:\n" + strings.Join(all, "\n")
		return true
	}
	if s.Details != nil && s.Reason == metav1.StatusReasonConflict { // of managers
		slices.SortFunc(s.Details.Causes, byField)
		return len(s.Details.Causes) > 1
	}
	if !custom || s.Reason != metav1.StatusReasonInvalid || s.Details == nil || len(s.Details.Causes) < 2 {
		return false
	}
	said := func() string {
		var all []error
		for _, c := range s.Details.Causes {
			all = append(all, fmt.Errorf("%s: %s", c.Field, c.Message))
		}
		return aggregate.NewAggregate(all).Error()
	}
	head, found := strings.CutSuffix(s.Message, said())
	if !found {
		return false
	}
	slices.SortStableFunc(s.Details.Causes, byField)
	s.Message = head + said()
	return true
}

func byField(a, b metav1.StatusCause) int {
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
}
