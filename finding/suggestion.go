package finding

// Suggestion is a change of the user's files with which a violated property holds,
// and no other is worse off: that was checked, up to Bound.
type Suggestion struct {
	// Remedy is the kind of the change, in kebab case; of a pair, both with + between.
	Remedy string `json:"remedy"`
	// Title says what to do, as a verb phrase; Cost what it costs, in one sentence.
	Title string `json:"title"`
	Cost  string `json:"cost"`
	// Changes are the lines that change, by file and line.
	Changes []Change `json:"changes"`
	// Patch is the change as a unified diff, for git apply in the working directory,
	// or in Folder if that is set.
	Patch  string `json:"patch"`
	Folder string `json:"folder,omitempty"`
	// Bound is that up to which all of it was verified, on one line.
	Bound string `json:"bound"`
	// Mends are the other violations of the report that are none with it, by rule or
	// name and subject.
	Mends []string `json:"mends,omitempty"`
}

// Change replaces lines of a file.
type Change struct {
	File string `json:"file"`
	// Line is the first of the old lines, from 1; without old lines, the line before
	// which the new ones go.
	Line int `json:"line"`
	// Old and New are lines without their ends.
	Old []string `json:"old,omitempty"`
	New []string `json:"new,omitempty"`
}

// Suggesting says how a report's suggestions were looked for; without it nobody
// asked.
type Suggesting struct {
	// Tried is how many changes were checked, Held with how many of them all was well.
	Tried int `json:"tried"`
	Held  int `json:"held"`
	// Reason says why the search for changes ended early; empty if it did not.
	Reason string `json:"reason,omitempty"`
	// Patch has the first suggestion of each violation, as far as they go together,
	// and was verified as a whole; Folder is as in a suggestion.
	Patch  string `json:"patch,omitempty"`
	Folder string `json:"folder,omitempty"`
	// Left are the violations that the patch does not mend, with the reason.
	Left []string `json:"left,omitempty"`
}
