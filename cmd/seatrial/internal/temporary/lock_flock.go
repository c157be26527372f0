//go:build linux || darwin || freebsd || netbsd || openbsd

package temporary

import (
	"os"
	"syscall"
)

// lock takes the lock of a file, as long as this process lives or until it is released; false if another has it.
func lock(name string) (release func(), ok bool) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = f.Close() // nothing was written
		return nil, false
	}
	return func() { _ = f.Close() }, true // as above
}
