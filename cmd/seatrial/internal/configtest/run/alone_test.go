package run

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// rooms is a module: tests that have a folder for themselves, and two that may run beside others and wait for each other.
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

func beside(t *testing.T, mine, other string) {
	if _, err := os.Stat("room"); err == nil {
		t.Fatal("a test is here that has to be alone")
	}
	for {
		if err := os.WriteFile(mine, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(other); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestX(t *testing.T) { t.Parallel(); beside(t, "x", "y") }
func TestY(t *testing.T) { t.Parallel(); beside(t, "y", "x") }
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
	defer wait.Wait()
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
	for _, err := os.Stat(filepath.Join(packages[0].Directory, "room")); err != nil; _, err = os.Stat(filepath.Join(packages[0].Directory, "room")) {
		time.Sleep(time.Millisecond) // one of the three is in it: the other two wait, and so do these now
	}
	test("TestX")
	test("TestY")
}
