package settle_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// named is a way to have three Foos, for which three goroutines see.
var named = []string{"x", "y", "z"}

// ensure sees to it that there is a Foo.
func ensure(ctx context.Context, c client.Client, bar *unstructured.Unstructured, name string) error {
	foo := thing(fooKind, name)
	err := c.Get(ctx, client.ObjectKeyFromObject(foo), foo)
	if apierrors.IsNotFound(err) {
		err = c.Create(ctx, child(bar, name, ""))
	}
	return err
}

// atOnce sees to all Foos at once.
func atOnce(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	var all sync.WaitGroup
	wrong := make([]error, len(named))
	for i, name := range named {
		all.Go(func() { wrong[i] = ensure(ctx, c, bar, name) })
	}
	all.Wait()
	return errors.Join(wrong...)
}

// oneByOne does the same without goroutines.
func oneByOne(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	for _, name := range named {
		if err := ensure(ctx, c, bar, name); err != nil {
			return err
		}
	}
	return nil
}

// bothLook asks for the same from two goroutines, and goes on in two ways.
func bothLook(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	var all sync.WaitGroup
	var left, right error
	all.Go(func() {
		if left = c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "x"}, thing(fooKind, "")); left != nil {
			left = client.IgnoreAlreadyExists(c.Create(ctx, child(bar, "x", "")))
		}
	})
	all.Go(func() {
		if right = c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "x"}, thing(fooKind, "")); right != nil {
			right = ensure(ctx, c, bar, "y")
		}
	})
	all.Wait()
	return errors.Join(left, right)
}

// unbuffered gives up at the first error, and leaves its goroutines behind.
func unbuffered(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	errs := make(chan error)
	for _, name := range named[:2] {
		go func() { errs <- ensure(ctx, c, bar, name) }()
	}
	for range named[:2] {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// sleeping waits before it looks, and between attempts.
func sleeping(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	time.Sleep(time.Hour)
	var err error
	for range 3 {
		if err = ensure(ctx, c, bar, "x"); err == nil {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}

// stamped notes when it has made its Foo.
func stamped(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if err := ensure(ctx, c, bar, "x"); err != nil || bar.GetAnnotations()["made"] != "" {
		return err
	}
	bar.SetAnnotations(map[string]string{"made": time.Now().Format(time.RFC3339)})
	return c.Update(ctx, bar)
}

// recovering lets nothing through.
func recovering(ctx context.Context, c client.Client, bar *unstructured.Unstructured) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("recovered: %v", e)
		}
		err = errors.Join(err, ensure(ctx, c, bar, "y"))
	}()
	return ensure(ctx, c, bar, "x")
}

// there is a Match: all Foos of these names exist.
func there(names ...string) func(context.Context, client.Reader, client.Object) error {
	return func(ctx context.Context, c client.Reader, _ client.Object) error {
		for _, name := range names {
			if err := c.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, thing(fooKind, "")); err != nil {
				return err
			}
		}
		return nil
	}
}

// exploring explores a way to have the Foos of some names.
func exploring(t *testing.T, v variant, f settle.Faults, names ...string) (*settle.Result, error) {
	t.Helper()
	c := config(v, f)
	c.Always, c.Match, c.MaxObjects = nil, there(names...), 5
	return settle.Explore(t.Context(), c)
}

// TestReruns: what reconciles may do, and how much there is to explore.
func TestReruns(t *testing.T) {
	for _, test := range []struct {
		name   string
		way    variant
		faults settle.Faults
		foos   string
		want   statespace.Verdict
		more   int // states at least
	}{
		{"three goroutines", atOnce, settle.Faults{}, "x y z", statespace.Holds, 60},
		{"three goroutines, killed", atOnce, settle.Faults{Crash: true, Timeout: true}, "x y z", statespace.Holds, 100},
		{"the same one by one", oneByOne, settle.Faults{}, "x y z", statespace.Holds, 8},
		{"two that ask for the same", bothLook, settle.Faults{}, "x", statespace.Holds, 8},
		{"two that ask for the same, and one may come too late", bothLook, settle.Faults{}, "x y", statespace.Violated, 8},
		{"goroutines that are left when it gives up", unbuffered, settle.Faults{Crash: true}, "x y", statespace.Holds, 8},
		{"sleeping costs nothing", sleeping, settle.Faults{Timeout: true}, "x", statespace.Holds, 8},
		{"writing what time it is", stamped, settle.Faults{Crash: true}, "x", statespace.Holds, 8},
		{"recovering", recovering, settle.Faults{Crash: true}, "x y", statespace.Holds, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := exploring(t, test.way, test.faults, strings.Fields(test.foos)...)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != test.want || r.States < test.more || strings.Contains(strings.Join(r.Report("").Assumptions, "\n"), "write what time it is") != (test.name == "writing what time it is") {
				t.Errorf("%v, %d states, want %v and at least %d\n%s", r.Verdict, r.States, test.want, test.more, r)
			}
		})
	}
}

// What some of the following share, which is what is wrong with them.
var (
	sharedChannel = make(chan struct{}, 1)
	sharedLock    sync.Mutex
	sharedCount   int
)

