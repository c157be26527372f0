package settle

import (
	"fmt"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// What Match, Always and the others say is taken to follow from what there is: each is asked once about
// it. Some of what they said is asked once more at the end of a search, since what they keep in a variable, what
// the time is or what they draw would go unnoticed.

// verdictOf is what a property said of what there is.
type verdictOf struct {
	// asked is what of the Config said it.
	asked string
	of    func(kubestate.State) error
	world kubestate.State
	err   error
}

// doubtMax bounds how much is asked again.
const doubtMax = 200

// doubt notes what was said, to ask again.
func (x *explorer) doubt(v verdictOf) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.doubted) < doubtMax {
		x.doubted = append(x.doubted, v)
	}
}

// askAgain is an error if any property says something else than it did.
func (x *explorer) askAgain() error {
	for _, was := range x.doubted {
		is := x.calling(was.asked, func() error { return was.of(was.world) })
		if err := x.failed(); err != nil {
			return err
		}
		if (is == nil) != (was.err == nil) {
			return final{fmt.Errorf("settle: %s says of one and the same cluster %q, and then %q: it has to follow from what it reads with its client alone, and not from variables, from what time it is or from chance", was.asked, orFine(was.err), orFine(is))}
		}
	}
	return nil
}

func orFine(err error) string {
	if err == nil {
		return "all is well"
	}
	return err.Error()
}
