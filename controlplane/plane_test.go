//go:build darwin || linux

package controlplane

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// recorder is a test of someone else's.
type recorder struct {
	cleanups []func()
	said     []string
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf("fatal: "+format, args...) }

// end runs what the test has left to do.
func (r *recorder) end() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
	r.cleanups = nil
}

// starter gives tests planes of one fake process.
func starter(t *testing.T) func(*recorder, string) *Plane {
	t.Helper()
	o, _ := options(t, "run")
	t.Cleanup(func() {
		tests.mu.Lock()
		defer tests.mu.Unlock()
		for which, s := range tests.processes {
			if err := s.process.Stop(); err != nil {
				t.Error(err)
			}
			delete(tests.processes, which)
		}
	})
	return func(r *recorder, mode string) *Plane {
		return Start(r, func(with *Options) {
			*with = o
			with.Spec.Mode = mode
			with.Spec.Name = "mine" // is given by Start
		})
	}
}

// TestStart: tests one after another have the same plane, reset in between;
// tests at the same time have one each; another kind of plane is another plane.
func TestStart(t *testing.T) {
	start := starter(t)
	var first, second, third recorder
	p := start(&first, "lean")
	process := p.shared.process.Ready.Process
	if p.Name != "main" || p.Revision != 10 {
		t.Errorf("the first plane: %+v", p.Plane)
	}
	events := p.History()
	want := []history.Event{{Revision: 11, Type: history.Create, Key: history.Key{Resource: "pods", Name: "a"}, Object: history.Object{"a": int64(1)}}}
	if fmt.Sprint(events) != fmt.Sprint(want) {
		t.Errorf("its history: %v", events)
	}
	p.Reset()
	if p.Revision != 20 {
		t.Errorf("after a reset: %+v", p.Plane)
	}
	other := start(&second, "lean")
	if other.Name != "test-1" {
		t.Errorf("a test at the same time: %+v", other.Plane)
	}
	full := start(&third, "full")
	if full.Name != "test-2" || full.Server != "https://127.0.0.1/full" {
		t.Errorf("another kind: %+v", full.Plane)
	}
	first.end()
	if again := start(&first, "lean"); again.Name != "main" || again.Revision != 30 {
		t.Errorf("the next test: %+v", again.Plane)
	}
	if again := start(&third, "full"); again.Name != "test-3" || again.shared.process.Ready.Process != process {
		t.Errorf("one more: %+v", again.Plane)
	}
	for _, r := range []*recorder{&first, &second, &third} {
		r.end()
		if len(r.said) > 0 {
			t.Errorf("said %q", r.said)
		}
	}
}

// TestStartBaseline: a plane with another baseline is not for the next test.
func TestStartBaseline(t *testing.T) {
	start := starter(t)
	var r recorder
	p := start(&r, "")
	p.Baseline()
	if p.Revision != 11 {
		t.Errorf("after the baseline: %+v", p.Plane)
	}
	admin := p.Admin
	r.end()
	if s, err := admin.Status(t.Context()); err != nil || len(s.Keys) != 0 {
		t.Errorf("planes left: %+v, %v", s, err)
	}
	if p = start(&r, ""); p.Name != "test-1" {
		t.Errorf("the next test: %+v", p.Plane)
	}
	r.end()
	if len(r.said) > 0 {
		t.Errorf("said %q", r.said)
	}
}

// TestStartSurvives: a test whose control plane ended fails and says why; the
// next one has another.
func TestStartSurvives(t *testing.T) {
	start := starter(t)
	var r recorder
	p := start(&r, "")
	if err := syscall.Kill(p.shared.process.Ready.Process, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.History()
	p.Reset()
	p.Baseline()
	r.end()
	const why = "controlplane.test ended by itself (signal: killed)"
	if len(r.said) != 4 || slices.ContainsFunc(r.said, func(s string) bool { return !strings.Contains(s, why) }) {
		t.Errorf("said %q", r.said)
	}
	r.said = nil
	if p = start(&r, ""); p.Name != "main" {
		t.Errorf("the next test: %+v", p.Plane)
	}
	// A process that does not reset is not for the next test either.
	if err := p.Admin.RemovePlane(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	broken := p.shared.process
	defer func() { _ = broken.Stop() }()
	r.end()
	if len(r.said) != 1 || !strings.HasPrefix(r.said[0], "reset plane main: ") {
		t.Errorf("said %q", r.said)
	}
	if p = start(&r, ""); p.shared.process == broken {
		t.Error("the next test has the process that does not reset")
	}
	r.end()
}

func TestStartFails(t *testing.T) {
	t.Setenv(Executable, t.TempDir()+"/none")
	var r recorder
	if p := Start(&r); p != nil || len(r.said) != 1 || !strings.HasPrefix(r.said[0], "fatal: start a control plane: the control plane that SEATRIAL_CONTROLPLANE names: ") {
		t.Errorf("%v, said %q", p, r.said)
	}
	var _ TB = t
}
