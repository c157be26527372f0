package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/check"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
)

// interruptible cancels the context, with check.ErrInterrupted as its cause,
// at the first interruption, which a terminal that is closed is as well, unless
// the command was started to outlive it (nohup). The second one finds the
// system's own handling and ends the process.
func interruptible(parent context.Context, c *console.Console) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			c.Interrupted()
			cancel(check.ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
