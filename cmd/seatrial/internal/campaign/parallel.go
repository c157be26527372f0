package campaign

import (
	"errors"
	"sync"
)

// inParallel does so many things, so many at a time, and returns their errors.
func inParallel(workers, n int, do func(i int) error) error {
	var mu sync.Mutex
	var errs []error
	next := 0
	var all sync.WaitGroup
	for range min(workers, n) {
		all.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
