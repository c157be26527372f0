package campaign

import "time"

const (
	// reserveLeast and reserveMost bound how much of the time that a campaign has is kept to repeat what was found and
	// to make it smaller, in percent. As long as nothing is found, reserveLeast is the most.
	reserveLeast, reserveMost = 20, 50
	// reserveRoot is how long that takes for one root, in operations: about three runs to see it again, and five to
	// make it smaller, each with a twin or two beside it.
	reserveRoot = 12
)

// reserve is how much of the time is kept for what was found so far, by how long an operation takes on this machine:
// what was seen and not repeated is no verdict. There is always time for one more: properties that nothing comes of are
// only known in the end. mu is held.
func (w *work) reserve() time.Duration {
	o := w.t.o
	all, each := o.Until.Sub(w.t.begun), time.Duration(0)
	if w.done > 0 {
		each = o.Now().Sub(w.begun) / time.Duration(w.done)
	}
	roots := len(w.causes)
	if o.Findings > 0 {
		roots = min(roots, o.Findings-len(together(w.sure)))
	}
	wants, least := reserveRoot*each*time.Duration(roots+1), all*reserveLeast/100
	if roots == 0 && w.done > 0 {
		return min(wants, least)
	}
	return min(max(wants, least), all*reserveMost/100)
}
