package campaign

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// wrongMax is how many sequences may go wrong, by no fault of the operator, until it is
// not worth going on.
const wrongMax = 5

// work is the sequences of a plan while they are run.
type work struct {
	t     *trial
	begun time.Time

	mu        sync.Mutex
	sequences []*operation.Sequence
	next      int
	results   []*Result
	done, of  int
	// causes are those of what was found: findings so far, but that none has come again yet.
	causes map[string]bool
	wrong  int
	err    error
	// twice are the sequences that went wrong once, and are run again.
	twice map[*operation.Sequence]bool
	// tried are the causes that were repeated to see whether they come again, with the properties that were changed for
	// that, again those of which it is known, and sure are those that did, and were made smaller; all only where so
	// many findings are enough. It is reducing while one is.
	tried    map[string][]string
	again    map[string]*Finding
	sure     []*Finding
	reducing sync.Mutex
}

// run runs sequences on all planes, until there is none left.
func (w *work) run(ctx context.Context, sequences []*operation.Sequence) {
	w.sequences = append(w.sequences, sequences...)
	for _, s := range sequences {
		w.of += len(s.Operations)
	}
	left, none := context.WithCancel(ctx) // of what there is to begin
	defer none()
	var workers sync.WaitGroup
	begin := func() {
		workers.Go(func() {
			defer none()
			w.loop(ctx)
		})
	}
	for range w.t.workers() {
		begin()
	}
	workers.Go(func() { w.grow(ctx, left.Done(), begin) })
	workers.Wait()
}

// more are sequences of other values for properties that nothing came of so far; none if the campaign is over anyway.
func (w *work) more(ctx context.Context) ([]*operation.Sequence, error) {
	properties := w.t.tracer.Unsure()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.t.more == nil || len(properties) == 0 || w.enough() || w.over(ctx) || w.wrong > wrongMax {
		return nil, nil
	}
	return w.t.more(properties)
}

