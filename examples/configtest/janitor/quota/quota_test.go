package quota

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

func TestEmptyIsFine(t *testing.T) {
	q := config.Default().Quota
	for namespace := range q.PerNamespace {
		if got := Of(&q, namespace, 0, 0); got != Fine {
			t.Errorf("%s is %s with nothing in it", namespace, got)
		}
	}
}

// TestWarnedFirst: at the soft limit there is some time left.
func TestWarnedFirst(t *testing.T) {
	q := config.Default().Quota
	q.PerNamespace = map[string]int{"a": 100}
	if got := Of(&q, "a", q.SoftPercent, time.Second); got != Warned {
		t.Errorf("it is %s at once", got)
	}
}

func TestOver(t *testing.T) {
	q := &config.Quota{SoftPercent: 50, HardPercent: 60, PerNamespace: map[string]int{"a": 10}}
	if got := Of(q, "a", 6, 0); got != Over {
		t.Errorf("it is %s", got)
	}
}
