//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package process

import "os/exec"

// Apart leaves it at the program itself.
func Apart(*exec.Cmd) {}

// EndGroup leaves what it has started as it is.
func EndGroup(*exec.Cmd) {}
