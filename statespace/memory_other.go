//go:build !linux

package statespace

func mapMemory(int) []byte { return nil }

func discardMemory([]byte) {}

func unmapMemory([]byte) {}
