//go:build !linux

package statespace

func adviseLargePages([]byte) {}

func discardPages([]byte) {}
