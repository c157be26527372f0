// Package quota says who has too much.
package quota

import (
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

// State is what there is to say of a namespace.
type State string

// What a namespace can be.
const (
	Fine   State = "fine"
	Warned State = "warned"
	Over   State = "over"
)

// Of is the state of a namespace that has used so many things, above the soft limit since some time.
func Of(c *config.Quota, namespace string, used int, above time.Duration) State {
	most, is := c.PerNamespace[namespace]
	if !is {
		return Fine
	}
	percent := 100 * used / most // a mistake: the limit may be 0
	switch {
	case percent >= c.HardPercent, percent >= c.SoftPercent && above > c.Grace.Duration:
		return Over
	case percent >= c.SoftPercent:
		return Warned
	}
	return Fine
}
