package campaign

import (
	"cmp"
	"context"
	"errors"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// repeat does again what showed a root, on one way after another, and is false if it does not come again: nothing is reported that
// was an accident of the machine. What is certain stays, and what there was no verdict on is not confirmed.
func (t *trial) repeat(ctx context.Context, f *Finding) (bool, error) {
	certain, ways := f.Deviations[0].Certain, f.ways
	for i := 0; ; i++ {
		var a attempt
		less, err := t.less(ctx, f)
		if a.again = less; !less && err == nil {
			a, err = t.look(ctx, f, f.Operations)
		}
		if err != nil {
			return false, err
		}
		if a.again {
			f.Runs, f.Failed, f.doubt, f.chance = 1, 1, "", i > 0
			return true, nil
		}
		f.doubt, f.instead = cmp.Or(f.doubt, a.doubt), a.others
		if certain || i+1 >= max(len(ways), f.chances()) {
			break
		}
		if len(ways) > 0 {
			f.take(ways[(i+1)%len(ways)])
		}
	}
	switch {
	case certain:
		f.Runs, f.doubt = 1, ""
	case len(ways) > 0:
		f.take(ways[0])
	}
	return certain || f.doubt != "", nil
}

// less tells whether a root comes again behind the operations that it mostly needs, and leaves the others out if it does: what they
// do may be what does not come again, and fewer are made smaller sooner.
func (t *trial) less(ctx context.Context, f *Finding) (bool, error) {
	less := operation.Related(f.Operations)
	if f.Restart || f.Delete {
		less = nil // the seed may show it
	}
	if f.traced || len(less) == len(f.Operations) {
		return false, nil
	}
	again, err := t.shows(ctx, f, less)
	if again {
		f.Operations = less
	}
	return again, err
}

// look makes an attempt, and another one where that gives no verdict.
func (t *trial) look(ctx context.Context, f *Finding, path []*operation.Operation) (a attempt, err error) {
	for range 2 {
		a, err = t.attempt(ctx, f, path)
		var operator *OperatorError
		if errors.As(err, &operator) {
			a, err = attempt{doubt: err.Error()}, nil
		}
		if err != nil || a.again || a.doubt == "" {
			break
		}
	}
	return a, err
}

// comes tells whether a root comes again and again, or at all if it may be chance whether it does. What gives no verdict counts
// for nothing.
func (t *trial) comes(ctx context.Context, f *Finding, path []*operation.Operation) (bool, error) {
	runs, failed := 0, 0
	chances := f.chances()
	for i := 0; i < confirmations || failed == 0 && chances > 1 && i < confirmations+chances; i++ {
		a, err := t.look(ctx, f, path)
		if err != nil {
			return false, err
		}
		if a.again {
			failed++
		}
		if a.again || a.doubt == "" {
			runs++
		}
	}
	if runs > 0 {
		f.Runs, f.Failed = runs, failed
	}
	return failed == runs || chances > 1 && failed > 0 || f.Deviations[0].Certain, nil
}
