package missedlabel

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy leads clients to pods with a label that none has.
func buggy() operator.Operator {
	return base(func(map[string]string, string) {})
}
