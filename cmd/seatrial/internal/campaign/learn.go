package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// learn runs the seed: alone, to see that the operator works at all, and then several times at
// once, to see what differs for no reason.
func (t *trial) learn(ctx context.Context, grow func() error) error {
	begun := t.o.Now()
	defer func() { t.out.Learning = t.o.Now().Sub(begun) }()
	t.o.tell(Progress{What: "learn"})
	first, err := t.seeded(ctx)
	if err != nil {
		return err
	}
	s := first.Steps[0]
	t.out.Seed = s
	if !s.Rest.Quiet {
		why := t.restless(first)
		if t.out.Real == "" && strings.Contains(why, "nodes are available") {
			why += "; a plane has three usual nodes: say in the campaign's file which there are (plane: {nodes: [...]}), or ask for less in the seed"
		}
		return &OperatorError{fmt.Errorf("the operator does not come to rest with the seed: %s%s", why, lastWords(s))}
	}
	t.reaches(first)
	unwell := oracle.Unwell(t.caseOf(first, 0))
	behind := t.caseOf(first, 0)
	behind.Restart = first.Restart
	t.out.Unfinished = oracle.Unfinished(behind)
	t.out.unwell = strings.Join(unwell[:min(1, len(unwell))], "")
	for _, why := range unwell {
		t.out.Notes = append(t.out.Notes, "it is so with the seed already, and held against nothing: "+why)
	}
	if err := t.works(first); err != nil {
		return err
	}
	t.o.Input.ComesBack = first.Restart != nil && first.Restart.Rest.ComesBack
	t.dials(first.Steps[0], first.Restart)
	if err := grow(); err != nil {
		return err
	}
	if err := t.usual(ctx, s); err != nil {
		return err
	}
	result := &Result{Number: -1}
	for _, end := range []ending{plain, restarted, deleted} {
		t.keep(result, first, 0, end, t.judgeEnd(first, end))
	}
	t.out.Results = append(t.out.Results, result)
	return nil
}

// repetitions is how often the seed is run again, to learn what differs between such runs.
const repetitions = 2

// usual learns what differs between runs of the seed, of which first is one. What does not come to rest, though that
// did, is run once more: how far such a run has come says nothing of what differs in the end.
func (t *trial) usual(ctx context.Context, first *oracle.Step) error {
	again := make([]*oracle.Step, repetitions)
	errs := make([]error, repetitions)
	var all sync.WaitGroup
	for i := range again {
		all.Go(func() {
			again[i], errs[i] = t.twinOf(ctx, t.seed, nil, i+2)
			if s := again[i]; errs[i] == nil && s != nil && !s.Rest.Quiet {
				again[i], errs[i] = t.twinOf(ctx, t.seed, nil, i+2+repetitions)
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, other := range again {
		switch {
		case other == nil:
			continue
		case !other.Rest.Quiet:
			return &OperatorError{fmt.Errorf("the operator comes to rest with the seed in one run, and not in two others: %s%s", other.Rest.Why, lastWords(other))}
		}
		t.dials(other)
		if err := t.learnMask(first, other); err != nil {
			return err
		}
	}
	return nil
}

// reaches sees whether the operator says that it cannot reach what it wants of pods with the seed alone, and when it is
// started again there: on a plane it cannot be otherwise, and need not be said by the user.
func (t *trial) reaches(first *run) {
	in := t.o.Input
	if in.Unreachable != nil || t.o.Cluster != nil || first.Restart == nil {
		return
	}
	once, again := oracle.Unreached(first.Steps[0], t.key), oracle.Unreached(first.Restart, t.key)
	for _, what := range slices.Sorted(maps.Keys(once)) {
		if again[what] == "" {
			continue
		}
		in.Unreachable = append(in.Unreachable, what)
		t.out.silent, t.more = append(t.out.silent, deadProperty), nil
		t.out.Notes = append(t.out.Notes, fmt.Sprintf(
			"with the seed the operator says what nothing answers here (%s): it is taken for what the campaign's file calls `unreachable: [%s]`; with an empty list there it would be held against the operator",
			once[what], what,
		))
	}
}

// dials sees whether the operator wants what it cannot reach with the seed already.
func (t *trial) dials(steps ...*oracle.Step) {
	for _, s := range steps {
		if s != nil && (&oracle.Case{Unreachable: t.o.Input.Unreachable}).Tries(s) {
			t.dialled = true
		}
	}
}

// works sees whether the operator does anything with the seed. One that writes nothing, and whose reconciles go on
// failing, cannot be tried with it. Of one of which either is so, or that is not done with the seed, it is not asked
// whether anything comes of a property: it may not come to that.
func (t *trial) works(first *run) error {
	c, s := t.caseOf(first, 0), first.Steps[0]
	t.out.idle = !c.Wrote()
	failing := s.Rest.Failing
	if t.out.idle && len(failing) > 0 {
		return &OperatorError{fmt.Errorf("the operator writes nothing with the seed, and reconciles of its controller %s go on failing%s", failing[0], lastWords(s))}
	}
	if t.out.idle {
		t.out.Notes = append(t.out.Notes, "with the seed the operator writes nothing: it may not see the resource, or not get to work"+lastWords(s))
	}
	if t.out.idle || len(failing) > 0 || t.out.Unfinished != "" {
		t.out.silent, t.more = append(t.out.silent, deadProperty), nil
	}
	return nil
}

// restless says why a run's seed did not come to rest: what keeps pods from being ready, if that is known.
func (t *trial) restless(r *run) string {
	return cmp.Or(oracle.Unready(t.caseOf(r, 0)), r.Steps[0].Rest.Why)
}
