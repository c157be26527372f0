package statespace

import "syscall"

// mapMemory returns zeroed memory outside Go's heap, nil if there is none.
func mapMemory(bytes int) []byte {
	m, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil
	}
	// A kernel without large pages refuses: then they are small.
	_ = syscall.Madvise(m, syscall.MADV_HUGEPAGE)
	return m
}

// discardMemory and unmapMemory give back what mapMemory returned; they cannot
// fail for such memory.
func discardMemory(m []byte) { _ = syscall.Madvise(m, syscall.MADV_DONTNEED) }

func unmapMemory(m []byte) { _ = syscall.Munmap(m) }
