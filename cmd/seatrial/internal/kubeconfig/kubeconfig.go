// Package kubeconfig reads how a cluster of the user's is reached, as kubectl does. It asks
// no cluster anything.
package kubeconfig

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // the ways in which kubectl logs in
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/seatrial/seatrial/trace"
)

// Error is about the kubeconfig or about what may be done with the cluster; anything else that
// goes wrong is the network's or the cluster's.
type Error struct{ text string }

// Error is one line that says what to do.
func (e *Error) Error() string { return e.text }

// Errorf makes an [Error].
func Errorf(format string, args ...any) error {
	return &Error{trace.Printable(fmt.Sprintf(format, args...), false)}
}

// Choice says which cluster, as kubectl's flags of these names do.
type Choice struct {
	// Kubeconfig is a file; empty is what KUBECONFIG names, or ~/.kube/config.
	Kubeconfig string
	// Context is empty for the current one, and Namespace for that of the context.
	Context, Namespace string
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

// Login is how one cluster is reached.
type Login struct {
	Config *rest.Config
	// Context and Namespace are those that are meant.
	Context, Namespace string
}

// Read reads the kubeconfig.
func (c Choice) Read() (*Login, error) {
	raw, err := rules(c.Kubeconfig).Load()
	if errors.Is(err, os.ErrNotExist) {
		return nil, Errorf("--kubeconfig %s: there is no such file", c.Kubeconfig)
	}
	if err != nil {
		return nil, Errorf("kubeconfig: %v", err)
	}
	name := c.Context
	if name == "" {
		name = raw.CurrentContext
	}
	switch {
	case len(raw.Contexts) == 0:
		return nil, Errorf("no kubeconfig has a context: name a file with --kubeconfig or KUBECONFIG (by default it is %s)", filepath.Join("~", ".kube", "config"))
	case name == "":
		return nil, Errorf("the kubeconfig has no current context: name one with --context")
	case raw.Contexts[name] == nil:
		return nil, Errorf("the kubeconfig has no context %q; kubectl config get-contexts lists them", name)
	}
	loaded := clientcmd.NewNonInteractiveClientConfig(*raw, name, &clientcmd.ConfigOverrides{Context: clientcmdapi.Context{Namespace: c.Namespace}}, rules(c.Kubeconfig))
	config, err := loaded.ClientConfig()
	if err != nil {
		return nil, Errorf("kubeconfig, context %q: %v", name, err)
	}
	namespace, _, err := loaded.Namespace()
	if err != nil {
		return nil, Errorf("kubeconfig, context %q: %v", name, err)
	}
	config.UserAgent = "seatrial"
	config.WarningHandler = rest.NoWarnings{}
	return &Login{config, name, namespace}, nil
}
