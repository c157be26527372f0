package perturb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// chances is how many more runs a plan gets when one says nothing: that may be by chance.
const chances = 2

// judge runs a plan and says what became of it; if it fails, it is run again.
func (t *trial) judge(ctx context.Context, p *plan.Plan) (*Result, error) {
	begun := t.o.Now()
	r, err := t.once(ctx, p)
	for range chances {
		if err == nil && r.Verdict != Inconclusive || ctx.Err() != nil {
			break
		}
		r, err = t.once(ctx, t.otherwise(p, r))
	}
	if err != nil {
		return nil, err
	}
	if r.Verdict == Failed && !t.familiar(r) || t.o.ConfirmAll && r.Verdict == Passed {
		if r, err = t.confirm(ctx, r); err != nil {
			return nil, err
		}
	}
	if r.Verdict != Failed && !t.o.ConfirmAll {
		r.recording = nil // nobody shows it, and there may be hundreds
	}
	r.Took = t.o.Now().Sub(begun)
	return r, nil
}

// confirmedMax is how many plans with the same cause are run again: one more would say
// nothing new.
const confirmedMax = 1

// familiar tells whether enough plans with the same cause were confirmed.
func (t *trial) familiar(r *Result) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	cause := r.cause()
	t.confirmed[cause]++
	return t.confirmed[cause] > confirmedMax && !t.o.ConfirmAll
}

// confirm runs a plan again, and once beside it without the perturbation.
func (t *trial) confirm(ctx context.Context, r *Result) (*Result, error) {
	class := oracle.Class(r.Divergences)
	for range t.o.Confirm {
		again, err := t.again(ctx, r)
		if err != nil {
			return nil, err
		}
		r.Runs++
		switch {
		case again.Verdict == Failed && r.Verdict == Passed:
			again.Runs, r = r.Runs, again
			class = oracle.Class(r.Divergences)
		case again.Verdict == Failed:
			r.Failed++
			if oracle.Class(again.Divergences) != class && r.Reason == "" {
				r.Reason = "not every run ends in the same way"
			}
		}
	}
	return r, t.beside(ctx, r)
}

// otherwise is a plan with which another attempt is made when a run says nothing: one
// whose trigger counts writes to the object if it waits for words that are never the
// same, and else the plan itself.
func (t *trial) otherwise(p *plan.Plan, r *Result) *plan.Plan {
	if r == nil || r.recording.Fired || p.Trigger.Ordinal || p.Trigger.Type != history.Update {
		return p
	}
	for _, e := range t.ref.Events {
		if !e.Fires(&p.Trigger) {
			continue
		}
		if trigger, ok := e.ByOrdinal(); ok {
			again := *p
			again.Trigger = trigger
			return &again
		}
		break
	}
	return p
}

// again runs a plan once more. Of one that has failed it is known that an event does not
// help, so that none is tried.
func (t *trial) again(ctx context.Context, r *Result) (*Result, error) {
	expect := t.ref.Expectation(t.usual(r.Plan))
	expect.NoNudge = r.Verdict == Failed
	return t.expecting(ctx, r.Plan, expect)
}

// once runs a plan once.
func (t *trial) once(ctx context.Context, p *plan.Plan) (*Result, error) {
	return t.expecting(ctx, p, t.ref.Expectation(t.usual(p)))
}

func (t *trial) expecting(ctx context.Context, p *plan.Plan, expect *stage.Expectation) (*Result, error) {
	rec, err := t.pool.run(ctx, stage.Options{Plan: p, Mask: t.ref.Mask, Expect: expect})
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		var controller *stage.ControllerError
		if errors.As(err, &controller) && rec != nil {
			return &Result{Plan: p, Verdict: Inconclusive, Reason: controller.Text, Runs: 1, recording: rec}, nil
		}
		return nil, fmt.Errorf("%s: %w", p.Sentence, err)
	}
	r := &Result{Plan: p, Verdict: Passed, Runs: 1, recording: rec}
	switch {
	case !rec.Fired:
		r.Verdict, r.Reason = Inconclusive, "its trigger did not fire"
	case rec.Infeasible != "":
		r.Verdict, r.Reason = Infeasible, rec.Infeasible
	case t.ref.OtherUsers(rec):
		r.Verdict, r.Reason = Infeasible, "users go on without what they wait for, and their next step does something else then"
	case !rec.Done:
		r.Verdict, r.Reason = Inconclusive, "its perturbation did not come to an end"
	default:
		r.Divergences = oracle.Judge(&oracle.Case{Run: rec, Reference: t.ref, Experiment: t.o.Experiment, Plan: p})
		if oracle.Counts(r.Divergences) {
			r.Verdict, r.Failed = Failed, 1
		}
	}
	return r, nil
}

// beside runs the experiment without a perturbation after a plan has failed: what
// is different then, too, has nothing to do with the plan.
func (t *trial) beside(ctx context.Context, r *Result) error {
	rec, err := t.pool.run(ctx, stage.Options{Mask: t.ref.Mask, OldLists: true, Expect: t.ref.Expectation(t.usual(nil))})
	if err != nil {
		var step *stage.StepError
		if errors.As(err, &step) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.out.Unperturbed = append(t.out.Unperturbed, oracle.Divergence{Oracle: "step", Text: step.Text, Class: "step " + step.Text})
			return nil
		}
		return err
	}
	found := oracle.Judge(&oracle.Case{Run: rec, Reference: t.ref, Experiment: t.o.Experiment})
	if !oracle.Counts(found) {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	also := map[string]bool{}
	for _, d := range found {
		also[d.Class] = true
	}
	t.out.Unperturbed = append(t.out.Unperturbed, found...)
	r.Divergences = slices.DeleteFunc(r.Divergences, func(d oracle.Divergence) bool { return also[d.Class] })
	if !oracle.Counts(r.Divergences) {
		r.Verdict, r.Reason = Inconclusive, "what is different is different without the perturbation, too"
	}
	return nil
}
