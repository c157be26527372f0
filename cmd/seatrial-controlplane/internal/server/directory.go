package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	// prefix begins the name of every directory of a process.
	prefix = "seatrial-controlplane-"
	// lock is the file in it that its process holds locked as long as it lives.
	lock = "lock"
)

// directory is a process's own, readable by its owner only.
type directory struct {
	path string
	lock *os.File
}

// newDirectory makes one in memory where the system has such a place, and removes
// those of processes that were killed.
func newDirectory() (*directory, error) {
	parent := os.TempDir()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		parent = "/dev/shm"
	}
	sweep(parent)
	path, err := os.MkdirTemp(parent, prefix) // 0700
	if err != nil {
		return nil, fmt.Errorf("make a directory for the control plane: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(path, lock), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", file.Name(), err), os.RemoveAll(path))
	}
	return &directory{path, file}, nil
}

// sweep removes the directories whose processes are gone: their locks are free.
// One that has no lock yet is just being made.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		path := filepath.Join(parent, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) || !mine(path) {
			continue
		}
		file, err := os.OpenFile(filepath.Join(path, lock), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			os.RemoveAll(path)
		}
		file.Close()
	}
}

func mine(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}

// tries is how often a directory is removed in which something still writes.
const tries = 100

// remove removes the directory and all that is in it.
func (d *directory) remove() error {
	var err error
	for range tries {
		if err = os.RemoveAll(d.path); err == nil {
			break
		}
	}
	return err
}
