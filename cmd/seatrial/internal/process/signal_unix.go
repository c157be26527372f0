//go:build unix

package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is as programs and manuals call it, such as SIGSEGV.
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String()
}
