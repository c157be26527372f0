package report

// Fact is something about a run that is not in its report: how long it took, how
// much was remembered.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
