// Package server is the process of the control plane: its directory, its planes,
// its end, and the admin interface.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/credential"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/death"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/directory"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/plane"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
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
	// Directory is where the process makes a directory of its own; empty for
	// memory, or else the system's place for what is temporary.
	Directory string
	// TCP has the admin interface listen on loopback instead of a unix socket.
	TCP bool
	// Ready takes the one line that says that the first plane is ready.
	Ready io.Writer
	// Started is called when the first plane is ready. It may be nil.
	Started func()
	// Err takes the last words of a process that a part of it ends.
	Err io.Writer
}

// adminSocket is the file of the admin interface.
const adminSocket = "admin.sock"

// Server is a process that runs.
type Server struct {
	options    Options
	directory  *directory.Directory
	credential *credential.Credential
	etcd       *store.Etcd
	listener   net.Listener
	stop       context.CancelFunc
	failed     chan error
	death      *death.Death

	mu     sync.Mutex
	planes map[string]*plane.Plane
	// alone are controllers against API servers that are no plane's.
	alone     map[int64]*controller.Manager
	lastAlone int64
}

// Run runs a process until the context ends, someone stops it, or a part of it
// fails. It leaves no directory behind.
func Run(ctx context.Context, o Options) (err error) {
	d, err := directory.New(o.Directory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Remove()) }()
	file, err := os.OpenFile(filepath.Join(d.Path, admin.LogFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	death := &death.Death{Clean: d.Remove, Err: o.Err}
	death.Log(file)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &Server{options: o, directory: d, stop: stop, failed: make(chan error, 1), death: death, planes: map[string]*plane.Plane{}, alone: map[int64]*controller.Manager{}}
	if err := s.start(ctx); ctx.Err() != nil {
		return nil // it was to end before it was ready
	} else if err != nil {
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
	if err := controller.SetFeatureGates(gates); err != nil {
		return spec.Wrong(err)
	}
	var err error
	if s.credential, err = credential.New(s.directory.Path); err != nil {
		return err
	}
	if s.etcd, err = store.Start(ctx, s.directory.Path, s.death.Of); err != nil {
		return err
	}
	if s.options.Spec.Name == "" {
		s.options.Spec.Name = "main"
	}
	first, err := s.add(ctx, s.options.Spec, s.options.Port)
	if err != nil {
		return err
	}
	if s.options.Started != nil {
		s.options.Started()
	}
	if err := s.listen(); err != nil {
		return err
	}
	interfaceServer := &http.Server{Handler: s.handler()}
	go func() { s.fail(fmt.Errorf("the admin interface ended: %w", interfaceServer.Serve(s.listener))) }()
	return json.NewEncoder(s.options.Ready).Encode(admin.Ready{
		Schema: admin.Version, Version: s.options.Version, Kubernetes: s.options.Kubernetes,
		Etcd: s.options.Etcd, Descheduler: s.options.Descheduler, Process: os.Getpid(),
		Directory: s.directory.Path, Network: s.listener.Addr().Network(), Address: s.listener.Addr().String(),
		Token: s.credential.Token, Plane: first.Describe(),
	})
}

// listen opens the admin interface: on a unix socket, or on loopback where there
// is none. The token guards both.
func (s *Server) listen() error {
	var err error
	if !s.options.TCP {
		if s.listener, err = net.Listen("unix", filepath.Join(s.directory.Path, adminSocket)); err == nil {
			return nil
		}
	}
	var second error
	if s.listener, second = net.Listen("tcp", "127.0.0.1:0"); second != nil {
		return fmt.Errorf("listen for the admin interface: %w", errors.Join(err, second))
	}
	return nil
}

// planesMax bounds the planes of one process: each takes 50 MB.
const planesMax = 64

// add starts one more plane.
func (s *Server) add(ctx context.Context, want admin.Spec, port int) (*plane.Plane, error) {
	var err error
	if want.Nodes, err = spec.Nodes(want.Nodes); err != nil {
		return nil, err
	}
	s.mu.Lock()
	err = s.admit(want.Name)
	if err == nil && !maps.Equal(want.FeatureGates, s.options.Spec.FeatureGates) && want.FeatureGates != nil {
		err = refused{"feature gates are those of the process, which its first plane set; start another process", http.StatusBadRequest}
	}
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	s.planes[want.Name] = nil // its name is taken
	s.mu.Unlock()

	p, err := plane.Start(ctx, plane.Options{
		Etcd: s.etcd, Credential: s.credential, Directory: filepath.Join(s.directory.Path, want.Name),
		Version: s.options.Kubernetes, Port: port, Spec: want,
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		delete(s.planes, want.Name)
		return nil, err
	}
	s.planes[want.Name] = p
	go func() {
		<-p.Failed()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.planes[want.Name] == p { // it was not removed: it failed
			s.fail(fmt.Errorf("the API server of plane %s ended", want.Name))
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
