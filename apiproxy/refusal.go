package apiproxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// status is the part of metav1.Status that an error has.
type status struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   struct{} `json:"metadata"`
	Status     string   `json:"status"`
	Message    string   `json:"message"`
	Reason     string   `json:"reason"`
	Details    details  `json:"details"`
	Code       int      `json:"code"`
}

type details struct {
	Name  string `json:"name,omitempty"`
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind,omitempty"`
}

// reasons are those that the API server gives with a code
// (k8s.io/apimachinery/pkg/api/errors).
var reasons = map[int]string{
	http.StatusBadRequest:            "BadRequest",
	http.StatusUnauthorized:          "Unauthorized",
	http.StatusForbidden:             "Forbidden",
	http.StatusNotFound:              "NotFound",
	http.StatusMethodNotAllowed:      "MethodNotAllowed",
	http.StatusNotAcceptable:         "NotAcceptable",
	http.StatusConflict:              "Conflict",
	http.StatusGone:                  "Gone",
	http.StatusRequestEntityTooLarge: "RequestEntityTooLarge",
	http.StatusUnsupportedMediaType:  "UnsupportedMediaType",
	http.StatusUnprocessableEntity:   "Invalid",
	http.StatusTooManyRequests:       "TooManyRequests",
	http.StatusInternalServerError:   "InternalError",
	http.StatusServiceUnavailable:    "ServiceUnavailable",
	http.StatusGatewayTimeout:        "Timeout",
}

// refusal is the answer of an API server that refuses the request. There is no
// Retry-After: clients decide anew instead of sending the same again.
func refusal(req *http.Request, r Request, d decision) (*http.Response, error) {
	reason := d.reason
	if reason == "" {
		reason = reasons[d.code]
	}
	resource, _, _ := strings.Cut(r.Resource, "/")
	kind, group, _ := strings.Cut(resource, ".")
	body, err := json.Marshal(status{
		Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: fmt.Sprintf("%s of %s %q is refused at the gate", r.Verb, r.Resource, r.Name),
		Reason:  reason, Details: details{r.Name, group, kind}, Code: d.code,
	})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", d.code, http.StatusText(d.code)),
		StatusCode: d.code,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       req,
	}, nil
}
