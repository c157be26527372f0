// Package directory makes the one directory in which a process keeps everything,
// and sees to it that none stays behind.
package directory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// Directory is a process's own, readable by its owner only.
type Directory struct {
	Path string
	lock *os.File
}

// memory is a file system in memory, where the system has one.
const memory = "/dev/shm"

// room is what has to be free in memory, in bytes: the history is kept whole, and
// containers have 64 MB there if nobody says otherwise.
const room = 512 << 20

// longest is the file with the longest path that is made in a directory and is a
// socket; socketMax is what every system takes, in bytes.
const (
	longest   = "admin.sock"
	socketMax = 103
)

// New makes one in a given directory, or else in memory where the system has such
// a place with room, or else where temporary files are, and removes those of
// processes that were killed.
func New(parent string) (*Directory, error) {
	given := parent != ""
	if !given {
		parent = usual(memory, room)
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	for _, place := range []string{parent, memory, os.TempDir()} {
		sweep(place)
	}
	path, err := os.MkdirTemp(parent, admin.DirectoryPrefix) // 0700
	if err != nil {
		err = fmt.Errorf("make a directory for the control plane: %w", err)
		if given {
			err = spec.Wrong(err)
		}
		return nil, err
	}
	if socket := filepath.Join(path, longest); len(socket) > socketMax {
		err := fmt.Errorf("%s is %d bytes too long for a socket: choose another place for the directory of the control plane", socket, len(socket)-socketMax)
		return nil, errors.Join(spec.Wrong(err), os.RemoveAll(path))
	}
	file, err := os.OpenFile(filepath.Join(path, admin.LockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", file.Name(), err), os.RemoveAll(path))
	}
	return &Directory{path, file}, nil
}

// usual is where a directory is made if nobody says: in memory, if it can be
// written to and has room.
func usual(memory string, room uint64) string {
	const writeAndEnter = 3 // as access(2) has it
	var system syscall.Statfs_t
	if syscall.Access(memory, writeAndEnter) != nil || syscall.Statfs(memory, &system) != nil ||
		uint64(system.Bavail)*uint64(system.Bsize) < room {
		return os.TempDir()
	}
	return memory
}

// makingMax is how long a directory may be without a lock: longer than any process
// takes from the one to the other that is not killed in between.
const makingMax = time.Minute

// sweep removes the directories whose processes are gone: their locks are free. One
// that has no lock yet is just being made, unless it is old and empty.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		path := filepath.Join(parent, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), admin.DirectoryPrefix) || !mine(path) {
			continue
		}
		file, err := os.OpenFile(filepath.Join(path, admin.LockFile), os.O_RDWR, 0)
		if err != nil {
			if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > makingMax {
				_ = os.Remove(path) // unless something is in it
			}
			continue
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(path) // the next start tries again
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

// Remove removes the directory and all that is in it.
func (d *Directory) Remove() error {
	var err error
	for range tries {
		if err = os.RemoveAll(d.Path); err == nil {
			break
		}
	}
	return err
}
