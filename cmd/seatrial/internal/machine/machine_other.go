//go:build !linux

package machine

import "time"

// Now is not known where the system does not tell.
func Now(time.Time) (Load, bool) { return Load{}, false }

// Memory is not known where the system does not tell.
func Memory() (int64, bool) { return 0, false }
