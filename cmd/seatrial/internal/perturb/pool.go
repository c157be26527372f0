package perturb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// pool is planes on which runs happen, each on one that has what the experiment
// sets up and nothing else. If their process ends in the middle of a run, there is
// another, and the run is repeated.
type pool struct {
	o *Options

	mu      sync.Mutex
	current *fleet
	// lost counts the processes that ended by themselves.
	lost int
}

// lostMax is how many control planes may be lost in one execution.
const lostMax = 5

// fleet is the planes of one process.
type fleet struct {
	o       *Options
	process *controlplane.Process
	free    chan *slot
	planes  int
	// folder is in the directory of the process, so that it is gone when that is.
	folder string
}

// slot is one plane.
type slot struct {
	plane admin.Plane
	// base is what it holds after a reset.
	base   history.State
	number int
	runs   int
}

// open starts a control plane with the first plane; the others come with grow.
func open(ctx context.Context, o *Options) (*pool, error) {
	f, err := launch(ctx, o)
	if err != nil {
		return nil, err
	}
	return &pool{o: o, current: f}, nil
}

func launch(ctx context.Context, o *Options) (*fleet, error) {
	spec := o.Experiment.Plane
	spec.Name = ""
	process, err := controlplane.Launch(ctx, controlplane.Options{Path: o.Executable, Spec: spec})
	if err != nil {
		return nil, err
	}
	f := &fleet{o: o, process: process, free: make(chan *slot, o.Parallel), folder: filepath.Join(process.Ready.Directory, "perturb")}
	if err := f.prepare(ctx, process.Ready.Plane); err != nil {
		return nil, errors.Join(err, process.Stop())
	}
	return f, nil
}

// grow adds planes until there are as many as may run at once.
func (p *pool) grow(ctx context.Context) error { return p.fleet().grow(ctx) }

func (f *fleet) grow(ctx context.Context) error {
	for f.planes < f.o.Parallel {
		spec := f.o.Experiment.Plane
		spec.Name = fmt.Sprintf("perturb-%d", f.planes+1)
		spec.FeatureGates = nil // of the process: the first plane has set them
		plane, err := f.process.Admin.AddPlane(ctx, spec)
		if err != nil {
			return f.because(err)
		}
		if err := f.prepare(ctx, plane); err != nil {
			return err
		}
	}
	return nil
}

// because is err, or why the process has ended.
func (f *fleet) because(err error) error {
	if f.ended() {
		if ended := f.process.Err(); ended != nil {
			return ended
		}
	}
	return err
}

func (f *fleet) ended() bool {
	select {
	case <-f.process.Done():
		return true
	default:
		return false
	}
}

// prepare applies the setup to a plane and makes it the baseline.
func (f *fleet) prepare(ctx context.Context, plane admin.Plane) error {
	driver, err := stage.NewDriver(plane.Kubeconfig, plan.User)
	if err != nil {
		return err
	}
	if err := driver.Setup(ctx, f.o.Experiment.Setup.Objects); err != nil {
		return &SetupError{f.because(err)}
	}
	based, err := f.process.Admin.Baseline(ctx, plane.Name)
	if err != nil {
		return f.because(err)
	}
	base := history.State{}
	for e, err := range f.process.Admin.History(ctx, plane.Name, 1, false) {
		if err != nil {
			return f.because(err)
		}
		base.Apply(e)
	}
	f.planes++
	f.free <- &slot{plane: based, base: base, number: f.planes}
	return nil
}

// SetupError is about the setup of the experiment.
type SetupError struct{ Err error }

func (e *SetupError) Error() string { return "the setup: " + e.Err.Error() }
func (e *SetupError) Unwrap() error { return e.Err }

func (p *pool) fleet() *fleet {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current
}

// run runs the experiment once, on a free plane that is reset before.
func (p *pool) run(ctx context.Context, o stage.Options) (*recording.Recording, error) {
	for {
		f := p.fleet()
		rec, err := f.run(ctx, o)
		if err == nil || ctx.Err() != nil || !f.lost() {
			return rec, err
		}
		if err := p.replace(ctx, f, f.because(err)); err != nil {
			return rec, err
		}
	}
}

// lost tells whether the process has ended. That may be known a moment later than
// that nobody answers.
func (f *fleet) lost() bool {
	moment := time.NewTimer(time.Second)
	defer moment.Stop()
	select {
	case <-f.process.Done():
		return true
	case <-moment.C:
		return false
	}
}

// replace starts another process for one that has ended, with as many planes.
func (p *pool) replace(ctx context.Context, old *fleet, why error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != old {
		return nil // another run has
	}
	if p.lost++; p.lost > lostMax {
		return fmt.Errorf("%d control planes ended in the middle of runs, the last one: %w", p.lost, why)
	}
	f, err := launch(ctx, p.o)
	if err != nil {
		return err
	}
	planes := old.planes
	p.current = f
	if planes > 1 {
		return f.grow(ctx)
	}
	return nil
}

func (f *fleet) run(ctx context.Context, o stage.Options) (rec *recording.Recording, err error) {
	var s *slot
	select {
	case s = <-f.free:
	case <-f.process.Done():
		return nil, f.because(errors.New("the control plane ended"))
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { f.free <- s }()
	s.runs++
	reset, err := f.process.Admin.Reset(ctx, s.plane.Name)
	if err != nil {
		return nil, f.because(err)
	}
	o.Plane, o.Base = s.plane, s.base
	o.Plane.Revision = reset.Revision
	o.Experiment, o.Admin, o.Now = f.o.Experiment, f.process.Admin, f.o.Now
	o.Folder = filepath.Join(f.folder, fmt.Sprintf("plane-%d-run-%d", s.number, s.runs))
	defer func() { err = errors.Join(err, os.RemoveAll(o.Folder)) }()
	rec, err = stage.Run(ctx, o)
	if err != nil && ctx.Err() == nil {
		err = f.because(err)
	}
	return rec, err
}

// close ends the planes, and removes with them what was written.
func (p *pool) close() error { return p.fleet().process.Stop() }
