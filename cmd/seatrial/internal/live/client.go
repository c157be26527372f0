package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // the ways in which kubectl logs in
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/seatrial/seatrial/trace"
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

// Error is about the kubeconfig or about what may be read; anything else that goes
// wrong is the network's or the cluster's.
type Error struct{ text string }

// Error is one line that says what to do.
func (e *Error) Error() string { return e.text }

func errorf(format string, args ...any) error {
	return &Error{trace.Printable(fmt.Sprintf(format, args...), false)}
}

// Options say which cluster, as kubectl's flags of these names do.
type Options struct {
	// Kubeconfig is a file; empty is what KUBECONFIG names, or ~/.kube/config.
	Kubeconfig string
	// Context is empty for the current one.
	Context string
	// Namespace is whose workloads are read; empty is that of the context. All are
	// those of every namespace.
	Namespace string
	All       bool
}

// Contexts are the names of all contexts, in order; of a kubeconfig that cannot be
// read there are none.
func Contexts(kubeconfig string) []string {
	config, err := rules(kubeconfig).Load()
	if err != nil {
		return nil
	}
	var names []string
	for name := range config.Contexts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func rules(kubeconfig string) *clientcmd.ClientConfigLoadingRules {
	r := clientcmd.NewDefaultClientConfigLoadingRules()
	r.ExplicitPath = kubeconfig
	r.Warner = func(error) {} // of files of KUBECONFIG that are not there
	return r
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
	raw, err := rules(o.Kubeconfig).Load()
	if errors.Is(err, os.ErrNotExist) {
		return nil, errorf("--kubeconfig %s: there is no such file", o.Kubeconfig)
	}
	if err != nil {
		return nil, errorf("kubeconfig: %v", err)
	}
	name := o.Context
	if name == "" {
		name = raw.CurrentContext
	}
	switch {
	case len(raw.Contexts) == 0:
		return nil, errorf("no kubeconfig has a context: name a file with --kubeconfig or KUBECONFIG (by default it is %s)", filepath.Join("~", ".kube", "config"))
	case name == "":
		return nil, errorf("the kubeconfig has no current context: name one with --context")
	case raw.Contexts[name] == nil:
		return nil, errorf("the kubeconfig has no context %q; kubectl config get-contexts lists them", name)
	}
	loaded := clientcmd.NewNonInteractiveClientConfig(*raw, name, &clientcmd.ConfigOverrides{Context: clientcmdapi.Context{Namespace: o.Namespace}}, rules(o.Kubeconfig))
	config, err := loaded.ClientConfig()
	if err != nil {
		return nil, errorf("kubeconfig, context %q: %v", name, err)
	}
	namespace, _, err := loaded.Namespace()
	if err != nil {
		return nil, errorf("kubeconfig, context %q: %v", name, err)
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return readOnly{next} })
	config.UserAgent = "seatrial"
	config.QPS, config.Burst = 50, 100
	config.Timeout = answerTime
	config.WarningHandler = rest.NoWarnings{}
	config.AcceptContentTypes, config.ContentType = "application/json", "application/json"
	config.NegotiatedSerializer = clientscheme.Codecs.WithoutConversion()
	asks, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, errorf("kubeconfig, context %q: %v", name, err)
	}
	return &client{rest: asks, context: name, namespace: namespace, left: bytesMax}, nil
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
			return nil, errorf("context %s: the cluster has more than %d MiB of objects; read one namespace of it with -n", c.context, bytesMax>>20)
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