// dropped are sequences that take away as a whole what the operator did not do a part of; none if the campaign is over
// anyway.
func (w *work) dropped(ctx context.Context) ([]*operation.Sequence, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.t.dropped == nil || w.enough() || w.over(ctx) || w.wrong > wrongMax {
		return nil, nil
	}
	failed := map[string]bool{}
	for _, r := range w.results {
		for i := range r.Steps {
			failed[r.Steps[i].Operation] = failed[r.Steps[i].Operation] || r.Steps[i].Failed
		}
	}
	var all []*operation.Operation
	for _, s := range w.t.out.Plan.Sequences {
		for _, o := range s.Operations {
			if failed[o.Name] && !o.Repairs && !o.Content {
				all = append(all, o)
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return w.t.dropped(all)
}

// over tells that there is no time for more; mu is held.
func (w *work) over(ctx context.Context) bool {
	o := w.t.o
	return ctx.Err() != nil || !o.Until.IsZero() && o.Now().After(o.Until.Add(-w.reserve()))
}

// halted tells that what is under way need not go on.
func (w *work) halted(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.enough() || w.over(ctx)
}

// enough tells that as many findings have come again as are wanted; mu is held.
func (w *work) enough() bool { return w.t.o.Findings > 0 && len(together(w.sure)) >= w.t.o.Findings }

// confirm repeats what was seen so far and was not repeated yet, and makes it smaller, where the campaign is over with
// so many findings. No more is begun meanwhile: it may be enough.
func (w *work) confirm(ctx context.Context) error {
	for w.t.o.Findings > 0 && ctx.Err() == nil {
		w.reducing.Lock()
		f := w.unconfirmed()
		w.reducing.Unlock()
		if f == nil {
			return nil
		}
		seen := f.cause // which it may not have any more when it is smaller
		again, err := w.t.repeat(ctx, f, f.chances()+len(f.ways))
		if again && err == nil && f.doubt == "" {
			again, err = w.reduce(ctx, f)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		if f.doubt != "" {
			continue // there may be a verdict in the end
		}
		w.note(ctx, seen, f, again)
	}
	return nil
}

// reduce makes a root smaller that has come again, and is sure of it if it still does, or there is no time for that.
func (w *work) reduce(ctx context.Context, f *Finding) (bool, error) {
	w.reducing.Lock()
	defer w.reducing.Unlock()
	again, err := w.t.reduce(ctx, f)
	if again = again || ctx.Err() != nil; again && f.Confirmed() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.sure = append(w.sure, f)
		w.t.o.tell(Progress{What: "reduce", Done: len(together(w.sure)), Of: w.t.o.Findings})
	}
	return again, err
}

// note keeps what came of a root that was repeated; nothing, where there was no time for that.
func (w *work) note(ctx context.Context, seen string, f *Finding, again bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.again == nil {
		w.again = map[string]*Finding{}
	}
	switch {
	case again:
		w.again[seen] = f
	case ctx.Err() == nil:
		w.again[seen] = nil
	}
}

// unconfirmed is a root that was not repeated yet, or not on each way that is known by now, and is now; nil for none.
func (w *work) unconfirmed() *Finding {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tried == nil {
		w.tried = map[string][]string{}
	}
	for _, f := range roots(slices.Concat(w.t.out.Results, w.results)) { // what the seed shows first
		tried := w.tried[f.cause]
		again, done := w.again[f.cause]
		if w.enough() || len(tried) >= waysMost || len(tried) > 0 && (!done || again != nil) || !f.leave(tried) {
			continue
		}
		for _, s := range f.ways {
			w.tried[f.cause] = append(w.tried[f.cause], s.property())
		}
		return f
	}
	return nil
}

// fail ends the work for an error that is no sequence's.
func (w *work) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err, w.wrong, w.next = errors.Join(w.err, err), wrongMax+1, len(w.sequences)
}

// loop runs sequences until there is none left.
func (w *work) loop(ctx context.Context) {
	for {
		if err := w.confirm(ctx); err != nil {
			w.fail(err)
			return
		}
		number, s := w.take(ctx)
		if s == nil {
			return
		}
		r, err := w.t.sequence(ctx, number, s)
		if !w.add(ctx, s, r, err) {
			return
		}
	}
}

// take gives the next sequence; nil if there is none, or no time for it.
func (w *work) take(ctx context.Context) (int, *operation.Sequence) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.t.o
	for w.next < len(w.sequences) {
		known := o.Known[idOf(w.sequences[w.next])]
		if known == nil {
			break
		}
		r := *known
		r.Number = w.next
		for _, p := range r.probes {
			w.t.tracer.Take(p)
		}
		w.keep(w.sequences[w.next], &r)
		w.next++
	}
	if w.next >= len(w.sequences) || w.enough() || w.over(ctx) {
		return 0, nil
	}
	w.next++
	return w.next - 1, w.sequences[w.next-1]
}

// keep counts a result, and notes what is left of its sequence.
func (w *work) keep(s *operation.Sequence, r *Result) {
	w.results = append(w.results, r)
	for _, s := range r.seen {
		if w.causes == nil {
			w.causes = map[string]bool{}
		}
		w.causes[s.cause] = true
	}
	w.done += len(s.Operations) - len(r.left)
	if len(r.left) > 0 {
		w.sequences = append(w.sequences, &operation.Sequence{Operations: r.left})
	}
}

// add takes what became of a sequence; false if it is not worth going on.
func (w *work) add(ctx context.Context, s *operation.Sequence, r *Result, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && ctx.Err() != nil {
		return false
	}
	if err != nil {
		if w.once(s) {
			return true
		}
		if w.wrong++; w.wrong > wrongMax {
			w.err, w.next = err, len(w.sequences)
			return false
		}
		w.err = errors.Join(w.err, err)
		w.done += len(s.Operations)
		return true
	}
	r.ID = idOf(s)
	w.keep(s, r)
	o := w.t.o
	if o.Done != nil {
		o.Done(r)
	}
	left := time.Duration(0)
	if w.done > 0 {
		left = o.Now().Sub(w.begun) / time.Duration(w.done) * time.Duration(w.of-w.done)
	}
	o.tell(Progress{What: "operations", Done: w.done, Of: w.of, Found: len(w.causes), Left: left})
	return true
}

// once puts a sequence back that went wrong for the first time, to be run behind the others: a busy machine may be why.
// False where that was done already, or so often that it is no chance; mu is held.
func (w *work) once(s *operation.Sequence) bool {
	if w.twice[s] || len(w.twice) >= wrongMax {
		return false
	}
	if w.twice == nil {
		w.twice = map[*operation.Sequence]bool{}
	}
	w.twice[s] = true
	w.sequences = append(w.sequences, s)
	return true
}

// collect hands the results to the outcome, in the order of the plan.
func (w *work) collect() {
	slices.SortFunc(w.results, func(a, b *Result) int { return cmp.Compare(a.Number, b.Number) })
	w.t.out.Results = append(w.t.out.Results, w.results...)
	w.t.out.Skipped, w.t.again, w.t.tried = w.of-w.done, w.again, w.tried
	if w.enough() && w.next < len(w.sequences) {
		w.t.enough = w.sure
	}
	if w.wrong <= wrongMax {
		w.t.out.Troubles = w.err
		w.err = nil
	}
}
