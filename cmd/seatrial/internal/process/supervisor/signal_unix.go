//go:build unix

package supervisor

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// SignalName is as programs and manuals call it, such as SIGSEGV.
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String()
}
