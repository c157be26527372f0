// Package fleet is planes on which runs of a controller happen, each on one that has
// what is set up and nothing else. If their process ends in the middle of a run,
// there is another, and the run is repeated.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/headroom"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Options say what planes there are.
type Options struct {
	// Name is what planes and folders are named after.
	Name string
	// Executable is the control plane's path; empty to look for it.
	Executable string
	// Spec is what each is made of; its name does not count.
	Spec admin.Spec
	// Setup is what each has after a reset.
	Setup []history.Object
	// Parallel is how many there are after [Fleet.Grow]; at least 1.
	Parallel int
	// Most is how many there may be in the end, with those of [Fleet.Add]; Parallel, if it is less.
	Most int
}

// Fleet is planes of one process at a time.
type Fleet struct {
	o Options

	mu      sync.Mutex
	current *ships
	lost    int
	most    int // how many planes there were at once, if more were added
}

const (
	// lostMax is how many control planes may be lost in the life of a fleet.
	lostMax = 5
	// runsMax is how many runs a process has until another takes its place: etcd and the
	// API server keep some of what was, and with hundreds of runs that is gigabytes.
	runsMax = 120
)

// ships are the planes of one process.
type ships struct {
	o       *Options
	process *controlplane.Process
	free    chan *slot
	planes  atomic.Int32
	// folder is in the directory of the process, so that it is gone when that is.
	folder string
	// runs were begun, and busy are not over; old is set when others took their place. All are
	// the fleet's to lock.
	runs, busy int
	old        bool
}

// slot is one plane.
type slot struct {
	plane admin.Plane
	// base is what it holds after a reset.
	base   history.State
	number int
	runs   int
}

// Flags of kube-controller-manager that say how often it looks again by itself, and soon what a fleet says where the
// user does not; as shipped it is 15 s, in which nothing moves and a run seems over. The binder writes to a claim that
// others write to at the same time, and comes back to one that it could not write to when it goes through all. An
// autoscaler hears of nothing.
const (
	binder = "pvclaimbinder-sync-period"
	scaler = "horizontal-pod-autoscaler-sync-period"
	soon   = "1s"
)

// prompt is a spec whose claims and autoscalers do not wait.
func prompt(s admin.Spec) admin.Spec {
	flags := map[string]string{binder: soon, scaler: soon}
	maps.Copy(flags, s.ControllerManager)
	s.ControllerManager = flags
	return s
}

// Open starts a control plane with the first plane; the others come with Grow.
func Open(ctx context.Context, o Options) (*Fleet, error) {
	o.Parallel = max(o.Parallel, 1)
	o.Most = max(o.Most, o.Parallel)
	o.Spec = prompt(o.Spec)
	f := &Fleet{o: o}
	s, err := launch(ctx, &f.o)
	if err != nil {
		return nil, err
	}
	f.current = s
	return f, nil
}

func launch(ctx context.Context, o *Options) (*ships, error) {
	spec := o.Spec
	spec.Name = ""
	process, err := controlplane.Launch(ctx, controlplane.Options{Path: o.Executable, Spec: spec})
	if err != nil {
		return nil, err
	}
	s := &ships{o: o, process: process, free: make(chan *slot, o.Most), folder: filepath.Join(process.Ready.Directory, o.Name)}
	if err := s.prepare(ctx, process.Ready.Plane); err != nil {
		return nil, errors.Join(err, process.Stop())
	}
	return s, nil
}

// Kubernetes is the version of the planes.
func (f *Fleet) Kubernetes() string { return f.ships().process.Ready.Kubernetes }

// Lost counts the processes that ended by themselves.
func (f *Fleet) Lost() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lost
}

// Grow adds planes until there are as many as may run at once.
func (f *Fleet) Grow(ctx context.Context) error { return f.ships().grow(ctx, f.o.Parallel) }

// Add adds a plane while others are at work, and tells whether there are more than ever before: another process begins
// with as few as the first one, and those that it lacks are added before. There are no more than may be, nor than there
// is memory for, and none is added to a process that is about to end. It is called by one at a time.
func (f *Fleet) Add(ctx context.Context) (more bool, err error) {
	all, free, known := headroom.Memory()
	s, ok := f.expand(known && room(all, free, int(f.ships().planes.Load())+1))
	if !ok {
		return false, nil
	}
	err = s.grow(ctx, int(s.planes.Load())+1)
	if err != nil && ctx.Err() == nil && s.lost() {
		err = nil // those at work find out
	}
	return f.note(s), errors.Join(err, f.leave(s))
}

// planeMemory is what a plane takes behind many runs, with its operator, in bytes.
const planeMemory = 1 << 30

// room tells whether there is memory for so many planes: half of all there is for all of them, and as much as one takes
// beside the next.
func room(all, free int64, planes int) bool {
	return int64(planes)*planeMemory <= all/2 && free >= 2*planeMemory
}

// expand gives the planes that there may be one more of, which do not end until they are left; false where there may
// not.
func (f *Fleet) expand(room bool) (*ships, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.current
	if !room || int(s.planes.Load()) >= f.o.Most || s.runs >= runsMax || s.ended() {
		return nil, false
	}
	s.busy++
	return s, true
}

