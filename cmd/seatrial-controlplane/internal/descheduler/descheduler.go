// Package descheduler runs cycles of the real descheduler as a part of this
// process.
package descheduler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	"sigs.k8s.io/descheduler/cmd/descheduler/app/options"
	"sigs.k8s.io/descheduler/metrics"
	"sigs.k8s.io/descheduler/pkg/api"
	"sigs.k8s.io/descheduler/pkg/descheduler"
	"sigs.k8s.io/descheduler/pkg/descheduler/evictions/utils"
	"sigs.k8s.io/descheduler/pkg/features"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"
)

// register fills the process's registry of plugins.
var register = sync.OnceFunc(func() {
	descheduler.SetupPlugins()
	metrics.Register()
})

// Options say how a cycle runs.
type Options struct {
	Config *rest.Config
	// Policy is a DeschedulerPolicy, as YAML.
	Policy string
	// Directory is for files of the descheduler's own.
	Directory string
}

// PolicyError says that a policy does not load.
type PolicyError struct{ err error }

func (e PolicyError) Error() string { return fmt.Sprintf("descheduler policy: %v", e.err) }

func (e PolicyError) Unwrap() error { return e.err }

// Run runs exactly one cycle: an interval of zero ends the real loop after its
// first round. Evictions go through the eviction API.
func Run(ctx context.Context, o Options) error {
	server, err := newServer(o)
	if err != nil {
		return err
	}
	policy, err := load(o, server.Client)
	if err != nil {
		return err
	}
	version, err := utils.SupportEviction(server.Client)
	if err != nil {
		return fmt.Errorf("descheduler: %w", err)
	}
	if err := descheduler.RunDeschedulerStrategies(ctx, server, policy, version); err != nil {
		return fmt.Errorf("descheduler: %w", err)
	}
	return context.Cause(ctx)
}

func newServer(o Options) (*options.DeschedulerServer, error) {
	register()
	client, err := kubernetes.NewForConfig(o.Config)
	if err != nil {
		return nil, err
	}
	server, err := options.NewDeschedulerServer()
	if err != nil {
		return nil, err
	}
	if server.MetricsClient, err = metricsclient.NewForConfig(o.Config); err != nil {
		return nil, err
	}
	server.Client, server.EventClient = client, client
	server.DefaultFeatureGates = features.DefaultMutableFeatureGate // nil panics
	server.DisableMetrics = true
	server.DeschedulingInterval = 0
	return server, nil
}

// load reads the policy, of which the descheduler wants a file.
func load(o Options, client kubernetes.Interface) (*api.DeschedulerPolicy, error) {
	file, err := os.CreateTemp(o.Directory, "descheduler-*.yaml")
	if err != nil {
		return nil, err
	}
	_, err = file.WriteString(o.Policy)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	policy, err := descheduler.LoadPolicyConfig(file.Name(), client, pluginregistry.PluginRegistry)
	if err != nil {
		err = PolicyError{errors.New(strings.ReplaceAll(err.Error(), file.Name(), "policy"))} // the file is nobody's
	}
	return policy, errors.Join(err, os.Remove(file.Name()))
}
