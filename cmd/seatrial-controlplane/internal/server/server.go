// Package server is the process of the control plane: its directory, its planes,
// its end, and the admin interface.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/credential"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/plane"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/store"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// Options say how a process runs.
type Options struct {
	// Version is the executable's own; the others are of what it runs.
	Version, Kubernetes, Etcd, Descheduler string
	// Spec is the first plane's.
	Spec admin.Spec
	// Port of the first plane's API server, or 0 for any.
	Port int
	// Ready takes the one line that says that the first plane is ready.
	Ready io.Writer
}

// Server is a process that runs.
type Server struct {
	options    Options
	directory  *directory
	credential *credential.Credential
	etcd       *store.Etcd
	listener   net.Listener
	stop       context.CancelFunc
	failed     chan error

	mu     sync.Mutex
	planes map[string]*plane.Plane
	// alone are controllers against API servers that are no plane's.
	alone     map[int64]*controller.Manager
	lastAlone int64
}

// Run runs a process until the context ends, someone stops it, or a part of it
// fails. It leaves no directory behind.
func Run(ctx context.Context, o Options) (err error) {
	d, err := newDirectory()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.remove()) }()
	log, err := os.OpenFile(filepath.Join(d.path, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	logTo(log)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &Server{options: o, directory: d, stop: stop, failed: make(chan error, 1), planes: map[string]*plane.Plane{}, alone: map[int64]*controller.Manager{}}
	if err := s.start(ctx); err != nil {
		return err
	}
	select {
	case err := <-s.failed:
		return err
	case err := <-s.etcd.Failed():
		return fmt.Errorf("etcd failed: %w", err)
	case <-ctx.Done():
		return nil
	}
}

func (s *Server) start(ctx context.Context) error {
	gates := s.options.Spec.FeatureGates
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
		return fmt.Errorf("feature gates: %w", err)
	}
	var err error
	if s.credential, err = credential.New(s.directory.path); err != nil {
		return err
	}
	if s.etcd, err = store.Start(ctx, s.directory.path); err != nil {
		return err
	}
	if s.options.Spec.Name == "" {
		s.options.Spec.Name = "main"
	}
	first, err := s.add(ctx, s.options.Spec, s.options.Port)
	if err != nil {
		return err
	}
	if s.listener, err = net.Listen("unix", filepath.Join(s.directory.path, "admin.sock")); err != nil {
		return err
	}
	interfaceServer := &http.Server{Handler: s.handler()}
	go interfaceServer.Serve(s.listener)
	return json.NewEncoder(s.options.Ready).Encode(admin.Ready{
		Schema: admin.Version, Version: s.options.Version, Kubernetes: s.options.Kubernetes,
		Etcd: s.options.Etcd, Descheduler: s.options.Descheduler, Process: os.Getpid(),
		Directory: s.directory.path, Network: "unix", Address: s.listener.Addr().String(),
		Token: s.credential.Token, Plane: first.Describe(),
	})
}

// planesMax bounds the planes of one process: each takes 50 MB.
const planesMax = 64

// add starts one more plane.
func (s *Server) add(ctx context.Context, spec admin.Spec, port int) (*plane.Plane, error) {
	s.mu.Lock()
	err := s.admit(spec.Name)
	if err == nil && !maps.Equal(spec.FeatureGates, s.options.Spec.FeatureGates) && spec.FeatureGates != nil {
		err = refused{"feature gates are those of the process, which its first plane set; start another process", http.StatusBadRequest}
	}
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	s.planes[spec.Name] = nil // its name is taken
	s.mu.Unlock()

	p, err := plane.Start(ctx, plane.Options{
		Etcd: s.etcd, Credential: s.credential, Directory: filepath.Join(s.directory.path, spec.Name),
		Version: s.options.Kubernetes, Port: port, Spec: spec,
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		delete(s.planes, spec.Name)
		return nil, err
	}
	s.planes[spec.Name] = p
	go func() {
		<-p.Failed()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.planes[spec.Name] == p { // it was not removed: it failed
			s.fail(fmt.Errorf("the API server of plane %s ended", spec.Name))
		}
	}()
	return p, nil
}

// fail ends the process with an error; the first one counts.
func (s *Server) fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// admit checks the name of a plane to be: it becomes a directory and a key.
func (s *Server) admit(name string) error {
	valid := len(name) > 0 && len(name) <= 32
	for _, r := range name {
		valid = valid && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	}
	if !valid || name[0] == '-' {
		return refused{fmt.Sprintf("plane %q: a name has 1 to 32 of a-z, 0-9 and -, and no - at the start", name), http.StatusBadRequest}
	}
	if _, taken := s.planes[name]; taken {
		return refused{fmt.Sprintf("plane %s is there already", name), http.StatusConflict}
	}
	if len(s.planes) >= planesMax {
		return refused{fmt.Sprintf("there are %d planes already; remove one", planesMax), http.StatusTooManyRequests}
	}
	return nil
}

// plane is one by its name.
func (s *Server) plane(name string) (*plane.Plane, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.planes[name]
	if p == nil {
		return nil, refused{fmt.Sprintf("there is no plane %q; there are %q", name, slices.Sorted(maps.Keys(s.planes))), http.StatusNotFound}
	}
	return p, nil
}

// remove ends a plane.
func (s *Server) remove(ctx context.Context, name string) error {
	p, err := s.plane(name)
	if err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.planes, name)
	s.mu.Unlock()
	return p.Remove(ctx)
}

func (s *Server) status(ctx context.Context) (admin.Status, error) {
	s.mu.Lock()
	planes := maps.Clone(s.planes)
	s.mu.Unlock()
	status := admin.Status{Goroutines: goroutines(), Revision: s.etcd.Revision(), Keys: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(planes)) {
		p := planes[name]
		if p == nil {
			continue // being made
		}
		keys, err := p.Keys(ctx)
		if err != nil {
			return status, err
		}
		status.Planes = append(status.Planes, p.Describe())
		status.Keys[name] = keys
	}
	return status, nil
}

// logTo sends what Kubernetes logs to a file: each line once, and nothing to the
// terminal of whoever started the process.
func logTo(file io.Writer) {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL", "one_output": "true"} {
		if err := flags.Set(name, value); err != nil {
			panic(err) // a flag that klog does not have
		}
	}
	klog.SetOutput(file)
}
