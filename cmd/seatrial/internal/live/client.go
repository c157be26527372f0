package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
)

const (
	// pageSize is how many objects one request asks for.
	pageSize = 500
	// bytesMax bounds what is read of a cluster, all together.
	bytesMax = 256 << 20
	// answerTime is how long an answer may take.
	answerTime = time.Minute
	// restartsMax is how often a list is begun again because it took so long that the
	// server has forgotten where it was.
	restartsMax = 3
	// retriesMax is how often a request is sent again that got no answer, or one that
	// asks for it.
	retriesMax = 3
)

// Options say which cluster, and whose workloads are read: those of its namespace, or of all.
type Options struct {
	kubeconfig.Choice
	All bool
}

// client asks one cluster.
type client struct {
	rest               rest.Interface
	context, namespace string
	// left is how many bytes may still be read.
	left int
}

// connect reads the kubeconfig. It asks the cluster nothing.
func connect(o Options) (*client, error) {
	login, err := o.Read()
	if err != nil {
		return nil, err
	}
	config := login.Config
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return readOnly{next} })
	config.QPS, config.Burst = 50, 100
	config.Timeout = answerTime
	config.AcceptContentTypes, config.ContentType = "application/json", "application/json"
	config.NegotiatedSerializer = clientscheme.Codecs.WithoutConversion()
	asks, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, kubeconfig.Errorf("kubeconfig, context %q: %v", login.Context, err)
	}
	return &client{rest: asks, context: login.Context, namespace: login.Namespace, left: bytesMax}, nil
}

// readOnly lets nothing through that could change a cluster. It is beneath all that
// speaks to the API server.
type readOnly struct{ next http.RoundTripper }

// RoundTrip is http.RoundTripper's.
func (r readOnly) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Method != http.MethodGet {
		if q.Body != nil {
			_ = q.Body.Close() // a RoundTripper has to, and nothing comes of it
		}
		return nil, fmt.Errorf("%s %s is not sent: a cluster is only read", q.Method, q.URL.Path)
	}
	return r.next.RoundTrip(q)
}

// WrappedRoundTripper lets client-go close connections.
func (r readOnly) WrappedRoundTripper() http.RoundTripper { return r.next }

// page is a part of a list.
type page struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// list reads all objects at a path, page by page. Pages may be of different times if
// the list had to be begun again; lists of different kinds always are.
func (c *client) list(ctx context.Context, path string) ([]json.RawMessage, error) {
	var items []json.RawMessage
	at := ""
	for restarts := 0; ; {
		request := c.rest.Get().AbsPath(path).Param("limit", strconv.Itoa(pageSize))
		if at != "" {
			request = request.Param("continue", at)
		}
		result := request.MaxRetries(retriesMax).Do(ctx)
		err := result.Error() // which has what the server says, as Raw does not
		if apierrors.IsResourceExpired(err) && at != "" && restarts < restartsMax {
			restarts++
			items, at = nil, ""
			continue
		}
		if err != nil {
			return nil, err
		}
		raw, err := result.Raw()
		if err != nil {
			return nil, err
		}
		if c.left -= len(raw); c.left < 0 {
			return nil, kubeconfig.Errorf("context %s: the cluster has more than %d MiB of objects; read one namespace of it with -n", c.context, bytesMax>>20)
		}
		var p page
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, fmt.Errorf("%s: no list: %w", path, err)
		}
		items = append(items, p.Items...)
		if at = p.Metadata.Continue; at == "" {
			return items, nil
		}
	}
}
