package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// tests are the processes that the tests of this binary share. They end when it
// does: that ends their standard input.
var tests = sharing{processes: map[string]*shared{}}

type sharing struct {
	mu        sync.Mutex
	processes map[string]*shared // by executable, arguments and environment
}

// shared is a process of which several tests have planes.
type shared struct {
	process *Process
	idle    map[string][]admin.Plane // that no test has, by their kind
	made    int                      // besides the first
}

// take gives an idle plane of the kind that is asked for, or a new one.
func (h *sharing) take(o Options) (*Plane, error) {
	o.Spec.Name = "" // tests that run at the same time must not choose one
	kind, err := json.Marshal(o.Spec)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	s, err := h.process(o, string(kind))
	if err != nil {
		h.mu.Unlock()
		return nil, err
	}
	p := &Plane{Admin: s.process.Admin, shared: s, kind: string(kind)}
	if n := len(s.idle[p.kind]); n > 0 {
		p.Plane, s.idle[p.kind] = s.idle[p.kind][n-1], s.idle[p.kind][:n-1]
		h.mu.Unlock()
		return p, nil
	}
	s.made++
	o.Spec.Name = fmt.Sprintf("test-%d", s.made)
	h.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), operationMax)
	defer cancel()
	p.Plane, err = p.Admin.AddPlane(ctx, o.Spec)
	return p, p.because(err)
}

// process is the one that runs, or a new one, whose first plane is idle. The lock
// is held: who comes meanwhile needs it too.
func (h *sharing) process(o Options, kind string) (*shared, error) {
	which := strings.Join(slices.Concat([]string{o.Path}, o.Arguments, []string{""}, o.Environment), "\x00")
	if s := h.processes[which]; s != nil {
		select {
		case <-s.process.Done():
		default:
			return s, nil
		}
	}
	process, err := Launch(context.Background(), o)
	if err != nil {
		return nil, err
	}
	s := &shared{process: process, idle: map[string][]admin.Plane{kind: {process.Ready.Plane}}}
	h.processes[which] = s
	return s, nil
}

// give takes a plane back, for the next test. A process that does not reset its
// planes is left to the tests that have some; the next test starts another.
func (h *sharing) give(p *Plane) error {
	if p.changed {
		ctx, cancel := context.WithTimeout(context.Background(), operationMax)
		defer cancel()
		if err := p.Admin.RemovePlane(ctx, p.Name); err != nil {
			return fmt.Errorf("remove plane %s: %w", p.Name, p.because(err))
		}
		return nil
	}
	err := p.reset()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		p.shared.idle[p.kind] = append(p.shared.idle[p.kind], p.Plane)
		return nil
	}
	for which, s := range h.processes {
		if s == p.shared {
			delete(h.processes, which)
		}
	}
	return err
}
