package pair

// Fixed adds a member that understands all that there are; it is changed with them.
func Fixed(want Mode, members []Mode) Mode {
	if len(members) > 0 {
		return Prefer
	}
	return want
}
