//go:build unix && !linux

package process

import "os"

func ownExecutable() (string, error) { return os.Executable() }
