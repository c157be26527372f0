package oracle

// Custom is a judge that the user gives: an expression, or a program.
type Custom interface {
	Name() string
	Judge(c *Case) ([]Deviation, error)
}
