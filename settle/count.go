package settle

import "github.com/seatrial/seatrial/settle/kubestate"

// Count is a number with which a System counts, as the version of something that is written
// again and again. Counting for ever makes endlessly many states, unless the numbers are
// renamed as generations are: in order, where they are in the state of the System, in what
// a reconciler remembers and in requests that are late. So it is only to be compared with other
// Counts of the same name, and the one behind the latest is +1.
type Count int64

// NewCount is the first Count of a name.
func NewCount(name string) Count { return Count(kubestate.FirstGeneration(name)) }
