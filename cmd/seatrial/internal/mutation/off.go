//go:build !mutation

package mutation

// On is false: this build makes no deliberate mistakes.
func On(string) bool { return false }
