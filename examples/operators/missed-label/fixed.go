package missedlabel

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed gives the pods the label, too.
func fixed() operator.Operator {
	return base(func(labels map[string]string, track string) { labels[trackLabel] = track })
}
