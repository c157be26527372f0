// Package apiserver runs the real kube-apiserver, with its extension server and
// aggregator, as a part of this process.
package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	basecompatibility "k8s.io/component-base/compatibility"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/credential"
	_ "github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/quiet" // before etcd's client
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
)

// Options say which API server to start.
type Options struct {
	// Etcd is the endpoint of etcd, Prefix the plane's keys in it.
	Etcd, Prefix string
	Credential   *credential.Credential
	// Directory is for files of the server's own.
	Directory string
	// Port is 0 for any free one.
	Port int
	// Version is what the server says that it is: v1.36.3.
	Version string
	// Lean leaves out what scheduling and scaling do not need.
	Lean bool
	// OpenAPI has the server publish its schemas, with which a start takes half as
	// long again.
	OpenAPI bool
	// Flags are kube-apiserver's own, without dashes.
	Flags map[string]string
	// AtMost are the longest waiting times that objects may ask for, in seconds by the
	// names of their fields.
	AtMost map[string]int64
	// Wrap is put around the API, inside authentication; nil for nothing.
	Wrap func(http.Handler) http.Handler
}

// Server is an API server that runs.
type Server struct {
	// Config is a client's with full access, without limits of its own.
	Config *rest.Config
	lean   bool
	ended  chan struct{}
	err    error
}

func init() {
	// A second server in one process would otherwise fail to set up its logs.
	logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged
}

// Start starts a server and waits until it is ready. It runs until the context
// ends; Ended says when it has.
func Start(ctx context.Context, o Options) (*Server, error) {
	registry, err := newRegistry()
	if err != nil {
		return nil, err
	}
	s := options.NewServerRunOptions()
	s.GenericServerRunOptions.ComponentGlobalsRegistry = registry
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", o.Port))
	if err != nil {
		err = fmt.Errorf("listen for the API server: %w", err)
		if o.Port != 0 {
			err = spec.Wrong(err)
		}
		return nil, err
	}
	if err := configure(s, o, listener); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	chain, err := assemble(ctx, s, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start kube-apiserver: %w", err), listener.Close())
	}
	a := &Server{lean: o.Lean, ended: make(chan struct{}), Config: clientConfig(o.Credential, listener.Addr().String())}
	go func() {
		defer close(a.ended)
		a.err = chain(ctx)
	}()
	return a, a.waitReady(ctx)
}

// Ended is closed when the server has stopped.
func (a *Server) Ended() <-chan struct{} { return a.ended }

// newRegistry holds a server's own versions and feature gates: that is what
// allows several servers in one process.
func newRegistry() (basecompatibility.ComponentGlobalsRegistry, error) {
	gates := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	version := compatibility.DefaultKubeEffectiveVersionForTest()
	version.SetEmulationVersion(gates.EmulationVersion())
	version.SetMinCompatibilityVersion(gates.MinCompatibilityVersion())
	registry := basecompatibility.NewComponentGlobalsRegistry()
	return registry, registry.Register(basecompatibility.DefaultKubeComponent, version, gates)
}

func configure(s *options.ServerRunOptions, o Options, listener net.Listener) error {
	address := listener.Addr().(*net.TCPAddr)
	s.SecureServing.Listener, s.SecureServing.BindPort = listener, address.Port
	s.SecureServing.BindAddress, s.SecureServing.ExternalAddress = address.IP, address.IP
	s.SecureServing.ServerCert.CertKey.CertFile = o.Credential.Certificate
	s.SecureServing.ServerCert.CertKey.KeyFile = o.Credential.Key
	s.ProxyClientCertFile, s.ProxyClientKeyFile = o.Credential.Certificate, o.Credential.Key
	s.ServiceClusterIPRanges = "10.0.0.0/16"
	s.Etcd.StorageConfig = *storagebackend.NewDefaultConfig(o.Prefix, nil)
	s.Etcd.StorageConfig.Transport.ServerList = []string{o.Etcd}
	s.ServiceAccountSigningKeyFile = o.Credential.SigningKey
	s.Authentication.ServiceAccounts.Issuers = []string{"https://kubernetes.default.svc"}
	s.Authentication.ServiceAccounts.KeyFiles = []string{o.Credential.SigningKey}
	s.Authentication.TokenFile.TokenFile = o.Credential.Tokens

	if err := addAtMost(s, o.AtMost); err != nil {
		return spec.Wrong(err)
	}
	sets := s.Flags()
	for _, flags := range []map[string]string{flags(o), o.Flags} {
		for name, value := range flags {
			if err := setFlag(&sets, name, value); err != nil {
				return spec.Wrong(err)
			}
		}
	}
	return nil
}

// assemble builds the chain of servers and returns what runs it.
func assemble(ctx context.Context, s *options.ServerRunOptions, o Options) (func(context.Context) error, error) {
	if err := s.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return nil, err
	}
	completed, err := s.Complete(ctx)
	if err != nil {
		return nil, err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return nil, spec.Wrong(errors.Join(errs...))
	}
	config, err := configs(completed, o.Credential)
	if err != nil {
		return nil, err
	}
	generic := config.KubeAPIs.ControlPlane.Generic
	generic.DisabledPostStartHooks.Insert(hooks...)
	version := reported{generic.EffectiveVersion, o.Version}
	generic.EffectiveVersion = version
	config.Aggregator.GenericConfig.EffectiveVersion = version
	config.ApiExtensions.GenericConfig.EffectiveVersion = version
	if !o.OpenAPI {
		generic.SkipOpenAPIInstallation = true
		config.ApiExtensions.GenericConfig.SkipOpenAPIInstallation = true
		config.Aggregator.GenericConfig.SkipOpenAPIInstallation = true
		config.Aggregator.GenericConfig.OpenAPIConfig = nil
	}
	if o.Wrap != nil {
		// The aggregator is the outermost server: its chain sees every request.
		config.Aggregator.GenericConfig.BuildHandlerChainFunc = func(api http.Handler, c *server.Config) http.Handler {
			return server.DefaultBuildHandlerChain(o.Wrap(api), c)
		}
	}
	whole, err := config.Complete()
	if err != nil {
		return nil, err
	}
	chain, err := app.CreateServerChain(whole)
	if err != nil {
		return nil, err
	}
	prepared, err := chain.PrepareRun()
	if err != nil {
		return nil, err
	}
	return prepared.Run, nil
}

// reported is a version that says of itself what was built: a library does not
// know its own tag.
type reported struct {
	basecompatibility.EffectiveVersion
	git string
}

func (r reported) Info() *apimachineryversion.Info {
	info := *r.EffectiveVersion.Info()
	info.GitVersion, info.GitCommit, info.GitTreeState, info.BuildDate = r.git, "", "", ""
	return &info
}

func clientConfig(c *credential.Credential, address string) *rest.Config {
	config := &rest.Config{
		Host:            "https://" + address,
		BearerToken:     c.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: c.Authority},
		QPS:             -1,
	}
	// Writes are JSON, so that the gate can show what they say.
	config.ContentType = runtime.ContentTypeJSON
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return config
}

const (
	readyEvery = 5 * time.Millisecond
	readyAfter = time.Minute
)

func (a *Server) waitReady(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(a.Config)
	if err != nil {
		return err
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, readyEvery, readyAfter, true, func(ctx context.Context) (bool, error) {
		select {
		case <-a.ended:
			return false, fmt.Errorf("kube-apiserver ended before it was ready: %w", a.err)
		default:
		}
		last = client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
		return last == nil, nil
	})
	if err != nil {
		return errors.Join(fmt.Errorf("wait for kube-apiserver: %w", err), last)
	}
	return nil
}