// unfit are reconcilers that cannot be run again, with what is said of them.
var unfit = []struct {
	name string
	way  variant
	want []string
}{
	{
		"it decides by the clock", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			if time.Since(bar.GetCreationTimestamp().Time) > time.Hour {
				return nil
			}
			return ensure(ctx, c, bar, "x")
		}, []string{"bar, reconcile default/a: what the reconcile does depends on what time it is", "it returns, and did not before: then it asked, as its request 2, for", "foos/default/x"},
	},
	{
		"its names are the time", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			return c.Create(ctx, child(bar, fmt.Sprint("x-", time.Now().Unix()), ""))
		}, []string{"depends on what time it is", "create"},
	},
	{
		"its names are drawn", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			return c.Create(ctx, child(bar, fmt.Sprint("x-", rand.Uint64()), ""))
		}, []string{"the reconcile is not the same when it is run again with the same answers", "create", "GenerateName"},
	},
	{
		"the order of a map", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			for name := range map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8} {
				if err := ensure(ctx, c, bar, name); err != nil {
					return err
				}
			}
			return nil
		}, []string{"not the same when it is run again", "get"},
	},
	{
		"it remembers", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			if sharedCount++; sharedCount%2 == 0 {
				return nil
			}
			return ensure(ctx, c, bar, "x")
		}, []string{"not the same when it is run again", "remember"},
	},
	{
		"a goroutine that goes on", func(ctx context.Context, _ client.Client, _ *unstructured.Unstructured) error {
			go func() { <-ctx.Done() }()
			return nil
		}, []string{"a goroutine of the reconcile goes on when the reconcile has returned", "chan receive in settle/rerun_test.go:", "started at settle/rerun_test.go:"},
	},
	{
		"a goroutine that asks later", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			go func() { _ = ensure(ctx, c, bar, "x") }()
			return nil
		}, []string{"asks for", "foos/default/x", "when the reconcile has returned"},
	},
	{
		"nobody wakes it", func(context.Context, client.Client, *unstructured.Unstructured) error {
			<-make(chan int)
			return nil
		}, []string{"waits for what does not come", "chan receive in settle/rerun_test.go:"},
	},
	{
		"it computes for ever", func(context.Context, client.Client, *unstructured.Unstructured) error {
			for begun := time.Now(); time.Since(begun) < time.Second; {
				runtime.Gosched()
			}
			return nil
		}, []string{"has not come to a request or to its end within 1s", "settle/rerun_test.go:"},
	},
	{
		"a lock around requests", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			var all sync.WaitGroup
			for _, name := range named {
				all.Go(func() {
					sharedLock.Lock()
					defer sharedLock.Unlock()
					_ = ensure(ctx, c, bar, name)
				})
			}
			all.Wait()
			return nil
		}, []string{"within 1s", "sync.Mutex.Lock in settle/rerun_test.go:", "a lock that is held while a request is made"},
	},
	{
		"a channel from outside", func(context.Context, client.Client, *unstructured.Unstructured) error {
			<-sharedChannel
			return nil
		}, []string{"within 1s", "chan receive in settle/rerun_test.go:"},
	},
	{
		"its goroutine ends", func(context.Context, client.Client, *unstructured.Unstructured) error {
			runtime.Goexit()
			return nil
		}, []string{"ends its goroutine without returning"},
	},
	{
		"goroutines that do not end when they are to", func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
			for _, name := range append(named, "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q") {
				done := make(chan int)
				go func() { <-done }()
				if err := ensure(ctx, c, bar, name); err != nil {
					return err
				}
				close(done)
			}
			return nil
		}, []string{"do not end when all of its requests fail and its context is cancelled", "chan receive in settle/rerun_test.go:"},
	},
	{
		"it waits by asking", func(ctx context.Context, c client.Client, _ *unstructured.Unstructured) error {
			for c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "never"}, thing(fooKind, "")) != nil {
				time.Sleep(time.Second)
			}
			return nil
		}, []string{"bar default/a makes more than 50 requests in one reconcile", "foos/default/never", "RequeueAfter"},
	},
}

// TestNotToBeRunAgain: what reconciles may not do is named, with what to change.
func TestNotToBeRunAgain(t *testing.T) {
	settle.Endure(t, time.Second, 50)
	for _, test := range unfit {
		t.Run(test.name, func(t *testing.T) {
			r, err := exploring(t, test.way, settle.Faults{})
			if err == nil {
				t.Fatalf("no error, but %s", r)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("there is no %q in: %v", want, err)
				}
			}
			t.Log(err)
		})
	}
}

// TestGrowing: a reconcile that needs ever more memory is given up before there is none.
func TestGrowing(t *testing.T) {
	settle.Grow(t, 16<<20)
	var enough atomic.Bool
	t.Cleanup(func() { enough.Store(true) })
	r, err := exploring(t, func(context.Context, client.Client, *unstructured.Unstructured) error {
		var all [][]byte
		for !enough.Load() {
			page := make([]byte, 1<<16)
			for i := range page { // it makes something of it, which takes longer than until somebody looks
				page[i] = byte(len(all))
			}
			if all = append(all, page); len(all) > 1<<14 { // a GiB, and nobody has given it up
				return nil
			}
		}
		return nil
	}, settle.Faults{})
	for _, want := range []string{"settle: bar, reconcile default/a: ", " MiB were allocated, and the reconcile has not come to a request or to its end: ", " in settle/rerun_test.go:", "ever more of something"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("there is no %q in %v, %v", want, err, r)
		}
	}
}
