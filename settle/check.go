package settle

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// Check explores what Config describes and fails the test if it is not eventually stable,
// with the shortest way there. That is kept in a file (Config.Traces), and tried first the next
// time.
func Check(t testing.TB, c Config) {
	t.Helper()
	kept := savedOf(t, &c)
	r := again(t, &c, kept)
	if r == nil {
		var err error
		if r, err = Explore(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	said := "\n" + r.text(t.Name())
	if r.Verdict == statespace.Holds {
		t.Log(said)
		return
	}
	switch err := kept.write(r, t.Name()); {
	case err != nil:
		said += fmt.Sprintf("\nnot kept  %v", err)
	case r.Verdict == statespace.Violated && kept.path != "":
		said += "\nkept      " + kept.path + ", which the next run begins with"
	}
	t.Error(said)
}

// again follows the trace that was kept; nil if there is none by which something is wrong.
func again(t testing.TB, c *Config, kept saved) *Result {
	t.Helper()
	of, err := kept.read()
	if err != nil {
		t.Logf("settle: %s is ignored: %v", kept.path, err)
	}
	if of == nil {
		return nil
	}
	r, err := follow(t.Context(), *c, of)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == statespace.Violated {
		t.Logf("settle: this is the trace of %s, followed again; without that file all is searched", kept.path)
		return r
	}
	gone := "deleted"
	if os.Remove(kept.path) != nil {
		gone = "ignored"
	}
	t.Logf("settle: the trace of %s does not fail any more: %s; it is %s, and all is searched", kept.path, r.Reason, gone)
	return nil
}

// Replay follows the trace in a file that Check has kept, and logs each step. The test fails if
// the trace does, and if it cannot be followed.
func Replay(t testing.TB, c Config, file string) {
	t.Helper()
	of, err := saved{file}.read()
	switch {
	case err != nil:
		t.Fatalf("settle: %s: %v", file, err)
	case of == nil:
		t.Fatalf("settle: there is no file %s", file)
	}
	r, err := follow(t.Context(), c, of)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Verdict != statespace.Violated && r.lost:
		t.Fatalf("settle: %s: %s", file, r.Reason)
	case r.Verdict != statespace.Violated:
		t.Logf("settle: %s: %s", file, r.Reason)
		return
	}
	out := r.Report(t.Name())
	var b strings.Builder
	if err := out.Results[0].Trace.Write(&b, trace.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Errorf("\n%s\n%s: %s", b.String(), r.Name, r.Reason)
}

// follow follows a trace with the reconcilers as they are now.
func follow(ctx context.Context, c Config, of *trace.Trace) (*Result, error) {
	quiet()
	x, err := newExplorer(&c)
	if err != nil {
		return nil, err
	}
	defer x.close()
	return x.follow(ctx, of)
}

// quiet keeps from the test's output what kube-apiserver's code and each of a thousand runs of
// a reconcile would log.
var quiet = sync.OnceFunc(func() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
})

// Explore is Check without a test.
func Explore(ctx context.Context, c Config) (*Result, error) {
	quiet()
	x, err := newExplorer(&c)
	if err != nil {
		return nil, err
	}
	defer x.close()
	all, err := x.properties()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	found, err := x.check(ctx, x, all, statespace.Options{Workers: c.Workers, MaxStates: cmp.Or(c.MaxStates, maxStates)})
	if err != nil {
		return nil, err
	}
	r := x.result(all, &found)
	r.Took = time.Since(begun)
	return r, nil
}

// check searches a model of the explorer's states.
func (x *explorer) check(ctx context.Context, m statespace.VectorModel, all []property, o statespace.Options) (statespace.Result[[]statespace.ID], error) {
	properties := make([]statespace.Property[[]statespace.ID], len(all))
	for i, p := range all {
		properties[i] = x.property(p)
	}
	o.Classes = []statespace.Class{{Name: "faults and users"}}
	for i := 1; i < classesMax; i++ {
		o.Classes = append(o.Classes, statespace.Class{Name: fmt.Sprint(i), Fairness: statespace.Weak})
	}
	found, err := statespace.CheckVectors(ctx, m, properties, o)
	if wrong := x.failed(); wrong != nil {
		return found, wrong
	}
	return found, err
}
