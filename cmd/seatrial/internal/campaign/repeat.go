package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// repeat does again what showed a root, on the next ways that were not tried, so many at most, and is false if it does
// not come again: nothing is reported that was an accident of the machine. When no way is left, what is certain stays,
// and what there was no verdict on is not confirmed.
func (t *trial) repeat(ctx context.Context, f *Finding, most int) (bool, error) {
	certain := f.Deviations[0].Certain
	for ; most > 0 && !f.spent(); most-- {
		if f.tries > 0 && len(f.ways) > 0 {
			f.take(f.ways[f.tries%len(f.ways)])
		}
		var a attempt
		less, err := t.less(ctx, f)
		if a.again = less; !less && err == nil {
			a, err = t.look(ctx, f, f.Operations)
		}
		if err != nil {
			return false, err
		}
		if f.tries++; a.again {
			f.Runs, f.Failed, f.doubt, f.chance = 1, 1, "", f.tries > 1
			return true, nil
		}
		f.doubt, f.instead = cmp.Or(f.doubt, a.doubt), a.others
		if certain {
			f.tries = max(f.tries, len(f.ways), f.chances())
		}
	}
	if !f.spent() {
		return false, nil
	}
	switch {
	case certain:
		f.Runs, f.doubt = 1, ""
	case len(f.ways) > 0:
		f.take(f.ways[0])
	}
	return certain || f.doubt != "", nil
}

// spent tells that each way was tried, and as often as it may be chance that it does not come.
func (f *Finding) spent() bool { return f.tries >= max(1, len(f.ways), f.chances()) }

// leave takes the ways away that change a property on which it was looked for already; false if none is left.
func (f *Finding) leave(tried []string) bool {
	f.ways = slices.DeleteFunc(slices.Clone(f.ways), func(s *seen) bool { return slices.Contains(tried, s.property()) })
	if len(f.ways) == 0 {
		return false
	}
	f.take(f.ways[0])
	return true
}

// less tells whether a root comes again behind the operations that it mostly needs, and leaves the others out if it
// does: what they do may be what does not come again, and fewer are made smaller sooner.
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

// comes tells whether a root comes again and again, or so often that it is no accident; where it came less often, the
// doubt says so. What gives no verdict counts for nothing.
func (t *trial) comes(ctx context.Context, f *Finding) (bool, error) {
	runs, failed := 0, 0
	chances := f.chances()
	for i := 0; i < confirmations || wavers(runs, failed, i) || failed == 0 && chances > 1 && i < confirmations+chances; i++ {
		a, err := t.look(ctx, f, f.Operations)
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
	switch {
	case failed == runs, chances > 1 && failed > 0, failed >= confirmations && 2*failed >= runs, f.Deviations[0].Certain:
		return true, nil
	case failed > 0:
		f.doubt = fmt.Sprintf("it came again in %d of %d runs", failed, runs)
	}
	return false, nil
}

// wavers tells whether what came in one run and not in another has to be looked for more often.
func wavers(runs, failed, tries int) bool {
	return failed > 0 && failed < runs && tries < 2*confirmations
}
