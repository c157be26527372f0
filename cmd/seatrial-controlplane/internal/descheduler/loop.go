package descheduler

import (
	"context"
	"sync"
	"time"

	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
)

// Loop is a descheduler that runs.
type Loop struct {
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// Start starts a descheduler that waits so long before each of its cycles.
func Start(ctx context.Context, o Options, interval time.Duration) (*Loop, error) {
	server, err := newServer(o)
	if err != nil {
		return nil, err
	}
	if _, err := load(o, server.Client); err != nil {
		return nil, spec.Wrong(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &Loop{cancel: cancel}
	l.ended.Go(func() { l.run(ctx, o, interval) })
	return l, nil
}

func (l *Loop) run(ctx context.Context, o Options, interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		cycle, cancel := context.WithCancel(ctx)
		err := Run(cycle, o)
		cancel() // with its informers
		if err != nil && ctx.Err() == nil {
			klog.ErrorS(err, "descheduler")
		}
	}
}

// Stop ends the descheduler and waits until it has.
func (l *Loop) Stop() {
	l.cancel()
	l.ended.Wait()
}
