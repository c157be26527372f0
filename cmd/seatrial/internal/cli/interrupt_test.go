package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/check"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
)

// Whoever ends the command with one of these gets what was found so far.
func TestInterruptible(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			continue // the tests were started to outlive their terminal
		}
		streams, _, _ := iostreams.Test("", iostreams.Terminal{})
		ctx, stop := interruptible(t.Context(), console.New(streams, ""))
		if err := self.Signal(s); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		if cause := context.Cause(ctx); !errors.Is(cause, check.ErrInterrupted) {
			t.Errorf("%s: %v", s, cause)
		}
		stop()
	}
}
