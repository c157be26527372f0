package settle

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// again follows the trace that was kept; nil if there is none by which something is wrong.
func again(ctx context.Context, t testing.TB, c *Config, kept saved) (*Result, error) {
	t.Helper()
	of, err := kept.read()
	if err != nil {
		t.Logf("settle: %s is ignored: %v", kept.path, err)
	}
	if of == nil {
		return nil, nil
	}
	r, err := follow(ctx, *c, of)
	if err != nil {
		return nil, err
	}
	if r.Verdict == statespace.Violated {
		t.Logf("settle: this is the trace of %s, followed again; without that file all is searched", kept.path)
		return r, nil
	}
	if ctx.Err() != nil {
		return nil, nil // it is not known
	}
	gone := "deleted"
	if os.Remove(kept.path) != nil {
		gone = "ignored"
	}
	t.Logf("settle: the trace of %s does not fail any more: %s; it is %s, and all is searched", kept.path, r.Reason, gone)
	return nil, nil
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
	if err := out.Results[0].Trace.Write(&b, trace.Options{Width: logWidth}); err != nil {
		t.Fatal(err)
	}
	t.Errorf("\n%s\n%s: %s", b.String(), r.Name, r.Reason)
}

// follow follows a trace with the reconcilers as they are now.
func follow(ctx context.Context, c Config, of *trace.Trace) (*Result, error) {
	return c.exploring(ctx, func(x *explorer) (*Result, error) { return x.follow(ctx, of) })
}
