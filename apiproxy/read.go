package apiproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// read answers a get or a list: as of the limit, if the client would take that.
func (t *steered) read(x *Exchange, req *http.Request) (*http.Response, error) {
	i := t.incarnation
	single := false
	if exact := i.exactly(x, req); exact > 0 {
		x.Exact, single = exact, x.Verb == "get"
		rewrite(req, x, exact)
	}
	ctx, cancel := i.join(req.Context())
	response, err := t.next.RoundTrip(req.WithContext(ctx))
	if err == nil && single && response.StatusCode == http.StatusOK {
		response, err = only(response, x)
	}
	if err != nil {
		cancel()
		return nil, i.failed(x, req.Context(), err)
	}
	x.Code = response.StatusCode
	response.Body = i.observe(req.Context(), x, response.Body, cancel)
	return response, nil
}

// exactly is exact for a get or list: not one that goes on with a list, nor one
// whose limit means the version that it names
// (https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list).
func (i *Incarnation) exactly(x *Exchange, req *http.Request) int64 {
	query := req.URL.Query()
	legacy := query.Get("limit") != "" && query.Get("limit") != "0" && x.Match == "" && x.ResourceVersion != "0"
	if query.Get("continue") != "" || x.Verb == "list" && legacy || x.subresource() != "" {
		return 0
	}
	return i.exact(x)
}

// rewrite makes req the list as of a revision. A get is a list of one: the API
// server has no get of an old version.
func rewrite(req *http.Request, x *Exchange, revision int64) {
	address := *req.URL
	query := address.Query()
	query.Set("resourceVersion", decimal(revision))
	query.Set("resourceVersionMatch", "Exact")
	query.Del("limit")
	if x.Verb == "get" {
		query.Set("fieldSelector", "metadata.name="+x.Name)
		address.Path = address.Path[:strings.LastIndexByte(strings.TrimRight(address.Path, "/"), '/')]
		address.RawPath = ""
		req.Method = http.MethodGet
		req.Header.Set("Accept", strings.ReplaceAll(req.Header.Get("Accept"), "as=PartialObjectMetadata", "as=PartialObjectMetadataList"))
	}
	address.RawQuery = query.Encode()
	req.URL = &address
}

// only turns the answer to a list of one into that of a get.
func only(response *http.Response, x *Exchange) (*http.Response, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer of the API server: %w", err)
	}
	var list struct {
		Kind       string            `json:"kind"`
		APIVersion string            `json:"apiVersion"`
		Items      []json.RawMessage `json:"items"`
		Rows       []json.RawMessage `json:"rows"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the answer of the API server to a list of %s: %w", x.Resource, err)
	}
	switch {
	case len(list.Rows) > 0: // a Table is one for a single object as well
	case len(list.Items) == 0:
		return answer(response.Request, http.StatusNotFound, "", detailsOf(x.Request), fmt.Sprintf("%s %q not found", x.Resource, x.Name))
	default:
		if body, err = typed(list.Items[0], strings.TrimSuffix(list.Kind, "List"), list.APIVersion); err != nil {
			return nil, err
		}
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Set("Content-Length", decimal(response.ContentLength))
	return response, nil
}

// typed gives an item of a list its kind: those of built-in resources have none.
func typed(item json.RawMessage, kind, version string) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(item, &fields); err != nil {
		return nil, fmt.Errorf("an item of a list is no object: %w", err)
	}
	for name, value := range map[string]string{"kind": kind, "apiVersion": version} {
		if _, has := fields[name]; !has {
			fields[name], _ = json.Marshal(value)
		}
	}
	return json.Marshal(fields)
}

// observe is the body of an answer to a read: the request ends when all of its
// value has passed, or it is closed. cancel is called when it is closed.
func (i *Incarnation) observe(client context.Context, x *Exchange, body io.ReadCloser, cancel context.CancelFunc) io.ReadCloser {
	var once sync.Once
	s := &sniffer{}
	end := func(outcome Outcome, err error) {
		once.Do(func() {
			if x.Code == http.StatusOK {
				x.take(s.metadata())
			}
			i.end(x, outcome, x.Code, err)
		})
	}
	return &observed{
		ReadCloser: body, incarnation: i, sniffer: s,
		found: func() { end(OutcomeAnswered, nil) },
		end: func(err error) {
			cancel()
			switch {
			case err == nil:
				end(OutcomeAbandoned, nil)
			case errors.Is(err, io.EOF):
				end(OutcomeAnswered, nil)
			default:
				end(i.why(client, err))
			}
		},
	}
}
