package finding

// Difference is how an object in one version differs from it in another.
type Difference struct {
	// Title says what it is of: an object, or what was done.
	Title string `json:"title"`
	// Note is what else there is to say of it, as that it was refused.
	Note string `json:"note,omitempty"`
	// Before and After say what the versions are: before and after, expected and found.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Fields are the paths that differ.
	Fields []string `json:"fields,omitempty"`
	// Lines are the lines of YAML that differ, below the keys that they are in. As in a unified diff, each
	// begins with - if only Before has it, + if only After has, and a space if both do. They are whole.
	Lines []string `json:"lines,omitempty"`
}
