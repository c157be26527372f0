//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package controlplane

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// ours tells whether a directory belongs to this user and nobody else can write
// to it.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && info.Mode().Perm()&0o022 == 0
}

// free tells whether a lock file is there and no process holds it.
func free(lock string) bool {
	file, err := os.OpenFile(lock, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// apart puts the child into a process group of its own: an interrupt from a
// terminal is the parent's, which may still need the child then. There is no
// signal for the parent's death, which would be that of one of its threads: the
// end of standard input says it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
