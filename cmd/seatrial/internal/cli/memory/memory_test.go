package memory

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestGuard(t *testing.T) {
	for _, tt := range []struct {
		name  string
		inUse int64
		want  string
	}{
		{"enough is left", 80 << 30, "interrupted"},
		{"nearly all is in use", 90 << 30, "the memory is used up: 90Gi of the 100Gi that the process may have are in use"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parent, interrupt := context.WithCancelCause(t.Context())
				ctx, end := guard(parent, 100<<30, time.Second, func() int64 { return tt.inUse })
				defer end()
				time.Sleep(2 * time.Second)
				interrupt(errors.New("interrupted"))
				<-ctx.Done()
				if got := context.Cause(ctx).Error(); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestEnd: a guard that has ended leaves nothing running; synctest would find it.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := guard(t.Context(), 1, time.Second, func() int64 { return 0 })
		end()
		synctest.Wait()
		if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cause %v", err)
		}
	})
}
