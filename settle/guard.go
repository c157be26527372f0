package settle

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// guarded calls a function of the user's that is no reconcile, in a goroutine of its own: that it panics,
// ends its goroutine or does not return is an error that says where, and whoever wants its answer goes on. What a
// function has that has not returned (stuck) is not to be touched any more.
func guarded(f func()) error {
	done := make(chan error, 1)
	go called(f, done)
	t := time.NewTimer(endurance)
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-t.C:
		return fmt.Errorf("does not return within %s: %s: %w", endurance, goroutinesWith(own+"called("), errWaits)
	}
}

// called is the goroutine of guarded, by whose name that is found.
func called(f func(), done chan<- error) {
	var err error = errEnds
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panics: %v%s", e, panicked())
		}
		done <- err
	}()
	f()
	err = nil
}

// errEnds is that a function has ended its goroutine.
var errEnds = final{errors.New("ends its goroutine without returning: it has to return an error, and not to call FailNow, Fatal or Require of a test")}

// errWaits is that a function has not returned.
const errWaits = stuck("it is to answer from what it is given, and not to wait for anything")

// goroutinesWith are those that have a function on their stacks.
func goroutinesWith(function string) string {
	var all []string
	for text := range strings.SplitSeq(dump(), "\n\n") {
		head, frames, _ := strings.Cut(text, "\n")
		if is, _ := doing(head); strings.Contains(frames, function) {
			if at := first(frames); at != "" {
				all = append(all, is+" in "+at)
			}
		}
	}
	return shown(all)
}
