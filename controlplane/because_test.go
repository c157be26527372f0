package controlplane

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestBecause: that nobody listens any more says that the process is ending, be it that its directory takes its time;
// that it does not answer may be so by itself.
func TestBecause(t *testing.T) {
	killed := errors.New("signal: killed")
	for _, c := range []struct {
		name  string
		err   error
		takes time.Duration
		want  error
	}{
		{"at once", errors.New("EOF"), 0, killed},
		{"it does not answer, and ends later", errors.New("EOF"), 5 * time.Second, nil},
		{"nobody listens, and it ends later", fmt.Errorf("GET: %w", syscall.ECONNREFUSED), 5 * time.Second, killed},
		{"its socket is gone, and it ends later", fmt.Errorf("GET: %w", syscall.ENOENT), 5 * time.Second, killed},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &Process{ended: make(chan struct{}), err: killed}
				time.AfterFunc(c.takes, func() { close(p.ended) })
				why, ended := p.Because(c.err)
				if want := c.want != nil; ended != want || want && !errors.Is(why, c.want) || !want && !errors.Is(why, c.err) {
					t.Errorf("it says %q, ended: %t", why, ended)
				}
				<-p.ended
			})
		})
	}
}
