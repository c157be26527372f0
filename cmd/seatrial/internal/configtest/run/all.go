package run

import (
	"context"
	"sync"
)

// Job is one test to run.
type Job struct {
	Program Program
	Test    string
	Values  Values
}

// All runs jobs, at most so many at once, and gives their outcomes in the order of the jobs. Those that had
// no turn before the context ended are nil. each is called after each, one at a time.
func (r *Runner) All(ctx context.Context, jobs []Job, workers int, each func(i int, o *Outcome)) ([]*Outcome, error) {
	out := make([]*Outcome, len(jobs))
	next := make(chan int)
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	for range max(1, min(workers, len(jobs))) {
		wait.Go(func() {
			for i := range next {
				o, err := r.Test(ctx, jobs[i].Program, jobs[i].Test, jobs[i].Values)
				mu.Lock()
				if first == nil && ctx.Err() == nil {
					first = err
				}
				if out[i] = o; o != nil && each != nil {
					each(i, o)
				}
				mu.Unlock()
			}
		})
	}
give:
	for i := range jobs {
		mu.Lock()
		failed := first != nil
		mu.Unlock()
		if failed {
			break
		}
		select {
		case next <- i:
		case <-ctx.Done():
			break give
		}
	}
	close(next)
	wait.Wait()
	return out, first
}
