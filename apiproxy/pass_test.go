package apiproxy_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// TestPass: who lets a request pass hears what it was answered with, when it was, and
// that of one whose sender has given up, or whose answer never comes, there is none.
func TestPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{hold: make(chan struct{})}
		g := apiproxy.NewGate()
		g.Hold([]admin.Match{{Verb: "delete"}})
		s := sender{t, g.Transport("replicaset-controller", w)}
		type answer struct {
			code int
			err  error
		}
		pass := func(ctx context.Context, id int64) <-chan answer {
			out := make(chan answer, 1)
			go func() {
				code, err := g.Pass(ctx, id)
				out <- answer{code, err}
			}()
			return out
		}

		sent := s.send(t.Context(), "DELETE", pods+"/a", "")
		synctest.Wait()
		passed := pass(t.Context(), 1)
		synctest.Wait()
		select {
		case got := <-passed:
			t.Errorf("passed before it was answered: %v", got)
		default:
		}
		w.hold <- struct{}{}
		if got := <-passed; got != (answer{200, nil}) || <-sent != "200" {
			t.Errorf("passed with %v", got)
		}

		gone, cancel := context.WithCancel(t.Context())
		sent = s.send(gone, "DELETE", pods+"/b", "")
		synctest.Wait()
		passed = pass(t.Context(), 2)
		synctest.Wait()
		cancel()
		if got := <-passed; got != (answer{}) {
			t.Errorf("of a sender that is gone: %v", got)
		}
		<-sent

		if got := <-pass(t.Context(), 2); !errors.Is(got.err, apiproxy.ErrNotParked) {
			t.Errorf("of what is not parked: %v", got)
		}

		sent = s.send(t.Context(), "DELETE", pods+"/c", "")
		synctest.Wait()
		impatient, give := context.WithCancel(t.Context())
		passed = pass(impatient, 3)
		synctest.Wait()
		give()
		if got := <-passed; !errors.Is(got.err, context.Canceled) {
			t.Errorf("without patience: %v", got)
		}
		w.hold <- struct{}{}
		<-sent
	})
}
