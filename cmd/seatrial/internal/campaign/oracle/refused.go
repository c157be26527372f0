package oracle

import "slices"

// Answer is what became of an operation, beside what oracles say.
type Answer string

const (
	// Accepted: a valid operation was taken.
	Accepted Answer = "accepted"
	// Refused: the API server, or a webhook, did not take a valid operation. That is no fault: what
	// webhooks want is not known.
	Refused Answer = "refused"
	// Declined: the API server took a valid operation, and the operator says that it does not do it.
	Declined Answer = "declined"
	// Impossible: the API server took a valid operation, and refuses what the operator makes of it.
	Impossible Answer = "refused what comes of it"
	// Prevented: a misoperation was refused, or the operator says that it does not do it.
	Prevented Answer = "prevented"
	// Let: a misoperation was taken, and nobody says that it is one.
	Let Answer = "accepted although it cannot work"
)

// Declined tells whether the operator says that it does not do what a valid operation asks for, or fails at it as where
// the resource was never another.
func (c *Case) Declined() bool {
	answer := c.Answer()
	return answer == Declined || answer == Impossible
}

// Failed tells whether the operator says that it does not do, or cannot do, what the API server took, be it as where
// the resource was never another.
func (c *Case) Failed() bool {
	if c.Last().Refused != "" {
		return false
	}
	before := remarks(c.Steps[0].End, c.Key)
	return c.Declined() || c.Answer() == Prevented || slices.ContainsFunc(remarks(c.Last().End, c.Key), func(said string) bool {
		return refuses(said) && !slices.Contains(before, said)
	})
}

// Answer is what became of the last step's operation, for counts.
func (c *Case) Answer() Answer {
	refused := c.Last().Refused != ""
	switch {
	case c.misoperation() && (refused || c.tells() || c.Last().refusal(c.Key) && !c.Steps[0].refusal(c.Key)):
		return Prevented
	case c.misoperation():
		return Let
	case refused:
		return Refused
	case c.impossible():
		return Impossible
	case c.declined():
		return Declined
	}
	return Accepted
}
