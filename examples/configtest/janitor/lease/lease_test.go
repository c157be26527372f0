package lease

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

var now = time.Unix(1e9, 0)

// TestOneWorks: who holds the lease stops before another one may have it.
func TestOneWorks(t *testing.T) {
	c, l := &config.Default().LeaderElection, &Lease{}
	l.Take(c, "a", now)
	if end := GivesUp(c, now); c.LeaderElect && l.Take(c, "b", end) {
		t.Errorf("b works from %s, and a until then", end)
	}
}

func TestAlone(t *testing.T) {
	c := config.Default()
	c.LeaderElection.LeaderElect = false
	l := &Lease{Holder: "b", Until: now.Add(time.Hour)}
	if !l.Take(&c.LeaderElection, "a", now) {
		t.Error("nobody else is there, and it does not work")
	}
}

func TestTriesTwice(t *testing.T) {
	if n := Attempts(&config.Default().LeaderElection); n < 2 {
		t.Errorf("it tries %d times to renew", n)
	}
}

// TestName holds the default.
func TestName(t *testing.T) {
	if got := Name(&config.Default().LeaderElection); got != "kube-system/janitor" {
		t.Errorf("the lease is %s", got)
	}
}
