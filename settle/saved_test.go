package settle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

// tester is a test that is watched.
type tester struct {
	testing.TB
	failed bool
	said   strings.Builder
	after  []func()
}

func (t *tester) Helper()                      {}
func (t *tester) Cleanup(f func())             { t.after = append(t.after, f) }
func (t *tester) Log(args ...any)              { fmt.Fprintln(&t.said, args...) }
func (t *tester) Error(args ...any)            { t.failed = true; t.Log(args...) }
func (t *tester) Logf(f string, args ...any)   { fmt.Fprintf(&t.said, f+"\n", args...) }
func (t *tester) Errorf(f string, args ...any) { t.failed = true; t.Logf(f, args...) }
func (t *tester) Fatal(args ...any)            { t.Error(args...); panic(t) }
func (t *tester) Fatalf(f string, args ...any) { t.Errorf(f, args...); panic(t) }

// watched is what a test comes to, and what it says.
func watched(t *testing.T, f func(testing.TB)) (failed bool, said string) {
	t.Helper()
	w := &tester{TB: t}
	func() {
		defer func() {
			if e := recover(); e != nil && e != any(w) {
				panic(e)
			}
		}()
		f(w)
	}()
	for _, f := range w.after {
		f()
	}
	return w.failed, w.said.String()
}

// readFirst asks for something else before it goes the way of another.
func readFirst(v variant) variant {
	return func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		if err := c.List(ctx, things(barKind)); err != nil {
			return err
		}
		return v(ctx, c, bar)
	}
}

// TestSaved: a trace that fails is kept, is the first that is tried the next time, and goes when
// it fails no longer.
func TestSaved(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "TestSaved.json")
	check := func(v variant, f settle.Faults) (bool, string) {
		return watched(t, func(t testing.TB) {
			c := config(v, f)
			if f.Stale {
				c = caching(c)
			}
			c.Traces = folder
			settle.Check(t, c)
		})
	}
	crash := settle.Faults{Crash: true}
	for _, step := range []struct {
		name   string
		way    variant
		faults settle.Faults
		fails  bool
		// says are parts of what is said, and kept tells whether there is a file then.
		says []string
		kept bool
	}{
		{"nothing is wrong", createThenRecord, settle.Faults{}, false, []string{"HOLDS"}, false},
		{"it is found", createThenRecord, crash, true, []string{"12 states", "kept      " + file}, true},
		{"it is found again", createThenRecord, crash, true, []string{"this is the trace of", "SEA5002 always", "a saved trace was followed"}, true},
		{"it asks for more than it did", readFirst(createThenRecord), crash, true, []string{"this is the trace of", "list bars"}, true},
		{"it asks for that no longer", createThenRecord, crash, true, []string{"this is the trace of"}, true},
		{"it is mended", listFirst, crash, false, []string{"does not fail any more: nothing is wrong at its end any more; it is deleted", "HOLDS"}, false},
		{"a loop", fixedName, crash, true, []string{"SEA5001 settles", "repeat for ever"}, true},
		{"a loop again", readFirst(fixedName), crash, true, []string{"this is the trace of", "SEA5001 settles", "repeat for ever"}, true},
		{"that fault is not in scope", createThenRecord, settle.Faults{}, false, []string{`"process" does not "is killed, and begins again"; it is deleted`}, false},
		{"a cache that is behind", listFirst, settle.Faults{Stale: true}, true, []string{"SEA5002 always"}, true},
		{"behind again", listFirst, settle.Faults{Stale: true}, true, []string{"this is the trace of", "SEA5002 always"}, true},
		{"never behind", listFirst, settle.Faults{}, false, []string{"it is deleted"}, false},
		{"it comes to rest", createThenRecord, settle.Faults{Evict: true}, true, []string{"this state stays for ever"}, true},
		{"and again", createThenRecord, settle.Faults{Evict: true}, true, []string{"this is the trace of", "this state stays for ever"}, true},
	} {
		before, said := check(step.way, step.faults)
		for _, want := range step.says {
			if !strings.Contains(strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%s: it does not say %q:\n%s", step.name, want, said)
			}
		}
		if _, err := os.Stat(file); before != step.fails || (err == nil) != step.kept {
			t.Fatalf("%s: fails %t, %v:\n%s", step.name, before, err, said)
		}
	}
	if failed, said := watched(t, func(t testing.TB) { settle.Replay(t, config(createThenRecord, settle.Faults{Evict: true}), file) }); !failed || !strings.Contains(said, "somebody") {
		t.Errorf("replayed, it fails: %t:\n%s", failed, said)
	}
	if failed, said := watched(t, func(t testing.TB) { settle.Replay(t, config(listFirst, settle.Faults{Evict: true}), file) }); failed || !strings.Contains(said, "nothing is wrong at its end any more") {
		t.Errorf("replayed where nothing is wrong, it fails: %t:\n%s", failed, said)
	}
}

// TestSavedNowhere: where nothing can be written or read, a test says so and goes on.
func TestSavedNowhere(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := config(createThenRecord, settle.Faults{Crash: true})
	c.Traces = filepath.Join(folder, "file", "below")
	if failed, said := watched(t, func(t testing.TB) { settle.Check(t, c) }); !failed || !strings.Contains(said, "VIOLATED") || !strings.Contains(said, "not kept ") {
		t.Error(said)
	}
	c.Traces = folder
	if err := os.WriteFile(filepath.Join(folder, "TestSavedNowhere.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if failed, said := watched(t, func(t testing.TB) { settle.Check(t, c) }); !failed || !strings.Contains(said, "is ignored: decode report") {
		t.Error(said)
	}
	c.Traces = filepath.Join(folder, "taken") // by a folder, so that the file cannot get its name
	if err := os.MkdirAll(filepath.Join(c.Traces, "TestSavedNowhere.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if failed, said := watched(t, func(t testing.TB) { settle.Check(t, c) }); !failed || !strings.Contains(said, "not kept ") {
		t.Error(said)
	}
	if left, err := os.ReadDir(c.Traces); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
	c.Traces = settle.NoTraces
	if failed, said := watched(t, func(t testing.TB) { settle.Check(t, c) }); !failed || strings.Contains(said, "kept") {
		t.Error(said)
	}
}

// BenchmarkFollow: a trace that is kept is followed in milliseconds.
func BenchmarkFollow(b *testing.B) {
	c := config(createThenRecord, settle.Faults{Crash: true, Late: true, Timeout: true})
	c.Traces = b.TempDir()
	settle.Check(&tester{TB: b}, c)
	for b.Loop() {
		settle.Replay(&tester{TB: b}, c, filepath.Join(c.Traces, "BenchmarkFollow.json"))
	}
}
