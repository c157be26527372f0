package controlplane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// removeDirectory removes what a child that has ended left behind, if that is
// what it should be: a directory of a control plane, ours, that no process has.
// It is no error if the child has removed it.
func removeDirectory(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock := filepath.Join(path, admin.LockFile)
	switch {
	case err != nil:
	case !filepath.IsAbs(path) || !strings.HasPrefix(filepath.Base(path), admin.DirectoryPrefix):
		err = errors.New("its name is not one of a control plane")
	case !info.IsDir():
		err = errors.New("it is no directory")
	case !ours(info):
		err = errors.New("it belongs to someone else, or others can write to it")
	case !free(lock):
		err = fmt.Errorf("%s is missing, or held by a process", lock)
	default:
		err = os.RemoveAll(path)
	}
	if err != nil {
		return fmt.Errorf("the directory of the control plane, %s, is left: %w", path, err)
	}
	return nil
}

// memory is where the executable makes its directory if the system has such a
// place, and else in that for temporary files.
const memory = "/dev/shm"

// places are where a child may make its directory: where its arguments or its
// environment say, or where it does by itself.
func places(arguments, environment []string) []string {
	all := []string{memory, os.TempDir()}
	for _, word := range slices.Concat(environment, arguments) {
		for _, prefix := range []string{admin.DirectoryVariable + "=", "--directory="} {
			if path, said := strings.CutPrefix(word, prefix); said && path != "" {
				all = append(all, path)
			}
		}
	}
	return all
}

// sweep removes the directories of control planes that no process has: one that ends
// before it is ready has not said which is its own.
func sweep(places []string) {
	for _, parent := range places {
		parent, err := filepath.Abs(parent)
		if err != nil {
			continue
		}
		entries, _ := os.ReadDir(parent) // there may be no such place
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), admin.DirectoryPrefix) {
				_ = removeDirectory(filepath.Join(parent, entry.Name())) // unless it is someone's
			}
		}
	}
}
