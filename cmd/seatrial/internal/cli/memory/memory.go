// Package memory ends an exploration before the memory of the machine is over: the system would kill the process then,
// and what was found would be lost.
package memory

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	// share of what the machine, or the container, has is what the process may take. GOMEMLIMIT in the environment says
	// otherwise.
	share = 0.8
	// full is what of that may be of values that are still in use. What is collected needs the rest.
	full = 0.85
	// lookEach is how often it is looked: in less time than the rest can be filled.
	lookEach = 200 * time.Millisecond
)

// Full is the cause of a context that ended since the memory is used up.
type Full struct {
	// InUse and Limit are in bytes.
	InUse, Limit int64
}

// Error says how much is used, and of what.
func (f *Full) Error() string {
	size := func(n int64) string { return resource.NewQuantity(n>>20<<20, resource.BinarySI).String() }
	return fmt.Sprintf("the memory is used up: %s of the %s that the process may have are in use", size(f.InUse), size(f.Limit))
}

// Guard bounds the memory of the process by what the machine or the container has. The context ends, with a *Full as
// its cause, when what is in use comes near to that. The function that is returned ends the guard.
func Guard(parent context.Context) (context.Context, func()) {
	before := debug.SetMemoryLimit(-1)
	// Where nobody knows how much there is, nothing is bounded.
	limit, err := memlimit.Set(memlimit.WithRatio(share), memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	if err != nil || limit == math.MaxInt64 {
		return parent, func() {}
	}
	ctx, cancel := guard(parent, limit, lookEach, live)
	return ctx, func() {
		cancel()
		debug.SetMemoryLimit(before)
	}
}

func guard(parent context.Context, limit int64, each time.Duration, inUse func() int64) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		look := time.NewTicker(each)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
				if n := inUse(); float64(n) > full*float64(limit) {
					cancel(&Full{n, limit})
					return
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// live is what the last collection left in use.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}
