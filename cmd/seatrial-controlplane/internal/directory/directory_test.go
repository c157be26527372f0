package directory

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// TestNew: a new directory is its owner's alone; what processes left that are gone
// is removed, what others hold or are just making is not.
func TestNew(t *testing.T) {
	parent, err := os.MkdirTemp("", "s") // short: a socket's path has its bounds
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	first, err := New(parent)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(first.Path)
	if err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(first.Path) != parent {
		t.Errorf("%s: %v, %v", first.Path, info, err)
	}
	dead, making, foreign := filepath.Join(parent, admin.DirectoryPrefix+"dead"), filepath.Join(parent, admin.DirectoryPrefix+"new"), filepath.Join(parent, "home")
	for _, path := range []string{dead, making, foreign} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if path == making {
			continue
		}
		if err := os.WriteFile(filepath.Join(path, admin.LockFile), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	killed := filepath.Join(parent, admin.DirectoryPrefix+"killed")
	if err := os.Mkdir(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * makingMax)
	if err := os.Chtimes(killed, old, old); err != nil {
		t.Fatal(err)
	}
	second, err := New(parent)
	if err != nil {
		t.Fatal(err)
	}
	for path, there := range map[string]bool{first.Path: true, second.Path: true, making: true, foreign: true, dead: false, killed: false} {
		if _, err := os.Stat(path); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, d := range []*Directory{first, second} {
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(d.Path); err == nil {
			t.Errorf("%s is left", d.Path)
		}
	}
}

// TestNewFails: a place that was asked for and is none is the asker's mistake, and
// nothing is left.
func TestNewFails(t *testing.T) {
	for _, name := range []string{"none", strings.Repeat("x", socketMax)} {
		parent := filepath.Join(t.TempDir(), name)
		if name != "none" {
			if err := os.Mkdir(parent, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := New(parent); !spec.IsWrong(err) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(parent); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

// TestUsual: memory that is small, read-only or not there is left alone.
func TestUsual(t *testing.T) {
	parent := t.TempDir()
	if got := usual(parent, 1); got != parent {
		t.Errorf("with room: %s", got)
	}
	for name, c := range map[string]struct {
		memory string
		room   uint64
	}{
		"small": {parent, math.MaxUint64}, "none": {filepath.Join(parent, "none"), 1},
	} {
		if got := usual(c.memory, c.room); got != os.TempDir() {
			t.Errorf("%s: %s", name, got)
		}
	}
}
