package pair

// Buggy adds a member as all are to be.
func Buggy(want Mode, _ []Mode) Mode { return want }
