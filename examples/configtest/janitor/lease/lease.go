// Package lease says who of several works.
package lease

import (
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

// Lease is who works, and until when.
type Lease struct {
	Holder string
	Until  time.Time
}

// Name is what it is called.
func Name(c *config.LeaderElection) string { return c.ResourceNamespace + "/" + c.ResourceName }

// Take gives the lease to somebody, unless another one has it.
func (l *Lease) Take(c *config.LeaderElection, who string, now time.Time) bool {
	if !c.LeaderElect {
		return true
	}
	if l.Holder != who && now.Before(l.Until) {
		return false
	}
	l.Holder, l.Until = who, now.Add(c.LeaseDuration.Duration)
	return true
}

// GivesUp is when a holder that cannot renew stops to work.
func GivesUp(c *config.LeaderElection, renewed time.Time) time.Time {
	return renewed.Add(c.RenewDeadline.Duration)
}

// Attempts is how often it tries to renew before.
func Attempts(c *config.LeaderElection) int {
	return int(c.RenewDeadline.Duration / c.RetryPeriod.Duration)
}
