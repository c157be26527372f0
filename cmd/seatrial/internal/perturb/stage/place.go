package stage

import (
	"context"
	"fmt"
	"iter"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Place is where a run happens: an API server as it is after a reset, and what says what is
// written there.
type Place struct {
	// Config reaches the API server. Kubeconfig is a file that does the same, for programs that steps
	// run; empty if there is none.
	Config     *rest.Config
	Kubeconfig string
	// Revision is the newest one, and Base what there is.
	Revision int64
	Base     history.State
	// History gives the writes behind Revision as they come, with who has made them, until ctx ends.
	History func(ctx context.Context) iter.Seq2[history.Event, error]
	// Unordered: only the writes to one resource come in their order, so that nothing can wait until
	// all up to a revision were looked at.
	Unordered bool
	// Namespace is what the namespace of the seed is called here, if that is not its own name: what passes
	// here does not know it, the operator does.
	Namespace string
	// Labels are given to everything that users make.
	Labels map[string]string
	// Strain is how long what is behind the API server has worked, and how long it has waited for a processor; nil
	// where that is not known.
	Strain func() (worked, waited time.Duration)
	// Folder is the run's own, for kubeconfigs and the controller's home; only its owner can read it.
	Folder string
}

// OnPlane is a plane as a place: its revision is that of a reset, behind which it holds base.
func OnPlane(owner *controlplane.Process, plane admin.Plane, base history.State, folder string) (Place, error) {
	config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
	return Place{
		Config: config, Kubeconfig: plane.Kubeconfig, Revision: plane.Revision, Base: base, Folder: folder,
		History: func(ctx context.Context) iter.Seq2[history.Event, error] {
			return owner.Admin.History(ctx, plane.Name, plane.Revision+1, true)
		},
		Strain: func() (worked, waited time.Duration) { return process.Strain(owner.Pid()) },
	}, err
}

// upstream is how a proxy reaches the API server.
func (p Place) upstream() (apiproxy.ServerOptions, error) {
	url, _, err := rest.DefaultServerUrlFor(p.Config)
	if err != nil {
		return apiproxy.ServerOptions{}, err
	}
	o := apiproxy.ServerOptions{Upstream: url.String()}
	if o.TLS, err = rest.TLSConfigFor(p.Config); err != nil {
		return o, err
	}
	if o.Transport, err = rest.TransportFor(p.Config); err != nil {
		return o, err
	}
	one := rest.CopyConfig(p.Config)
	one.NextProtos = []string{"http/1.1"}
	if o.Upgrade, err = rest.TransportFor(one); err != nil {
		return o, fmt.Errorf("in HTTP/1.1: %w", err)
	}
	return o, nil
}
