package controlplane

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// TB is what a test has to offer; a *testing.T has it.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Plane is a control plane that one test has to itself. Its methods fail the
// test, and are called from the test's goroutine.
type Plane struct {
	// Plane has the name, the kubeconfig and the URL, and the revision of the
	// baseline or of the last reset.
	admin.Plane
	// Admin speaks to the process of the plane, by Name.
	Admin *admin.Client

	tb     TB
	shared *shared
	// kind is the spec, without a name: planes of one kind are alike.
	kind string
	// changed tells that the baseline is not the usual one any more.
	changed bool
}

// operationMax bounds what the methods ask of a plane.
const operationMax = time.Minute

// Start gives a test a plane to itself, fresh. The first test starts a process
// that all tests of the binary share; it ends with the binary. Tests that run one
// after another use the same plane, which is reset in between; those that run at
// the same time have one each. A test fails if the control plane ended meanwhile.
//
//	plane := controlplane.Start(t, func(o *controlplane.Options) { o.Spec.Mode = "lean" })
func Start(tb TB, configure ...func(*Options)) *Plane {
	tb.Helper()
	var o Options
	for _, c := range configure {
		c(&o)
	}
	p, err := tests.take(o)
	if err != nil {
		tb.Fatalf("start a control plane: %v", err)
		return nil // for a TB whose Fatalf returns
	}
	p.tb = tb
	tb.Cleanup(func() {
		tb.Helper()
		if err := tests.give(p); err != nil {
			tb.Errorf("%v", err)
		}
	})
	return p
}

// Reset puts the plane back to its baseline: what was created is gone, what was
// changed or deleted is as it was.
func (p *Plane) Reset() {
	p.tb.Helper()
	if err := p.reset(); err != nil {
		p.tb.Fatalf("%v", err)
	}
}

func (p *Plane) reset() error {
	ctx, cancel := context.WithTimeout(context.Background(), operationMax)
	defer cancel()
	r, err := p.Admin.Reset(ctx, p.Name)
	if err != nil {
		return fmt.Errorf("reset plane %s: %w", p.Name, p.because(err))
	}
	p.Revision = r.Revision
	return nil
}

// Baseline makes what the plane holds now, such as CRDs, what a reset puts back,
// for this test.
func (p *Plane) Baseline() {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), operationMax)
	defer cancel()
	p.changed = true
	plane, err := p.Admin.Baseline(ctx, p.Name)
	if err != nil {
		p.tb.Fatalf("take the baseline of plane %s: %v", p.Name, p.because(err))
		return
	}
	p.Revision = plane.Revision
}

// History is what was written since the baseline or the last reset, by everyone.
func (p *Plane) History() []history.Event {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), operationMax)
	defer cancel()
	var events []history.Event
	for e, err := range p.Admin.History(ctx, p.Name, p.Revision+1, false) {
		if err != nil {
			p.tb.Fatalf("the history of plane %s: %v", p.Name, p.because(err))
			return nil
		}
		events = append(events, e)
	}
	return events
}

// Follow gives what was written since the baseline or the last reset and what
// will be, until ctx ends.
func (p *Plane) Follow(ctx context.Context) iter.Seq2[history.Event, error] {
	return p.Admin.History(ctx, p.Name, p.Revision+1, true)
}

// because is err, or why the process has ended, which says more.
func (p *Plane) because(err error) error {
	var answered *admin.Error
	if err == nil || errors.As(err, &answered) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	err, _ = p.shared.process.Because(err)
	return err
}
