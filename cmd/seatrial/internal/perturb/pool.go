package perturb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// pool is planes on which runs happen, each on one that has what the experiment
// sets up and nothing else.
type pool struct {
	o       *Options
	process *controlplane.Process
	free    chan *slot
	slots   []*slot
	folder  string
}

// slot is one plane.
type slot struct {
	plane  admin.Plane
	number int
	runs   int
}

// open starts a control plane with the first plane; the others come with grow.
func open(ctx context.Context, o *Options) (*pool, error) {
	folder, err := os.MkdirTemp("", "seatrial-perturb-")
	if err != nil {
		return nil, err
	}
	p := &pool{o: o, free: make(chan *slot, o.Parallel), folder: folder}
	spec := o.Experiment.Plane
	spec.Name = ""
	if p.process, err = controlplane.Launch(ctx, controlplane.Options{Path: o.Executable, Spec: spec}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := p.prepare(ctx, p.process.Ready.Plane); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// grow adds planes until there are as many as may run at once.
func (p *pool) grow(ctx context.Context) error {
	for n := len(p.slots); n < p.o.Parallel; n++ {
		spec := p.o.Experiment.Plane
		spec.Name = fmt.Sprintf("perturb-%d", n+1)
		spec.FeatureGates = nil // of the process: the first plane has set them
		plane, err := p.process.Admin.AddPlane(ctx, spec)
		if err != nil {
			return p.because(err)
		}
		if err := p.prepare(ctx, plane); err != nil {
			return err
		}
	}
	return nil
}

// because is err, or why the process has ended.
func (p *pool) because(err error) error {
	select {
	case <-p.process.Done():
		if ended := p.process.Err(); ended != nil {
			return ended
		}
	default:
	}
	return err
}

// prepare applies the setup to a plane and makes it the baseline.
func (p *pool) prepare(ctx context.Context, plane admin.Plane) error {
	driver, err := stage.NewDriver(plane.Kubeconfig, plan.User)
	if err != nil {
		return err
	}
	if err := driver.Setup(ctx, p.o.Experiment.Setup.Objects); err != nil {
		return &SetupError{err}
	}
	based, err := p.process.Admin.Baseline(ctx, plane.Name)
	if err != nil {
		return p.because(err)
	}
	s := &slot{plane: based, number: len(p.slots) + 1}
	p.slots = append(p.slots, s)
	p.free <- s
	return nil
}

// SetupError is about the setup of the experiment.
type SetupError struct{ Err error }

func (e *SetupError) Error() string { return "the setup: " + e.Err.Error() }
func (e *SetupError) Unwrap() error { return e.Err }

// take waits for a plane that is free.
func (p *pool) take(ctx context.Context) (*slot, error) {
	select {
	case s := <-p.free:
		return s, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// run runs the experiment once, on a free plane that is reset before.
func (p *pool) run(ctx context.Context, o stage.Options) (*recording.Recording, error) {
	s, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { p.free <- s }()
	s.runs++
	reset, err := p.process.Admin.Reset(ctx, s.plane.Name)
	if err != nil {
		return nil, p.because(err)
	}
	o.Plane = s.plane
	o.Plane.Revision = reset.Revision
	o.Experiment, o.Admin, o.Now = p.o.Experiment, p.process.Admin, p.o.Now
	o.Folder = filepath.Join(p.folder, fmt.Sprintf("plane-%d-run-%d", s.number, s.runs))
	defer os.RemoveAll(o.Folder)
	rec, err := stage.Run(ctx, o)
	if err != nil && ctx.Err() == nil {
		err = p.because(err)
	}
	return rec, err
}

// close ends the planes and removes what was written.
func (p *pool) close() error {
	return errors.Join(p.process.Stop(), os.RemoveAll(p.folder))
}