// note tells whether planes are more than there ever were.
func (f *Fleet) note(s *ships) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := int(s.planes.Load())
	more := n > max(f.most, f.o.Parallel)
	f.most = max(f.most, n)
	return more
}

// grow adds planes until there are so many.
func (s *ships) grow(ctx context.Context, planes int) error {
	for int(s.planes.Load()) < planes {
		spec := s.o.Spec
		spec.Name = fmt.Sprintf("%s-%d", s.o.Name, s.planes.Load()+1)
		spec.FeatureGates = nil // of the process: the first plane has set them
		plane, err := s.process.Admin.AddPlane(ctx, spec)
		if err != nil {
			return s.because(err)
		}
		if err := s.prepare(ctx, plane); err != nil {
			return err
		}
	}
	return nil
}

// because is err, or why the process has ended.
func (s *ships) because(err error) error {
	if s.ended() {
		if ended := s.process.Err(); ended != nil {
			return ended
		}
	}
	return err
}

func (s *ships) ended() bool {
	select {
	case <-s.process.Done():
		return true
	default:
		return false
	}
}

// prepare applies the setup to a plane and makes it the baseline.
func (s *ships) prepare(ctx context.Context, plane admin.Plane) error {
	place, err := stage.OnPlane(s.process, plane, nil, "")
	if err != nil {
		return err
	}
	driver, err := stage.NewDriver(place, plan.User)
	if err != nil {
		return err
	}
	if err := driver.Setup(ctx, s.o.Setup); err != nil {
		return &stage.SetupError{Err: s.because(err)}
	}
	based, err := s.process.Admin.Baseline(ctx, plane.Name)
	if err != nil {
		return s.because(err)
	}
	base := history.State{}
	for e, err := range s.process.Admin.History(ctx, plane.Name, 1, false) {
		if err != nil {
			return s.because(err)
		}
		base.Apply(e)
	}
	s.free <- &slot{plane: based, base: base, number: int(s.planes.Add(1))}
	return nil
}

func (f *Fleet) ships() *ships {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current
}

// Use does something on a free plane that is reset before; it waits for one. The place's folder is
// removed after that.
func (f *Fleet) Use(ctx context.Context, do func(context.Context, stage.Place) error) error {
	for {
		s, err := f.board(ctx)
		if err != nil {
			return err
		}
		err = errors.Join(s.use(ctx, do), f.leave(s))
		if err == nil || ctx.Err() != nil || !s.lost() {
			return err
		}
		if err := f.replace(ctx, s, s.because(err)); err != nil {
			return err
		}
	}
}

// board gives the planes for a run: others if these have had many.
func (f *Fleet) board(ctx context.Context) (*ships, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.current; s.runs >= runsMax && !s.ended() {
		fresh, err := f.again(ctx, s)
		if err != nil {
			return nil, err
		}
		s.old, f.current = true, fresh
		if s.busy == 0 {
			if err := s.process.Stop(); err != nil {
				return nil, err
			}
		}
	}
	f.current.runs++
	f.current.busy++
	return f.current, nil
}

// leave ends planes in whose place others are when the last run on them is over.
func (f *Fleet) leave(s *ships) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.busy--
	if s.old && s.busy == 0 && !s.ended() {
		return s.process.Stop()
	}
	return nil
}

// again starts another process with as many planes as there were at first; mu is held.
func (f *Fleet) again(ctx context.Context, old *ships) (*ships, error) {
	s, err := launch(ctx, &f.o)
	if err != nil || old.planes.Load() < 2 {
		return s, err
	}
	if err := s.grow(ctx, f.o.Parallel); err != nil {
		return nil, errors.Join(err, s.process.Stop())
	}
	return s, nil
}

// lost tells whether the process has ended. That may be known a moment later than
// that nobody answers.
func (s *ships) lost() bool {
	moment := time.NewTimer(time.Second)
	defer moment.Stop()
	select {
	case <-s.process.Done():
		return true
	case <-moment.C:
		return false
	}
}

// replace starts another process for one that has ended.
func (f *Fleet) replace(ctx context.Context, old *ships, why error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != old {
		return nil // another run has
	}
	if f.lost++; f.lost > lostMax {
		return fmt.Errorf("%d control planes ended in the middle of runs, the last one: %w", f.lost, why)
	}
	s, err := f.again(ctx, old)
	if err == nil {
		f.current = s
	}
	return err
}

func (s *ships) use(ctx context.Context, do func(context.Context, stage.Place) error) (err error) {
	var p *slot
	select {
	case p = <-s.free:
	case <-s.process.Done():
		return s.because(errors.New("the control plane ended"))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { s.free <- p }()
	p.runs++
	reset, err := s.process.Admin.Reset(ctx, p.plane.Name)
	if err != nil {
		return s.because(err)
	}
	plane := p.plane
	plane.Revision = reset.Revision
	place, err := stage.OnPlane(s.process, plane, p.base, filepath.Join(s.folder, fmt.Sprintf("plane-%d-run-%d", p.number, p.runs)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(place.Folder)) }()
	err = do(ctx, place)
	if err != nil && ctx.Err() == nil {
		err = s.because(err)
	}
	return err
}

// Close ends the planes, and removes with them what was written. No run is under way any more.
func (f *Fleet) Close() error { return f.ships().process.Stop() }
