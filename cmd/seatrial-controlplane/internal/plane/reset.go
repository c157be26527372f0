package plane

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/seatrial/seatrial/controlplane/admin"
)

const (
	// again is how long after a restore the API server's own repairs, which
	// cannot be stopped, have had their say.
	again = 10 * time.Millisecond
	// resetAfter is when a plane that does not come to rest is broken.
	resetAfter = 5 * time.Second
)

// Reset puts the plane back to its baseline: everything that was created is gone,
// without grace and finalizers, everything that was changed or deleted is as it
// was. Watchers see ordinary events; resource versions go on.
func (p *Plane) Reset(ctx context.Context) (admin.Reset, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopHeld(ctx)
	p.gate.Hold(nil)
	p.gate.LockStep(nil)
	if p.steering != nil {
		if err := p.steering.Steer(admin.Steer{}); err != nil {
			return admin.Reset{}, err
		}
	}
	done, err := p.restore(ctx)
	if err != nil {
		return done, err
	}
	return done, p.startParts()
}

// stopHeld stops the parts while the gate still holds what it holds: nothing that
// is parked is sent on. Most of it leaves with the part that sent it; what does
// not is refused.
func (p *Plane) stopHeld(ctx context.Context) {
	ctx, stopped := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer stopped()
		p.stopParts()
	}()
	refuse := func(q admin.Queue) {
		for _, parked := range q.Parked {
			_ = p.gate.Refuse(parked.ID, http.StatusServiceUnavailable, "") // unless it has left
		}
	}
	var after int64
	for {
		queue, err := p.gate.Wait(ctx, after)
		if err != nil {
			refuse(p.gate.Queue())
			<-ctx.Done()
			return
		}
		refuse(queue)
		after = queue.Generation
	}
}

// restore repeats until nothing differs any more.
func (p *Plane) restore(ctx context.Context) (admin.Reset, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, resetAfter, errors.New("the plane does not come to rest: it is broken, start another"))
	defer cancel()
	var sum admin.Reset
	for {
		done, err := p.space.Restore(ctx)
		if err != nil {
			return sum, fmt.Errorf("reset: %w", err)
		}
		sum.Revision = done.Revision
		p.tap.reset(done.Revision)
		if done.Deleted+done.Changed+done.Restored == 0 && sum.Rounds > 0 {
			return sum, nil
		}
		sum.Deleted += done.Deleted
		sum.Changed += done.Changed
		sum.Restored += done.Restored
		sum.Rounds++
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return sum, fmt.Errorf("reset: %w", context.Cause(ctx))
		}
	}
}

// Baseline makes what is there now what resets go back to.
func (p *Plane) Baseline(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	revision, err := p.space.Keep(ctx)
	if err == nil {
		p.revision = revision
	}
	return err
}

// settle waits until what the API server and the controllers create by
// themselves at the start is there.
func (p *Plane) settle(ctx context.Context) error {
	const every, after = 5 * time.Millisecond, 20 * time.Second
	ctx, cancel := context.WithTimeout(ctx, after)
	defer cancel()
	for _, thing := range p.firsts() {
		err := wait.PollUntilContextCancel(ctx, every, true, func(ctx context.Context) (bool, error) {
			there, err := thing.get(ctx)
			if apierrors.IsNotFound(err) {
				return false, nil
			}
			return there, err
		})
		if err != nil {
			return fmt.Errorf("wait for %s: %w", thing.name, err)
		}
	}
	return nil
}
