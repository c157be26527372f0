package live

import (
	"net/http"
	"strings"
	"testing"
)

// sent is a server that should not be asked.
type sent struct{ methods []string }

func (s *sent) RoundTrip(q *http.Request) (*http.Response, error) {
	s.methods = append(s.methods, q.Method)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func TestNothingButReadingLeaves(t *testing.T) {
	s := &sent{}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "CONNECT", "get"} {
		q, err := http.NewRequestWithContext(t.Context(), method, "https://example.org/api/v1/pods", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (readOnly{s}).RoundTrip(q); err == nil || !strings.Contains(err.Error(), "is not sent: a cluster is only read") {
			t.Errorf("%s: %v", method, err)
		}
	}
	if len(s.methods) > 0 {
		t.Errorf("%s leave", s.methods)
	}
}
