package stage

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// remadeMost is how often the controller makes the same object anew in one step until that is taken to go on for ever. Once
// for each of a few changes that it hears of one after another is usual.
const remadeMost = 4

// remakes counts what the controller deletes and makes anew. What comes of that at the hands of others has another order each
// time, so that it is no circle; and whoever waits for those others waits as long as it goes on.
type remakes struct {
	gone  map[history.Key]bool
	times map[history.Key]int
	// endless is what was made anew so often that this does not end; zero as long as nothing was.
	endless history.Key
}

// add takes the next event that counts.
func (r *remakes) add(e history.Event) {
	if e.Actor != plan.Controller {
		return
	}
	switch {
	case e.Type == history.Delete || e.Object.Text("metadata", "deletionTimestamp") != "":
		if r.gone == nil {
			r.gone, r.times = map[history.Key]bool{}, map[history.Key]int{}
		}
		r.gone[e.Key] = true
	case e.Type == history.Create && r.gone[e.Key]:
		delete(r.gone, e.Key)
		if r.times[e.Key]++; r.times[e.Key] == remadeMost && r.endless.Resource == "" {
			r.endless = e.Key
		}
	}
}

// endless is what the controller makes anew in this step without end; false if nothing.
func (l *Live) endless() (history.Key, bool) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	key := l.s.remakes.endless
	return key, key.Resource != ""
}
