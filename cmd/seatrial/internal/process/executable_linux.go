package process

// ownExecutable is the one that runs, even if its file was replaced or removed since.
func ownExecutable() (string, error) { return "/proc/self/exe", nil }
