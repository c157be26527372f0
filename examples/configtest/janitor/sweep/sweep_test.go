package sweep

import (
	"fmt"
	"testing"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

var now = time.Unix(1e9, 0)

// things are 20: the later in the list, the older.
func things() []Thing {
	var out []Thing
	for i := range 20 {
		out = append(out, Thing{Name: fmt.Sprint(i), Namespace: "default", Made: now.AddDate(0, 0, -10-i)})
	}
	return out
}

// TestOldestGoes: ten days and more are old in every deployment.
func TestOldestGoes(t *testing.T) {
	got := Old(&config.Default().Sweep, things(), now)
	if len(got) == 0 || got[0].Name != "19" {
		t.Errorf("what goes first is %v", got)
	}
}

func TestYoungStays(t *testing.T) {
	c := config.Default()
	c.Sweep.MinKeep = 0
	if got := Old(&c.Sweep, []Thing{{Namespace: "default", Made: now.Add(-time.Hour)}}, now); len(got) > 0 {
		t.Errorf("%v goes after an hour", got)
	}
}

func TestExcluded(t *testing.T) {
	c := &config.Sweep{BatchSize: 5, Exclude: []string{"default"}}
	if got := Old(c, things(), now); len(got) > 0 {
		t.Errorf("%v goes", got)
	}
}

func TestEverybodyHasWork(t *testing.T) {
	shares := Share(&config.Default().Sweep, things())
	for i, share := range shares {
		if len(share) == 0 {
			t.Errorf("worker %d of %d has nothing to do", i, len(shares))
		}
	}
	if len(shares) == 0 {
		t.Error("there are no workers")
	}
}

func TestDeletes(t *testing.T) {
	if !Deletes(&config.Default().Sweep) {
		t.Error("nothing is ever deleted")
	}
}
