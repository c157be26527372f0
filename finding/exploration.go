package finding

// ActionCount is how often an action was taken in a search that went through all states.
type ActionCount struct {
	Name     string   `json:"name"`
	Location Location `json:"location"`
	// Steps is how many steps by the action were generated; New is how many states were
	// first reached by one of them.
	Steps int `json:"steps"`
	New   int `json:"new"`
}

// Growth is how the states of a search came to be so many.
type Growth struct {
	// Levels are the numbers of states by their distance from the start.
	Levels []int `json:"levels"`
	// Partial tells that the search ended within the last of them.
	Partial bool `json:"partial,omitempty"`
	// Values are the numbers of different values that the parts of a state had, the largest first.
	Values []ValueCount `json:"values,omitempty"`
}

// ValueCount is how many values one part of a state had.
type ValueCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}
