package judge

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// alone has the test run beside no other one of its package from here on, as with go test: where several take one port,
// or one file, they fail by that. What it was seen to fail with beside others is forgotten, but for what was confirmed
// since, and for what took all of its time, which is repeated anyway.
func (j *judging) alone() {
	if j.test.Alone {
		return
	}
	var confirmed []string
	for _, of := range []*judging{j, j.whole} {
		if of == nil {
			continue
		}
		if of.test.Alone = true; of.repeated || of.certain(of.all()) {
			confirmed = append(confirmed, keyOf(slices.Concat(of.beside, of.all())))
		}
	}
	for key, o := range j.known {
		if j.amid[key] && !j.test.Starts && o.Ending.Fails() && o.Ending != run.TimedOut && !slices.Contains(confirmed, key) {
			delete(j.known, key)
			j.fell[key] = true
		}
	}
}

// old runs the test with the old values: alone, if it fails beside others.
func (j *judging) old() (*run.Outcome, error) {
	o, err := j.run(nil)
	if err == nil && o.Ending.Fails() {
		j.alone()
		o, err = j.run(nil)
	}
	return o, err
}
