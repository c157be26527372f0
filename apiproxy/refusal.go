package apiproxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
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
	// RetryAfter is in seconds.
	RetryAfter int `json:"retryAfterSeconds,omitempty"`
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
	return answer(req, d.code, d.reason, detailsOf(r), fmt.Sprintf("%s of %s %q is refused at the gate", r.Verb, r.Resource, r.Name))
}

// detailsOf are the details of an error about a request.
func detailsOf(r Request) details {
	kind, group, _ := strings.Cut(r.base(), ".")
	return details{Name: r.Name, Group: group, Kind: kind}
}

// answer is a Status as an API server sends it; the reason may be empty for that of
// the code.
func answer(req *http.Request, code int, reason string, d details, message string) (*http.Response, error) {
	if reason == "" {
		reason = reasons[code]
	}
	body, err := json.Marshal(status{
		Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: message, Reason: reason, Details: d, Code: code,
	})
	if err != nil {
		return nil, err
	}
	response := &http.Response{
		Status:     fmt.Sprintf("%d %s", code, http.StatusText(code)),
		StatusCode: code,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       req,
	}
	if d.RetryAfter > 0 {
		response.Header.Set("Retry-After", strconv.Itoa(d.RetryAfter))
	}
	return response, nil
}

// writeStatus is answer for a handler.
func writeStatus(w http.ResponseWriter, code int, reason, message string) {
	if reason == "" {
		reason = reasons[code]
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status{
		Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: message, Reason: reason, Code: code,
	})
}
