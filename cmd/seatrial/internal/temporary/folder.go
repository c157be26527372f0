// Package temporary makes folders that last as long as the command does, and removes those of commands that were
// killed.
package temporary

import (
	"os"
	"path/filepath"
)

// lockName is the file in each folder that the command which made it has locked.
const lockName = "lock"

// Folder makes a folder among temporary files whose name begins with prefix, and removes those of that prefix whose
// commands were killed. The process that made a folder is known to be dead by its lock, which the kernel releases, and
// not by an id, which may be of another container that shares the folder of temporary files.
func Folder(prefix string) (folder string, remove func(), err error) {
	leftovers, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*", lockName)) // of a pattern that is one
	for _, name := range leftovers {
		if release, ok := lock(name); ok {
			_ = os.RemoveAll(filepath.Dir(name)) // else the next one does
			release()
		}
	}
	folder, err = os.MkdirTemp("", prefix)
	if err != nil {
		return "", nil, err
	}
	release := func() {}
	name := filepath.Join(folder, lockName)
	if err := os.WriteFile(name+".new", nil, 0o600); err == nil {
		if held, ok := lock(name + ".new"); ok && os.Rename(name+".new", name) == nil { // nobody sees it without its lock
			release = held
		}
	}
	return folder, func() { _ = os.RemoveAll(folder); release() }, nil
}
