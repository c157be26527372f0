package statespace

import "syscall"

// A kernel that has no large pages refuses: then they are small. Discarding
// whole pages of our own cannot fail.

func adviseLargePages(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }

func discardPages(b []byte) { _ = syscall.Madvise(b, syscall.MADV_DONTNEED) }
