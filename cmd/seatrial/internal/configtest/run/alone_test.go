package run

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// rooms is a module: tests that have a folder for themselves, and two that may run beside others.
var rooms = map[string]string{
	"go.mod": "module example.com/rooms\n\ngo 1.24\n",
	"rooms_test.go": `package rooms

import (
	"os"
	"testing"
	"time"
)

func alone(t *testing.T) {
	if err := os.Mkdir("room", 0o700); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if err := os.Remove("room"); err != nil {
		t.Fatal(err)
	}
}

func TestA(t *testing.T) { alone(t) }
func TestB(t *testing.T) { alone(t) }
func TestC(t *testing.T) {
	t.Run("c", func(t *testing.T) {
		t.Parallel()
		alone(t)
	})
}

func TestX(t *testing.T) { t.Parallel() }
func TestY(t *testing.T) { t.Parallel() }
`,
}

// TestAlone: tests of a package that may not run beside others do not, and others do.
func TestAlone(t *testing.T) {
	m, err := Find(t.Context(), write(t, rooms), "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"TestX", "TestY"}; !slices.Equal(packages[0].Parallel, want) {
		t.Errorf("%v may run beside others, want %v", packages[0].Parallel, want)
	}
	programs, err := m.Compile(t.Context(), Build{Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Module: m, Folder: t.TempDir(), Timeout: 30 * time.Second}
	var wait sync.WaitGroup
	test := func(name string) {
		wait.Go(func() {
			if o, err := r.Test(t.Context(), programs[0], name, Values{Alone: true}); err != nil {
				t.Error(err)
			} else if o.Ending != Passed {
				t.Errorf("%s %s: %s", name, o.Ending, o.Output)
			}
		})
	}
	test("TestA")
	test("TestB")
	test("TestC")
	wait.Wait()
	doneX, doneY := r.room(programs[0], false), r.room(programs[0], false)
	if r.places[programs[0].Path].TryLock() {
		t.Error("a test that has to be alone may run beside these two")
	}
	doneX()
	doneY()
	defer r.room(programs[0], true)()
	if r.places[programs[0].Path].TryRLock() {
		t.Error("a test may run beside one that has to be alone")
	}
}
