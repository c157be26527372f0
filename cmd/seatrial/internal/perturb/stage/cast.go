package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// cast is one process of the controller with its incarnation.
type cast struct {
	name        string
	incarnation *apiproxy.Incarnation
	server      *apiproxy.Server
	process     *process.Process
	// metrics is the address where it serves them; empty if that is not known.
	metrics string
	paused  bool
	// since is when it got its part, and leads is true when it has watched what a
	// process watches that leads.
	since time.Time
	leads bool
	// takesOver is set for a standby that got the part of the leader behind so many
	// events: it leads when it has the lock.
	takesOver int
	// ended: seatrial has ended it.
	ended bool
}

// start starts a process of the controller. It sees no more than the limits say.
func (s *Stage) start(ctx context.Context, limits map[string]int64) (*cast, error) {
	s.mu.Lock()
	c := &cast{name: fmt.Sprintf("%s-%d", plan.Controller, len(s.casts)+1), since: s.o.Now()}
	s.casts = append(s.casts, c)
	s.mu.Unlock()
	c.incarnation = s.engine.Incarnation(c.name)
	for _, resource := range slices.Sorted(maps.Keys(limits)) {
		c.incarnation.Limit(resource, limits[resource])
	}
	options, err := s.upstream()
	if err != nil {
		return nil, err
	}
	if c.server, err = apiproxy.Serve(c.incarnation, options); err != nil {
		return nil, err
	}
	folder := filepath.Join(s.o.Place.Folder, c.name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, c.server.Kubeconfig(), 0o600); err != nil {
		return nil, err
	}
	controller := s.o.Experiment.Controller
	if s.o.Fill != nil {
		if controller, c.metrics, err = s.o.Fill(kubeconfig); err != nil {
			return nil, err
		}
	}
	c.process, err = process.Start(ctx, process.Options{
		Command: controller.Command, Directory: controller.Directory,
		Environment: process.Environment(kubeconfig, filepath.Join(s.o.Place.Folder, "home"), controller.Env), Folder: folder,
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// upstream is how the proxy reaches the API server, and as whom.
func (s *Stage) upstream() (apiproxy.ServerOptions, error) {
	o, err := s.o.Place.upstream()
	if err != nil {
		return o, err
	}
	if namespace, name, ok := strings.Cut(s.o.Experiment.Controller.ServiceAccount, "/"); ok {
		o.Impersonate = &apiproxy.Identity{
			User:   "system:serviceaccount:" + namespace + ":" + name,
			Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
		}
	}
	return o, nil
}

// watchOver waits until a process has ended by itself, and starts it again as a
// kubelet does.
func (s *Stage) watchOver(ctx context.Context, c *cast) {
	select {
	case <-c.process.Done():
	case <-ctx.Done():
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
	c.incarnation.Kill()
	s.note(c)
	s.move()
	switch {
	case c != s.active && c != s.standby:
	case s.restarts >= restartsMax:
		s.forget(c)
	default:
		s.restarts++
		s.again(ctx, c, nil, nil)
	}
}

// forget leaves the part of a process empty; mu is held.
func (s *Stage) forget(c *cast) {
	switch c {
	case s.active:
		s.active = nil
	case s.standby:
		s.standby = nil
	}
}

// again starts a process in the part of another, beside the caller; mu is held. What is to be done meanwhile is done
// when the other has ended and before the new one is there; nil for nothing.
func (s *Stage) again(ctx context.Context, old *cast, limits map[string]int64, meanwhile func()) {
	isActive := old == s.active
	s.forget(old)
	s.starting++
	s.work.Go(func() {
		s.kill(old)
		err := s.freeLocks(ctx)
		var c *cast
		if err == nil {
			if meanwhile != nil {
				meanwhile()
			}
			c, err = s.start(ctx, limits)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.starting--
		if err != nil && ctx.Err() == nil {
			s.failed = errors.Join(s.failed, err)
		}
		if c != nil && c.process != nil {
			if isActive {
				s.active = c
			} else {
				s.standby = c
			}
			go s.watchOver(ctx, c)
		}
		s.move()
	})
}

// kill ends a process and everything that it started, and notes what it said.
func (s *Stage) kill(c *cast) {
	c.incarnation.Kill()
	s.mu.Lock()
	first := !c.ended
	c.ended = true
	s.mu.Unlock()
	if c.process != nil {
		c.process.Kill()
	}
	if c.server != nil {
		_ = c.server.Close() // of a listener: nobody asks it any more
	}
	if first && c.process != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.note(c)
	}
}

// note records how a process ended and what it said; mu is held.
func (s *Stage) note(c *cast) {
	exit, output := c.process.Exit(), c.process.Output()
	s.rec.Lives = append(s.rec.Lives, recording.Life{
		Name: c.name, Exited: !exit.Killed, Code: exit.Code, Signal: exit.Signal,
		Text: output.Text(), Expected: c.paused || !exit.Killed && s.lapsed(),
	})
}

// freeLocks removes the leases that the controller holds: those of a process that
// is dead or paused for long would be over.
func (s *Stage) freeLocks(ctx context.Context) error {
	s.mu.Lock()
	var leases, annotated []experiment.Reference
	held := map[history.Key]bool{}
	for _, e := range s.rec.Events {
		if e.Actor == plan.Controller {
			held[e.Key] = e.Type != history.Delete
		}
	}
	for key, o := range s.state {
		switch {
		case !held[key]:
		case key.Resource == "leases.coordination.k8s.io":
			leases = append(leases, experiment.Reference(key))
		case o.At("metadata", "annotations", leaderAnnotation) != nil:
			annotated = append(annotated, experiment.Reference(key))
		}
	}
	s.mu.Unlock()
	byName := func(a, b experiment.Reference) int { return cmp.Compare(a.String(), b.String()) }
	slices.SortFunc(leases, byName)
	slices.SortFunc(annotated, byName)
	for _, r := range leases {
		if err := s.tool.Delete(ctx, r); err != nil {
			return err
		}
	}
	for _, r := range annotated {
		if err := s.tool.Annotate(ctx, r, leaderAnnotation, nil); err != nil {
			return err
		}
	}
	return nil
}

// locked tells whether a standby that takes over has the lock; mu is held. It is made
// anew, since the one of the old leader was freed. A controller without a lock that can
// be seen leads at once.
func (s *Stage) locked(c *cast) bool {
	if c.takesOver == 0 {
		return true
	}
	known := false
	for i, e := range s.rec.Events {
		lease := e.Resource == "leases.coordination.k8s.io"
		if e.Actor != plan.Controller || !lease && e.Object.At("metadata", "annotations", leaderAnnotation) == nil {
			continue
		}
		if i >= c.takesOver && (!lease || e.Type == history.Create) {
			return true
		}
		known = true
	}
	return !known
}

// end ends all processes, and waits for what is being started.
func (s *Stage) end() {
	s.mu.Lock()
	s.active, s.standby = nil, nil
	s.mu.Unlock()
	s.work.Wait()
	s.mu.Lock()
	casts := slices.Clone(s.casts)
	s.mu.Unlock()
	for _, c := range casts {
		if c.incarnation != nil {
			s.kill(c)
		}
	}
}
