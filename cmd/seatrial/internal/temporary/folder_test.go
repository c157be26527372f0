//go:build linux || darwin || freebsd || netbsd || openbsd

package temporary

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLeftovers: a folder of a process that is dead goes when the next begins; one that is in use, or not of this
// command, stays.
func TestLeftovers(t *testing.T) {
	of := t.TempDir()
	t.Setenv("TMPDIR", of)
	for _, name := range []string{"seatrial-trial-dead/lock", "seatrial-trial-dead/TestA.json", "seatrial-trial-begins/lock.new", "another/lock"} {
		if err := os.MkdirAll(filepath.Join(of, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(of, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	used, removeUsed, err := Folder("seatrial-trial-")
	if err != nil {
		t.Fatal(err)
	}
	_, remove, err := Folder("seatrial-trial-")
	if err != nil {
		t.Fatal(err)
	}
	remove()
	for folder, stays := range map[string]bool{filepath.Join(of, "seatrial-trial-dead"): false, filepath.Join(of, "seatrial-trial-begins"): true, filepath.Join(of, "another"): true, used: true} {
		if _, err := os.Stat(folder); (err == nil) != stays {
			t.Errorf("%s: %v", folder, err)
		}
	}
	removeUsed()
	if left, _ := os.ReadDir(of); len(left) != 2 {
		t.Errorf("there are %v", left)
	}
}
