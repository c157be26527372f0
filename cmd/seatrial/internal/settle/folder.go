package settle

import (
	"os"
	"path/filepath"
)

// folderPrefix begins the names of the folders of runs, in that of temporary files, and lockName is the file in each
// that the command which made it has locked.
const (
	folderPrefix = "seatrial-settle-"
	lockName     = "lock"
)

// temporary makes the folder in which tests leave what they found, and removes those of commands that were killed.
// The process that made a folder is known to be dead by its lock, which the kernel releases, and not by
// an id, which may be of another container that shares the folder of temporary files.
func temporary() (folder string, remove func(), err error) {
	leftovers, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*", lockName)) // of a pattern that is one
	for _, name := range leftovers {
		if release, ok := lock(name); ok {
			_ = os.RemoveAll(filepath.Dir(name)) // else the next one does
			release()
		}
	}
	folder, err = os.MkdirTemp("", folderPrefix)
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
