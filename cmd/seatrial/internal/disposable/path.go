package disposable

import (
	"net/http"
	"strings"

	"k8s.io/client-go/rest"
)

// beneath has requests sent to the path at which the cluster is, if its URL has one, as behind a gateway: whoever
// is above need not know it.
func beneath(config *rest.Config) error {
	url, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return err
	}
	path := strings.TrimSuffix(url.Path, "/")
	if path == "" {
		return nil
	}
	url.Path = ""
	config.Host = url.String()
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return gateway{path, next} })
	return nil
}

type gateway struct {
	path string
	next http.RoundTripper
}

// WrappedRoundTripper is how client-go finds the transport beneath.
func (g gateway) WrappedRoundTripper() http.RoundTripper { return g.next }

func (g gateway) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Path = g.path + req.URL.Path
	req.URL.RawPath = ""
	return g.next.RoundTrip(req)
}
